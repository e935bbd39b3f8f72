"""Steady readings: noise does not make a question come and go, another scene is read afresh."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.round_reader import RoundReader
from bunnymoose_cv.referee.steady_readings import SteadyReadings
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
from bunnymoose_cv.vision.video.freeze import Freeze, FrozenPlayer
from tests.doubles import CannedFootage, CannedReader, CannedTracker, player_reading, sure_of

SPREAD_MATTERS = parse_table("L.WU+2 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
BAM_S = 0.4


@pytest.fixture
def green(party: FrameReading) -> Callable[[float], PlayerReading]:
    """Return a function that reads the moose of the party, with a probability that its left antler is wide."""
    settings, (_, moose) = load_settings(), party.players
    shown = sure_of(moose.pose.left)

    def read(wide: float, left: HeadgearProbabilities = shown) -> PlayerReading:
        likely = {Side.LEFT: replace(left, wide=wide), Side.RIGHT: shown}
        return player_reading(moose.player, likely, 0.002, settings)

    return read


def noisy(image: Image, deviation: float, seed: int) -> Image:
    """Return an image with noise."""
    noise = np.random.default_rng(seed).normal(0.0, deviation, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def with_block(image: Image, reading: PlayerReading, right: float, down: float, size: float) -> Image:
    """Return an image with a grey block near a face; place and size in widths of the face."""
    face = reading.face
    x, y, side = (
        int(length) for length in (face.x + right * face.width, face.y + down * face.width, size * face.width)
    )
    changed = image.copy()
    changed[max(0, y) : y + side, max(0, x) : x + side] //= 2
    return changed


@pytest.mark.parametrize(
    ("change", "wide", "is_kept"),
    [
        (lambda image, _: noisy(image, 5.0, 1), 0.83, True),
        (lambda image, _: noisy(image, 10.0, 1), 0.55, True),
        (lambda image, _: np.clip(image.astype(int) + 6, 0, 255).astype(np.uint8), 0.83, True),
        (lambda image, reading: with_block(image, reading, 1.1, -0.3, 0.25), 0.83, False),
        (lambda image, reading: with_block(image, reading, 0.45, 0.8, 0.15), 0.83, False),
        (lambda image, _: np.roll(image, 30, axis=1), 0.83, False),
        (lambda image, _: image[:, : image.shape[1] - 8], 0.83, False),
        (lambda image, _: noisy(image, 5.0, 1), 0.1, False),
    ],
    ids=["noise", "much noise", "light", "a finger", "the mouth", "it moves", "another size", "the first was a slip"],
)
def test_the_same_scene_keeps_its_reading(
    green: Callable[[float], PlayerReading],
    party: FrameReading,
    change: Callable[[Image, PlayerReading], Image],
    wide: float,
    *,
    is_kept: bool,
) -> None:
    readings, first = SteadyReadings(), green(0.75)
    assert readings.steady(first, party.image) is first
    now = green(wide)
    counted = readings.steady(now, change(party.image, now))
    assert counted.probabilities == (first if is_kept else now).probabilities
    assert counted.seat == now.seat


def test_another_slip_of_the_same_scene_does_not_replace_the_first_reading(
    green: Callable[[float], PlayerReading], party: FrameReading
) -> None:
    readings = SteadyReadings()
    counted = [readings.steady(green(wide), noisy(party.image, 5.0, n)) for n, wide in enumerate((0.75, 0.1, 0.8, 0.7))]
    assert [reading.probabilities for reading in counted] == [
        green(wide).probabilities for wide in (0.75, 0.1, 0.75, 0.75)
    ]


@pytest.mark.parametrize(
    ("wide", "asked"),
    [
        ((0.6, 0.75, 0.7, 0.82), [True] * 4),
        ((0.77, 0.7, 0.75, 0.62), [False] * 4),
    ],
    ids=["is asked about every time", "is never asked about"],
)
@pytest.mark.parametrize("turns", [False, True], ids=["the same seats", "everybody moves a seat on"])
def test_a_still_row_gets_the_same_questions_in_every_round(  # noqa: PLR0913, PLR0917 - what a round is played with
    green: Callable[[float], PlayerReading],
    canned_reader: CannedReader,
    party: FrameReading,
    monkeypatch: pytest.MonkeyPatch,
    wide: tuple[float, ...],
    asked: list[bool],
    *,
    turns: bool,
) -> None:
    rounds = RoundReader(CannedTracker(party), canned_reader, {}, AskPolicy())  # type: ignore[arg-type]
    found = []
    for number, each in enumerate(wide, 1):
        seen = replace(party, image=noisy(party.image, 5.0, number), players=(party.players[0], green(each)))
        frozen = Freeze(seen, tuple(FrozenPlayer(player.seat, player) for player in seen.players), None)
        monkeypatch.setattr("bunnymoose_cv.referee.round_reader.freeze", lambda *_, frozen=frozen, **__: frozen)
        seats = ("Blue", "Green") if number % 2 or not turns else ("Green", "Red")
        facts = RoundFacts(number, "Red", seats, None, SPREAD_MATTERS, {}, rules_for())
        judged = rounds.read(facts, CannedFootage(party.image, 0.0, BAM_S, 3.0), BAM_S)
        move = judged.seats[1].move(facts.cards, facts.rules, judged.threshold)
        assert move is not None
        found.append(move.asked)
    assert found == asked


def test_other_footage_starts_without_a_scene(
    green: Callable[[float], PlayerReading], canned_reader: CannedReader, party: FrameReading
) -> None:
    rounds = RoundReader(None, canned_reader, {}, AskPolicy())
    rounds._steady_readings.steady(green(0.75), party.image)
    rounds.reset_tracking()
    now = green(0.83)
    assert rounds._steady_readings.steady(now, party.image) is now
