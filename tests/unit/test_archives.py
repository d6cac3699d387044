"""Archives that strangers made: what is in them is taken out within bounds, and nothing leaves its folder."""

from __future__ import annotations

import io
import stat
import tarfile
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
    with pytest.raises(BadArchive, match="archives in archives"):
        extract(tmp_path / "n4.zip", tmp_path / "out", Budget())
    assert not (tmp_path / "out").exists()


def test_a_size_that_lies_is_found_as_bytes_come(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILE_BYTES", 1000)
    archive = zipped(tmp_path / "a.zip", {"a": b"x" * 5000})
    data = archive.read_bytes()
    size = (5000).to_bytes(4, "little")
    archive.write_bytes(data.replace(size, (10).to_bytes(4, "little")))
    with pytest.raises(BadArchive):
        extract(archive, tmp_path / "out", Budget())


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", b"\x1f\x8b\x08broken"])
def test_what_is_no_archive_is_a_sentence(tmp_path, content):
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    with pytest.raises(BadArchive, match="no zip and no tar|cannot be read"):
        extract(path, tmp_path / "out", Budget())


def test_a_damaged_archive_is_a_sentence(tmp_path):
    archive = zipped(tmp_path / "a.zip", {"a": bytes(range(256)) * 50})
    data = bytearray(archive.read_bytes())
    data[60] ^= 0xFF
    archive.write_bytes(bytes(data))
    with pytest.raises(BadArchive, match="cannot be read"):
        extract(archive, tmp_path / "out", Budget())
