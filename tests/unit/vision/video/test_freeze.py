"""Combination of readings: hands that settle, tongues that are held, robustness to a bad frame, and movers."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.rules.pose import Antler, Direction, Headgear, Pose, Side, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import PlayerReading
from bunnymoose_cv.vision.settings import FREEZE
from bunnymoose_cv.vision.video.freeze import freeze
from bunnymoose_cv.vision.video.movement import movements
from bunnymoose_cv.vision.video.player_estimate import MouthEstimate, PlayerEstimate, SideEstimate, SideHold
from bunnymoose_cv.vision.video.seats import Sample
from bunnymoose_cv.vision.video.window import Window
from tests.doubles import sure_of
from tests.unit.vision.video.made_readings import AT_ZERO, LIMITS, MOOSE, RABBIT, frames_of, make_reading


def agreed_of(reader: Reader, readings: Sequence[PlayerReading | None]) -> PlayerReading:
    """Return the reading that the frames of one player agree on."""
    agreed = freeze(frames_of(readings, AT_ZERO.read_s), AT_ZERO, reader, 1).players[0].reading
    assert agreed is not None
    return agreed


def test_window_is_read_evenly_and_starts_before_the_tongue_time() -> None:
    window = Window.around(10.0, LIMITS.model_copy(update={"before_s": 0.15, "after_s": 0.6, "frames": 6}))
    assert window.read_s == pytest.approx((9.7, 9.85, 10.0, 10.15, 10.3, 10.45, 10.6))
    assert window.settled_s == pytest.approx(10.3)
    assert window.by_use_s == pytest.approx((10.0, 10.15, 10.3, 10.45, 10.6, 9.85, 9.7))
    assert window.watched_s[0] == pytest.approx(10.45)
    assert window.watched_s[-1] <= 11.6 + 1e-9


@pytest.mark.parametrize("bad", range(7))
def test_one_bad_frame_does_not_change_the_pose(canned_reader: Reader, bad: int) -> None:
    for wrong in (make_reading(RABBIT, sure=0.7), make_reading(at=None), None):
        readings: list[PlayerReading | None] = [make_reading() for _ in AT_ZERO.read_s]
        readings[bad] = wrong
        assert agreed_of(canned_reader, readings).pose == Pose(MOOSE, None)


def test_hands_moving_at_the_cue_are_read_after_they_settle(canned_reader: Reader) -> None:
    readings = [make_reading(RABBIT, at=0.8 + 0.4 * number) for number in range(3)]
    readings += [make_reading(MOOSE, at=2.0) for _ in AT_ZERO.read_s[3:]]
    agreed = agreed_of(canned_reader, readings)
    assert (agreed.pose.left, agreed.headgear[Side.LEFT].unclear) == (MOOSE, ())


def test_late_headgear_with_a_doubtful_spread_replaces_the_bare_side(canned_reader: Reader) -> None:
    """The hand is seen by its pixels alone, so nothing shows that it moved."""
    bare, late = sure_of(None, 0.99), HeadgearProbabilities(0.98, 0.01, 0.01, wide=0.3, up=0.99)
    answers = [bare if time_s < 0.1 else late for time_s in AT_ZERO.read_s]
    agreed = agreed_of(canned_reader, [make_reading(answer=answer, at=None) for answer in answers])
    assert agreed.pose.left == Antler(Spread.COMPACT, Direction.UP)
    assert agreed.headgear[Side.LEFT].unclear == (Field.SPREAD,)


@pytest.mark.parametrize("kind", [0.99, 0.7])
def test_closing_fingers_are_a_change_even_if_the_kind_is_doubtful(canned_reader: Reader, kind: float) -> None:
    closed = HeadgearProbabilities(kind, 0.0, 1 - kind, wide=0.01, up=0.99)
    readings = [make_reading(), *[make_reading(answer=closed) for _ in AT_ZERO.read_s[1:]]]
    agreed = agreed_of(canned_reader, readings)
    assert agreed.headgear[Side.LEFT].probabilities.wide == pytest.approx(closed.wide)
    assert agreed.pose.left == Antler(Spread.COMPACT, Direction.UP)


def test_pose_held_after_the_cue_counts_and_a_later_one_is_a_move(canned_reader: Reader) -> None:
    compact = Antler(Spread.COMPACT, Direction.UP)
    readings = [make_reading(MOOSE if time_s < 0.2 else compact) for time_s in AT_ZERO.read_s]
    readings[4] = make_reading(compact, sure=0.6)  # on the way
    frames = frames_of(readings, AT_ZERO.read_s)
    frozen = freeze(frames, AT_ZERO, canned_reader, 1)
    agreed = frozen.players[0].reading
    assert agreed is not None
    assert (agreed.pose.left, agreed.headgear[Side.LEFT].unclear) == (MOOSE, ())
    (movement,) = movements(frozen, frames)
    assert movement.time_s == pytest.approx(0.45)


def test_field_on_which_frames_disagree_is_unclear(canned_reader: Reader) -> None:
    readings = [make_reading(MOOSE if number % 2 else RABBIT, sure=0.9) for number in range(len(AT_ZERO.read_s))]
    agreed = agreed_of(canned_reader, readings)
    assert "left.kind" in agreed.unclear


def test_player_who_is_not_found_keeps_the_seat(canned_reader: Reader) -> None:
    frames = frames_of([make_reading(x=700) for _ in AT_ZERO.read_s], AT_ZERO.read_s)
    frozen = freeze(frames, AT_ZERO, canned_reader, 2, (0.2, 0.7))
    assert [player.reading is not None for player in frozen.players] == [False, True]
    assert [player.seat for player in frozen.reading.players] == [2]
    assert frozen.places == (0.2, 0.7)


def test_known_places_identify_the_missing_player(canned_reader: Reader) -> None:
    frames = frames_of([make_reading(x=450) for _ in AT_ZERO.read_s], AT_ZERO.read_s)
    seen = {
        places: [player.reading is not None for player in freeze(frames, AT_ZERO, canned_reader, 2, places).players]
        for places in (None, (0.1, 0.45))
    }
    assert seen == {None: [True, False], (0.1, 0.45): [False, True]}


OUT, IN = 0.95, 0.02


@pytest.mark.parametrize(
    ("outs", "expected"),
    [
        pytest.param([IN] * 7, Tongue.IN, id="in"),
        pytest.param([OUT] * 7, Tongue.OUT, id="out"),
        pytest.param([IN, IN, OUT, IN, IN, IN, IN], Tongue.IN, id="a blink at the cue"),
        pytest.param([IN, OUT, OUT, IN, IN, IN, IN], Tongue.IN, id="a longer blink at the cue"),
        pytest.param([IN, IN, IN, IN, OUT, OUT, IN], Tongue.IN, id="a blink after it"),
        pytest.param([OUT, OUT, OUT, IN, IN, IN, IN], Tongue.OUT, id="held at the cue, then in"),
        pytest.param([IN, OUT, OUT, OUT, IN, IN, IN], Tongue.OUT, id="held around the cue"),
        pytest.param([IN, IN, IN, OUT, OUT, OUT, OUT], Tongue.OUT, id="put out at once and kept"),
        pytest.param([OUT, OUT, OUT, IN, OUT, OUT, OUT], Tongue.OUT, id="one frame missed"),
        pytest.param([IN, IN, IN, OUT, OUT, OUT, IN], Tongue.IN, id="put out after it, and in again"),
        pytest.param([OUT, IN, OUT, IN, OUT, OUT, IN], Tongue.OUT, id="two frames missed, one by one"),
    ],
)
def test_brief_tongue_does_not_count(canned_reader: Reader, outs: list[float], expected: Tongue) -> None:
    agreed = agreed_of(canned_reader, [make_reading(out=out) for out in outs])
    assert (agreed.tongue.tongue, agreed.tongue.unclear) == (expected, False)


@pytest.mark.parametrize(
    ("times_s", "outs", "expected"),
    [
        pytest.param(
            (-0.85, -0.25, 0.0, 0.15, 0.3, 0.45),
            (OUT, IN, OUT, IN, IN, IN),
            Tongue.IN,
            id="a blink, and one long before",
        ),
        pytest.param(
            (-0.4, -0.2, 0.0, 0.3, 0.6), (OUT, OUT, OUT, IN, OUT), Tongue.OUT, id="held, and again long after"
        ),
        pytest.param((-0.9, 0.3), (IN, OUT), Tongue.OUT, id="in long before, and out in the only reading since"),
        pytest.param((-0.9, 0.0, 0.6), (IN, IN, OUT), Tongue.IN, id="in at the cue, and out long after"),
    ],
)
def test_readings_of_a_mouth_that_are_long_apart_are_of_different_holds(
    canned_reader: Reader, times_s: tuple[float, ...], outs: tuple[float, ...], expected: Tongue
) -> None:
    frames = frames_of([make_reading(out=out) for out in outs], times_s)
    agreed = freeze(frames, AT_ZERO, canned_reader, 1).players[0].reading
    assert agreed is not None
    assert (agreed.tongue.tongue, agreed.tongue.unclear) == (expected, False)


@pytest.mark.parametrize(
    ("outs", "until"),
    [([OUT] * 5 + [IN] * 2, 4), ([IN] * 7, 6), ([IN] * 6 + [OUT], 6)],
    ids=["out, then in", "in", "in, and a slip at the end"],
)
def test_tongue_time_is_the_last_reading_that_supports_it(canned_reader: Reader, outs: list[float], until: int) -> None:
    """A later change is a move, a slip within the window is not."""
    frames = frames_of([make_reading(out=out) for out in outs], AT_ZERO.read_s)
    (player,) = freeze(frames, AT_ZERO, canned_reader, 1).players
    assert player.tongue_s == AT_ZERO.read_s[until]


@pytest.mark.parametrize(("sure", "mean_mesh"), [(True, True), (False, False)])
def test_tongue_without_a_found_mouth_is_never_sure(canned_reader: Reader, *, sure: bool, mean_mesh: bool) -> None:
    reading = make_reading(out=OUT)
    head = replace(reading.player.head, sure=sure, mean_mesh=mean_mesh)
    reading = replace(reading, player=replace(reading.player, head=head))
    assert "tongue" in agreed_of(canned_reader, [reading] * 7).unclear


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_tongue_estimate_is_a_probability(outs: list[float]) -> None:
    times_s = np.linspace(-0.3, 0.6, len(outs)).tolist()
    mouth = MouthEstimate(AT_ZERO)
    for time_s, out in zip(times_s, outs, strict=True):
        mouth = mouth.updated(time_s, out)
    probability = mouth.probability_out
    assert 0 <= probability <= 1
    if max(outs) <= 0.5 or min(outs) > 0.5:
        assert (probability > 0.5) == (max(outs) > 0.5)


@pytest.mark.parametrize(
    ("times_s", "lefts", "outs", "settled"),
    [
        pytest.param((-0.5, 0.3), (MOOSE, MOOSE), (IN, IN), True, id="held since before the cue"),
        pytest.param((0.0, 0.3), (MOOSE, MOOSE), (IN, IN), True, id="held from the cue"),
        pytest.param((0.3,), (MOOSE,), (IN,), False, id="one reading"),
        pytest.param((-0.5, 0.3), (RABBIT, MOOSE), (IN, IN), False, id="another pose before"),
        pytest.param((-0.5, 0.0), (MOOSE, MOOSE), (IN, IN), False, id="nothing after the cue"),
        pytest.param((-0.5, 0.3), (MOOSE, MOOSE), (IN, OUT), False, id="a tongue that comes out"),
        pytest.param((-0.5, 0.2, 0.3), (MOOSE,) * 3, (IN, IN, OUT), False, id="a tongue that may be coming out"),
        pytest.param((-0.5, 0.2, 0.3, 0.4), (MOOSE,) * 4, (IN, IN, OUT, IN), True, id="a mouth that slipped once"),
        pytest.param((0.0, 0.3), (MOOSE, MOOSE), (OUT, OUT), True, id="a tongue that is held"),
        pytest.param((0.15, 0.3), (MOOSE, MOOSE), (OUT, OUT), False, id="a tongue after the cue"),
    ],
)
def test_reading_stops_after_a_pose_is_held_over_the_cue(
    times_s: tuple[float, ...],
    lefts: tuple[Headgear, ...],
    outs: tuple[float, ...],
    *,
    settled: bool,
) -> None:
    samples = [(time_s, make_reading(left, out=out)) for time_s, left, out in zip(times_s, lefts, outs, strict=True)]
    assert PlayerEstimate.of(samples, AT_ZERO).is_settled == settled


@pytest.mark.parametrize("frames", [1, 2, 50])
def test_repeated_frames_do_not_raise_the_confidence(canned_reader: Reader, frames: int) -> None:
    """Frames of a held pose repeat the same mistake, so they are not independent."""
    samples = [(time_s, make_reading(MOOSE, sure=0.9)) for time_s in np.linspace(0, 0.6, frames).tolist()]
    agreed = PlayerEstimate.of(samples, AT_ZERO).reading(make_reading().player, canned_reader)
    assert agreed.headgear[Side.LEFT].probabilities.antler == pytest.approx(0.9)


def test_readings_before_the_cue_count(canned_reader: Reader) -> None:
    unsure = make_reading(MOOSE, sure=0.8)
    frames = frames_of([unsure, unsure], (0.0, 0.3))
    alone, more = (
        freeze(frames, AT_ZERO, canned_reader, 1, before=before).players[0].reading
        for before in ((), [(-0.5, make_reading(MOOSE)), (-0.5, make_reading(RABBIT, x=900))])
    )
    assert alone is not None
    assert more is not None
    left, with_more = (estimate.headgear[Side.LEFT].probabilities.antler for estimate in (alone, more))
    assert left < with_more


@pytest.mark.parametrize(
    ("later", "moved_s"),
    [
        (["same", "same", "same"], None),
        (["same", "ear", "ear"], 0.9),
        (["same", "ear", "same"], None),
        (["off", "off", "off"], 0.75),
        (["off", "same", "off"], None),
        (["dropped", "dropped", "dropped"], 0.75),
        (["misplaced", "misplaced", "misplaced"], None),
        (["same", "tongue", "tongue"], 0.9),
        (["unsure", "unsure", "unsure"], None),
        (["no hand", "no hand", "no hand"], None),
        (["ear", "ear, reused", "same"], None),
        (["ear", "same, reused", "ear"], 0.75),
    ],
)
def test_move_after_the_freeze_is_found(canned_reader: Reader, later: list[str], moved_s: float | None) -> None:
    shows = {
        "same": make_reading(),
        "ear": make_reading(RABBIT),
        "off": make_reading(at=4.0),
        "dropped": make_reading(None, at=4.0, sure=0.7),
        "misplaced": make_reading(at=4.0, sure=0.7),
        "tongue": make_reading(out=OUT),
        "unsure": make_reading(RABBIT, sure=0.7),
        "no hand": make_reading(at=None),
    }
    frozen = freeze(frames_of([make_reading() for _ in AT_ZERO.read_s], AT_ZERO.read_s), AT_ZERO, canned_reader, 1)
    readings = [replace(shows[what.removesuffix(", reused")], is_reused="reused" in what) for what in later]
    moved = movements(frozen, frames_of(readings, (0.75, 0.9, 1.05)))
    assert [(movement.seat, movement.time_s) for movement in moved] == ([] if moved_s is None else [(1, moved_s)])


COMPACT = Antler(Spread.COMPACT, Direction.UP)


def estimate_of(samples: list[Sample]) -> SideEstimate:
    return reduce(SideEstimate.updated, samples, SideEstimate(AT_ZERO, Side.LEFT))


@pytest.mark.parametrize(("after_s", "settled"), [(-0.02, False), (0.0, False), (0.02, True)])
def test_side_settles_after_it_is_still_beyond_the_cue(after_s: float, *, settled: bool) -> None:
    times_s = (-0.3, FREEZE.after_cue_s + after_s)
    estimate = estimate_of([(time_s, make_reading()) for time_s in times_s])
    assert (estimate.settled_hold is not None) is settled


def test_side_that_is_no_longer_surely_empty_begins_a_new_hold() -> None:
    """A hand may be arriving, and the joints of a hand that has just appeared show no movement."""
    bare, doubtful = (make_reading(at=None, answer=sure_of(None, sure)) for sure in (0.99, 0.6))
    estimate = estimate_of([(-0.3, bare), (-0.15, bare), (0.0, doubtful)])
    assert estimate.current is not None
    assert (estimate.current.evidence.count, estimate.current.latest) == (1, doubtful)


def test_unsure_reading_has_little_weight(canned_reader: Reader) -> None:
    blurred = HeadgearProbabilities(0.5, 0.3, 0.2, wide=0.01, up=0.99)
    estimate = estimate_of([(-0.15, make_reading()), (0.0, make_reading(answer=blurred))])
    assert estimate.reading(canned_reader).probabilities.wide > 0.95


def test_hold_ends_with_its_last_sure_reading() -> None:
    """An unsure reading just before another headgear belongs to the transition."""
    on_its_way = make_reading(COMPACT, sure=0.6)
    shown = [make_reading()] * 4 + [on_its_way] + [make_reading(COMPACT)] * 2
    estimate = estimate_of([*zip(AT_ZERO.read_s, shown, strict=True)])
    assert estimate.final is not None
    assert estimate.final.until_s == AT_ZERO.read_s[3]
    assert estimate.final.evidence.count == 4


@pytest.mark.parametrize(("hand_found", "odds"), [(True, 4.0), (False, 1.0)])
def test_game_prior_raises_the_odds_of_headgear_at_a_hand(
    canned_reader: Reader, *, hand_found: bool, odds: float
) -> None:
    samples = [(0.0, make_reading(at=2.0 if hand_found else None, answer=sure_of(MOOSE, 0.6)))]
    plain, at_bam = (
        PlayerEstimate.of(samples, replace(AT_ZERO, headgear_prior=prior))
        .reading(samples[0][1].player, canned_reader)
        .headgear[Side.LEFT]
        .probabilities
        for prior in (1.0, 4.0)
    )
    assert (at_bam.antler / at_bam.neither) / (plain.antler / plain.neither) == pytest.approx(odds)
    assert at_bam.antler / at_bam.ear == pytest.approx(plain.antler / plain.ear)
    assert at_bam.antler + at_bam.ear + at_bam.neither == pytest.approx(1)


@pytest.mark.parametrize("hand_first", [False, True])
def test_clearest_reading_has_the_hand_joints(*, hand_first: bool) -> None:
    """Only a reading with joints has the measures that are displayed."""
    with_hand = make_reading(sure=0.9)
    without = make_reading(at=None, answer=sure_of(MOOSE, 0.99))
    first, second = (with_hand, without) if hand_first else (without, with_hand)
    hold = SideHold.extended(SideHold.extended(None, (0.0, first), Side.LEFT), (0.15, second), Side.LEFT)
    assert hold.clearest is with_hand
    surer = make_reading(sure=0.95)
    assert SideHold.extended(hold, (0.3, surer), Side.LEFT).clearest is surer
    assert SideHold.extended(replace(hold, clearest=surer), (0.3, with_hand), Side.LEFT).clearest is surer
