"""The notation of poses, their fields, cards and tables: prints, parses, points at mistakes."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.cards import (
    MOST_CARDS,
    PATTERNS,
    AntlerPattern,
    Card,
    DoubleCard,
    EarPattern,
    Half,
    HunterCard,
    ReversalCard,
    SingleCard,
    SpeciesCard,
    TimesTwoCard,
    TongueCard,
    format_table,
    mirrored,
    parse_card,
    parse_table,
)
from bunnymoose_cv.rules.pose import (
    ALL_POSES,
    HEADGEARS,
    Animal,
    Antler,
    Direction,
    Ear,
    Form,
    Headgear,
    NotationError,
    Place,
    Pose,
    Side,
    Spread,
    Tongue,
    format_headgear,
    parse_headgear,
)
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, Field, FieldValue, PoseField, field_values

patterns = st.sampled_from(PATTERNS)
values = st.integers(-999, 999)
halves = st.builds(Half, patterns, values)
species = st.sampled_from([Animal.MOOSE, Animal.RABBIT])
cards: st.SearchStrategy[Card] = st.one_of(
    st.builds(SingleCard, st.sampled_from(Side), patterns, values),
    st.builds(DoubleCard, halves, halves),
    st.builds(TongueCard, values),
    st.builds(SpeciesCard, species, values),
    st.builds(TimesTwoCard, species),
    st.just(ReversalCard()),
    st.just(HunterCard()),
)


def test_every_pose_prints_to_and_parses_from_its_notation() -> None:
    assert len(ALL_POSES) == len({str(pose) for pose in ALL_POSES}) == 162
    assert [Pose.parse(str(pose)) for pose in ALL_POSES] == list(ALL_POSES)
    assert [parse_headgear(format_headgear(headgear)) for headgear in HEADGEARS] == list(HEADGEARS)


@given(cards)
def test_every_card_prints_to_and_parses_from_its_notation(card: Card) -> None:
    assert parse_card(str(card)) == card


@given(st.lists(cards, min_size=1, max_size=8).map(tuple))
def test_every_table_prints_to_and_parses_from_its_notation(table: tuple[Card, ...]) -> None:
    assert parse_table(format_table(table)) == table


def test_a_table_has_no_more_cards_than_any_box() -> None:
    assert len(parse_table("REVERSE " * MOST_CARDS)) == MOST_CARDS
    with pytest.raises(NotationError, match="no box holds more than 1000 cards") as refused:
        parse_table("REVERSE " * (MOST_CARDS + 1))
    assert refused.value.position == MOST_CARDS * len("REVERSE ")


@given(cards)
def test_mirroring_a_card_twice_changes_nothing(card: Card) -> None:
    assert mirrored(mirrored(card)) == card


@given(st.text(alphabet="LRB.WUCDTSF?+-*/12 ONGUERABITMHV"))
def test_any_text_is_a_table_or_an_error_that_points_into_it(text: str) -> None:
    try:
        table = parse_table(text)
    except NotationError as mistake:
        error = mistake
    else:
        assert parse_table(format_table(table)) == table
        return
    assert error.text == text
    assert 0 <= error.position <= len(text)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("L.WU+1", SingleCard(Side.LEFT, AntlerPattern(Spread.WIDE, Direction.UP), 1)),
        ("R.TS-2", SingleCard(Side.RIGHT, EarPattern(Place.TOP, Form.STRAIGHT), -2)),
        ("L.?U+2", SingleCard(Side.LEFT, AntlerPattern(None, Direction.UP), 2)),
        ("R.W?+1", SingleCard(Side.RIGHT, AntlerPattern(Spread.WIDE, None), 1)),
        ("L.T?+2", SingleCard(Side.LEFT, EarPattern(Place.TOP, None), 2)),
        ("L.S?+2", SingleCard(Side.LEFT, EarPattern(Place.SIDE, None), 2)),
        ("L.?S+2", SingleCard(Side.LEFT, EarPattern(None, Form.STRAIGHT), 2)),
        ("R.?F-1", SingleCard(Side.RIGHT, EarPattern(None, Form.FLOPPY), -1)),
        ("TONGUE+3", TongueCard(3)),
        ("RABBIT-3", SpeciesCard(Animal.RABBIT, -3)),
        ("MOOSE*2", TimesTwoCard(Animal.MOOSE)),
        ("REVERSE", ReversalCard()),
        ("HUNTER", HunterCard()),
    ],
)
def test_what_each_notation_means(text: str, card: Card) -> None:
    assert parse_card(text) == card
    assert str(card) == text


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("B.CD+1", "B.CD+1"),
        ("B.CD+1/+1", "B.CD+1"),
        ("B.CD+1/CD+1", "B.CD+1"),
        ("B.CD+1/-1", "B.CD+1/-1"),
        ("B.CD+1/CD-1", "B.CD+1/-1"),
        ("B.WU+1/CD+1", "B.WU+1/CD+1"),
    ],
)
def test_a_double_prints_in_its_shortest_form(text: str, shortest: str) -> None:
    assert str(parse_card(text)) == shortest


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "at least one card"),
        ("   ", 0, "at least one card"),
        ("L.WU+1 X.WU+1", 7, "“X.WU+1” is no card"),
        ("L.WX+1", 2, "“WX” is no headgear"),
        ("L.??+1", 2, "“??” is no headgear"),
        ("L.--+1", 2, "“--” is no headgear"),
        ("L.WU1", 4, "a value is missing"),
        ("L.WU+", 4, "a value is missing"),
        ("L.WU+1.5", 6, "“.5” is too much"),
        ("L.WU+1000", 8, "“0” is too much"),
        ("L.WU+1/-1", 6, "“/-1” is too much"),
        ("L.WU*2", 4, "a value is missing"),
        ("REVERSE B.CD+1/", 15, "“” is no headgear"),
        ("B.CD+1/WX+1", 7, "“WX” is no headgear"),
        ("MOOSE*3", 5, "“*2”"),
        ("MOOSE*22", 7, "“2” is too much"),
        ("MOOSE", 5, "a value is missing"),
        ("TONGUE*2", 6, "a value is missing"),
        ("BUSH+1", 0, "is no card"),
        ("reverse", 0, "is no card"),
        ("REVERSED", 7, "“D” is too much"),
        ("HUNTERS", 6, "“S” is too much"),
        ("HUNTER-1", 6, "“-1” is too much"),
        ("REVERSE+1", 7, "“+1” is too much"),
        ("HUNTER REVERSE*2", 14, "“*2” is too much"),
        ("MOOSES+1", 5, "a value is missing"),
        ("TONGUES", 6, "a value is missing"),
        ("REV", 0, "is no card"),
        ("L.WU+\N{ARABIC-INDIC DIGIT ONE}", 4, "a value is missing"),
    ],
)
def test_a_mistake_in_a_table_is_pointed_at(text: str, position: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_table(text)
    assert caught.value.position == position
    assert problem in caught.value.problem
    assert f"at character {position + 1} of “{text}”" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "something is missing"),
        ("WU", 2, "something is missing"),
        ("WU XX", 3, "“XX” is no headgear"),
        ("WU  cd", 4, "“cd” is no headgear"),
        ("WU CD T", 6, "only “t”"),
        ("WU CD t t", 8, "“t” is too much"),
        ("W? CD", 0, "“W?” is no headgear"),
    ],
)
def test_a_mistake_in_a_pose_is_pointed_at(text: str, position: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Pose.parse(text)
    assert caught.value.position == position
    assert problem in caught.value.problem


@pytest.mark.parametrize("text", ["", "W", "wu", "WU ", "t"])
def test_a_headgear_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no headgear"):
        parse_headgear(text)


WIDE_UP = AntlerPattern(Spread.WIDE, Direction.UP)


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: SingleCard(Side.LEFT, WIDE_UP, 1000), "does not"),
        (lambda: Half(WIDE_UP, -1000), "-1000 does not"),
        (lambda: TongueCard(1234), r"\+1234 does not"),
        (lambda: SpeciesCard(Animal.MOOSE, 1000), "does not"),
        (lambda: SpeciesCard(Animal.BUSH, 1), "not a bush"),
        (lambda: TimesTwoCard(Animal.BUSH), "not a bush"),
    ],
)
def test_no_card_is_made_that_the_notation_cannot_write(build: Callable[[], object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        build()


@pytest.mark.parametrize("pattern", [AntlerPattern, EarPattern])
def test_no_card_leaves_everything_open(pattern: type[AntlerPattern | EarPattern]) -> None:
    with pytest.raises(ValueError, match="at most one"):
        pattern(None, None)


@pytest.mark.parametrize(
    ("text", "animal"),
    [
        ("WU CD", Animal.MOOSE),
        ("TS SF t", Animal.RABBIT),
        ("WU TS", Animal.BUSH),
        ("-- WU", Animal.BUSH),
        ("-- --", Animal.BUSH),
    ],
)
def test_two_sides_make_an_animal(text: str, animal: Animal) -> None:
    pose = Pose.parse(text)
    assert pose.animal is animal
    assert pose.mirrored().animal is animal
    assert pose.mirrored().headgear(Side.LEFT) == pose.headgear(Side.RIGHT)
    assert (pose.tongue is Tongue.OUT) == text.endswith("t")


def test_every_field_stands_under_its_name() -> None:
    sides = [f"{side}.{field.value}" for side in ("left", "right") for field in HEADGEAR_FIELDS]
    assert [str(each) for each in PoseField] == [*sides, "tongue"]


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("field", HEADGEAR_FIELDS)
def test_a_field_of_a_headgear_tells_its_side(side: Side, field: Field) -> None:
    found = next(each for each in PoseField if each.side is side and each.field is field)
    assert found == f"{side.name.lower()}.{field.value}"


def test_the_tongue_has_no_side() -> None:
    assert (PoseField.TONGUE.side, PoseField.TONGUE.field) == (None, Field.TONGUE)


@pytest.mark.parametrize(
    ("headgear", "values"),
    [
        (
            Antler(Spread.WIDE, Direction.DOWN),
            {Field.KIND: Antler, Field.SPREAD: Spread.WIDE, Field.DIRECTION: Direction.DOWN},
        ),
        (Ear(Place.TOP, Form.FLOPPY), {Field.KIND: Ear, Field.PLACE: Place.TOP, Field.FORM: Form.FLOPPY}),
        (None, {Field.KIND: type(None)}),
    ],
)
def test_values_of_a_headgear(headgear: Headgear, values: dict[Field, FieldValue]) -> None:
    assert field_values(headgear) == values


def test_headgears_differ_in_their_values() -> None:
    assert len({tuple(field_values(each).values()) for each in HEADGEARS}) == len(HEADGEARS)
