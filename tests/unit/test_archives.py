"""Archives that strangers made: what is in them is taken out within bounds, and nothing leaves its folder."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import tracemalloc
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.classroom import archives
from autograder.classroom.archives import BadArchive, Budget, each_apart, extract, folder_for


def zipped(path: Path, members: dict[str, bytes], modes: dict[str, int] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (modes or {}).get(name, stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_plain_files_come_out_and_archives_in_archives_too(tmp_path):
    inner = zipped(tmp_path / "inner.zip", {"deep.ipynb": b"2"}).read_bytes()
    archive = zipped(tmp_path / "a.zip", {"ada/01.ipynb": b"1", "ada/more.zip": inner})
    assert extract(archive, tmp_path / "out", Budget()) == []
    found = files_of(tmp_path / "out")
    assert found == {"ada/01.ipynb": b"1", "ada/more.zip": inner, "ada/more/deep.ipynb": b"2"}


@pytest.mark.parametrize("name", ["../x.ipynb", "/etc/x.ipynb", "a/../../x", "C:/x", "a\\..\\x"])
def test_a_name_that_leads_out_is_left_out_and_named(tmp_path, name):
    archive = zipped(tmp_path / "a.zip", {name: b"out", "good.ipynb": b"in"})
    [sentence] = extract(archive, tmp_path / "out", Budget())
    assert "leads out of its folder" in sentence
    assert files_of(tmp_path) == {"a.zip": archive.read_bytes(), "out/good.ipynb": b"in"}


def test_a_link_is_left_out(tmp_path):
    zip_link = zipped(tmp_path / "a.zip", {"key": b"/etc/passwd"}, {"key": stat.S_IFLNK | 0o777})
    tar_link = tmp_path / "b.tar.gz"
    with tarfile.open(tar_link, "w:gz") as archive:
        for kind, name in ((tarfile.SYMTYPE, "soft"), (tarfile.LNKTYPE, "hard"), (tarfile.FIFOTYPE, "pipe")):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
        member = tarfile.TarInfo("good")
        member.size = 2
        archive.addfile(member, io.BytesIO(b"ok"))
    assert len(extract(zip_link, tmp_path / "zip", Budget())) == 1
    assert len(extract(tar_link, tmp_path / "tar", Budget())) == 3
    assert files_of(tmp_path / "tar") == {"good": b"ok"}


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, "v7", "packed"])
def test_a_tar_whose_last_file_is_a_zip_is_a_tar(tmp_path, form):
    """Such a zip is read where it is a learner's, and in no other's place: weights, a document or work of that name."""
    inner = zipped(tmp_path / "inner.zip", {"ada/01.ipynb": b"junk"}).read_bytes()
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=form if isinstance(form, int) else None) as archive:
        for name, text in {"ada/01.ipynb": b"ada's", "eve/w.zip": inner}.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    raw = bytearray(content.getvalue())
    if form == "v7":  # without the word that tars have had since then
        without = raw[:257] + bytes(8) + raw[265:512]
        raw[:512] = without
        raw[148:156] = b"%06o\0 " % tarfile.calc_chksums(without)[0]
    path = tmp_path / "class.tar"
    path.write_bytes(gzip.compress(raw, 0) if form == "packed" else raw)
    assert zipfile.is_zipfile(path)
    assert extract(path, tmp_path / "out", Budget()) == []
    found = files_of(tmp_path / "out")
    assert found == {"ada/01.ipynb": b"ada's", "eve/w.zip": inner, "eve/w/ada/01.ipynb": b"junk"}


@pytest.mark.parametrize("before", [b"", b"\n", b"PK00", b"x" * 600])
def test_a_zip_with_something_before_it_is_a_zip(tmp_path, before):
    path = zipped(tmp_path / "a.zip", {"ada/01.ipynb": b"1"})
    path.write_bytes(before + path.read_bytes())
    assert extract(path, tmp_path / "out", Budget()) == []
    assert files_of(tmp_path / "out") == {"ada/01.ipynb": b"1"}


def test_a_bomb_is_refused_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 1 << 20)
    many = zipped(tmp_path / "many.zip", {f"f{i}": b"" for i in range(50)})
    with pytest.raises(BadArchive, match="more files than are left"):
        extract(many, tmp_path / "out", Budget(files_left=20))
    wide = zipped(tmp_path / "wide.zip", {f"f{i}": b"\0" * (1 << 20) for i in range(5)})
    with pytest.raises(BadArchive, match="more than the space that is left"):
        extract(wide, tmp_path / "out", Budget(bytes_left=3 << 20))
    nested = b"x"
    for depth in range(5):
        nested = zipped(tmp_path / f"n{depth}.zip", {"in.zip" if depth else "in.txt": nested}).read_bytes()
    assert not (tmp_path / "out").exists()
    [sentence] = extract(tmp_path / "n4.zip", tmp_path / "out", Budget())
    assert "archives in archives" in sentence


def test_one_learners_archive_in_the_classes_archive_harms_that_learner_alone(tmp_path):
    """A bomb, one that is damaged, one that names itself like another's folder: all others come out."""
    bomb = zipped(tmp_path / "bomb.zip", {f"f{i}": b"" for i in range(500)}).read_bytes()
    inner = zipped(tmp_path / "inner.zip", {"x.ipynb": b"1"}).read_bytes()
    members = {
        "a.b.zip": inner,
        "a.c.zip": inner,
        "ada": b"a file",
        "ada.zip": inner,
        "bad.zip": b"PK\x05\x06",
        "m": b"2",
    }
    archive = zipped(tmp_path / "class.zip", {"0.zip": bomb, **members})
    said = extract(archive, tmp_path / "out", Budget(files_left=1000))
    assert any(sentence.startswith("0.zip was left as it is: it holds more files") for sentence in said)
    assert [sentence for sentence in said if sentence.startswith("bad.zip was left as it is: ")]
    found = files_of(tmp_path / "out")
    assert {name for name in found if name.endswith("x.ipynb")} == {"a.b/x.ipynb", "a.c/x.ipynb", "ada-2/x.ipynb"}
    assert found["m"] == b"2" and found["ada"] == b"a file"


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Lab 1.2_mal_attempt_hw.zip", "Lab 1.2_mal_attempt_hw"),
        ("J. R. Mal_103_assignsubmission_file_hw.tar.gz", "J. R. Mal_103_assignsubmission_file_hw"),
        ("a.b.TGZ", "a.b"),
        ("..zip", "archive"),
        ("...zip", "archive"),
        (".tar.gz", "archive"),
    ],
)
def test_a_folder_is_called_as_its_archive_without_the_ending(tmp_path, name, folder):
    """What a system puts in front says whose the archive is, and holds a dot where a name or a title does."""
    assert folder_for(tmp_path / name) == tmp_path / folder


