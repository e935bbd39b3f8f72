"""What tests of several rooms share: a picture of two rendered players side by side, and what is read of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.pictures import read_picture
from bunnymoose_cv.profile import load_profile
from bunnymoose_cv.vision.reader import FrameReading, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

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
