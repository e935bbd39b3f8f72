"""The warm-up: each pose once for everybody, again where halves disagree, and nothing of a round left off."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from queue import Queue

import pytest

from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup import warm_up_guide
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase, WarmUpView
from bunnymoose_cv.session.warmup.warm_up_round import HALF_S, MOVING_S, TAKE_S, WarmUpRound
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.unit.session.playing import StillCamera

STEP_S = 0.25


def played(warm_up: WarmUpRound, readings: Iterator[FrameReading]) -> int:
    """Readings that were needed until the round was over."""
    for count, reading in enumerate(readings, 1):
        if warm_up.see(reading).step is None:
            return count
    raise AssertionError


def times(party: FrameReading) -> Iterator[FrameReading]:
    return (replace(party, time_s=number * STEP_S) for number in range(1000))


@pytest.fixture
def warm_up(canned_reader: Reader, party: FrameReading) -> WarmUpRound:
    return WarmUpRound(canned_reader, len(party.players))


def test_everybody_is_read_at_once_and_who_surely_shows_another_animal_teaches_nothing(
    warm_up: WarmUpRound, party: FrameReading
) -> None:
    assert played(warm_up, times(party)) * STEP_S <= 30
    assert set(warm_up.takes) == {player.seat for player in party.players}
    rabbit, moose = ({str(take.shown) for take in warm_up.takes[seat]} for seat in (1, 2))
    assert (rabbit, moose) == ({"TS TS", "SF SF"}, {"WU WU", "CD CD"})
    assert len(warm_up.takes[2]) == len(moose) * 2


def test_halves_that_disagree_are_taken_once_more(canned_reader: Reader, party: FrameReading) -> None:
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
    assert not any(warm_up.takes.values())


def test_a_hand_that_is_not_judged_spoils_no_take(canned_reader: Reader, party: FrameReading) -> None:
    rests = frozenset({Exemption.LEFT_HAND, Exemption.RIGHT_HAND})
    warm_up = WarmUpRound(canned_reader, len(party.players), exempt={2: rests})
    played(warm_up, times(party))
    assert {str(take.shown) for take in warm_up.takes[2]} == {str(step.asked) for step in STEPS}


def test_people_move_first_and_are_read_then(warm_up: WarmUpRound, party: FrameReading) -> None:
    states = [warm_up.see(reading) for reading in islice(times(party), int(TAKE_S / STEP_S))]
    assert [state.counts for state in states] == [number * STEP_S >= MOVING_S for number in range(len(states))]
    assert (states[0].moving_s, states[0].left_s, states[-1].left_s) == (MOVING_S, TAKE_S, STEP_S)


def test_a_take_that_was_disturbed_begins_afresh(warm_up: WarmUpRound, party: FrameReading) -> None:
    for reading in islice(times(party), int(TAKE_S / STEP_S)):
        warm_up.see(reading)
    warm_up.restart_take()
    assert warm_up.state.left_s == TAKE_S
    assert not any(warm_up.takes.values())


def test_a_step_that_is_skipped_teaches_nothing(warm_up: WarmUpRound, party: FrameReading) -> None:
    warm_up.skip()
    played(warm_up, times(party))
    assert STEPS[0].asked not in [take.shown for take in warm_up.takes[2]]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("pose", "terms"),
    [("WU WU", ["wide", "antler"]), ("CD CD", ["compact", "antler"]), ("TS TS", ["straight"]), ("SF SF", ["floppy"])],
)
def test_a_step_says_the_terms_of_the_cards(language: Language, pose: str, terms: list[str]) -> None:
    texts = Texts(language)
    (step,) = (step for step in STEPS if str(step.asked) == pose)
    words = texts(step.words)
    assert all(texts(term)[:-1] in words for term in terms), words  # the plural has another ending


RABBIT, MOOSE, NARRATOR = "Änne", "Ben", "Cleo"
LOOK_STEP_S = 0.5


@dataclass
class Table:
    """A guide before such a camera, and what it said."""

    guide: WarmUpGuide
    source: StillCamera
    files: ProfileFiles
    said: list[str]

    @property
    def store(self) -> PlayerProfiles:
        """Profiles of the players."""
        return PlayerProfiles(self.files)

    def until(self, is_so: Callable[[WarmUpView], bool]) -> WarmUpView:
        """Wait for the first state of a kind."""
        states: Queue[WarmUpView] = Queue()
        stop = self.guide.listen(states.put)
        state = self.guide.state
        while not is_so(state):
            state = states.get(timeout=60)
        stop()
        return state

    def over(self) -> WarmUpView:
        return self.until(lambda state: state.phase is WarmUpPhase.OVER)


@pytest.fixture
def table(
    canned_reader: Reader, party: FrameReading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Table]:
    monkeypatch.setattr(warm_up_guide, "PAUSE_S", 0.0)
    source, files, said = StillCamera(party.image, LOOK_STEP_S), ProfileFiles(tmp_path), list[str]()
    store = PlayerProfiles(files)
    store.exempt(MOOSE, frozenset({Exemption.TONGUE}))
    with WarmUpGuide(source, canned_reader, (RABBIT, MOOSE, NARRATOR), store, said.append) as guide:
        guide.sit((MOOSE, RABBIT)).result()
        yield Table(guide, source, files, said)


def test_each_pose_is_asked_once_and_everybody_in_the_row_is_learnt(table: Table) -> None:
    table.guide.begin().result()
    over = table.over()
    assert table.said == [step.words for step in STEPS]
    rabbit, moose = table.store.find(RABBIT), table.store.find(MOOSE)
    assert rabbit is not None
    assert moose is not None
    assert {str(take.shown) for take in rabbit.takes} == {"TS TS", "SF SF"}
    assert {str(take.shown) for take in moose.takes} == {"WU WU", "CD CD"}
    assert moose.exempt == {Exemption.TONGUE}
    assert table.store.find(NARRATOR) is None
    assert [str(pose) for pose in over.understood[MOOSE].missed] == ["TS TS", "SF SF", "-- -- t"]
    assert set(over.understood) == {RABBIT, MOOSE}
    assert over.round is None


def test_one_person_is_done_again_and_the_others_keep_theirs(table: Table) -> None:
    table.guide.begin().result()
    before = table.over().understood
    moose = table.store.find(MOOSE)
    table.guide.begin(frozenset({RABBIT})).result()
    assert table.guide.state.asked == {RABBIT}
    for _ in STEPS:
        table.guide.skip().result()
    over = table.over()
    assert over.understood[MOOSE] == before[MOOSE]
    assert table.store.find(MOOSE) == moose


def test_a_round_that_is_left_off_keeps_nothing(table: Table) -> None:
    table.guide.begin().result()
    table.until(lambda state: state.round is not None and state.round.number > 1)
    table.guide.leave_off().result()
    assert table.guide.state.phase is WarmUpPhase.SEATING
    assert table.store.find(RABBIT) is None


def test_images_that_end_are_told_and_nothing_is_kept(table: Table) -> None:
    table.guide.begin().result()
    table.source.camera = CameraState.ENDED
    state = table.until(lambda state: state.phase is WarmUpPhase.SEATING)
    assert state.problem == warm_up_guide.ENDED
    assert table.store.find(RABBIT) is None
    with pytest.raises(InputError, match="The pictures ended"):
        table.guide.begin().result()


def test_nobody_in_the_row_is_one_sentence(table: Table) -> None:
    table.guide.sit(()).result()
    with pytest.raises(InputError, match="Nobody sits in the row"):
        table.guide.begin().result()


def test_what_is_not_judged_is_kept_at_once_and_a_profile_that_says_nothing_is_deleted(table: Table) -> None:
    assert table.guide.state.exempt[MOOSE] == {Exemption.TONGUE}
    table.guide.exempt(RABBIT, frozenset({Exemption.DOWN})).result()
    rabbit = table.store.find(RABBIT)
    assert rabbit is not None
    assert rabbit.exempt == {Exemption.DOWN}
    table.guide.exempt(RABBIT, frozenset()).result()
    assert table.store.find(RABBIT) is None


def test_a_damaged_profile_is_told_and_stops_no_other(table: Table) -> None:
    path = table.files.path(ProfileKind.PLAYER, MOOSE)
    path.write_text("[[[")
    table.guide.begin().result()
    over = table.over()
    assert f"{path} is damaged" in over.problem
    assert set(over.understood) == {RABBIT}
    assert [each.name for each in table.files.list(ProfileKind.PLAYER).profiles] == [RABBIT]