def test_backslashes_between_folders_are_read_as_windows_means_them(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in ("hw\\", "hw\\x.ipynb", "hw\\..\\..\\y.ipynb", "\\z.ipynb"):
            info = zipfile.ZipInfo(name)
            info.create_system = 0
            archive.writestr(info, b"1")
    said = extract(tmp_path / "class.zip", tmp_path / "out", Budget())
    assert files_of(tmp_path / "out") == {"hw/x.ipynb": b"1"} and len(said) == 2


def test_a_member_that_this_disk_or_the_bounds_do_not_take_is_left_out_alone(tmp_path, monkeypatch):
    """Too long a name, one that is there already as a file or as a folder, too many bytes: the others come out."""
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 1 << 20)
    monkeypatch.setattr(archives, "CHUNK", 1 << 16)
    inner = zipped(tmp_path / "inner.zip", {"x.ipynb": b"1"}).read_bytes()
    members = {
        "mal/" + "x" * 300: b"",
        "жж/" + "ж" * 130: b"",
        "folder/a": b"",
        "folder/" + "ж" * 130 + "/b": b"",
        "hw.zip": inner,
        "hw": b"a file",
        "file": b"",
        "file/below": b"",
        "folder": b"",
        "movie.mp4": b"\0" * (2 << 20),
        "zoe.ipynb": b"2",
    }
    for pack in (zipped, tarred):
        out = tmp_path / pack.__name__
        said = extract(pack(tmp_path / "class", members), out, Budget())
        assert sorted(sentence.split(" was left out: ")[0][:9] for sentence in said) == [
            "file/belo", "folder", "folder/жж", "mal/xxxxx", "movie.mp4", "жж/жжжжжж",
        ]  # fmt: skip
        assert str(tmp_path) not in " ".join(said) and "movie.mp4 was left out: it has more than 1 MB." in said
        found = files_of(out)
        assert found["zoe.ipynb"] == b"2" and found["hw"] == b"a file" and found["hw-2/x.ipynb"] == b"1"
        assert sorted(found) == ["file", "folder/a", "hw", "hw-2/x.ipynb", "hw.zip", "zoe.ipynb"]


