"""Questions about verdicts: the probability of a move decides whether a person is asked, and the answers to offer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.moves import LikelyMove, Moves, move_distribution, move_probability, table_scores
from bunnymoose_cv.rules.pose import HEADGEARS, Headgear, Pose, Side, Tongue
from bunnymoose_cv.rules.pose_fields import Field, PoseField, field_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose_fields import FieldValue
    from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
    from bunnymoose_cv.rules.round import RoundFacts
    from bunnymoose_cv.vision.readings import PlayerReading

MOST_ANSWERS: Final = 4
"""Number of answers offered for one tap; the chooser offers all."""

LEAST_PROBABILITY: Final = 0.05
"""Least probability of an answer that is offered; the likeliest one always is."""

DOUBTS: Final[Mapping[PoseField, Phrase]] = {
    PoseField.LEFT_KIND: Phrase("left antler, ear or nothing"),
    PoseField.LEFT_SPREAD: Phrase("left wide or compact"),
    PoseField.LEFT_DIRECTION: Phrase("left up or down"),
    PoseField.LEFT_FORM: Phrase("left straight or floppy"),
    PoseField.LEFT_PLACE: Phrase("left on top or at the side"),
    PoseField.RIGHT_KIND: Phrase("right antler, ear or nothing"),
    PoseField.RIGHT_SPREAD: Phrase("right wide or compact"),
    PoseField.RIGHT_DIRECTION: Phrase("right up or down"),
    PoseField.RIGHT_FORM: Phrase("right straight or floppy"),
    PoseField.RIGHT_PLACE: Phrase("right on top or at the side"),
    PoseField.TONGUE: Phrase("tongue in or out"),
}

EXEMPT_WORDS: Final[Mapping[Exemption, Phrase]] = {
    Exemption.LEFT_HAND: Phrase("Left hand not judged"),
    Exemption.RIGHT_HAND: Phrase("Right hand not judged"),
    Exemption.TONGUE: Phrase("Tongue not judged"),
    Exemption.DOWN: Phrase("Up or down not judged"),
}
"""Parts of a pose that a player declared as not to be judged, in words."""


@dataclass(frozen=True, slots=True)
class ReadPose:
    """Likeliest pose of a reading, with its distribution and its uncertain fields."""

    pose: Pose
    probabilities: PoseProbabilities
    unclear: tuple[PoseField, ...]

    @classmethod
    def of(cls, reading: PlayerReading) -> ReadPose:
        """Take the pose and its probabilities from a player's reading."""
        return cls(reading.pose, reading.probabilities, reading.unclear)

    @property
    def probability(self) -> float:
        """Probability of the whole pose; with any cards, its move is at least as probable."""
        return self.probabilities.of(self.pose)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """Probability of a verdict's move given the cards, with the answers to ask for.

    Attributes:
        probability: the probability of the likeliest pose's move, 0 to 1.
        asked: whether the probability is below the threshold, so that a person is asked.
        answers: one pose for each move that is left open, likeliest move first.
        idle: uncertain fields that change no move.
    """

    probability: float
    asked: bool
    answers: tuple[LikelyMove, ...]
    idle: tuple[PoseField, ...]

    @property
    def reasons(self) -> tuple[Phrase, ...]:
        """One sentence for each uncertain field that changes no move."""
        return tuple(Phrase("{doubt} does not matter here", doubt=DOUBTS[field]) for field in self.idle)


def judge_move(read: ReadPose, cards: Table, rules: Rules, threshold: float) -> JudgedMove:
    """Judge how sure the move of a reading is."""
    distribution = move_distribution(read.probabilities, cards, rules)
    probability = move_probability(read.pose, distribution, cards, rules)
    return JudgedMove(probability, probability < threshold, offered(distribution), idle_doubts(read, cards, rules))


class _Likely(Protocol):
    @property
    def probability(self) -> float: ...


_Answer = TypeVar("_Answer", bound=_Likely)


def offered(answers: Sequence[_Answer]) -> tuple[_Answer, ...]:
    """Return those of the answers to offer for one tap: the likeliest, and others that are not too improbable."""
    return (answers[0], *(answer for answer in answers[1:MOST_ANSWERS] if answer.probability >= LEAST_PROBABILITY))


def likely_open_poses(read: ReadPose) -> tuple[Pose, ...]:
    """Return the poses to offer for one tap that agree with all fields that were read surely, likeliest first."""
    shares = {pose: read.probabilities.of(pose) for pose in open_poses(read)}
    first, *others = sorted(shares, key=shares.__getitem__, reverse=True)[:MOST_ANSWERS]
    least = LEAST_PROBABILITY * sum(shares.values())
    return (first, *(pose for pose in others if shares[pose] >= least))


def possible_answers(read: ReadPose, facts: RoundFacts, *, everything: bool) -> tuple[Pose, ...]:
    """Return the poses to choose from, likeliest first.

    Unless `everything` unclear is asked about, there is one pose for each possible move.
    """
    if everything or not facts.cards:
        return likely_open_poses(read)
    return tuple(answer.pose for answer in judge_move(read, facts.cards, facts.rules, threshold=1.0).answers)


def idle_doubts(read: ReadPose, cards: Table, rules: Rules) -> tuple[PoseField, ...]:
    """Return the uncertain fields that change no move for any values of the other uncertain fields."""
    if not read.unclear or read.probabilities.alike:
        return ()
    scores = table_scores(cards, rules)
    moves = {pose: scores[pose].moves for pose in open_poses(read)}
    return tuple(field for field in read.unclear if _is_idle(field, moves))


def open_poses(read: ReadPose) -> Iterator[Pose]:
    """Yield every pose that agrees with all fields that were read surely."""
    left, right = (_open_headgears(read, side) for side in (Side.LEFT, Side.RIGHT))
    tongues = tuple(Tongue) if PoseField.TONGUE in read.unclear else (read.pose.tongue,)
    return (Pose(*parts) for parts in product(left, right, tongues))


def _open_headgears(read: ReadPose, side: Side) -> tuple[Headgear, ...]:
    unclear = {unclear.field for unclear in read.unclear if unclear.side is side}
    shown = field_values(read.pose.headgear(side))
    sure = {field: value for field, value in shown.items() if field not in unclear}
    return tuple(headgear for headgear in HEADGEARS if _agrees(headgear, sure))


def _agrees(headgear: Headgear, sure: Mapping[Field, FieldValue]) -> bool:
    return all(sure.get(field, value) is value for field, value in field_values(headgear).items())


def _is_idle(field: PoseField, moves: Mapping[Pose, Moves]) -> bool:
    """Return whether poses that differ only in one field always make the same move."""
    alike: dict[object, set[Moves]] = {}
    for pose, made in moves.items():
        alike.setdefault(_without(pose, field), set()).add(made)
    return all(len(group) == 1 for group in alike.values())


def _without(pose: Pose, field: PoseField) -> tuple[object, ...]:
    """Strip one field of a pose; without its kind, a side has none."""
    if field.side is None:
        return pose.left, pose.right
    values = {} if field.field is Field.KIND else field_values(pose.headgear(field.side))
    kept = tuple(value for name, value in values.items() if name is not field.field)
    return kept, pose.headgear(field.side.other), pose.tongue
