"""Scores of poses: laws, the tongue under every rule, and reasons in words."""

from itertools import permutations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.cards import PATTERNS, Card, Pattern, TongueCard, mirrored, parse_card, parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, load_deck, rules_for
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Pose, Tongue, format_headgear
from bunnymoose_cv.rules.scoring import Move, highest_and_lowest, score

SECOND = rules_for("second")
poses = st.sampled_from(ALL_POSES)
all_cards = sorted({card for name in ("first", "second") for card in rules_for(name).cards(load_deck(name))}, key=str)
tables = st.lists(st.sampled_from(all_cards), min_size=1, max_size=8)
all_rules = st.builds(
    rules_for,
    st.sampled_from(["first", "second"]),
    advanced=st.booleans(),
    variants=st.sampled_from([(), (Variant.NO_SPECIES_CHANGE,)]),
)


@given(poses, tables, all_rules, st.randoms(use_true_random=False))
def test_order_of_the_cards_does_not_matter(pose: Pose, table: list[Card], rules: Rules, random: object) -> None:
    shuffled = list(table)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    before, after = score(pose, tuple(table), rules), score(pose, tuple(shuffled), rules)
    assert before.total == after.total
    assert sorted(map(str, before.lines)) == sorted(map(str, after.lines))


@given(poses, tables, all_rules)
def test_mirroring_pose_and_cards_keeps_the_score(pose: Pose, table: list[Card], rules: Rules) -> None:
    plain = score(pose, tuple(table), rules)
    mirror = score(pose.mirrored(), tuple(map(mirrored, table)), rules)
    assert mirror.total == plain.total
    assert mirror.species is plain.species


@pytest.mark.parametrize("pose", [pose for pose in ALL_POSES if pose.left != pose.right][::5], ids=str)
def test_mirroring_pose_and_card_keeps_the_score_of_every_card(pose: Pose) -> None:
    for card in all_cards:
        assert score(pose.mirrored(), (mirrored(card),), SECOND).total == score(pose, (card,), SECOND).total, card


@given(poses, tables, all_rules)
def test_total_and_moves_follow_from_points_and_factors(pose: Pose, table: list[Card], rules: Rules) -> None:
    result = score(pose, tuple(table), rules)
    assert [line.card for line in result.lines] == table
    assert all(line.why for line in result.lines)
    if pose.animal is Animal.BUSH:
        assert result.total is None
        assert result.moves == (Move(Animal.MOOSE, -1), Move(Animal.RABBIT, -1))
        assert all(line.points == 0 and line.factor == 1 for line in result.lines)
    else:
        total = sum(line.points for line in result.lines) * prod(line.factor for line in result.lines)
        assert result.total == total
        assert result.moves == (Move(result.species, total),)


@given(poses, tables, all_rules)
def test_second_reversal_cancels_the_first(pose: Pose, table: list[Card], rules: Rules) -> None:
    reverse = parse_card("REVERSE")
    plain, once, twice = (score(pose, (*table, *times * [reverse]), rules).total for times in range(3))
    assert twice == plain
    assert once == (None if plain is None else -plain)


@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
def test_pattern_matches_letter_by_letter(pattern: Pattern) -> None:
    """Read the notation letter by letter as a second, independent way to find matches."""
    letters = str(pattern)
    card = parse_card(f"B.{letters}+1/+10")
    antler = any(letter in "WCUD" for letter in letters)

    def fits(headgear: str) -> bool:
        same_kind = (headgear[0] in "WC") == antler
        return same_kind and all(asked in ("?", shown) for asked, shown in zip(letters, headgear, strict=True))

    for pose in ALL_POSES:
        points = fits(format_headgear(pose.left)) + 10 * fits(format_headgear(pose.right))
        assert score(pose, (card,), SECOND).total == (None if pose.animal is Animal.BUSH else points), pose


@pytest.mark.parametrize(
    ("rules", "pose", "cards", "species", "total"),
    [
        (SECOND, "WU WU t", "MOOSE+2 RABBIT+1", "rabbit", 1),
        (SECOND, "TS TS t", "MOOSE+2 RABBIT+1", "moose", 2),
        (SECOND, "TS TS t", "TONGUE+3 L.TS+2", "moose", 5),
        (SECOND, "WU TS t", "TONGUE+3", "bush", None),
        (rules_for("second", advanced=False), "WU WU t", "MOOSE+2 RABBIT+1 TONGUE+3", "moose", 2),
        (rules_for("second", variants=[Variant.NO_SPECIES_CHANGE]), "WU WU t", "MOOSE+2 TONGUE+3", "moose", 5),
        (rules_for("first"), "WU WU t", "MOOSE+2 RABBIT+1 TONGUE+3", "rabbit", 4),
        (rules_for("first", advanced=False), "WU WU t", "MOOSE+2 RABBIT+1 TONGUE+3", "rabbit", 4),
        (rules_for("first", variants=[Variant.NO_SPECIES_CHANGE]), "TS TS t", "RABBIT*2 TONGUE+3", "rabbit", 6),
    ],
)
def test_tongue_changes_species_or_total_as_the_rules_say(
    rules: Rules, pose: str, cards: str, species: str, total: int | None
) -> None:
    result = score(Pose.parse(pose), parse_table(cards), rules)
    assert result.species is Animal(species)
    assert result.total == total


