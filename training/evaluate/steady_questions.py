"""Steadiness of questions: the same still row, judged again and again with fresh noise of the camera.

    python -m training.evaluate.steady_questions ../shared/people/people.csv --rows 12 --rounds 8

Photographs of people with headgear are put side by side, as if the people held still in front of a network camera. Each
round is read by the reader of the game. A verdict is the same player with the same cards. It flips if it is asked about
in some rounds but not in others.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence  # noqa: TC003 - fields of dataclasses
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from random import Random
from typing import TYPE_CHECKING, Annotated, Final, Self

import cv2
import numpy as np
import typer

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.open_questions import AskPolicy
from bunnymoose_cv.referee.round_reader import RoundReader
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.round import RoundFacts
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.video.tracker import Tracker
from training.evaluate.people import Category, read_people

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.rules.cards import Table

SEATS: Final = 3
SEAT_PX: Final = 640
FRAMES_PER_S: Final = 15
NOISE: Final = 5.0
"""Standard deviation of the noise of one pixel, of 255."""

JPEG_QUALITY: Final = 85
ROUND_S: Final = 5.0
"""Time between rounds, in seconds."""

PLAYERS: Final = ("Red", "Blue", "Green", "Yellow")


@dataclass(frozen=True, slots=True)
class NoisyStill:
    """Footage of one image with new noise in every frame."""

    image: Image
    seed: int

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Return True, because every frame is available."""
        del time_s, patience_s
        return True

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """Yield the frames between two times."""
        first, last = int(np.ceil(start_s * FRAMES_PER_S)), int(np.floor(end_s * FRAMES_PER_S))
        return (self.frame(number) for number in range(max(0, first), last + 1))

    def sound(self, start_s: float, end_s: float) -> None:
        """Return None, because there is no sound."""

    def held(self, start_s: float, end_s: float) -> Self:
        """Return the footage itself, which remains available."""
        del start_s, end_s
        return self

    def frame(self, number: int) -> Frame:
        """Return one frame."""
        random = np.random.default_rng((self.seed, number))
        noise = random.normal(0.0, NOISE, self.image.shape).astype(np.float32)
        noisy = np.clip(self.image + noise, 0, 255).astype(np.uint8)
        _, sent = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return Frame(np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8), number / FRAMES_PER_S)


@dataclass(frozen=True, slots=True)
class RepeatedVerdict:
    """One player with the same cards in several rounds.

    Attributes:
        probabilities: probability of the move in each round.
        asked: True for each round in which it was asked about.
    """

    probabilities: tuple[float, ...]
    asked: tuple[bool, ...]

    @property
    def flips(self) -> bool:
        """Return whether the rounds disagree."""
        return len(set(self.asked)) > 1


def rows_of(people: Path, count: int, seed: int) -> Iterator[Image]:
    """Yield rows of photographed people with headgear, different persons in each."""
    rows = [row for row in read_people(people).rows if row.category is Category.HEADGEAR]
    random = Random(seed)
    for _ in range(count):
        random.shuffle(rows)
        chosen = list({row.person: row for row in rows}.values())
        random.shuffle(chosen)
        images = [cv2.resize(read_image(row.image), (SEAT_PX, SEAT_PX)) for row in chosen[:SEATS]]
        yield np.asarray(np.hstack(images), np.uint8)


def repeat(image: Image, reader: Reader, tables: Sequence[Table], rounds: int, seed: int) -> Iterator[RepeatedVerdict]:
    """Judge a row several times with each table, in one game. Only players who are always seen count."""
    rules = rules_for()
    policy = AskPolicy()
    rows = RoundReader(Tracker(reader, SEATS), reader, {}, policy)
    footage = NoisyStill(image, seed)
    for place, cards in enumerate(tables):
        found: Mapping[str, list[tuple[float, bool]]] = {player: [] for player in PLAYERS[1:]}
        facts = RoundFacts(place + 1, PLAYERS[0], PLAYERS[1:], None, cards, {}, rules)
        for number in range(rounds):
            cue_s = ROUND_S * (place * rounds + number + 0.5)
            for glance in footage.frames(cue_s - 1.0, cue_s - 0.1):
                rows.look(glance, SEATS)
            judged = rows.read(facts, footage, cue_s)
            for seat in judged.seats:
                move = seat.move(cards, rules, judged.threshold)
                if move is not None:
                    found[seat.player].append((move.probability, move.asked))
        for each in found.values():
            if len(each) == rounds:
                probabilities, asked = zip(*each, strict=True)
                yield RepeatedVerdict(probabilities, asked)


def summary(verdicts: Sequence[RepeatedVerdict], settings: Settings) -> Iterator[str]:
    """Yield the figures in words."""
    threshold = settings.questions.move
    near = [verdict for verdict in verdicts if abs(statistics.mean(verdict.probabilities) - threshold) < 0.15]
    asked = [flag for verdict in verdicts for flag in verdict.asked]
    yield f"verdicts: {len(verdicts)}, asked about in {100 * statistics.mean(asked):.1f} % of their rounds"
    yield f"flip: {sum(verdict.flips for verdict in verdicts)}"
    yield f"near the threshold: {len(near)}, of which flip: {sum(verdict.flips for verdict in near)}"
    if near:
        spread = statistics.mean(statistics.pstdev(verdict.probabilities) for verdict in near)
        widest = max(max(verdict.probabilities) - min(verdict.probabilities) for verdict in near)
        yield f"spread of the move's probability near it: mean deviation {spread:.3f}, widest range {widest:.3f}"
    changes = sum(
        one != other for verdict in verdicts for one, other in zip(verdict.asked, verdict.asked[1:], strict=False)
    )
    steps = sum(len(verdict.asked) - 1 for verdict in verdicts)
    yield f"decisions that differ from those of the round before: {changes} of {steps}"


def main(
    people: Path,
    rows: Annotated[int, typer.Option(min=1)] = 12,
    rounds: Annotated[int, typer.Option(min=2)] = 8,
    tables: Annotated[int, typer.Option(min=1)] = 2,
    seed: int = 1,
) -> None:
    """Judge the same still rows repeatedly, and count the questions that are not asked every time."""
    settings, rules = load_settings(), rules_for()
    random = Random(seed)
    deck = rules.cards(load_deck(rules.edition.name))
    verdicts: list[RepeatedVerdict] = []
    began_s = time.process_time()
    with Reader(settings) as reader:
        for number, image in enumerate(rows_of(people, rows, seed)):
            dealt = [tuple(random.sample(deck, rules.piles)) for _ in range(tables)]
            verdicts.extend(repeat(image, reader, dealt, rounds, seed + 100_000 * number))
    for line in summary(verdicts, settings):
        typer.echo(line)
    work_s = (time.process_time() - began_s) / (rows * tables * rounds)
    typer.echo(f"processor time of a round, with making its frames: {work_s:.2f} s")


if __name__ == "__main__":
    typer.run(main)
