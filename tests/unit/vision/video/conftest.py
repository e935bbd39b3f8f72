"""Notes of what is searched and of what goes through the second stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.vision.settings import TongueThresholds
from bunnymoose_cv.vision.tongue import tongue_cascade as tongue
from bunnymoose_cv.vision.tongue.mouth_crop import LOOKS, MOUTH, MouthPlace

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.geometry import CropSpec
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading


@pytest.fixture
def seen_again(monkeypatch: pytest.MonkeyPatch) -> list[MouthPlace]:
    """Notes where mouths go through the second stage; every mouth would."""
    places: list[MouthPlace] = []
    cut = MouthPlace.cut

    def note(place: MouthPlace, picture: Picture, spec: CropSpec = MOUTH) -> Picture:
        if spec is not LOOKS[0]:
            places.append(place)
        return cut(place, picture, LOOKS[0])

    monkeypatch.setattr(MouthPlace, "cut", note)
    monkeypatch.setattr(tongue, "TONGUE", TongueThresholds(doubtful=(0.0, 1.0)))
    monkeypatch.setattr(tongue, "LOOKS", LOOKS[:2])
    return places


@pytest.fixture
def searched(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Times of the frames that are searched, as they come."""
    times_s: list[float] = []
    read = reader.read

    def note(picture: Picture, time_s: float) -> FrameReading:
        times_s.append(time_s)
        return read(picture, time_s)

    monkeypatch.setattr(reader, "read", note)
    return times_s
