"""Notes of what is searched and of what goes through the second stage; readings made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.hands.assignment import Player
from bunnymoose_cv.vision.headgear.headgear_reading import NO_HAND, HeadgearProbabilities
from bunnymoose_cv.vision.readings import PlayerReading
from bunnymoose_cv.vision.settings import TongueThresholds
from bunnymoose_cv.vision.tongue import tongue_cascade as tongue
from bunnymoose_cv.vision.tongue.mouth_crop import CROPS, MOUTH, MouthPlace
from tests.unit.vision.video.made_readings import MOOSE, MakeReading, probabilities

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.pose import Headgear
    from bunnymoose_cv.vision.geometry import CropSpec
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading
    from tests.unit.vision.conftest import MakeHand, MakeHead


@pytest.fixture
def seen_again(monkeypatch: pytest.MonkeyPatch) -> list[MouthPlace]:
    """Notes where mouths go through the second stage; every mouth would."""
    places: list[MouthPlace] = []
    cut = MouthPlace.cut

    def note(place: MouthPlace, image: Image, spec: CropSpec = MOUTH) -> Image:
        if spec is not CROPS[0]:
            places.append(place)
        return cut(place, image, CROPS[0])

    monkeypatch.setattr(MouthPlace, "cut", note)
    monkeypatch.setattr(tongue, "TONGUE", TongueThresholds(doubtful=(0.0, 1.0)))
    monkeypatch.setattr(tongue, "CROPS", CROPS[:2])
    return places


@pytest.fixture
def searched(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Times of the frames that are searched, as they come."""
    times_s: list[float] = []
    read = reader.read

    def note(image: Image, time_s: float) -> FrameReading:
        times_s.append(time_s)
        return read(image, time_s)

    monkeypatch.setattr(reader, "read", note)
    return times_s


@pytest.fixture
def make_reading(reader: Reader, make_head: MakeHead, make_hand: MakeHand) -> MakeReading:
    """A player whose left side shows something, with the left hand so many eye distances from the eyes."""

    def make(  # noqa: PLR0913 - a keyword for each thing that readings differ in
        left: Headgear = MOOSE,
        *,
        answer: HeadgearProbabilities | None = None,
        out: float = 0.01,
        sure: float = 0.99,
        at: float | None = 2.0,
        x: float = 300,
    ) -> PlayerReading:
        head = make_head(x, eyes=50)
        hands = {} if at is None else {Side.LEFT: make_hand(*head.at(at, 0.5))}
        player = Player(1, head, hands)
        shown = answer or (NO_HAND if at is None else probabilities(left, sure))
        answers = {Side.LEFT: shown, Side.RIGHT: probabilities(None)}
        headgear = {side: reader.headgear_reading(player, side, answers[side]) for side in Side}
        return PlayerReading(player, headgear, reader.tongue_reading(head, out))

    return make
