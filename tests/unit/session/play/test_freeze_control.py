"""Freeze, judging and dealing: Bams that count, Bams that are dismissed, and recovery from faults."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

import pytest

from bunnymoose_cv.capture.footage import HeldFootage
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.jpeg_frame import FrameRun
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.bam import Recording, learn
from bunnymoose_cv.cues.cue import SAME_BAM_S, Cue, Maker
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.cards import HunterCard, parse_table
from bunnymoose_cv.rules.events import Bam, CardLaid, Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.play.dealer_control import BAM
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.sources.video_source import Moment, NoVideoSource
from bunnymoose_cv.session.table_state import TableState
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.voice.speaker import Speaker
from tests.doubles import CannedFootage, CannedSpeechEngine, CannedVideoSource
from tests.unit.session.conftest import OpenSitting, Watch
from tests.unit.session.playing import CARDS, PHONE, Microphone, StillCamera, done, play_by_hand


class LateCamera(NoVideoSource):
    """Camera that delivers another 0.1 s at each wait."""

    camera = CameraState.WATCHING
    cue_s = 2.0

    def __init__(self, image: Image, newest_s: float) -> None:
        self._image, self._newest_s = image, newest_s

    def newest(self) -> Frame:
        return Frame(self._image, self._newest_s)

    def moment(self, cue: Cue) -> Moment:
        del cue
        camera = self

        class Footage(CannedFootage):
            def wait_for(self, time_s: float, patience_s: float) -> bool:
                camera._newest_s = max(camera._newest_s, time_s + 0.1)
                return super().wait_for(time_s, patience_s)

        return Moment(Footage(self._image, 0.0, self.cue_s, 5.0), self.cue_s)


SOUNDS = Path(__file__).parents[4] / "fixtures" / "sounds"


@pytest.mark.parametrize(
    "insist",
    [
        lambda session: session.bam(Maker.KEY, PHONE),
        lambda session: session._freeze._gate.make(Maker.SOUND, time.monotonic()),
    ],
    ids=["key", "sound"],
)
def test_a_bam_while_the_last_is_judged_does_not_freeze_the_next_round(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, insist: Callable[[Session], object]
) -> None:
    session = open_sitting(canned_evening, asks=False)

    def insist_while_judging(state: TableState) -> None:
        if state.judging:
            insist(session)

    stop = session.listen(insist_while_judging)
    done(session.bam(Maker.KEY, PHONE, time.monotonic() - 2 * SAME_BAM_S))
    stop()
    for _ in range(3):
        done(session.pause(False))
    assert (len(session.state.game.rounds), session.state.game.phase) == (1, Phase.BETTING)
    done(session.bam(Maker.KEY, PHONE, time.monotonic() + 2 * SAME_BAM_S))
    assert len(session.state.game.rounds) == 2


def test_frames_of_a_bam_are_kept_from_the_press_until_it_is_judged(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_for: list[float] = []
    monkeypatch.setattr(canned_evening, "keep_for", kept_for.append)
    session = open_sitting(canned_evening, asks=False)
    judged = session.bam(Maker.KEY, PHONE, 12.5)
    assert kept_for[0] == 12.5
    done(judged)
    assert kept_for == sorted(kept_for)  # released only at the end
    assert set(kept_for) == {12.5, inf}


def test_frames_of_a_heard_bam_are_kept_until_it_is_known_not_to_count(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_for, released = [], threading.Event()

    def keep_for(cue_s: float) -> None:
        kept_for.append(cue_s)
        if cue_s == inf:
            released.set()

    monkeypatch.setattr(canned_evening, "keep_for", keep_for)
    session = open_sitting(canned_evening, asks=False)
    done(session.pause(True))
    session._freeze._gate.make(Maker.SOUND, 12.5)
    assert released.wait(60)
    assert kept_for == [12.5, inf]


def test_notices_are_sentences_and_disappear_with_a_dismissed_bam(session: Session) -> None:
    done(session.bam(Maker.BUTTON, PHONE))
    for notice in ("a.mp4 is over", "Nobody was seen."):
        session._services.notices.notify(notice)
    done(session.rest())
    assert session.state.problem == "a.mp4 is over. Nobody was seen."
    done(session.dismiss("screen"))
    assert session.state.problem == ""


def test_a_seen_hunter_makes_bam_easier_to_hear(open_sitting: OpenSitting, watch: Watch) -> None:
    takes = [read_sound(SOUNDS / "high_shout" / f"take_{number}.ogg") for number in (1, 2, 3)]
    microphone = Microphone()
    session = open_sitting(microphone, bam=learn([Recording(take.samples, take.rate) for take in takes]))
    done(session.submit_cards(CARDS, "people"))
    done(session.expect_bam(100.0))
    microphone.play(read_sound(SOUNDS / "low_shout" / "take_3.ogg", start_s=100.0))  # not the sound that was learnt
    watch(session).until(lambda state: state.game.phase is Phase.FROZEN)
    assert {entry.who for entry in session.state.entries if isinstance(entry.event, Bam)} == {Maker.SOUND.value}


def test_a_shout_in_a_pause_never_counts(session: Session) -> None:
    done(session.pause(True))
    shouted_s = time.monotonic()
    done(session.bam(Maker.KEY, "screen"))
    assert (session.state.paused, session.state.game.phase) == (True, Phase.BETTING)
    done(session.pause(False))
    done(session.bam(Maker.SOUND, "microphone", shouted_s))
    phases = [session.state.game.phase]
    done(session.bam(Maker.KEY, "screen"))
    assert [*phases, session.state.game.phase] == [Phase.BETTING, Phase.FROZEN]


def test_a_shout_in_a_pause_does_not_hide_the_following_bam(session: Session) -> None:
    done(session.pause(True))
    shouted_s = time.monotonic() + SAME_BAM_S
    session._freeze._gate.make(Maker.SOUND, shouted_s)
    done(session._submit(session._freeze.take_cue))
    done(session.pause(False))
    done(session.bam(Maker.KEY, "screen", shouted_s + SAME_BAM_S / 2))
    assert session.state.game.phase is Phase.FROZEN


@pytest.mark.parametrize("in_another_program", [False, True])
def test_a_bam_may_follow_an_undone_one_at_once(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, watch: Watch, *, in_another_program: bool
) -> None:
    session = open_sitting(canned_evening, asks=False)
    made_s = time.monotonic() + 100.0
    done(session.bam(Maker.KEY, PHONE, made_s))
    assert len(session.state.game.rounds) == 1
    seen = watch(session)
    if in_another_program:
        with GameFile.open(session.state.folder) as other:
            other.append([Undone(), Undone()], "in another terminal", "Anna")
    else:
        done(session.undo(PHONE))
        done(session.undo(PHONE))
    seen.until(lambda state: state.game.phase is Phase.DEALING)
    done(session.bam(Maker.KEY, PHONE, made_s + SAME_BAM_S / 2))
    assert len(session.state.game.rounds) == 1


def test_a_hunter_ends_the_deal_and_a_pause_and_asks_once(session: Session) -> None:
    done(session.submit_cards(CARDS, "people"))
    done(session.pause(True))
    done(session.submit_cards(parse_table("HUNTER"), "people"))
    state = session.state
    assert (state.paused, state.game.phase, state.asked) == (False, Phase.FROZEN, state.game.seats)
    assert [line for line in state.said if line.endswith("please check")] == list(state.said)
    assert len(state.said) == 1
    done(session.dismiss("screen"))
    game = session.state.game
    assert (game.phase, game.laid, game.table) == (Phase.DEALING, len(CARDS), CARDS), "the hunter goes with its Bam"


def test_a_bam_can_be_dismissed_when_its_round_is_over(session: Session) -> None:
    play_by_hand(session)
    assert (len(session.state.game.rounds), session.state.dismissible) == (1, True)
    done(session.dismiss("screen"))
    assert (len(session.state.game.rounds), session.state.dismissible) == (0, False)
    play_by_hand(session)
    done(session.bet(session.state.game.seats[0], PHONE))
    assert not session.state.dismissible


def test_nothing_is_shown_before_the_first_word(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bunnymoose_cv.session.play.table_output.FIRST_WORD_S", 60.0)
    monkeypatch.setattr("bunnymoose_cv.session.services.Speaker", partial(Speaker, engine=CannedSpeechEngine()))
    session = open_sitting(canned_evening, asks=False, aloud=True)
    speaker = session._services.speaker
    assert speaker is not None
    shown: list[bool] = []
    speaker.listen(lambda _: shown.append(not session.state.judging))
    done(session.bam(Maker.KEY, PHONE))
    assert shown[0] is False


def test_a_source_that_fails_at_bam_does_not_leave_the_table_judging(open_sitting: OpenSitting) -> None:
    class Failing(NoVideoSource):
        def moment(self, cue: Cue) -> Moment | None:
            raise InputError(f"The clip of the {cue.maker.value} is gone.")

    session = open_sitting(Failing())
    with pytest.raises(InputError, match="The clip of the key is gone"):
        done(session.bam(Maker.KEY, PHONE))
    assert (session.state.judging, session.state.game.phase) == (False, Phase.BETTING)


def test_all_players_are_asked_aloud_if_the_camera_shows_nothing_at_bam(open_sitting: OpenSitting) -> None:
    class Dark(NoVideoSource):
        camera = CameraState.WATCHING

        def moment(self, cue: Cue) -> Moment:
            return Moment(HeldFootage(FrameRun([]), None), cue.time_s)

    session = open_sitting(Dark())
    done(session.submit_cards(CARDS, "people"))
    done(session.bam(Maker.KEY, PHONE))
    assert session.state.said == ("Blue, Green and Yellow, please check",)
    assert "The camera showed nothing at Bam" in session.state.problem
    assert session.state.met_nobody
    done(session.dismiss("screen"))
    assert not session.state.met_nobody


def test_an_unknown_delay_of_a_network_camera_is_reported_once(
    open_sitting: OpenSitting, canned_evening: CannedVideoSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = CannedVideoSource.recorded

    def late(source: CannedVideoSource, number: int) -> Moment | None:
        moment = recorded(source, number)
        return None if moment is None else replace(moment, may_be_late=True)

    monkeypatch.setattr(CannedVideoSource, "recorded", late)
    session = open_sitting(canned_evening, asks=False)
    notices = []
    for number in (1, 2):
        assert session.state.game.round_number == number
        done(session.bam(Maker.KEY, PHONE, time.monotonic() + number * SAME_BAM_S))
        notices.append(session.state.problem)
    assert ["may come late over the network" in notice for notice in notices] == [True, False]


@pytest.mark.parametrize(("newest_s", "looks"), [(1.0, 9), (1.9, 0)], ids=["a second late", "on a cable"])
def test_the_table_is_read_until_the_frames_of_bam_arrive(
    open_sitting: OpenSitting, party: FrameReading, monkeypatch: pytest.MonkeyPatch, newest_s: float, looks: int
) -> None:
    """A camera with a delay still delivers frames from before Bam."""
    seen_s: list[float] = []
    source, look = LateCamera(party.image, newest_s), Referee.look

    def note(referee: Referee, frame: Frame) -> FrameReading:
        if referee.game.phase is Phase.FROZEN and frame.time_s < source.cue_s:  # later ones are the next round's
            seen_s.append(frame.time_s)
        return look(referee, frame)

    monkeypatch.setattr(Referee, "look", note)
    done(open_sitting(source, asks=False).bam(Maker.KEY, PHONE))
    assert len(seen_s) == looks
    assert seen_s == sorted({*seen_s})


def test_dealt_and_laid_cards_mix_and_the_hunter_is_bam(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    seen = watch(session)
    assert session.state.deal is not None
    poem = session.state.deal.poem
    assert session.state.deal.line is None
    done(session.deal())
    assert seen.until(lambda state: state.game.laid == 1).deal.line == 0
    done(session.rest())
    assert session.state.deal.line is None
    done(session.submit_cards(CARDS[:1], PHONE))
    done(session.deal(0.01))
    state = seen.until(lambda state: state.game.phase is Phase.FROZEN and not state.judging)
    assert state.asked == state.game.seats
    assert state.deal.tempo_s == 0.01
    laid = [entry.event for entry in state.entries if isinstance(entry.event, CardLaid)]
    assert [entry.from_deck for entry in laid[:3]] == [True, False, True]
    assert isinstance(laid[-1].card, HunterCard)
    lines = [f"{line.draw} {line.lay}" for line in poem]
    assert seen.heard[:2] == [lines[0], lines[2]]
    assert seen.heard[-2] == BAM
    assert not any(isinstance(entry.event, Bam) for entry in state.entries)


def test_starting_a_running_dealer_changes_only_its_tempo(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=60.0)
    seen = watch(session)
    for _ in range(2):
        done(session.deal())
        done(session._submit(session._deal_on))
    assert session.state.game.laid == 1, "one line after the other"
    done(session.deal(0.01))
    seen.until(lambda state: state.game.laid > 1)


def test_with_a_lost_camera_the_dealer_rests_and_only_a_press_is_bam(
    open_sitting: OpenSitting, row: FrameReading, watch: Watch
) -> None:
    camera = StillCamera(row.image, 0.1)
    session = open_sitting(camera, tempo_s=60.0)
    seen = watch(session)
    done(session.deal())
    seen.until(lambda state: state.deal.line == 0)
    camera.camera = CameraState.LOST
    state = seen.until(lambda state: state.camera is CameraState.LOST)
    assert (state.deal.line, state.game.laid) == (None, 1)
    with pytest.raises(InputError, match="The dealer rests until the camera is back"):
        done(session.deal())
    for maker in (Maker.SOUND, Maker.SCRIPT, Maker.DEALER):
        done(session.bam(maker, PHONE))
    assert session.state.game.phase is Phase.DEALING
    camera.camera = CameraState.WATCHING
    seen.until(lambda state: state.camera is CameraState.WATCHING)
    done(session.deal())
    seen.until(lambda state: state.deal.line is not None)


def test_a_dealt_bam_that_saw_nobody_is_dismissed_and_the_deal_resumes(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource(), tempo_s=0.01)
    seen = watch(session)
    done(session.deal())
    frozen = seen.until(lambda state: state.game.phase is Phase.FROZEN and not state.judging)
    assert frozen.dismissible
    done(session.dismiss("screen"))
    assert (session.state.game.phase, session.state.game.piles) == (Phase.DEALING, frozen.game.piles)
    done(session.deal())
    again = seen.until(lambda state: state.game.phase is Phase.FROZEN and not state.judging)
    assert again.game.laid > session.state.game.rules.piles
