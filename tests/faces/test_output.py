"""Files are written whole or not at all."""

from __future__ import annotations

import os

import pytest
from face_helpers import no_leftovers

from rocsolid.errors import SourceError
from rocsolid.sources.output import whole, write_text


def test_writes_and_replaces(tmp_path):
    path = write_text(tmp_path / "a.txt", "中文\nb")
    assert path.read_bytes() == "中文\nb".encode()
    path.chmod(0o640)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert no_leftovers(tmp_path)


def test_failure_keeps_what_was_there(tmp_path):
    path = write_text(tmp_path / "a.txt", "old")

    def fail():
        with whole(path) as part:
            part.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert no_leftovers(tmp_path)


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_places_that_can_not_be_written(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, code in (
        (tmp_path, "is-a-folder"),
        (tmp_path / "no" / "a.txt", "folder-missing"),
        (tmp_path / "pipe", "not-writable"),
    ):
        with pytest.raises(SourceError) as caught:
            write_text(path, "x")
        assert caught.value.code == code
        assert caught.value.hint
