"""Score of a pose against the cards on the table, with one reason per card."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import (
    Card,
    DoubleCard,
    HunterCard,
    Pattern,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    Table,
    TimesTwoCard,
    TongueCard,
)
from bunnymoose_cv.rules.deck import Rules, TongueMeaning
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Pose, Side, Tongue
from bunnymoose_cv.rules.pose_words import pattern_words


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Effect of one card on one pose.

    Attributes:
        factor: the factor of the sum of all points: 2 for a ×2 card that matches, -1 for ±, 1 for all others.
    """

    card: Card
    points: int
    why: Phrase
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Move:
    """Move of one animal's figure; negative is back."""

    animal: Animal
    spaces: int


@dataclass(frozen=True, slots=True)
class Score:
    """Score of a pose.

    Attributes:
        total: the sum of all points times the product of all factors; None for a bush.
        lines: one line per card, in the order of the table.
    """

    pose: Pose
    species: Animal
    total: int | None
    lines: tuple[ScoreLine, ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        """Moves of the player's figures: one figure moves, or both go back one space for a bush."""
        if self.total is None:
            return (Move(Animal.MOOSE, -1), Move(Animal.RABBIT, -1))
        return (Move(self.species, self.total),)


def score(pose: Pose, cards: Table, rules: Rules) -> Score:
    """Score a pose against the cards on the piles."""
    species = species_of(pose, rules.tongue)
    if species is Animal.BUSH:
        why = Phrase("a bush ({reason}): no card applies", reason=_why_bush(pose))
        return Score(pose, species, None, tuple(ScoreLine(card, 0, why) for card in cards))
    lines = tuple(_line(card, pose, species, rules.tongue) for card in cards)
    total = sum(line.points for line in lines) * prod(line.factor for line in lines)
    return Score(pose, species, total, lines)


def species_of(pose: Pose, tongue: TongueMeaning) -> Animal:
    """Return the animal that a player counts as; if the rules allow it, the tongue swaps moose and rabbit."""
    if pose.tongue is Tongue.IN or tongue is not TongueMeaning.SPECIES:
        return pose.animal
    return {Animal.MOOSE: Animal.RABBIT, Animal.RABBIT: Animal.MOOSE, Animal.BUSH: Animal.BUSH}[pose.animal]


def highest_and_lowest(cards: Table, rules: Rules) -> tuple[tuple[Score, ...], tuple[Score, ...]]:
    """Return the scores of all poses that score most, and of all that score least, tongue in first, without bushes."""
    poses = sorted(ALL_POSES, key=lambda pose: pose.tongue is Tongue.OUT)
    totals = [(each.total, each) for each in (score(pose, cards, rules) for pose in poses) if each.total is not None]
    highest = max(total for total, _ in totals)
    lowest = min(total for total, _ in totals)
    return (
        tuple(each for total, each in totals if total == highest),
        tuple(each for total, each in totals if total == lowest),
    )


def _line(card: Card, pose: Pose, species: Animal, tongue: TongueMeaning) -> ScoreLine:  # noqa: PLR0911 - one case per kind
    """Score a card for a pose other than a bush."""
    match card:
        case SingleCard(side, pattern, value):
            matches = pattern.matches(pose.headgear(side))
            return ScoreLine(card, value if matches else 0, _side_why(pattern, side, there=matches))
        case DoubleCard():
            return _double_line(card, pose)
        case TongueCard():
            return _tongue_line(card, pose, tongue)
        case SpeciesCard(wanted, value):
            return ScoreLine(card, value if species is wanted else 0, _species_why(pose, species))
        case TimesTwoCard(wanted) if species is wanted:
            why = Phrase("{reason}: doubles the score", reason=_species_why(pose, species))
            return ScoreLine(card, 0, why, factor=2)
        case TimesTwoCard():
            return ScoreLine(card, 0, _species_why(pose, species))
        case ReversalCard():
            return ScoreLine(card, 0, Phrase("turns everybody's score around"), factor=-1)
        case HunterCard():
            return ScoreLine(card, 0, Phrase("a hunter pays nothing"))


def _double_line(card: DoubleCard, pose: Pose) -> ScoreLine:
    left, right = card.left.pattern.matches(pose.left), card.right.pattern.matches(pose.right)
    points = card.left.value * left + card.right.value * right
    return ScoreLine(card, points, _double_why(card, left=left, right=right))


def _double_why(card: DoubleCard, *, left: bool, right: bool) -> Phrase:
    pattern = card.left.pattern
    if pattern != card.right.pattern:
        left_why = _side_why(pattern, Side.LEFT, there=left)
        right_why = _side_why(card.right.pattern, Side.RIGHT, there=right)
        return Phrase("{left}, {right}", left=left_why, right=right_why)
    if left and right:
        return Phrase("{shape} on both sides", shape=pattern_words(pattern))
    if left:
        return Phrase("{shape} on the left only", shape=pattern_words(pattern))
    if right:
        return Phrase("{shape} on the right only", shape=pattern_words(pattern))
    return pattern_words(pattern, there=False)


def _tongue_line(card: TongueCard, pose: Pose, tongue: TongueMeaning) -> ScoreLine:
    if tongue is TongueMeaning.NOTHING:
        return ScoreLine(card, 0, Phrase("tongues mean nothing without the advanced cards"))
    if pose.tongue is Tongue.OUT:
        return ScoreLine(card, card.value, Phrase("tongue out"))
    return ScoreLine(card, 0, Phrase("tongue in"))


@cache  # finding the best pose scores all poses at a table, so the same reasons recur
def _side_why(pattern: Pattern, side: Side, *, there: bool) -> Phrase:
    shape = pattern_words(pattern, there=there)
    return Phrase("{shape} on the left" if side is Side.LEFT else "{shape} on the right", shape=shape)


def _species_why(pose: Pose, species: Animal) -> Phrase:
    if species is Animal.MOOSE:
        return Phrase("this is a moose" if pose.animal is species else "the tongue makes this rabbit a moose")
    return Phrase("this is a rabbit" if pose.animal is species else "the tongue makes this moose a rabbit")


def _why_bush(pose: Pose) -> Phrase:
    if pose.left is None and pose.right is None:
        return Phrase("nothing on the head")
    if pose.left is None:
        return Phrase("nothing on the left")
    if pose.right is None:
        return Phrase("nothing on the right")
    return Phrase("an antler beside an ear")
