"""Archives that strangers made: what is in them is taken out within bounds, and nothing leaves its folder."""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from autograder.classroom import archives
from autograder.classroom.archives import BadArchive, Budget, extract


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


def test_a_bomb_is_refused_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 1 << 20)
    large = zipped(tmp_path / "large.zip", {"a": b"\0" * (2 << 20)})
    with pytest.raises(BadArchive, match="its file a has more than 1 MB"):
        extract(large, tmp_path / "out", Budget())
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
    assert {name for name in found if name.endswith("x.ipynb")} == {"a/x.ipynb", "a-2/x.ipynb", "ada-2/x.ipynb"}
    assert found["m"] == b"2" and found["ada"] == b"a file"


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


def test_a_size_beyond_all_numbers_is_a_sentence(tmp_path):
    member = tarfile.TarInfo("x")
    member.type, member.size = b"X", 2**80
    (tmp_path / "a.tar").write_bytes(member.tobuf(tarfile.GNU_FORMAT) * 3)
    with pytest.raises(BadArchive):
        extract(tmp_path / "a.tar", tmp_path / "out", Budget())


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED, 99])
def test_damage_in_any_packing_is_a_sentence(tmp_path, method):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", b"abc" * 1000, compress_type=min(method, 14))
    data = bytearray(path.read_bytes())
    data[44:60] = b"\xff" * 16
    if method == 99:
        data = data.replace(bytes([14, 0]), bytes([99, 0]))
    path.write_bytes(bytes(data))
    with pytest.raises(BadArchive, match="cannot be read"):
        extract(path, tmp_path / "out", Budget())


def test_names_that_cannot_be_shown_or_are_very_deep_are_left_out(tmp_path):
    names = ["\x1b]0;x\x07.ipynb", "a/" * 2000 + "x", "\u202eb"]
    archive = zipped(tmp_path / "a.zip", dict.fromkeys(names, b"1") | {"c": b"4"})
    assert len(extract(archive, tmp_path / "out", Budget())) == 3
    assert files_of(tmp_path / "out") == {"c": b"4"}
