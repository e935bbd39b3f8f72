"""Accessible names of art: headgear, poses and cards in the texts' language.

Every name is a whole phrase of the catalogue, since languages inflect phrases and not single words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.cards import (
    Card,
    DoubleCard,
    Half,
    HunterCard,
    Pattern,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
)
from bunnymoose_cv.rules.pose import Animal, Headgear, Pose, Side, Tongue, format_headgear
from bunnymoose_cv.rules.pose_words import choice_words, notation_words

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts


def headgear_name(headgear: Headgear, texts: Texts) -> str:
    """Return the name of the headgear of one side: `wide antler up`."""
    return texts("nothing") if headgear is None else texts(notation_words(format_headgear(headgear)))


def pattern_name(pattern: Pattern, texts: Texts) -> str:
    """Return the name of a card's pattern of one side, with both choices of an open field."""
    return texts(choice_words(pattern))


def pose_name(pose: Pose, texts: Texts) -> str:
    """Return the name of a pose; left and right are the player's own."""
    left, right = headgear_name(pose.left, texts), headgear_name(pose.right, texts)
    if pose.tongue is Tongue.OUT:
        return texts("left: {left}; right: {right}; tongue out", left=left, right=right)
    return texts("left: {left}; right: {right}", left=left, right=right)


def value_name(value: int, texts: Texts) -> str:
    """Return the name of a card's value: `2 ahead`, `1 back`."""
    if value == 0:
        return texts("no step")
    if value > 0:
        return texts.counted("{count} ahead", "{count} ahead", value)
    return texts.counted("{count} back", "{count} back", -value)


def card_name(card: Card, texts: Texts) -> str:
    """Return the name of a whole card: `on your left: wide antler up, 2 ahead`."""
    match card:
        case SingleCard(side, pattern, value):
            name = _half_name(Half(pattern, value), side, texts)
        case DoubleCard(left, right):
            name = _double_name(left, right, texts)
        case TongueCard(value):
            name = texts("tongue out, {value}", value=value_name(value, texts))
        case SpeciesCard(species, value):
            name = _of_species(species, value_name(value, texts), texts)
        case TimesTwoCard(species):
            name = _of_species(species, texts("times two"), texts)
        case ReversalCard():
            name = texts("reversal: ahead becomes back and back becomes ahead")
        case HunterCard():
            name = texts("hunter")
    return name


def kind_name(card: Card, texts: Texts) -> str:
    """Return the name of a card's kind, without side and value."""
    match card:
        case SingleCard(pattern=pattern) | DoubleCard(left=Half(pattern=pattern)):
            name = pattern_name(pattern, texts)
        case TongueCard():
            name = texts("tongue")
        case SpeciesCard(species=species) | TimesTwoCard(species=species):
            name = texts("moose") if species is Animal.MOOSE else texts("rabbit")
        case ReversalCard():
            name = texts("reversal")
        case HunterCard():
            name = texts("hunter")
    return name


def _half_name(half: Half, side: Side, texts: Texts) -> str:
    headgear, value = pattern_name(half.pattern, texts), value_name(half.value, texts)
    if side is Side.LEFT:
        return texts("on your left: {headgear}, {value}", headgear=headgear, value=value)
    return texts("on your right: {headgear}, {value}", headgear=headgear, value=value)


def _double_name(left: Half, right: Half, texts: Texts) -> str:
    if left == right:
        shown, value = pattern_name(left.pattern, texts), value_name(left.value, texts)
        return texts("on either side: {headgear}, {value} for each", headgear=shown, value=value)
    halves = _half_name(left, Side.LEFT, texts), _half_name(right, Side.RIGHT, texts)
    return texts("{left}; {right}", left=halves[0], right=halves[1])


def _of_species(species: Animal, value: str, texts: Texts) -> str:
    if species is Animal.MOOSE:
        return texts("every moose, {value}", value=value)
    return texts("every rabbit, {value}", value=value)
