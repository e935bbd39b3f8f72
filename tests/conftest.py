"""What tests of several rooms share: the program in this process, two rendered players, and what is read of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.pictures import read_picture
from bunnymoose_cv.cli import main
from bunnymoose_cv.profile import load_profile
from bunnymoose_cv.vision.reader import FrameReading, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PLAYERS = Path(__file__).parents[1] / "fixtures" / "players"


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    """The real models with the default limits."""
    with Reader(load_profile()) as reader:
        yield reader


@pytest.fixture(scope="session")
def party_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of 1280 × 640 pixels: at the left a rabbit (`SS TF`), at the right a moose (`WU WU`)."""
    path = tmp_path_factory.mktemp("party") / "party.png"
    cv2.imwrite(str(path), np.hstack([read_picture(PLAYERS / f"{name}.jpg") for name in ("0001", "0009")]))
    return path


@pytest.fixture(scope="session")
def party(reader: Reader, party_file: Path) -> FrameReading:
    """What is read of that picture."""
    return reader.read(read_picture(party_file))


@pytest.fixture(name="bunnymoose")
def run_in_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Runs the program with arguments: its exit code, stdout and stderr; 120 columns wide."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["bunnymoose", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), *capsys.readouterr()

    return run