def tarred(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def test_one_learners_many_archives_leave_room_for_the_others(tmp_path):
    """Files beside archives come first, and each archive has its part, however many come before it."""
    many = zipped(tmp_path / "many.zip", {f"f{i}": b"" for i in range(60)}).read_bytes()
    honest = zipped(tmp_path / "honest.zip", {f"{i}.ipynb": b"1" for i in range(9)}).read_bytes()
    members = {f"a{i}.zip": many for i in range(60)} | {"zoe.zip": honest, "zoe.ipynb": b"2"}
    archive = zipped(tmp_path / "class.zip", members)
    said = extract(archive, tmp_path / "out", Budget(files_left=1000))
    found = files_of(tmp_path / "out")
    assert found["zoe.ipynb"] == b"2" and found["zoe/8.ipynb"] == b"1"
    assert "a59.zip was left as it is: it holds more files than are left for it." in said
    assert [name for name in found if name.endswith("/f59")], "who needs more than a part has it, while there is more"


@pytest.mark.parametrize("files", [[30, 30], [30, 1], [45], [20, 20, 20]])
def test_each_of_a_downloads_few_archives_may_hold_a_section_of_the_class(tmp_path, files):
    """Each had a tenth of what was left: two sections of 1,500 learners in one folder were left out."""
    budget = Budget(files_left=100)
    found = []
    for number, count in enumerate(files):
        section = zipped(tmp_path / f"{number}.zip", {f"{learner}.ipynb": b"1" for learner in range(count)})
        found.append((section.name, section, tmp_path / "out" / section.stem))
    assert [why for _, _, why in each_apart(found, budget)] == [""] * len(files)
    assert len(files_of(tmp_path / "out")) == sum(files)
    too_large = zipped(tmp_path / "bomb.zip", {f"{learner}.ipynb": b"1" for learner in range(60)})
    ((_, _, why),) = each_apart([("bomb.zip", too_large, tmp_path / "bomb")], Budget(files_left=100))
    assert why == "it holds more files than are left for it", "one archive never takes all that is left"
    budget = Budget(files_left=1000)  # of a run for several folders, with a bomb of one learner's in each
    for number in range(5):
        bomb = zipped(tmp_path / f"b{number}.zip", {f"{learner}.ipynb": b"" for learner in range(600)})
        assert [why for _, _, why in each_apart([(bomb.name, bomb, tmp_path / bomb.stem)], budget)] != [""]
    assert budget.files_left > 300


def test_folders_are_counted_as_files_are(tmp_path):
    """Half a megabyte of names, a file below 27 folders each, made 70,000 folders on the teacher's disk."""
    deep = "/".join("abcdefghij")
    many = zipped(tmp_path / "many.zip", {f"{number}/{deep}/x.ipynb": b"" for number in range(20)})
    with pytest.raises(BadArchive, match="files"):
        extract(many, tmp_path / "out", Budget(files_left=100))
    few = zipped(tmp_path / "few.zip", {f"{deep}/{number}.ipynb": b"" for number in range(20)})
    assert extract(few, tmp_path / "few-out", Budget(files_left=40)) == []


def test_a_refused_archive_costs_what_was_read_of_it(tmp_path):
    """Else a thousand of them take hours."""
    path = tmp_path / "a.tar.gz"
    member = tarfile.TarInfo("a")
    member.size = 2 << 20
    path.write_bytes(gzip.compress(member.tobuf() + b"\0" * (2 << 20))[:-9])
    budget = Budget(bytes_left=10 << 20)
    with pytest.raises(BadArchive):
        extract(path, tmp_path / "out", budget)
    assert budget.bytes_left < 8 << 20
    bomb = zipped(tmp_path / "b.zip", {f"f{i}": b"\0" * (1 << 20) for i in range(9)})
    left = budget.bytes_left
    with pytest.raises(BadArchive, match="more than the space that is left"):
        extract(bomb, tmp_path / "out", budget)
    assert budget.bytes_left == left, "its list says how large it is, so nothing was unpacked"


def test_a_file_that_holds_the_sign_of_a_list_is_no_list(tmp_path):
    """Some systems pack nothing, so that a learner's bytes stand in the class's archive as they are."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("mal.ipynb", archives.ENTRY * 200_000)
        archive.writestr("zoe.ipynb", b"2")
    assert extract(tmp_path / "a.zip", tmp_path / "out", Budget()) == []
    assert files_of(tmp_path / "out")["zoe.ipynb"] == b"2"


def test_all_archives_together_leave_room_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1000))
    assert Budget.on_disk(tmp_path).bytes_left == 900
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1 << 60))
    assert Budget.on_disk(tmp_path) == Budget()


@pytest.mark.parametrize("inner", [False, True], ids=["its own", "of an archive in it"])
def test_a_full_disk_ends_all_and_is_said_without_a_path(tmp_path, monkeypatch, inner):
    """A learner's newest archive may be the one for which there is no room."""
    real = archives._copy

    def full(content, file, budget):
        if inner and Path(file.name).suffix == ".zip":
            real(content, file, budget)
        else:
            raise OSError(28, "No space left on device", str(tmp_path))

    monkeypatch.setattr(archives, "_copy", full)
    files = {"b.zip": zipped(tmp_path / "b.zip", {"a": b"1"}).read_bytes()} if inner else {"a": b"1"}
    archive = zipped(tmp_path / "a.zip", files)
    with pytest.raises(
        archives.FullDisk, match="^The disk has no room left for a copy of the download. Nothing was collected"
    ):
        extract(archive, tmp_path / "out", Budget())
    assert not (tmp_path / "out").exists()


def test_many_small_files_take_what_they_take_on_a_disk(tmp_path):
    """Else those of one learner could fill it for a class."""
    archive = zipped(tmp_path / "a.zip", {f"n{number}.ipynb": b"1" for number in range(300)})
    with pytest.raises(archives.NoRoom):
        extract(archive, tmp_path / "out", Budget(bytes_left=1_000_000))
    extract(archive, tmp_path / "out", Budget(bytes_left=2_000_000))


def test_what_is_not_wanted_is_not_unpacked(tmp_path):
    members = {"a.ipynb": b"1", "movie.mp4": b"2" * 1000}
    for pack in (zipped, tarred):
        budget = Budget(bytes_left=20_000)
        out = tmp_path / pack.__name__
        assert extract(pack(tmp_path / "a", members), out, budget, wanted=lambda name: name.endswith(".ipynb")) == []
        assert files_of(out) == {"a.ipynb": b"1"}


def test_what_is_not_wanted_is_no_reason_to_refuse_an_archive(tmp_path):
    """A project's folder may hold thousands of files of a program, links, and a file with a password."""
    many = {f".venv/lib/{number}.py": b"" for number in range(50)}
    for pack in (zipped, tarred):
        out = tmp_path / pack.__name__
        archive = pack(tmp_path / "a", {**many, "a.ipynb": b"1"})
        assert extract(archive, out, Budget(files_left=5), wanted=lambda name: name.endswith(".ipynb")) == []
        assert files_of(out) == {"a.ipynb": b"1"}
        with pytest.raises(BadArchive, match="more files"):
            extract(archive, tmp_path / "out", Budget(listed_left=20), wanted=lambda name: name.endswith(".ipynb"))
    data = bytearray(zipped(tmp_path / "a", {"locked.txt": b"1", "a.ipynb": b"1"}).read_bytes())
    data[data.index(archives.ENTRY) + 8] |= 1  # a flag of the first member in the list
    (tmp_path / "a").write_bytes(bytes(data))
    assert extract(tmp_path / "a", tmp_path / "two", Budget(), wanted=lambda name: name.endswith(".ipynb")) == []
    with pytest.raises(BadArchive, match="password"):
        extract(tmp_path / "a", tmp_path / "out", Budget())


def test_what_an_archive_says_of_itself_takes_no_memory(tmp_path):
    """Lists of members, long names and folders without end are read by Python's readers before they can be counted."""
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    folder = tarfile.TarInfo("d")
    folder.type = tarfile.DIRTYPE
    for name, data in {"long": header.tobuf(tarfile.GNU_FORMAT), "many": folder.tobuf() * 3000}.items():
        path = tmp_path / f"{name}.tar.gz"
        with gzip.open(path, "wb") as file:
            file.write(data)
            file.write(b"a" * (3 << 20))
        tracemalloc.start()
        with pytest.raises(BadArchive, match="far too long|more files"):
            extract(path, tmp_path / "out", Budget(files_left=1000))
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
        tracemalloc.stop()
    listed = zipped(tmp_path / "listed.zip", {f"f{i}/": b"" for i in range(1500)})
    with pytest.raises(BadArchive, match="more files"):
        extract(listed, tmp_path / "out", Budget(files_left=1000))


def holes_of_pax(archive: Path) -> None:
    """A tar of one file, whose list of holes (GNU's format 1.0) goes on and on."""
    about = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "x", "GNU.sparse.realsize": "1"}
    member = tarfile.TarInfo("x")
    member.pax_headers, member.size = about, 1 << 20
    heading = member.tobuf(tarfile.PAX_FORMAT)
    archive.write_bytes(gzip.compress(heading + b"99999999\n" + b"0\n" * (1 << 19)))


