"""The distribution over moves: laws, brute force, and the effect of doubts on various tables."""

from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.cards import Card, parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, load_deck, rules_for
from bunnymoose_cv.rules.moves import move_distribution, move_probability
from bunnymoose_cv.rules.pose import ALL_POSES, HEADGEARS, Headgear, Pose, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
from bunnymoose_cv.rules.scoring import score

SECOND = rules_for("second")
all_cards = sorted({card for name in ("first", "second") for card in rules_for(name).cards(load_deck(name))}, key=str)
tables = st.lists(st.sampled_from(all_cards), min_size=1, max_size=6).map(tuple)
all_rules = st.builds(
    rules_for,
    st.sampled_from(["first", "second"]),
    advanced=st.booleans(),
    variants=st.sampled_from([(), (Variant.NO_SPECIES_CHANGE,)]),
)
weights = st.integers(0, 100)


@st.composite
def distributions(draw: st.DrawFn) -> PoseProbabilities:
    pairs = [*product(HEADGEARS, HEADGEARS)]
    drawn = draw(st.lists(weights, min_size=len(pairs), max_size=len(pairs)).filter(any))
    out = draw(weights) / 100
    shares = {pair: weight / sum(drawn) for pair, weight in zip(pairs, drawn, strict=True)}
    return PoseProbabilities(shares, {Tongue.OUT: out, Tongue.IN: 1 - out})


def shares(text: str) -> dict[Headgear, float]:
    """Parse a distribution over headgears, such as `WU 0.7 CU 0.3`."""
    words = text.split()
    return {parse_headgear(name): float(share) for name, share in zip(words[::2], words[1::2], strict=True)}


def reading(left: str, right: str = "WU 1", out: float = 0.0) -> PoseProbabilities:
    lefts, rights = shares(left), shares(right)
    pairs = {(one, other): lefts[one] * rights[other] for one, other in product(lefts, rights)}
    return PoseProbabilities(pairs, {Tongue.OUT: out, Tongue.IN: 1 - out})


@given(distributions(), tables, all_rules, st.sampled_from(ALL_POSES))
def test_move_distribution_equals_brute_force(
    probabilities: PoseProbabilities, table: tuple[Card, ...], rules: Rules, pose: Pose
) -> None:
    """Check the moves, the likeliest pose of each, and the probability of the move of one pose."""
    summed: dict[object, float] = defaultdict(float)
    alike: dict[object, list[Pose]] = defaultdict(list)
    for shown in ALL_POSES:
        moves = score(shown, table, rules).moves
        summed[moves] += probabilities.headgears[shown.left, shown.right] * probabilities.tongue[shown.tongue]
        alike[moves].append(shown)
    found = move_distribution(probabilities, table, rules)
    assert {move.moves: pytest.approx(move.probability) for move in found} == {
        moves: share for moves, share in summed.items() if share > 0
    }
    assert sum(move.probability for move in found) == pytest.approx(1)
    assert [move.probability for move in found] == sorted((move.probability for move in found), reverse=True)
    for offered in found:
        assert offered.pose in alike[offered.moves]
        assert probabilities.of(offered.pose) == max(map(probabilities.of, alike[offered.moves]))
    same_move = {*alike[score(pose, table, rules).moves]}
    share_of_move = sum(share for candidate, share in probabilities.poses() if candidate in same_move)
    assert move_probability(pose, found, table, rules) == pytest.approx(share_of_move)


@pytest.mark.parametrize(
    ("probabilities", "table", "moves"),
    [
        pytest.param(reading("WU 0.6 CU 0.4"), "L.?U+1", {1: 1.0}, id="the card leaves the spread open"),
        pytest.param(reading("WU 0.6 CU 0.4"), "R.W?+2 L.?D-1", {2: 1.0}, id="only the direction is asked for"),
        pytest.param(reading("WU 0.6 CU 0.4"), "L.WU+1", {1: 0.6, 0: 0.4}, id="the spread is asked for"),
        pytest.param(reading("WU 0.6 WD 0.4"), "L.?U+1", {1: 0.6, 0: 0.4}, id="the direction is asked for"),
        pytest.param(reading("WU 0.6 CU 0.4"), "L.WU+1 REVERSE", {-1: 0.6, 0: 0.4}, id="turned around"),
        pytest.param(reading("WU 0.6 CU 0.4"), "REVERSE HUNTER", {0: 1.0}, id="nothing to turn around"),
        pytest.param(
            reading("WU 0.6 CU 0.4", "WU 0.5 CU 0.5"), "B.WU+1", {1: 0.5, 2: 0.3, 0: 0.2}, id="both sides of a double"
        ),
        pytest.param(
            reading("WU 0.6 CU 0.4", "WU 0.5 CU 0.5"), "B.WU+1/-1", {0: 0.5, 1: 0.3, -1: 0.2}, id="a signed double"
        ),
        pytest.param(
            reading("WU 0.6 CU 0.4", "WU 0.5 CU 0.5"), "B.WU+1/CU+1", {1: 0.5, 2: 0.3, 0: 0.2}, id="halves that differ"
        ),
        pytest.param(reading("WU 0.6 CU 0.4"), "TONGUE+3", {0: 1.0}, id="only a tongue is paid"),
        pytest.param(reading("WU 0.6 CU 0.4", out=0.3), "TONGUE+3", {0: 0.7, 3: 0.3}, id="a tongue may be out"),
        pytest.param(reading("WU 0.5 CU 0.5"), "L.WU+1", {1: 0.5, 0: 0.5}, id="a tie of two moves"),
        pytest.param(reading("WU 0.6 TS 0.4"), "L.CD+1", {0: 0.6, None: 0.4}, id="a bush moves both"),
    ],
)
def test_distribution_has_expected_totals_and_probabilities(
    probabilities: PoseProbabilities, table: str, moves: dict[int | None, float]
) -> None:
    found = move_distribution(probabilities, parse_table(table), SECOND)
    assert [move.score.total for move in found] == list(moves)
    assert [move.probability for move in found] == pytest.approx(list(moves.values()))


@pytest.mark.parametrize(("advanced", "count"), [(True, 2), (False, 1)])
def test_doubtful_tongue_matters_only_if_tongues_have_a_meaning(*, advanced: bool, count: int) -> None:
    rules = rules_for("second", advanced=advanced)
    found = move_distribution(reading("WU 1", out=0.4), parse_table("L.WU+1"), rules)
    assert len(found) == count
    assert found[0].probability == pytest.approx(0.6 if advanced else 1)


def test_equal_moves_are_ordered_by_their_likeliest_pose() -> None:
    probabilities = reading("WU 0.25 CU 0.25 WD 0.5")
    found = move_distribution(probabilities, parse_table("L.?U+1"), SECOND)
    assert [str(move.pose) for move in found] == ["WD WU", "WU WU"]


def test_certain_pose_has_one_move_on_every_table() -> None:
    sure = reading("SF 1", "TS 1", out=1.0)
    for first, second in product(all_cards, repeat=2):
        (only,) = move_distribution(sure, (first, second), SECOND)
        assert only.probability == 1
