"""Log of an evening: made with its first line, bounded, its owner's alone, and without what people said or typed."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core import log
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.log import evening_log

if TYPE_CHECKING:
    from pathlib import Path

LOGGER = logging.getLogger("bunnymoose_cv.some.module")
ADDRESS = "rtsp://narrator:hunter2@192.0.2.7/stream"


def fail() -> None:
    """Raise an error that quotes a person and is caused by one that quotes an address."""
    raise InputError("Zdenka is no player") from OSError(ADDRESS)


def test_no_file_is_made_without_a_line(tmp_path: Path) -> None:
    with evening_log(tmp_path / "logs"):
        LOGGER.debug("not written")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    with evening_log(tmp_path / "logs"):
        LOGGER.info("the source is %s", "lost")
    (file,) = (tmp_path / "logs").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert file.read_text("utf-8").endswith(" INFO bunnymoose_cv.some.module: the source is lost\n")


def test_errors_stand_there_by_class_and_line_and_never_by_text(tmp_path: Path) -> None:
    with evening_log(tmp_path):
        try:
            fail()
        except InputError:
            LOGGER.exception("a turn failed")
    text = next(tmp_path.iterdir()).read_text("utf-8")
    assert "Zdenka" not in text
    assert "hunter2" not in text
    assert "InputError at test_log.py:" in text
    assert "OSError at " in text


def test_libraries_are_not_written_and_nothing_is_once_it_is_over(tmp_path: Path) -> None:
    with evening_log(tmp_path):
        logging.getLogger("uvicorn.error").error(ADDRESS)
    LOGGER.error("too late")
    assert list(tmp_path.iterdir()) == []


def test_an_evening_takes_two_files_of_a_bounded_size_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 1000)
    with evening_log(tmp_path):
        for number in range(100):
            LOGGER.info("line %d", number)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    assert all(file.stat().st_size <= 1000 for file in files)
    assert any("line 99\n" in file.read_text("utf-8") for file in files)


def test_only_the_last_evenings_are_kept(tmp_path: Path) -> None:
    for day in range(1, 21):
        (tmp_path / f"2020-01-{day:02}.log").write_text("")
    with evening_log(tmp_path):
        LOGGER.info("a new evening")
    kept = sorted(file.name for file in tmp_path.iterdir())
    assert len(kept) == log.KEPT_EVENINGS
    assert kept[0] == "2020-01-12.log"


def test_a_folder_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("in the way")
    with evening_log(tmp_path / "logs"):
        LOGGER.error("nowhere to go")
    assert (tmp_path / "logs").read_text("utf-8") == "in the way"


def test_a_library_user_sees_nothing_on_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    LOGGER.error("quiet")
    assert capfd.readouterr().err == ""