@pytest.mark.parametrize(
    ("pose", "cards", "species", "total"),
    [
        ("WU WU", "TONGUE+3", "moose", 0),
        ("WU WU", "TONGUE+3 L.WU+2", "moose", 2),
        ("WU WU", "TONGUE-1 TONGUE+3 L.WU+2 MOOSE*2 RABBIT+1", "moose", 4),
        ("WU WU", "TONGUE+3 L.WU+2 REVERSE", "moose", -2),
        ("TS TS", "TONGUE+3 RABBIT+1 RABBIT*2 MOOSE-3", "rabbit", 2),
        ("WU --", "TONGUE+3", "bush", None),
        ("WU WU t", "TONGUE-1 TONGUE+3 L.WU+2 MOOSE*2 RABBIT+1", "rabbit", 5),
    ],
)
def test_tongue_card_scores_only_with_a_tongue_in_any_card_order(
    pose: str, cards: str, species: str, total: int | None
) -> None:
    for table in permutations(parse_table(cards)):
        result = score(Pose.parse(pose), table, SECOND)
        assert (result.species, result.total) == (Animal(species), total)
        paid = {line.points for line in result.lines if isinstance(line.card, TongueCard)}
        assert pose.endswith("t") or paid == {0}


@pytest.mark.parametrize("cards", ["L.WU+2", "HUNTER", "REVERSE L.TS+1"])
def test_equal_scores_list_poses_without_a_tongue_first(cards: str) -> None:
    for best in highest_and_lowest(parse_table(cards), SECOND):
        tongues = [scored.pose.tongue is Tongue.OUT for scored in best]
        assert tongues == sorted(tongues)
        assert set(tongues) == {False, True}


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("MOOSE*2", 0),
        ("L.WU+2 MOOSE*2", 4),
        ("MOOSE*2 L.WU-2 MOOSE*2", -8),
        ("L.WU+2 L.WU-2 MOOSE*2 REVERSE", 0),
        ("L.WU+2 RABBIT*2 HUNTER", 2),
        ("HUNTER", 0),
    ],
)
def test_doubling_is_applied_after_adding(cards: str, total: int) -> None:
    assert score(Pose.parse("WU WU"), parse_table(cards), SECOND).total == total


@pytest.mark.parametrize(
    ("pose", "card", "why"),
    [
        ("WU CD", "L.WU+1", "wide antler up on the left"),
        ("WU CD", "R.?D+1", "antler down on the right"),
        ("WU CD", "R.W?+1", "no wide antler on the right"),
        ("TS SF", "R.?F-1", "floppy ear on the right"),
        ("TS SF", "L.S?-1", "no ear at the side on the left"),
        ("TS SF", "L.TS-1", "straight ear on top on the left"),
        ("WU WU", "B.WU+1", "wide antler up on both sides"),
        ("WU CD", "B.CD+1", "compact antler down on the right only"),
        ("WU CD", "B.TS+1", "no straight ear on top"),
        ("WU WU", "B.WU+1/CD+1", "wide antler up on the left, no compact antler down on the right"),
        ("WU WU", "MOOSE+1", "this is a moose"),
        ("WU WU", "RABBIT+1", "this is a moose"),
        ("WU WU t", "RABBIT+1", "the tongue makes this moose a rabbit"),
        ("TS TS t", "MOOSE*2", "the tongue makes this rabbit a moose: doubles the score"),
        ("WU WU", "TONGUE+1", "tongue in"),
        ("WU WU t", "TONGUE+1", "tongue out"),
        ("WU --", "TONGUE+1", "a bush (nothing on the right): no card applies"),
        ("-- --", "TONGUE+1", "a bush (nothing on the head): no card applies"),
        ("WU TS", "TONGUE+1", "a bush (an antler beside an ear): no card applies"),
    ],
)
def test_score_line_gives_its_reason(pose: str, card: str, why: str) -> None:
    assert score(Pose.parse(pose), (parse_card(card),), SECOND).lines[0].why == why


@given(tables, all_rules)
def test_highest_and_lowest_bound_all_scores(table: list[Card], rules: Rules) -> None:
    highest, lowest = highest_and_lowest(tuple(table), rules)
    scores = [score(pose, tuple(table), rules) for pose in ALL_POSES]
    totals = [scored.total for scored in scores if scored.total is not None]
    assert {scored.total for scored in highest} == {max(totals)}
    assert {scored.total for scored in lowest} == {min(totals)}
    assert len(highest) == totals.count(max(totals))
    assert len(lowest) == totals.count(min(totals))
