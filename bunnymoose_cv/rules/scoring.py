"""What a pose scores against the cards on the table, one reason per card. Owns no figures and no announcements."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import (
    AntlerPattern,
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
from bunnymoose_cv.rules.deck import TongueMeaning
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Direction, Form, Place, Pose, Side, Spread, Tongue

if TYPE_CHECKING:
    from bunnymoose_cv.rules.deck import Rules


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What one card does for one pose.

    Attributes:
        card: the card.
        points: what it adds.
        why: the reason in a few English words.
        factor: what it multiplies the sum of all points with: 2 for a ×2 card that matches, -1 for ±, else 1.
    """

    card: Card
    points: int
    why: str
    factor: int = 1


@dataclass(frozen=True, slots=True)
class Move:
    """How far a score moves the figure of one animal; negative is back."""

    animal: Animal
    spaces: int


@dataclass(frozen=True, slots=True)
class Score:
    """What a pose scores.

    Attributes:
        pose: what was scored.
        species: the animal that the player counts as.
        total: the sum of all points times the product of all factors; None for a bush.
        lines: one per card, in the order of the table.
    """

    pose: Pose
    species: Animal
    total: int | None
    lines: tuple[ScoreLine, ...]

    @property
    def moves(self) -> tuple[Move, ...]:
        """What it does to the player's figures: one moves, or both go back one for a bush."""
        if self.total is None:
            return (Move(Animal.MOOSE, -1), Move(Animal.RABBIT, -1))
        return (Move(self.species, self.total),)


def score(pose: Pose, cards: Table, rules: Rules) -> Score:
    """Score a pose against the cards that lie on the piles (RULES.md section 2).

    The order of the cards changes nothing but the order of the lines.
    """
    species = species_of(pose, rules.tongue)
    if species is Animal.BUSH:
        why = f"a bush ({_why_bush(pose)}): no card applies"
        return Score(pose, species, None, tuple(ScoreLine(card, 0, why) for card in cards))
    lines = tuple(_line(card, pose, species, rules.tongue) for card in cards)
    total = sum(line.points for line in lines) * prod(line.factor for line in lines)
    return Score(pose, species, total, lines)


def species_of(pose: Pose, tongue: TongueMeaning) -> Animal:
    """The animal that a player counts as: the tongue makes a moose a rabbit and a rabbit a moose, where it may."""
    if pose.tongue is Tongue.IN or tongue is not TongueMeaning.SPECIES:
        return pose.animal
    return {Animal.MOOSE: Animal.RABBIT, Animal.RABBIT: Animal.MOOSE, Animal.BUSH: Animal.BUSH}[pose.animal]


def highest_and_lowest(cards: Table, rules: Rules) -> tuple[tuple[Score, ...], tuple[Score, ...]]:
    """The scores of all poses that score most, and of all that score least; tongues in first, bushes left out."""
    poses = sorted(ALL_POSES, key=lambda pose: pose.tongue is Tongue.OUT)
    totals = [(each.total, each) for each in (score(pose, cards, rules) for pose in poses) if each.total is not None]
    highest = max(total for total, _ in totals)
    lowest = min(total for total, _ in totals)
    return (
        tuple(each for total, each in totals if total == highest),
        tuple(each for total, each in totals if total == lowest),
    )


def _line(card: Card, pose: Pose, species: Animal, tongue: TongueMeaning) -> ScoreLine:  # noqa: PLR0911 - one case per kind
    """What a card does for a pose that is no bush."""
    match card:
        case SingleCard(side, pattern, value):
            matches = pattern.matches(pose.headgear(side))
            return ScoreLine(card, value if matches else 0, _side_why(pattern, side, matches=matches))
        case DoubleCard():
            return _double_line(card, pose)
        case TongueCard():
            return _tongue_line(card, pose, tongue)
        case SpeciesCard(wanted, value):
            return ScoreLine(card, value if species is wanted else 0, _species_why(pose, species))
        case TimesTwoCard(wanted) if species is wanted:
            return ScoreLine(card, 0, f"{_species_why(pose, species)}: doubles the score", factor=2)
        case TimesTwoCard():
            return ScoreLine(card, 0, _species_why(pose, species))
        case ReversalCard():
            return ScoreLine(card, 0, "turns everybody's score around", factor=-1)
        case HunterCard():
            return ScoreLine(card, 0, "a hunter pays nothing")


def _double_line(card: DoubleCard, pose: Pose) -> ScoreLine:
    left, right = card.left.pattern.matches(pose.left), card.right.pattern.matches(pose.right)
    points = card.left.value * left + card.right.value * right
    if card.left.pattern != card.right.pattern:
        left_why = _side_why(card.left.pattern, Side.LEFT, matches=left)
        right_why = _side_why(card.right.pattern, Side.RIGHT, matches=right)
        return ScoreLine(card, points, f"{left_why}, {right_why}")
    words = _pattern_words(card.left.pattern)
    if left == right:
        return ScoreLine(card, points, f"{words} on both sides" if left else f"no {words}")
    return ScoreLine(card, points, f"{words} on the {_SIDE_WORDS[Side.LEFT if left else Side.RIGHT]} only")


def _tongue_line(card: TongueCard, pose: Pose, tongue: TongueMeaning) -> ScoreLine:
    if tongue is TongueMeaning.NOTHING:
        return ScoreLine(card, 0, "tongues mean nothing without the advanced cards")
    if pose.tongue is Tongue.OUT:
        return ScoreLine(card, card.value, "tongue out")
    return ScoreLine(card, 0, "tongue in")


def _side_why(pattern: Pattern, side: Side, *, matches: bool) -> str:
    return f"{'' if matches else 'no '}{_pattern_words(pattern)} on the {_SIDE_WORDS[side]}"


def _species_why(pose: Pose, species: Animal) -> str:
    if species is pose.animal:
        return f"this is a {species.value}"
    return f"the tongue makes this {pose.animal.value} a {species.value}"


def _why_bush(pose: Pose) -> str:
    if pose.left is None and pose.right is None:
        return "nothing on the head"
    if pose.left is None or pose.right is None:
        return f"nothing on the {_SIDE_WORDS[Side.LEFT if pose.left is None else Side.RIGHT]}"
    return "an antler beside an ear"


_SIDE_WORDS = {Side.LEFT: "left", Side.RIGHT: "right"}
_FIELD_WORDS: dict[Spread | Direction | Place | Form | None, str] = {
    Spread.WIDE: "wide ",
    Spread.COMPACT: "compact ",
    Direction.UP: " up",
    Direction.DOWN: " down",
    Place.TOP: " on top",
    Place.SIDE: " at the side",
    Form.STRAIGHT: "straight ",
    Form.FLOPPY: "floppy ",
    None: "",
}


def _pattern_words(pattern: Pattern) -> str:
    """What a card shows on one side: `wide antler up`, `floppy ear at the side`, `ear on top`."""
    if isinstance(pattern, AntlerPattern):
        return f"{_FIELD_WORDS[pattern.spread]}antler{_FIELD_WORDS[pattern.direction]}"
    return f"{_FIELD_WORDS[pattern.form]}ear{_FIELD_WORDS[pattern.place]}"
