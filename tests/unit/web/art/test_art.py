"""Drawn art: cards, heads, headgear and figures, each with its name, told apart and read like a mirror."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import (
    PATTERNS,
    Card,
    DoubleCard,
    Half,
    HunterCard,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
    mirrored,
    parse_card,
)
from bunnymoose_cv.rules.deck import deck_names, load_deck
from bunnymoose_cv.rules.pose import ALL_POSES, HEADGEARS, Animal, Pose, Side
from bunnymoose_cv.web.art.animals import bam_art, narrator_art
from bunnymoose_cv.web.art.art_names import card_name, pose_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.art.figure_art import SYMBOLS, figure_art
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.art.headgear_art import headgear_art

if TYPE_CHECKING:
    from collections.abc import Callable


def drawn(svg: str) -> ET.Element:
    """Root of an image that is valid XML, scales with its place, and may stand beside others on one page."""
    root = ET.fromstring(svg)  # noqa: S314 - our own art
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.attrib["viewBox"].split()) == 4
    assert not root.attrib.keys() & {"width", "height"}
    assert not re.search(r'\bid="|<script|href', svg)
    return root


DECK_CARDS = sorted(
    {card for name in deck_names() for card in load_deck(name).cards + load_deck(name).advanced}, key=str
)

_halves = st.builds(Half, st.sampled_from(PATTERNS), st.integers(-999, 999))
_species = st.sampled_from([Animal.MOOSE, Animal.RABBIT])
any_card: st.SearchStrategy[Card] = st.one_of(
    st.builds(SingleCard, st.sampled_from(Side), st.sampled_from(PATTERNS), st.integers(-999, 999)),
    st.builds(DoubleCard, _halves, _halves),
    st.builds(TongueCard, st.integers(-999, 999)),
    st.builds(SpeciesCard, _species, st.integers(-999, 999)),
    st.builds(TimesTwoCard, _species),
    st.just(ReversalCard()),
    st.just(HunterCard()),
)
TEXTS = Texts()


@pytest.mark.parametrize(
    ("card", "name"),
    [
        ("L.WU+2", "on your left: wide antler up, 2 ahead"),
        ("R.SF-1", "on your right: floppy ear at the side, 1 back"),
        ("L.?U+1", "on your left: antler up, wide or compact, 1 ahead"),
        ("R.T?-3", "on your right: ear on top, straight or floppy, 3 back"),
        ("B.CD+1", "on either side: compact antler down, 1 ahead for each"),
        ("B.CD+1/-1", "on your left: compact antler down, 1 ahead; on your right: compact antler down, 1 back"),
        ("B.WU+1/TS-2", "on your left: wide antler up, 1 ahead; on your right: straight ear on top, 2 back"),
        ("TONGUE+3", "tongue out, 3 ahead"),
        ("RABBIT-2", "every rabbit, 2 back"),
        ("MOOSE*2", "every moose, times two"),
        ("L.WU+0", "on your left: wide antler up, no step"),
    ],
)
def test_a_name_says_headgear_side_and_value(card: str, name: str) -> None:
    assert card_name(parse_card(card), TEXTS) == name


def name_of(card: Card) -> str:
    return card_name(card, TEXTS)


def face_of(card: Card) -> str:
    """Return the drawing of a card without its name."""
    return card_face(card, TEXTS).partition(">")[2]


@pytest.mark.parametrize("card", DECK_CARDS, ids=str)
def test_every_card_of_both_decks_draws_an_image_with_its_name(card: Card) -> None:
    root = drawn(card_face(card, TEXTS))
    assert (root.attrib["role"], root.attrib["aria-label"]) == ("img", name_of(card))


@pytest.mark.parametrize("told_of", [name_of, face_of])
def test_different_cards_of_both_decks_differ(told_of: Callable[[Card], str]) -> None:
    assert len({told_of(card) for card in DECK_CARDS}) == len(DECK_CARDS)


@pytest.mark.parametrize("told_of", [name_of, face_of])
@given(st.lists(any_card, min_size=2, max_size=2, unique=True))
def test_two_cards_never_share_a_name_or_a_face_and_a_card_differs_from_its_mirror_image(
    told_of: Callable[[Card], str], two: list[Card]
) -> None:
    one, other = two
    drawn(card_face(one, TEXTS))
    assert told_of(one) != told_of(other)
    assert (told_of(one) == told_of(mirrored(one))) is (one == mirrored(one))


@pytest.mark.parametrize(("card", "left"), [("L.WU+2", True), ("R.WU+2", False)])
def test_a_card_is_read_like_a_mirror_with_the_value_on_the_asked_side(card: str, left: bool) -> None:  # noqa: FBT001 - a table
    moves = re.findall(r"translate\((\d[\d.]*) ([\d.]+)\)", card_face(parse_card(card), TEXTS))
    (badge,) = {float(across) for across, down in moves if down == "232"}
    (head,) = {float(across) for across, down in moves if down == "134"}
    assert (badge < 100) is left
    assert (head > 100) is left, "the head makes room for the hand"


@pytest.mark.parametrize("pose", ALL_POSES, ids=str)
def test_every_pose_draws_and_says_what_it_is(pose: Pose) -> None:
    assert drawn(pose_art(pose, TEXTS)).attrib["aria-label"] == pose_name(pose, TEXTS)


def test_poses_differ() -> None:
    assert len({pose_art(pose, TEXTS).partition(">")[2] for pose in ALL_POSES}) == len(ALL_POSES)


def test_a_pose_is_read_like_a_mirror_as_the_cards_are() -> None:
    pose = Pose.parse("WU --")
    assert "scale(-1 1)" in pose_art(pose, TEXTS)  # drawn at the right, turned to the left
    assert "scale(-1 1)" not in pose_art(pose.mirrored(), TEXTS)


def test_headgear_by_itself_differs_by_side() -> None:
    for headgear in HEADGEARS:
        left, right = (headgear_art(headgear, side) for side in Side)
        drawn(left)
        assert (left == right) is (headgear is None)


def test_there_are_twelve_figures_and_the_symbol_tells_them_apart_without_colour() -> None:
    figures = {figure_art(animal, "grey", sign) for animal, sign in product((Animal.MOOSE, Animal.RABBIT), SYMBOLS)}
    assert len(figures) == 12
    for figure in figures:
        assert drawn(figure).attrib["aria-hidden"] == "true"
    assert 'fill="var(--player-3)"' in figure_art(Animal.MOOSE, "var(--player-3)", "■")


@pytest.mark.parametrize(
    "art",
    [
        narrator_art,
        bam_art,
        lambda name: figure_art(Animal.RABBIT, "red", "●", name),
        lambda name: headgear_art(None, Side.LEFT, name),
    ],
)
def test_names_are_text_and_never_markup(art: Callable[[str], str]) -> None:
    name = '"><script>alert("&")</script>'
    assert drawn(art(name).replace("&lt;script", "")).attrib["role"] == "img"
    assert ET.fromstring(art(name)).attrib["aria-label"] == name  # noqa: S314 - our own art
    assert "<script" not in art(name)
