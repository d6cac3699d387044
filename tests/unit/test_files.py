"""Files are written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from autograder.cli import main
from autograder.errors import why_refused
from autograder.files import UNFINISHED, write_if_changed, write_whole


def test_folders_are_made_and_nothing_else_is_left(tmp_path):
    write_whole(tmp_path / "a" / "b.txt", b"one\r\n")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.txt"]
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"one\r\n"


def test_what_cannot_be_replaced_stays_and_leaves_nothing_beside(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "folder", b"text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("place", [".", "/"])
def test_a_folder_without_a_name_is_refused_by_its_name(place):
    with pytest.raises(IsADirectoryError) as refused:
        write_whole(Path(place), b"text")
    assert why_refused(refused.value).endswith(f": {place}")


@pytest.mark.parametrize("option", ["--csv", "--json"])
def test_a_folder_for_the_tables_is_refused_before_the_grading(tmp_path, monkeypatch, capsys, option):
    for folder in ("solutions/_shared", "autograder", "classroom"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("COURSE_ROOT", str(tmp_path))
    assert main(["grade", option, "."]) == 2
    assert f"{option} . is a folder. Name the file" in capsys.readouterr().err


def test_a_link_in_the_place_of_the_unfinished_file_is_not_written_through(tmp_path):
    other, path = tmp_path / "another's", tmp_path / "x.csv"
    other.write_text("theirs")
    path.with_name(f".x.csv.{os.getpid()}{UNFINISHED}").symlink_to(other)
    write_whole(path, b"mine")
    assert other.read_text() == "theirs" and not path.is_symlink() and path.read_bytes() == b"mine"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["another's", "x.csv"]


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no modes there")
@pytest.mark.parametrize(
    ("folder", "inside", "file"),
    [(0o711, 0o711, 0o600), (0o700, 0o700, 0o600), (0o750, 0o750, 0o640), (0o755, 0o755, 0o644)],
)
def test_who_may_not_list_a_folder_may_not_read_what_is_written_there(tmp_path, folder, inside, file):
    classroom = tmp_path / "classroom"
    classroom.mkdir()
    classroom.chmod(folder)
    before = os.umask(0o022)
    try:
        for path in (classroom / "grades.csv", classroom / "misconceptions" / "new" / "01.html"):
            write_whole(path, b"x")
            assert path.stat().st_mode & 0o777 == file
            assert path.parent == classroom or path.parent.stat().st_mode & 0o777 == inside
    finally:
        os.umask(before)


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_what_takes_what_is_written_is_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"a,b\n")
    assert os.read(reader, 10) == b"a,b\n" and pipe.is_fifo()
    os.close(reader)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="Linux has it")
def test_a_disk_in_memory_is_no_device():
    with TemporaryDirectory(dir="/dev/shm") as folder:
        place, elsewhere = Path(folder, "new", "x.json"), Path(folder, "elsewhere")
        write_whole(place, b"one")
        elsewhere.write_bytes(b"kept")
        place.unlink()
        place.symlink_to(elsewhere)
        write_whole(place, b"two")
        assert elsewhere.read_bytes() == b"kept" and place.read_bytes() == b"two"


def test_a_text_is_written_once(tmp_path):
    path = tmp_path / "page.html"
    assert [write_if_changed(path, "ä\r\n") for _ in range(2)] == [True, False]
    assert path.read_bytes() == "ä\r\n".encode()
    assert write_if_changed(path, "ä\n")
