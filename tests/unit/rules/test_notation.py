"""The notation of poses, their fields, cards and tables: printing, parsing, and positions of errors."""

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


def test_pose_notation_round_trips() -> None:
    assert len(ALL_POSES) == len({str(pose) for pose in ALL_POSES}) == 162
    assert [Pose.parse(str(pose)) for pose in ALL_POSES] == list(ALL_POSES)
    assert [parse_headgear(format_headgear(headgear)) for headgear in HEADGEARS] == list(HEADGEARS)


@given(cards)
def test_card_notation_round_trips(card: Card) -> None:
    assert parse_card(str(card)) == card


@given(st.lists(cards, min_size=1, max_size=8).map(tuple))
def test_table_notation_round_trips(table: tuple[Card, ...]) -> None:
    assert parse_table(format_table(table)) == table


def test_table_with_too_many_cards_is_refused() -> None:
    assert len(parse_table("REVERSE " * MOST_CARDS)) == MOST_CARDS
    with pytest.raises(NotationError, match="a box holds at most 1000 cards") as refused:
        parse_table("REVERSE " * (MOST_CARDS + 1))
    assert refused.value.position == MOST_CARDS * len("REVERSE ")


@given(cards)
def test_mirroring_a_card_twice_changes_nothing(card: Card) -> None:
    assert mirrored(mirrored(card)) == card


@given(st.text(alphabet="LRB.WUCDTSF?+-*/12 ONGUERABITMHV"))
def test_any_text_parses_or_fails_with_a_position(text: str) -> None:
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
def test_notation_parses_to_its_card(text: str, card: Card) -> None:
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
        ("B.CD+1/−1", "B.CD+1/-1"),
        ("B.CD–2", "B.CD-2"),
    ],
)
def test_double_card_prints_in_its_shortest_form(text: str, shortest: str) -> None:
    assert str(parse_card(text)) == shortest


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "at least one card"),
        ("   ", 0, "at least one card"),
        ("L.WU+1 X.WU+1", 7, "“X.WU+1” is not a card"),
        ("L.WX+1", 2, "“WX” is not a card’s headgear"),
        ("L.??+1", 2, "“??” is not a card’s headgear"),
        ("L.--+1", 2, "“--” is not a card’s headgear"),
        ("L.WU1", 4, "a value is missing"),
        ("L.WU+", 4, "a value is missing"),
        ("L.WU+1.5", 6, "“.5” is too much"),
        ("L.WU+1000", 8, "“0” is too much"),
        ("L.WU+1/-1", 6, "“/-1” is too much"),
        ("L.WU*2", 4, "a value is missing"),
        ("REVERSE B.CD+1/", 15, "“” is not a card’s headgear"),
        ("B.CD+1/WX+1", 7, "“WX” is not a card’s headgear"),
        ("MOOSE*3", 5, "“*2”"),
        ("MOOSE*22", 7, "“2” is too much"),
        ("MOOSE", 5, "a value is missing"),
        ("TONGUE*2", 6, "a value is missing"),
        ("BUSH+1", 0, "is not a card"),
        ("reverse", 0, "is not a card"),
        ("REVERSED", 7, "“D” is too much"),
        ("HUNTERS", 6, "“S” is too much"),
        ("HUNTER-1", 6, "“-1” is too much"),
        ("REVERSE+1", 7, "“+1” is too much"),
        ("HUNTER REVERSE*2", 14, "“*2” is too much"),
        ("MOOSES+1", 5, "a value is missing"),
        ("TONGUES", 6, "a value is missing"),
        ("REV", 0, "is not a card"),
        ("L.WU+\N{ARABIC-INDIC DIGIT ONE}", 4, "a value is missing"),
    ],
)
def test_error_in_a_table_has_its_position(text: str, position: int, problem: str) -> None:
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
        ("WU XX", 3, "“XX” is not a headgear"),
        ("WU  cd", 4, "“cd” is not a headgear"),
        ("WU CD T", 6, "only “t”"),
        ("WU CD t t", 8, "“t” is too much"),
        ("W? CD", 0, "“W?” is not a headgear"),
    ],
)
def test_error_in_a_pose_has_its_position(text: str, position: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Pose.parse(text)
    assert caught.value.position == position
    assert problem in caught.value.problem


@pytest.mark.parametrize("text", ["", "W", "wu", "WU ", "t"])
def test_invalid_headgear_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a headgear"):
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
def test_card_without_a_notation_cannot_be_made(build: Callable[[], object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        build()


@pytest.mark.parametrize("pattern", [AntlerPattern, EarPattern])
def test_pattern_with_all_fields_open_is_refused(pattern: type[AntlerPattern | EarPattern]) -> None:
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
def test_animal_follows_from_both_sides(text: str, animal: Animal) -> None:
    pose = Pose.parse(text)
    assert pose.animal is animal
    assert pose.mirrored().animal is animal
    assert pose.mirrored().headgear(Side.LEFT) == pose.headgear(Side.RIGHT)
    assert (pose.tongue is Tongue.OUT) == text.endswith("t")


def test_pose_fields_are_named_by_side_and_field() -> None:
    sides = [f"{side}.{field.value}" for side in ("left", "right") for field in HEADGEAR_FIELDS]
    assert [str(pose_field) for pose_field in PoseField] == [*sides, "tongue"]


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("field", HEADGEAR_FIELDS)
def test_headgear_field_has_its_side(side: Side, field: Field) -> None:
    found = next(pose_field for pose_field in PoseField if pose_field.side is side and pose_field.field is field)
    assert found == f"{side.name.lower()}.{field.value}"


def test_tongue_field_has_no_side() -> None:
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
def test_field_values_of_a_headgear(headgear: Headgear, values: dict[Field, FieldValue]) -> None:
    assert field_values(headgear) == values


def test_headgears_have_distinct_field_values() -> None:
    assert len({tuple(field_values(headgear).values()) for headgear in HEADGEARS}) == len(HEADGEARS)