def holes_of_gnu(archive: Path) -> None:
    """The same in GNU's old format: blocks of 21 holes, each of which says that another one follows."""
    member = tarfile.TarInfo("x")
    member.type = tarfile.GNUTYPE_SPARSE
    heading = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    heading[482] = 1  # blocks follow
    heading[148:156] = b" " * 8
    heading[148:156] = b"%06o\0 " % sum(heading)
    block = b"00000000001\0" * 42 + b"\1" + bytes(7)
    archive.write_bytes(gzip.compress(heading + block * 2000))


@pytest.mark.parametrize("bomb", [holes_of_pax, holes_of_gnu])
def test_a_list_of_holes_in_a_tar_is_not_read_to_its_end(tmp_path, bomb):
    archive = tmp_path / "a.tar.gz"
    bomb(archive)
    with pytest.raises(BadArchive, match="a note that is far too long"):
        extract(archive, tmp_path / "out", Budget())


def test_what_stands_before_the_files_of_a_tar_is_not_kept(tmp_path):
    archive = tmp_path / "a.tar"
    notes = {f"note.{number}": "" for number in range(3000)}
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "of all"}) as made:
        for number in range(40):
            member = tarfile.TarInfo(f"{number}.ipynb")
            member.pax_headers, member.size = notes, 2
            made.addfile(member, io.BytesIO(b"{}"))
    tracemalloc.start()
    try:
        assert extract(archive, tmp_path / "out", Budget()) == []
        assert tracemalloc.get_traced_memory()[1] < 5 << 20
    finally:
        tracemalloc.stop()
    assert len(files_of(tmp_path / "out")) == 40
    with pytest.raises(BadArchive, match="more files"):  # some 60 blocks each, and reading them is work
        extract(archive, tmp_path / "again", Budget(listed_left=1000))


