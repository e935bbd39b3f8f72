"""Warm-up: each pose once for all players, repeated if the halves disagree; cancelled rounds leave nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from queue import Queue

import pytest

from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_forms import ProfileKind
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup import warm_up_guide
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase, WarmUpView
from bunnymoose_cv.session.warmup.warm_up_round import HALF_S, MOVING_S, STEPS, TAKE_S, WarmUpRound
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.doubles import row_reading
from tests.unit.session.playing import StillCamera

STEP_S = 0.25


def played(warm_up: WarmUpRound, readings: Iterator[FrameReading]) -> int:
    """Return the number of readings until the round is over."""
    for count, reading in enumerate(readings, 1):
        if warm_up.see(reading).step is None:
            return count
    raise AssertionError


def times(party: FrameReading) -> Iterator[FrameReading]:
    return (replace(party, time_s=number * STEP_S) for number in range(1000))


@pytest.fixture
def warm_up(canned_reader: Reader, party: FrameReading) -> WarmUpRound:
    return WarmUpRound(canned_reader, len(party.players))


def understood(warm_up: WarmUpRound) -> dict[int, list[str]]:
    """Return the understood poses of each seat in the notation."""
    return {seat: list(map(str, poses)) for seat, poses in warm_up.understood.items()}


def test_all_players_are_read_together_and_understood_if_they_show_the_asked_pose(
    warm_up: WarmUpRound, party: FrameReading
) -> None:
    assert played(warm_up, times(party)) * STEP_S <= 30
    assert understood(warm_up) == {1: [], 2: ["WU WU"]}


def test_a_take_whose_halves_disagree_is_repeated(canned_reader: Reader, party: FrameReading) -> None:
    pairs = zip(party.players[::-1], party.players, strict=True)
    swapped = replace(
        party,
        players=tuple(replace(other, player=replace(other.player, head=player.player.head)) for other, player in pairs),
    )
    first_half_ends_s = MOVING_S + HALF_S

    def changing() -> Iterator[FrameReading]:
        for reading in times(party):
            yield replace(swapped, time_s=reading.time_s) if reading.time_s >= first_half_ends_s else reading

    warm_up = WarmUpRound(canned_reader, len(party.players))
    again = [warm_up.see(reading).again for reading in changing() if reading.time_s <= TAKE_S]
    assert again[-1]
    assert warm_up.state.number == 1
    assert not any(warm_up.understood.values())


@pytest.mark.parametrize(
    ("shown", "exempt", "read"),
    [
        ("WU TS", {Exemption.RIGHT_HAND}, ["WU WU"]),
        ("WU TS", {Exemption.LEFT_HAND}, ["TS TS"]),
        ("CU CU", {Exemption.DOWN}, ["CD CD"]),
        ("SF SF t", {Exemption.TONGUE}, ["SF SF"]),
        ("-- --", {Exemption.TONGUE}, ["-- -- t"]),
        ("WU TS", set(), []),
    ],
)
def test_a_part_that_is_not_judged_may_show_anything(
    canned_reader: Reader, shown: str, exempt: set[Exemption], read: list[str]
) -> None:
    warm_up = WarmUpRound(canned_reader, 1, exempt={1: exempt})
    played(warm_up, times(row_reading([shown])))
    assert understood(warm_up) == {1: read}


def test_a_hand_that_is_not_judged_may_move(canned_reader: Reader) -> None:
    before, after = row_reading(["WU WU"]), row_reading(["WU TS"])
    warm_up = WarmUpRound(canned_reader, 1, exempt={1: {Exemption.RIGHT_HAND}})
    for reading in times(before):
        shown = after if reading.time_s >= MOVING_S + HALF_S else before
        if warm_up.see(replace(shown, time_s=reading.time_s)).number > 1:
            break
    assert understood(warm_up) == {1: ["WU WU"]}


def test_readings_count_only_after_the_time_to_move(warm_up: WarmUpRound, party: FrameReading) -> None:
    states = [warm_up.see(reading) for reading in islice(times(party), int(TAKE_S / STEP_S))]
    assert [state.counts for state in states] == [number * STEP_S >= MOVING_S for number in range(len(states))]
    assert (states[0].moving_s, states[0].left_s, states[-1].left_s) == (MOVING_S, TAKE_S, STEP_S)


def test_a_disturbed_take_restarts(warm_up: WarmUpRound, party: FrameReading) -> None:
    for reading in islice(times(party), int(TAKE_S / STEP_S)):
        warm_up.see(reading)
    warm_up.restart_take()
    assert warm_up.state.left_s == TAKE_S
    assert not any(warm_up.understood.values())


def test_a_slow_computer_lengthens_the_take(canned_reader: Reader) -> None:
    warm_up = WarmUpRound(canned_reader, 1)
    shown = row_reading(["WU WU"])
    states = [warm_up.see(replace(shown, time_s=number * TAKE_S)) for number in range(6)]
    assert [state.number for state in states] == [1, 1, 1, 1, 1, 2]
    assert understood(warm_up) == {1: ["WU WU"]}


def test_a_skipped_step_counts_as_not_understood(warm_up: WarmUpRound, party: FrameReading) -> None:
    warm_up.skip()
    played(warm_up, times(party))
    assert understood(warm_up) == {1: [], 2: []}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("pose", "terms"),
    [("WU WU", ["wide", "antler"]), ("CD CD", ["compact", "antler"]), ("TS TS", ["straight"]), ("SF SF", ["floppy"])],
)
def test_instructions_use_the_terms_of_the_cards(language: Language, pose: str, terms: list[str]) -> None:
    texts = Texts(language)
    (step,) = (step for step in STEPS if str(step.asked) == pose)
    words = texts(step.words)
    assert all(texts(term)[:-1] in words for term in terms), words  # the plural has another ending


RABBIT, MOOSE, NARRATOR = "Änne", "Ben", "Cleo"
LOOK_STEP_S = 0.5


@dataclass
class Table:
    """Guide in front of such a camera, with its spoken instructions."""

    guide: WarmUpGuide
    source: StillCamera
    files: ProfileFiles
    said: list[str]

    def until(self, is_so: Callable[[WarmUpView], bool]) -> WarmUpView:
        """Wait for the first state for which a predicate holds."""
        states: Queue[WarmUpView] = Queue()
        stop = self.guide.listen(states.put)
        state = self.guide.state
        while not is_so(state):
            state = states.get(timeout=60)
        stop()
        return state

    def at_first(self, is_so: Callable[[WarmUpView], bool], act: Callable[[], object]) -> None:
        """Act on the guide's thread, before its next look, at the first state for which a predicate holds."""

        def see(state: WarmUpView) -> None:
            if is_so(state):
                stop()
                act()

        stop = self.guide.listen(see)

    def over(self) -> WarmUpView:
        return self.until(lambda state: state.phase is WarmUpPhase.OVER)


