"""Card faces of every kind, drawn from the card's data, and their common back.

Cards are read like a mirror: headgear for the player's left is at the left of the card, its value in the corner below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.art.animals import portrait
from bunnymoose_cv.art.art_names import card_name
from bunnymoose_cv.art.head_art import at_side, head, is_antler, is_open, pattern_at_head
from bunnymoose_cv.art.ink import (
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
    SUN,
    TONGUE,
    disc,
    dot,
    group,
    image,
    limbs,
    line,
    numerals,
    patch,
    shape,
    signed,
)
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

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts

SIZE = (200.0, 280.0)
_COLOURS = {Animal.MOOSE: MOOSE, Animal.RABBIT: RABBIT, Animal.BUSH: FOREST}
_BADGE_DOWN = 232.0
_PINES = (
    "M15 224 30 154 45 224ZM41 224 52 170 63 224ZM71 224 84 160 97 224Z"
    "M112 224 123 174 134 224ZM132 224 147 150 162 224ZM159 224 171 168 183 224Z"
)


def card_face(card: Card, texts: Texts) -> str:
    """Draw the face of a card, 200 × 280; its accessible name describes its pattern, side and value."""
    match card:
        case SingleCard(side, pattern, value):
            drawn = _single(side, Half(pattern, value))
        case DoubleCard(left, right):
            drawn = _double(left, right)
        case TongueCard(value):
            drawn = (
                _scene(TONGUE) + group(head(Animal.BUSH, tongue=True), move=(100, 108), scale=1.3) + _badge(value, 100)
            )
        case SpeciesCard(species, value):
            drawn = _scene(_COLOURS[species]) + _portrait(species) + _badge(value, 100)
        case TimesTwoCard(species):
            drawn = _scene(_COLOURS[species]) + _portrait(species) + _times_two()
        case ReversalCard():
            drawn = _scene(SUN) + _reversal()
        case HunterCard():
            drawn = _scene(FOREST) + _hunter()
    return image(_cardboard() + drawn, SIZE, card_name(card, texts))


def card_back() -> str:
    """Draw the common back of all cards, 200 × 280, the same both ways up."""
    edge = f'<rect x="13" y="13" width="174" height="254" rx="12" fill="{FOREST}"/>'
    half = patch(_PINES, PAPER, 0.35) + numerals("?", (100, 92), 64, PAPER, 8)
    turned = group(half, turn=180, move=SIZE)
    return image(_cardboard() + edge + group(half) + turned, SIZE)


def motif_art(card: Card) -> str:
    """Draw the motif of a card, without cardboard, side and value, 200 × 190, for choosing its kind."""
    match card:
        case SingleCard(pattern=pattern) | DoubleCard(left=Half(pattern=pattern)):
            worn = "".join(at_side(pattern_at_head(pattern), side) for side in Side)
            drawn = group(
                head(Animal.MOOSE if is_antler(pattern) else Animal.RABBIT) + worn, move=(100, 118), scale=0.76
            )
            drawn += _question(24, 24) if is_open(pattern) else ""
        case TongueCard():
            drawn = group(head(Animal.BUSH, tongue=True), move=(100, 95), scale=1.2)
        case SpeciesCard(species=species) | TimesTwoCard(species=species):
            drawn = group(portrait(species), move=(100, 122), scale=0.82)
        case ReversalCard():
            drawn = group(_reversal(), move=(22, 2), scale=0.74)
        case HunterCard():
            drawn = group(_hunter(), move=(8, -22), scale=0.92)
    return image(drawn, (200, 190))


def _cardboard() -> str:
    return f'<rect x="3" y="3" width="194" height="274" rx="20" fill="{PAPER}" stroke="{INK}" stroke-width="{LINE:g}"/>'


def _scene(colour: str) -> str:
    """Draw the panel behind the motif in the colour of its kind: pines at dusk and a hill."""
    sky = f'<rect x="13" y="13" width="174" height="254" rx="12" fill="{colour}" fill-opacity="0.15"/>'
    pines = patch(_PINES, FOREST, 0.13)
    hill = patch("M13 212C50 192 150 192 187 212V255C187 263 183 267 175 267H25C17 267 13 263 13 255Z", FOREST, 0.35)
    return sky + pines + hill


def _single(side: Side, half: Half) -> str:
    """Draw a head, moved aside for the one hand that the card asks for."""
    animal = Animal.MOOSE if is_antler(half.pattern) else Animal.RABBIT
    worn = head(animal) + at_side(pattern_at_head(half.pattern), side)
    return (
        _scene(_COLOURS[animal])
        + group(worn, move=(132 if side is Side.LEFT else 68, 134), scale=0.93)
        + _marks(half, side)
    )


def _double(left: Half, right: Half) -> str:
    """Draw a head with both hands, and the value of each below it."""
    antlers = {is_antler(left.pattern), is_antler(right.pattern)}
    animal = Animal.BUSH if len(antlers) > 1 else Animal.MOOSE if antlers == {True} else Animal.RABBIT
    worn, marks = head(animal), ""
    for side, half in ((Side.LEFT, left), (Side.RIGHT, right)):
        worn += at_side(pattern_at_head(half.pattern), side)
        marks += _marks(half, side)
    return _scene(_COLOURS[animal]) + group(worn, move=(100, 136), scale=0.76) + marks


def _marks(half: Half, side: Side) -> str:
    """Draw the value in the lower corner of a side, and for an open field a question mark in the upper one."""
    is_left = side is Side.LEFT
    either = _question(36 if is_left else 164, 37) if is_open(half.pattern) else ""
    return _badge(half.value, 48 if is_left else 152) + either


def _portrait(species: Animal) -> str:
    return group(portrait(species), move=(100, 138), scale=0.76)


def _badge(value: int, across: float) -> str:
    """Draw a value on a badge that points ahead or back, so that colour is not the only mark."""
    text = signed(value)
    half = 31.0 + 10 * max(0, len(text) - 2)
    across = min(max(across, half + 15), SIZE[0] - half - 15)
    ahead = (
        f"M{-half} -18Q{-half} -20 {3 - half} -21L-3 -36Q0 -37 3 -36L{half - 3} -21Q{half} -20 {half} -18"
        f"V20Q{half} 28 {half - 8} 28H{8 - half}Q{-half} 28 {-half} 20Z"
    )
    plate = (
        shape(ahead, GOOD) if value > 0 else group(shape(ahead, BAD), turn=180) if value else disc(0, 0, half, QUIET)
    )
    lean = (value > 0) - (value < 0)
    return group(plate, move=(across, _BADGE_DOWN)) + numerals(text, (across, _BADGE_DOWN + 2 * lean), 38, PAPER)


def _question(across: float, down: float) -> str:
    return disc(across, down, 17, PAPER) + numerals("?", (across, down), 21, INK, 8)


def _times_two() -> str:
    star = "M0 -42L12 -26 32 -30 30 -9 48 4 30 17 33 38 12 34 0 50-12 34-33 38-30 17-48 4-30 -9-32 -30-12 -26Z"
    return group(shape(star, SUN), move=(100, 220)) + numerals("×2", (100, 224), 38, INK)


def _reversal() -> str:
    """Draw an arrow ahead and an arrow back."""
    ahead, back = "M-32 56V-34M-58 -10L-32 -38 -6 -10", "M32 -56V34M58 10L32 38 6 10"
    arrows = limbs(ahead, GOOD, 20) + limbs(back, BAD, 20)
    return group(arrows, move=(100, 106)) + disc(100, 222, 34, PAPER) + numerals("±", (100, 222), 40, INK)


def _hunter() -> str:
    brim = shape("M-64 -24C-44 -40 44 -40 64 -24 44 -10 -44 -10 -64 -24Z", FOREST)
    crown = shape("M-36 -30C-38 -60 -24 -84 0 -76 24 -84 38 -60 36 -30 16 -38 -16 -38 -36 -30Z", FOREST)
    feather = shape("M24 -44C30 -66 40 -96 62 -104 64 -78 50 -56 30 -42Z", BAD) + line(
        "M26 -40C34 -60 44 -78 54 -92", INK, FINE
    )
    beard = shape(
        "M-44 4C-48 40 -28 70 0 76 28 70 48 40 44 4 36 16 22 14 0 22 -22 14 -36 16 -44 4Z", MOOSE, strength=0.6
    )
    mouth = patch("M-12 32C-6 40 6 40 12 32Z", INK) + dot(0, 14, 8, TONGUE)
    return group(head(Animal.BUSH) + beard + mouth + feather + crown + brim, move=(100, 140), scale=1.1)
