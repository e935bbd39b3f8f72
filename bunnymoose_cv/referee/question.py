"""Questions about verdicts: the probability of a move decides if a person is asked, and which answers are offered."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.moves import LikelyMove, Moves, move_distribution, move_probability, table_scores
from bunnymoose_cv.rules.pose import HEADGEARS, Antler, Ear, Headgear, Pose, Tongue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
    from bunnymoose_cv.vision.readings import PlayerReading

MOST_ANSWERS: Final = 4
"""Number of answers offered for one tap; the chooser offers all."""

FEWEST_ANSWERS: Final = 2
"""Least number of answers, where there are as many: one alone would be no question."""

LEAST_PROBABILITY: Final = 0.005
"""Answers that are less probable are not offered beyond the fewest."""

DOUBTS: Final[Mapping[str, Phrase]] = {
    "left.kind": Phrase("left antler, ear or nothing"),
    "left.spread": Phrase("left wide or compact"),
    "left.direction": Phrase("left up or down"),
    "left.form": Phrase("left straight or floppy"),
    "left.place": Phrase("left on top or at the side"),
    "right.kind": Phrase("right antler, ear or nothing"),
    "right.spread": Phrase("right wide or compact"),
    "right.direction": Phrase("right up or down"),
    "right.form": Phrase("right straight or floppy"),
    "right.place": Phrase("right on top or at the side"),
    "tongue": Phrase("tongue in or out"),
}
"""Uncertain fields, as readings name them, in words."""

EXEMPT_WORDS: Final[Mapping[Exemption, Phrase]] = {
    Exemption.LEFT_HAND: Phrase("Left hand not judged"),
    Exemption.RIGHT_HAND: Phrase("Right hand not judged"),
    Exemption.TONGUE: Phrase("Tongue not judged"),
    Exemption.DOWN: Phrase("Up or down not judged"),
}
"""Parts of a pose that a player declared as not to be judged, in words."""


@dataclass(frozen=True, slots=True)
class ReadPose:
    """Likeliest pose of a reading, with its distribution and its uncertain fields (`left.spread`, `tongue`)."""

    pose: Pose
    probabilities: PoseProbabilities
    unclear: tuple[str, ...]

    @classmethod
    def of(cls, reading: PlayerReading) -> ReadPose:
        """From a player's reading."""
        return cls(reading.pose, reading.probabilities, reading.unclear)

    @property
    def probability(self) -> float:
        """Probability of the whole pose: its move is at least as probable, whatever cards lie."""
        return self.probabilities.of(self.pose)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """Probability of a verdict's move given the cards, with the answers to ask for.

    Attributes:
        probability: of the move of the likeliest pose, 0 to 1.
        asked: True below the threshold.
        answers: one pose for each move that is left open, likeliest move first.
        idle: uncertain fields that change no move.
    """

    probability: float
    asked: bool
    answers: tuple[LikelyMove, ...]
    idle: tuple[str, ...]

    @property
    def reasons(self) -> tuple[Phrase, ...]:
        """One sentence for each uncertain field that changes no move."""
        return tuple(Phrase("{doubt} does not matter here", doubt=DOUBTS[name]) for name in self.idle)


def judge_move(read: ReadPose, cards: Table, rules: Rules, threshold: float) -> JudgedMove:
    """Judge how sure the move of a reading is.

    Args:
        read: of one player.
        cards: that lie, at least one.
        rules: in force.
        threshold: of the move's probability.
    """
    distribution = move_distribution(read.probabilities, cards, rules)
    probability = move_probability(read.pose, distribution, cards, rules)
    likely = tuple(
        each
        for number, each in enumerate(distribution[:MOST_ANSWERS])
        if number < FEWEST_ANSWERS or each.probability >= LEAST_PROBABILITY
    )
    return JudgedMove(probability, probability < threshold, likely, idle_doubts(read, cards, rules))


def idle_doubts(read: ReadPose, cards: Table, rules: Rules) -> tuple[str, ...]:
    """Name the uncertain fields that change no move, whatever the other uncertain ones are."""
    if not read.unclear or read.probabilities.alike:
        return ()
    scores = table_scores(cards, rules)
    moves = {pose: scores[pose].moves for pose in open_poses(read)}
    return tuple(name for name in read.unclear if _is_idle(name, moves))


def open_poses(read: ReadPose) -> Iterator[Pose]:
    """Every pose that agrees with all fields that were read surely."""
    left, right = (_open_headgears(read, name) for name in ("left", "right"))
    tongues = tuple(Tongue) if "tongue" in read.unclear else (read.pose.tongue,)
    return (Pose(*each) for each in product(left, right, tongues))


def _open_headgears(read: ReadPose, side: str) -> tuple[Headgear, ...]:
    shown: Headgear = getattr(read.pose, side)
    unclear = {name.partition(".")[2] for name in read.unclear if name.startswith(f"{side}.")}
    return tuple(each for each in HEADGEARS if _agrees(each, shown, unclear))


def _agrees(headgear: Headgear, shown: Headgear, unclear: set[str]) -> bool:
    if type(headgear) is not type(shown):
        return "kind" in unclear
    return all(getattr(headgear, name) is getattr(shown, name) for name in _FIELDS[type(shown)] - unclear)


_FIELDS: Final[Mapping[type, frozenset[str]]] = {
    Antler: frozenset({"spread", "direction"}),
    Ear: frozenset({"place", "form"}),
    type(None): frozenset(),
}


def _is_idle(name: str, moves: Mapping[Pose, Moves]) -> bool:
    """Tell if poses that differ in one field alone always make one move."""
    alike: dict[object, set[Moves]] = {}
    for pose, made in moves.items():
        alike.setdefault(_without(pose, name), set()).add(made)
    return all(len(group) == 1 for group in alike.values())


def _without(pose: Pose, name: str) -> tuple[object, ...]:
    """A pose without one field."""
    side, _, field = name.partition(".")
    if side == "tongue":
        return pose.left, pose.right
    shown, other = (pose.left, pose.right) if side == "left" else (pose.right, pose.left)
    kept = () if field == "kind" else _without_field(shown, field)
    return kept, other, pose.tongue


def _without_field(headgear: Headgear, field: str) -> tuple[object, ...]:
    fields = _FIELDS[type(headgear)]
    if field not in fields:
        return (headgear,)
    return (type(headgear), *(getattr(headgear, name) for name in sorted(fields - {field})))