def test_notes_in_the_list_of_a_zip_cost_what_reading_them_takes(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        for number in range(40):
            info = zipfile.ZipInfo(f"{number}.ipynb")
            info.extra = b"\x99\x99\0\0" * 15_000
            made.writestr(info, b"{}")
    with pytest.raises(BadArchive, match="more files"):
        extract(tmp_path / "a.zip", tmp_path / "out", Budget(listed_left=2000))
    assert extract(tmp_path / "a.zip", tmp_path / "out", Budget()) == []


def test_what_a_member_of_a_zip_is_packed_in_counts_where_nothing_comes_out(tmp_path):
    """Here blocks of deflate with nothing in them; thousands of members could share the same ones."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        for number in range(30):
            made.writestr(f"{number}.ipynb", b"\0\0\0\xff\xff" * 20_000 + b"\1\0\0\xff\xff")
        for info in made.infolist():
            info.compress_type, info.file_size, info.CRC = zipfile.ZIP_DEFLATED, 1, 0
    with pytest.raises(BadArchive, match="more than the space that is left"):
        extract(tmp_path / "a.zip", tmp_path / "out", Budget(bytes_left=1_000_000))


def test_a_packed_file_of_many_parts_is_not_read_to_its_end(tmp_path):
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(b"") * 3000)
    with pytest.raises(BadArchive, match="more files"):
        extract(tmp_path / "a.tar.gz", tmp_path / "out", Budget(listed_left=1000))
    with tarfile.open(tmp_path / "b.tar", "w") as made:
        made.addfile(tarfile.TarInfo("x.ipynb"))
    half = (tmp_path / "b.tar").stat().st_size // 2
    whole = (tmp_path / "b.tar").read_bytes()
    (tmp_path / "b.tgz").write_bytes(gzip.compress(whole[:half]) + gzip.compress(whole[half:]))
    assert extract(tmp_path / "b.tgz", tmp_path / "out", Budget()) == []
    assert files_of(tmp_path / "out") == {"x.ipynb": b""}


@pytest.mark.parametrize("field", [b"\x08", b"\x10"], ids=["name", "comment"])
def test_a_packed_files_own_name_is_read_to_no_end(tmp_path, field):
    """It is read byte by byte; 64 MB of it took minutes."""
    (tmp_path / "a.tar.gz").write_bytes(b"\x1f\x8b\x08" + field + bytes(4) + b"\0\3" + b"a" * 200_000)
    with pytest.raises(BadArchive, match="far too long"):
        extract(tmp_path / "a.tar.gz", tmp_path / "out", Budget())


def test_zeros_between_two_parts_are_read_to_no_end(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as made:
        made.addfile(tarfile.TarInfo("x.ipynb"))
    whole = (tmp_path / "a.tar").read_bytes()
    packed = gzip.compress(whole[:512]) + bytes(200_000) + gzip.compress(whole[512:])
    (tmp_path / "a.tar.gz").write_bytes(packed)
    with pytest.raises(BadArchive, match="far too long"):
        extract(tmp_path / "a.tar.gz", tmp_path / "out", Budget())


def test_a_size_beyond_all_numbers_is_a_sentence(tmp_path):
    member = tarfile.TarInfo("x")
    member.type, member.size = b"X", 2**80
    (tmp_path / "a.tar").write_bytes(member.tobuf(tarfile.GNU_FORMAT) * 3)
    with pytest.raises(BadArchive):
        extract(tmp_path / "a.tar", tmp_path / "out", Budget())


def test_damage_in_a_packed_file_is_a_sentence(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"abc" * 1000, compress_type=zipfile.ZIP_DEFLATED)
    data = bytearray(path.read_bytes())
    data[44:60] = b"\xff" * 16
    path.write_bytes(bytes(data))
    with pytest.raises(BadArchive, match="cannot be read"):
        extract(path, tmp_path / "out", Budget())


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, 9, 99])
def test_a_packing_whose_pieces_have_no_bound_is_not_unpacked(tmp_path, method):
    """Two kilobytes by bzip2, that say a hundred bytes and hold 2 GB, took 4 GB of memory; the rest comes out."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.ipynb", b"0" * (64 << 20), compress_type=method if method in (12, 14) else 12)
        archive.writestr("b.ipynb", b"1")
    if method in (9, 99):
        path.write_bytes(path.read_bytes().replace(bytes([12, 0]), bytes([method, 0])))
    tracemalloc.start()
    [sentence] = extract(path, tmp_path / "out", Budget())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sentence == "a.ipynb was left out: it is packed in an unusual way. Use an ordinary zip." and peak < 16 << 20
    assert files_of(tmp_path / "out") == {"b.ipynb": b"1"}