@pytest.fixture
def table(
    canned_reader: Reader, party: FrameReading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Table]:
    monkeypatch.setattr(warm_up_guide, "PAUSE_S", 0.0)
    source, files, said = StillCamera(party.image, LOOK_STEP_S), ProfileFiles(tmp_path), list[str]()
    files.exempt(MOOSE, frozenset({Exemption.TONGUE}))
    with WarmUpGuide(source, canned_reader, (RABBIT, MOOSE, NARRATOR), files, said.append) as guide:
        guide.sit((MOOSE, RABBIT)).result()
        yield Table(guide, source, files, said)


def test_each_pose_is_asked_once_and_each_player_gets_a_summary(table: Table) -> None:
    table.guide.begin().result()
    over = table.over()
    assert table.said == [step.words for step in STEPS]
    assert [str(pose) for pose in over.understood[MOOSE].missed] == ["CD CD", "TS TS", "SF SF", "-- -- t"]
    assert [summary.words for summary in over.understood.values()] == [
        f"{RABBIT}: no pose was understood. Sit so that the camera sees head and hands, and do it again.",
        f"{MOOSE}: 1 of 5 poses understood.",
    ]
    assert over.round is None
    assert [profile.name for profile in table.files.list(ProfileKind.PLAYER).profiles] == [MOOSE], (
        "nothing is kept of it"
    )


def test_one_player_can_repeat_the_warm_up_without_changing_the_others(table: Table) -> None:
    table.guide.begin().result()
    before = table.over().understood
    asked: list[frozenset[str]] = []
    table.at_first(lambda state: state.phase is WarmUpPhase.POSES, lambda: asked.append(table.guide.state.asked))
    table.guide.begin(frozenset({RABBIT})).result()
    assert asked == [{RABBIT}]
    for _ in STEPS:
        table.guide.skip().result()
    over = table.over()
    assert over.understood[MOOSE] == before[MOOSE]


def test_a_cancelled_round_has_no_summary(table: Table) -> None:
    table.at_first(lambda state: state.round is not None and state.round.number > 1, table.guide.leave_off)
    table.guide.begin().result()
    state = table.until(lambda state: state.phase in {WarmUpPhase.SEATING, WarmUpPhase.OVER})
    assert state.phase is WarmUpPhase.SEATING
    assert not state.understood


def test_the_end_of_the_images_is_reported_and_leaves_no_summary(table: Table) -> None:

    def end_the_images() -> None:
        table.source.camera = CameraState.ENDED

    table.at_first(lambda state: state.phase is WarmUpPhase.POSES, end_the_images)
    table.guide.begin().result()
    state = table.until(lambda state: state.phase is WarmUpPhase.SEATING)
    assert state.problem == warm_up_guide.ENDED
    assert not state.understood
    with pytest.raises(InputError, match="The pictures ended"):
        table.guide.begin().result()


def test_an_empty_row_is_refused_in_one_sentence(table: Table) -> None:
    table.guide.sit(()).result()
    with pytest.raises(InputError, match="Nobody sits in the row"):
        table.guide.begin().result()


def test_exemptions_are_stored_at_once_and_an_empty_profile_is_deleted(table: Table) -> None:
    assert table.guide.state.exempt[MOOSE] == {Exemption.TONGUE}
    table.guide.exempt(RABBIT, frozenset({Exemption.DOWN})).result()
    rabbit = table.files.player(RABBIT)
    assert rabbit is not None
    assert rabbit.exempt == {Exemption.DOWN}
    table.guide.exempt(RABBIT, frozenset()).result()
    assert table.files.player(RABBIT) is None


def test_a_damaged_profile_is_reported_and_the_others_are_read(table: Table, canned_reader: Reader) -> None:
    path = table.files.path(ProfileKind.PLAYER, RABBIT)
    path.write_text("[[[")
    with WarmUpGuide(table.source, canned_reader, (RABBIT, MOOSE), table.files, table.said.append) as guide:
        guide.sit(()).result()
        assert f"{path} is damaged" in guide.state.problem
        assert guide.state.exempt == {MOOSE: {Exemption.TONGUE}}
