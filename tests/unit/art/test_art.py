"""Art: cards, heads, headgear, figures and standings have names, differ, and are read like a mirror."""

import re
from collections.abc import Callable
from itertools import pairwise, product
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.art.animals import SYMBOL_SHAPES, bam_art, figure_art, narrator_art
from bunnymoose_cv.art.art_names import card_name, pose_name
from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.art.head_art import headgear_art, pose_art
from bunnymoose_cv.art.ink import image
from bunnymoose_cv.art.standings_plot import (
    StandingsLine,
    apart,
    standings_plot,
    symbol_path,
)
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


def drawn(svg: str) -> ET.Element:
    """Return the root of an image, after checks that it is valid XML, scales, and can share a page with others."""
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


@pytest.mark.parametrize("described", [name_of, face_of])
def test_different_cards_of_both_decks_differ(described: Callable[[Card], str]) -> None:
    assert len({described(card) for card in DECK_CARDS}) == len(DECK_CARDS)


@pytest.mark.parametrize("described", [name_of, face_of])
@given(st.lists(any_card, min_size=2, max_size=2, unique=True))
def test_two_cards_never_share_a_name_or_a_face(described: Callable[[Card], str], two: list[Card]) -> None:
    one, other = two
    drawn(card_face(one, TEXTS))
    assert described(one) != described(other)
    assert (described(one) == described(mirrored(one))) is (one == mirrored(one))


@pytest.mark.parametrize(("card", "left"), [("L.WU+2", True), ("R.WU+2", False)])
def test_a_card_is_read_like_a_mirror_with_the_value_on_the_asked_side(card: str, *, left: bool) -> None:
    moves = re.findall(r"translate\((\d[\d.]*) ([\d.]+)\)", card_face(parse_card(card), TEXTS))
    (badge,) = {float(across) for across, down in moves if down == "232"}
    (head,) = {float(across) for across, down in moves if down == "134"}
    assert (badge < 100) is left
    assert (head > 100) is left, "the head makes room for the hand"


@pytest.mark.parametrize("pose", ALL_POSES, ids=str)
def test_every_pose_has_a_drawing_and_a_name(pose: Pose) -> None:
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


def test_twelve_figures_are_distinguished_by_symbol_without_colour() -> None:
    figures = {
        figure_art(animal, "grey", sign) for animal, sign in product((Animal.MOOSE, Animal.RABBIT), SYMBOL_SHAPES)
    }
    assert len(figures) == 12
    for figure in figures:
        assert drawn(figure).attrib["aria-hidden"] == "true"
    assert 'fill="var(--player-3)"' in figure_art(Animal.MOOSE, "var(--player-3)", "■")


@pytest.mark.parametrize("art", [narrator_art, bam_art])
def test_scenes_are_images_that_words_beside_them_describe(art: Callable[[], str]) -> None:
    assert drawn(art()).attrib["aria-hidden"] == "true"


def test_names_are_escaped() -> None:
    name = '"><script>alert("&")</script>'
    art = image("", (10, 10), name)
    assert drawn(art.replace("&lt;script", "")).attrib["role"] == "img"
    assert ET.fromstring(art).attrib["aria-label"] == name  # noqa: S314 - our own art
    assert "<script" not in art


PLOT_SYMBOLS = "●▲■◆★✚"


def line(number: int, rear: tuple[int, ...], player: str | None = None) -> StandingsLine:
    front = tuple(space + 3 for space in rear)
    return StandingsLine(player or f"Player {number}", f"var(--player-{number + 1})", PLOT_SYMBOLS[number], rear, front)


def plotted(lines: list[StandingsLine]) -> ET.Element:
    return ET.fromstring(standings_plot(lines, Texts()))  # noqa: S314 - our own SVG


def test_every_player_has_two_lines_a_name_and_a_symbol_of_their_own() -> None:
    svg = plotted([line(number, (5, 5 + number, 7)) for number in range(6)])
    names = [text.text for text in svg.iter("text")]
    assert all(f"Player {number}" in names for number in range(6))
    ways = [path.attrib for path in svg.iter("path") if path.attrib.get("stroke-width") in {"2", "4"}]
    assert sum(way.get("stroke-dasharray") is not None for way in ways) == 6
    outlines = {symbol_path(symbol, (0, 0)) for symbol in PLOT_SYMBOLS}
    assert len(outlines) == len(PLOT_SYMBOLS)


def test_the_label_of_the_plot_begins_with_the_leader() -> None:
    label = plotted([line(0, (5, 6), "Anna"), line(1, (5, 9), "Ben")]).attrib["aria-label"]
    assert label == (
        "Standings after round 1; Ben: rear figure on space 9, front figure on space 12; "
        "Anna: rear figure on space 6, front figure on space 9"
    )


def test_a_long_name_ends_within_the_plot() -> None:
    svg = plotted([line(0, (5, 6), "Maximiliane-Sophie")])
    name = next(text for text in svg.iter("text") if str(text.text).startswith("Maxi"))
    letter_width = 0.64 * float(name.attrib["font-size"])
    assert float(name.attrib["x"]) + letter_width * len(str(name.text)) <= 960


def test_names_in_the_plot_are_escaped() -> None:
    name = '<script>alert("x")</script>&'
    svg = plotted([line(0, (5, 6), name)])
    assert not list(svg.iter("script"))
    assert name in svg.attrib["aria-label"]


@pytest.mark.parametrize("rear", [(5,), (5, 5), (5, *range(5, 40)), (-20, 60)])
def test_any_evening_can_be_drawn_within_the_plot(rear: tuple[int, ...]) -> None:
    svg = plotted([line(0, rear)])
    assert all(0 <= float(text.attrib["x"]) <= 960 and 0 <= float(text.attrib["y"]) <= 480 for text in svg.iter("text"))


@given(st.lists(st.floats(0, 400), min_size=1, max_size=6))
def test_names_never_cover_each_other_and_keep_their_order(wanted: list[float]) -> None:
    heights = apart(wanted, 26, 10, 420)
    assert all(low + 26 <= high + 1e-6 for low, high in pairwise(sorted(heights)))
    assert all(10 - 1e-6 <= height <= 420 + 1e-6 for height in heights)
    ordered = sorted(range(len(wanted)), key=lambda row: (wanted[row], row))
    assert [heights[row] for row in ordered] == sorted(heights)
