"""Card faces of every kind, drawn from the card's data, and the back they share. Owns no piles and no picking.

Cards are read like a mirror (RULES.md section 1): what a card asks of the player's left stands at its left, its value
in the corner below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import (
    Card,
    DoubleCard,
    Half,
    HunterCard,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
)
from bunnymoose_cv.rules.pose import Animal, Side
from bunnymoose_cv.screen.art.animals import portrait
from bunnymoose_cv.screen.art.headgear import at_side, is_antler, is_open, pattern_at_head
from bunnymoose_cv.screen.art.heads import head
from bunnymoose_cv.screen.art.ink import (
    BAD,
    FINE,
    FOREST,
    GOOD,
    INK,
    LINE,
    MOOSE,
    PAPER,
    QUIET,
    RABBIT,
    SIGN,
    TONGUE,
    disc,
    group,
    line,
    patch,
    picture,
    shape,
)
from bunnymoose_cv.screen.art.names import card_name
from bunnymoose_cv.screen.art.numerals import numerals, signed

if TYPE_CHECKING:
    from bunnymoose_cv.catalogue.texts import Texts

SIZE = (200.0, 280.0)
_MIDDLE = (100.0, 150.0)
_CARDBOARD = "--ink:var(--face-ink,#35261b);--card:var(--face-paper,#fff8e8)"
"""Cards are of cardboard: they keep their light paper in the dark, as they would on a table."""


def card_face(card: Card, texts: Texts) -> str:
    """The face of a card, 200 × 280; its accessible name says what it asks for, on which side, and what it pays."""
    match card:
        case SingleCard(side, pattern, value):
            drawn = _headgear_card({side: Half(pattern, value)})
        case DoubleCard(left, right):
            drawn = _headgear_card({Side.LEFT: left, Side.RIGHT: right})
        case TongueCard(value):
            drawn = _scene(TONGUE) + _placed(head(Animal.BUSH, tongue=True), 1.25) + _badge(value, 100)
        case SpeciesCard(species, value):
            drawn = _scene(_coat(species)) + _placed(portrait(species), 0.8) + _badge(value, 100)
        case TimesTwoCard(species):
            drawn = _scene(_coat(species)) + _placed(portrait(species), 0.8) + _times_two()
        case ReversalCard():
            drawn = _scene(QUIET) + _reversal()
        case HunterCard():
            drawn = _scene(FOREST) + _hunter()
    return picture(_cardboard() + drawn, SIZE, card_name(card, texts), _CARDBOARD)


def card_back(name: str = "") -> str:
    """The back of every card, 200 × 280: an antler and an ear among trees."""
    trees = "".join(
        _tree(x, y, size)
        for x, y, size in ((40, 96, 1), (160, 96, 1), (100, 82, 1.2), (40, 236, 1), (160, 236, 1), (100, 250, 1.2))
    )
    inner = f'<rect x="13" y="13" width="174" height="254" rx="12" fill="{FOREST}"/>'
    medal = disc(100, 150, 46, PAPER)
    sign = group(head(Animal.MOOSE), move=(88, 152), scale=0.42) + group(
        head(Animal.RABBIT), move=(114, 152), scale=0.42
    )
    return picture(_cardboard() + inner + trees + medal + sign, SIZE, name, _CARDBOARD)


def _coat(species: Animal) -> str:
    return MOOSE if species is Animal.MOOSE else RABBIT


def _cardboard() -> str:
    return f'<rect x="3" y="3" width="194" height="274" rx="20" fill="{PAPER}" stroke="{INK}" stroke-width="{LINE:g}"/>'


def _scene(colour: str) -> str:
    """The panel behind the motif, in the colour of the kind, with a hill to stand on."""
    sky = f'<rect x="13" y="13" width="174" height="254" rx="12" fill="{colour}" fill-opacity="0.14"/>'
    hill = patch("M13 218C50 196 150 196 187 218V255C187 263 183 267 175 267H25C17 267 13 263 13 255Z", FOREST, 0.28)
    return sky + hill


def _placed(drawn: str, scale: float) -> str:
    return group(drawn, move=_MIDDLE, scale=scale)


def _headgear_card(halves: dict[Side, Half]) -> str:
    """A head that wears what the card asks for, with each value below its side."""
    antlers = {is_antler(half.pattern) for half in halves.values()}
    animal = Animal.BUSH if len(antlers) > 1 else Animal.MOOSE if antlers == {True} else Animal.RABBIT
    colour = FOREST if animal is Animal.BUSH else _coat(animal)
    worn = head(animal) + "".join(
        at_side(pattern_at_head(half.pattern), side, mirrored=True) for side, half in halves.items()
    )
    drawn = _scene(colour) + _placed(worn, 0.74)
    for side, half in halves.items():
        across = 46 if side is Side.LEFT else 154
        drawn += _badge(half.value, across) + (_either(across) if is_open(half.pattern) else "")
    return drawn


def _badge(value: int, across: float) -> str:
    """A value on a badge that points ahead or back, so that neither colour nor sign is alone."""
    text = signed(value)
    half = 26 + 8 * max(0, len(text) - 2)
    ahead = f"M{-half} -16C{-half * 0.5} -22 {-half * 0.2} -28 0 -34 {half * 0.2} -28 {half * 0.5} -22 {half} -16V20C{half} 26 {half - 4} 28 {half - 8} 28H{8 - half}C{4 - half} 28 {-half} 26 {-half} 20Z"
    drawn = shape(ahead, QUIET if value == 0 else GOOD)
    if value < 0:
        drawn = group(shape(ahead, BAD), turn=180)
    return group(drawn, move=(across, 232)) + numerals(text, (across, 232 + (-1 if value < 0 else 1)), 36, SIGN)


def _either(across: float) -> str:
    return disc(across, 178, 15, PAPER) + numerals("?", (across, 178), 18, INK, 8)


def _times_two() -> str:
    star = "M0 -40L12 -24 32 -28 28 -8 46 4 28 16 32 36 10 32 0 46-12 32-32 36-28 16-46 4-28 -8-32 -28-12 -24Z"
    return group(shape(star, "var(--ask, #d79a2b)"), move=(100, 228)) + numerals("×2", (100, 231), 34, INK)


def _reversal() -> str:
    ahead = "M-20 60V-20M-44 6L-20 -28 4 6"
    back = "M20 -60V20M44 -6L20 28 -4 -6"
    arrows = line(ahead, INK, 28) + line(ahead, GOOD, 18) + line(back, INK, 28) + line(back, BAD, 18)
    return group(arrows, move=(100, 110)) + numerals("±", (100, 226), 50, INK)


def _hunter() -> str:
    face = head(Animal.BUSH)
    hat = shape("M-62 -26C-40 -40 40 -40 62 -26 40 -12 -40 -12 -62 -26Z", FOREST) + shape(
        "M-36 -32C-38 -60 -24 -84 0 -78 24 -84 38 -60 36 -32 16 -40 -16 -40 -36 -32Z", FOREST
    )
    feather = shape("M26 -44C40 -60 50 -90 40 -110 26 -96 18 -70 22 -44Z", BAD) + line(
        "M24 -44C28 -64 34 -84 38 -100", INK, FINE
    )
    beard = shape("M-42 6C-42 40 -24 66 0 72 24 66 42 40 42 6 30 22 14 16 0 16S-30 22 -42 6Z", MOOSE, strength=0.6)
    return _placed(face + beard + line("M-12 28C-6 34 6 34 12 28", INK, FINE) + feather + hat, 0.95)


def _tree(x: float, y: float, size: float) -> str:
    return group(line("M0 20V8M-16 8H16L0 -12ZM-12 -8H12L0 -28Z", PAPER, FINE), move=(x, y), scale=size)
