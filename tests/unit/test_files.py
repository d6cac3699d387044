"""Files are written whole or not at all."""

from __future__ import annotations

import os
import sys

import pytest

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
def test_a_link_in_the_place_of_the_unfinished_file_is_not_written_through(tmp_path):
    other, path = tmp_path / "another's", tmp_path / "x.csv"
    other.write_text("theirs")
    path.with_name(f".x.csv.{os.getpid()}{UNFINISHED}").symlink_to(other)
    write_whole(path, b"mine")
    assert other.read_text() == "theirs" and not path.is_symlink() and path.read_bytes() == b"mine"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["another's", "x.csv"]


def test_a_text_is_written_once(tmp_path):
    path = tmp_path / "page.html"
    assert [write_if_changed(path, "ä\r\n") for _ in range(2)] == [True, False]
    assert path.read_bytes() == "ä\r\n".encode()
    assert write_if_changed(path, "ä\n")