@pytest.mark.parametrize("name", ["Jörg Müller_1_file/x.ipynb", "Нина/x.ipynb"])
def test_names_of_zips_that_do_not_say_that_they_are_utf_8_are_read(tmp_path, name):
    path = zipped(tmp_path / "a.zip", {name: b"1", "ë.ipynb": b"2"})
    data = path.read_bytes()
    for sign, place in ((b"PK\3\4", 7), (b"PK\1\2", 9)):
        data = sign.join(
            [(part[: place - 4] + b"\0" + part[place - 3 :]) if n else part for n, part in enumerate(data.split(sign))]
        )
    path.write_bytes(data)
    with zipfile.ZipFile(path) as opened:
        assert not any(info.flag_bits & 0x800 for info in opened.infolist())
    assert extract(path, tmp_path / "out", Budget()) == []
    assert files_of(tmp_path / "out") == {name: b"1", "ë.ipynb": b"2"}


def test_names_that_cannot_be_shown_or_are_very_deep_are_left_out(tmp_path):
    names = ["\x1b]0;x\x07.ipynb", "a/" * 2000 + "x", "\u202eb"]
    archive = zipped(tmp_path / "a.zip", dict.fromkeys(names, b"1") | {"c": b"4"})
    assert len(extract(archive, tmp_path / "out", Budget())) == 3
    assert files_of(tmp_path / "out") == {"c": b"4"}
