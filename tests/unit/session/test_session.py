"""A session: an evening is played by several people at once, and everybody sees the same table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.cues.bam import Recording, learn
from bunnymoose_cv.cues.cue import SAME_BAM_S, Maker
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.dealer import BAM
from bunnymoose_cv.rules.cards import HunterCard, parse_table
from bunnymoose_cv.rules.events import Bam, CardLaid, PoseCorrected
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.table_state import CameraState
from bunnymoose_cv.session.video_source import NoVideoSource, ScriptVideoSource
from tests.unit.session.microphone import Microphone

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Any

    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_state import TableState

    OpenSitting = Callable[..., Session]
    Watch = Callable[[Session], Any]

CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
MOOSE = Pose.parse("WU WU")
PHONE = "Blue's phone"
SOUNDS = Path(__file__).parents[3] / "fixtures" / "sounds"


def done(wanted: Future[Any]) -> None:
    wanted.result(60.0)


def show_to_the_table(session: Session, pose: Pose = MOOSE) -> None:
    """People say what everybody shows who is asked."""
    for player in session.state.asked:
        done(session.put_right(player, pose, PHONE))


def play_by_hand(session: Session) -> None:
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    show_to_the_table(session)


def test_a_round_of_a_script_is_judged_from_its_clip(open_sitting: OpenSitting, evening: Script, watch: Watch) -> None:
    session = open_sitting(ScriptVideoSource(evening), asks=False)
    seen = watch(session)
    while (latest_reading := session.latest_reading) is None:
        done(session.pause(False))
    done(session.bet("Yellow", PHONE))
    done(session.bam(Maker.BUTTON, PHONE))
    assert [player.seat for player in latest_reading.reading.players] == [1, 2, 3]
    (played,) = session.state.game.rounds
    assert played.facts.bet == "Yellow"
    assert played.facts.cards == evening.rounds[0].cards
    judged = session.state.judged
    assert judged is not None
    assert judged.cue_s == evening.rounds[0].bam_s
    assert judged.kept is not None
    steps = [(each.judging, each.watching) for each in seen.states]
    taken = steps.index((True, False))
    assert seen.states[taken].game.phase in {Phase.BETTING, Phase.DEALING}
    assert not seen.states[taken].said
    assert (False, True) in steps[taken:]
    assert steps[-1] == (False, False)
    assert list(session.state.said) == seen.heard
    assert {entry.who for entry in session.state.entries if isinstance(entry.event, Bam)} == {PHONE}
    done(session.dismiss("screen"))
    assert (session.state.said, session.state.judged, session.state.game.rounds) == ((), None, ())


@pytest.mark.parametrize(
    "insist",
    [
        lambda session: session.bam(Maker.KEY, PHONE),
        lambda session: session._cues.make(Maker.SOUND, time.monotonic()),
    ],
    ids=["key", "sound"],
)
def test_a_bam_while_the_last_is_judged_does_not_freeze_the_next_round(
    open_sitting: OpenSitting, evening: Script, insist: Callable[[Session], object]
) -> None:
    session = open_sitting(ScriptVideoSource(evening), asks=False)

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


def test_notices_are_sentences_and_go_with_the_bam_that_is_taken_back(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.bam(Maker.BUTTON, PHONE))
    for notice in ("a.mp4 is over", "Nobody was seen."):
        session._services.notices.tell(notice)
    done(session.rest())
    assert session.state.problem == "a.mp4 is over. Nobody was seen."
    done(session.dismiss("screen"))
    assert session.state.problem == ""


def test_going_on_with_a_script_makes_the_missing_film(open_sitting: OpenSitting, evening: Script) -> None:
    session = open_sitting(ScriptVideoSource(evening), asks=False)
    done(session.bam(Maker.BUTTON, PHONE))
    judged = session.state.judged
    session.close()
    session._services.keeper.finish()
    session._services.file.close()
    assert judged is not None
    assert judged.kept is not None
    judged.kept.replay.unlink()
    again = open_sitting(ScriptVideoSource(evening), asks=False)
    assert again.state.problem == ""
    again._services.keeper.finish()
    assert judged.kept.has_film


def test_nothing_is_shown_before_the_first_word(
    open_sitting: OpenSitting, evening: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bunnymoose_cv.session.table_voice.FIRST_WORD_S", 60.0)
    session = open_sitting(ScriptVideoSource(evening), asks=False, aloud=True)
    speaker = session._services.speaker
    assert speaker is not None
    shown: list[bool] = []
    speaker.listen(lambda _: shown.append(not session.state.judging))
    done(session.bam(Maker.KEY, PHONE))
    assert shown[0] is False


def test_without_a_camera_people_say_what_everybody_shows(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    assert session.state.camera is CameraState.NONE
    done(session.lay(CARDS, PHONE))
    done(session.bam(Maker.KEY, "screen"))
    assert session.state.asked == session.state.game.seats
    assert session.state.said == ("Blue, Green and Yellow, please check",)
    show_to_the_table(session)
    assert len(session.state.game.rounds) == 1
    assert len(session.state.said) > 3
    done(session.bet(session.state.game.seats[0], "screen"))
    assert session.state.said == ()
    assert session.newest() is None


def test_a_sitting_that_was_killed_goes_on_with_who_is_asked(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, PHONE))
    done(session.bam(Maker.KEY, "screen"))
    done(session.put_right("Green", MOOSE, PHONE))
    session.close()
    session._services.file.close()
    again = open_sitting(NoVideoSource())
    assert again.state.game == session.state.game
    assert again.state.asked == ("Blue", "Yellow")
    told = again.state.said
    assert told == (session.state.said[-1], "Blue and Yellow, please check")
    show_to_the_table(again)
    assert len(again.state.game.rounds) == 1
    assert again.state.said[:2] == told
    again.close()
    again._services.file.close()
    assert open_sitting(NoVideoSource()).state.said != ()


def test_cards_that_are_missing_at_bam_are_waited_for(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    for card in CARDS[:2]:
        done(session.lay((card,), PHONE))
    done(session.bam(Maker.KEY, "screen"))
    show_to_the_table(session)
    assert session.state.game.first_pass
    assert not session.state.game.rounds
    done(session.lay(CARDS[2:3], PHONE))
    assert len(session.state.game.piles) == 3
    done(session.lay(CARDS, PHONE))
    assert len(session.state.game.rounds) == 1
    assert session.state.game.rounds[0].facts.cards == CARDS
    play_by_hand(session)
    assert len(session.state.game.rounds) == 2


def test_an_answer_counts_while_it_is_asked_and_the_same_pose_is_no_correction(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    done(session.answer("Green", MOOSE, PHONE, 1))
    before = session.state.entries
    other = Pose.parse("TS TS")
    for number in (1, 2):
        with pytest.raises(InputError, match="Somebody has just answered"):
            done(session.answer("Green", other, "screen", number))
    done(session.answer("Green", MOOSE, "screen", 1))
    assert not session.put_right("Green", MOOSE, "screen").result(60.0)
    assert not session.put_right("Green", MOOSE, "screen", 1).result(60.0)
    assert session.state.entries == before
    show_to_the_table(session)
    before = session.state.entries
    with pytest.raises(InputError, match="Somebody has just answered"):
        done(session.answer("Green", other, "screen", 1))
    assert not session.put_right("Green", MOOSE, "screen").result(60.0)
    assert not session.correct_table(1, CARDS, "screen").result(60.0)
    assert not session.correct_bet(1, None, "screen").result(60.0)
    assert (session.state.entries, session.state.changes) == (before, None)
    assert session.put_right("Green", other, "screen").result(60.0)
    assert session.correct_bet(1, "Green", "screen").result(60.0)
    assert session.state.game.rounds[0].facts.poses["Green"] == other


def test_undo_step_by_step_stops_at_bam_where_that_is_kept(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.ENGLISH)
    done(session.lay(CARDS, "people"))
    done(session.bam(Maker.BUTTON, PHONE))
    done(session.answer("Green", MOOSE, PHONE, 1))
    done(session.undo("screen", keeps_bam=True))
    with pytest.raises(InputError, match="press “That was no Bam”"):
        done(session.undo("screen", keeps_bam=True))
    phases = [session.state.game.phase]
    done(session.undo("screen"))
    assert [*phases, session.state.game.phase] == [Phase.FROZEN, Phase.DEALING]


def test_corrections_tell_what_they_change_until_the_next_round_begins(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource(), language=Language.GERMAN)
    play_by_hand(session)
    assert session.state.changes is None
    before = session.state.game
    done(session.put_right("Green", Pose.parse("TS TS"), PHONE))
    changed = session.state.changes
    assert changed is not None
    assert any("Green" in line and "Hase" in line for line in changed.lines[0].after)
    assert session.state.entries[-1].who == PHONE
    done(session.correct_bet(1, "Green", "screen"))
    done(session.correct_table(1, CARDS[::-1], "screen"))
    assert session.state.game.rounds[0].facts.cards == CARDS[::-1]
    assert session.state.game.rounds[0].facts.bet == "Green"
    for _ in range(3):
        done(session.undo(PHONE))
    assert session.state.game == before
    assert session.state.changes is not None
    done(session.lay(CARDS[:1], PHONE))
    assert session.state.changes is None


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
    done(session.lay(CARDS[:1], PHONE))
    done(session.deal(0.01))
    state = seen.until(lambda state: state.game.phase is Phase.FROZEN and not state.judging)
    assert state.asked == state.game.seats
    assert state.deal.tempo_s == 0.01
    laid = [entry.event for entry in state.entries if isinstance(entry.event, CardLaid)]
    assert [each.from_deck for each in laid[:3]] == [True, False, True]
    assert isinstance(laid[-1].card, HunterCard)
    lines = [f"{line.draw} {line.lay}" for line in poem]
    assert seen.heard[:2] == [lines[0], lines[2]]
    assert seen.heard[-2] == BAM
    assert not any(isinstance(entry.event, Bam) for entry in state.entries)


def test_a_hunter_that_the_narrator_tells_is_bam_too(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, PHONE))
    done(session.lay(parse_table("HUNTER"), PHONE))
    assert session.state.asked == session.state.game.seats


def test_a_seen_hunter_makes_bam_easier_to_hear(open_sitting: OpenSitting, watch: Watch) -> None:
    takes = [read_sound(SOUNDS / "high_shout" / f"take_{number}.ogg") for number in (1, 2, 3)]
    microphone = Microphone()
    session = open_sitting(microphone, bam=learn([Recording(take.samples, take.rate) for take in takes]))
    done(session.lay(CARDS, "people"))
    done(session.expect_bam(100.0))
    microphone.play(read_sound(SOUNDS / "low_shout" / "take_3.ogg", start_s=100.0))  # a strange one
    watch(session).until(lambda state: state.game.phase is Phase.FROZEN)
    assert {entry.who for entry in session.state.entries if isinstance(entry.event, Bam)} == {Maker.SOUND.value}


def test_while_the_table_pauses_nobody_says_bam(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.pause(True))
    done(session.bam(Maker.KEY, "screen"))
    assert (session.state.paused, session.state.game.phase) == (True, Phase.BETTING)
    done(session.pause(False))
    done(session.bam(Maker.KEY, "screen"))
    assert session.state.game.phase is Phase.FROZEN


def test_a_hunter_ends_the_deal_and_a_pause_and_asks_once(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    done(session.lay(CARDS, "people"))
    done(session.pause(True))
    done(session.lay(parse_table("HUNTER"), "people"))
    state = session.state
    assert (state.paused, state.game.phase) == (False, Phase.FROZEN)
    assert [line for line in state.said if line.endswith("please check")] == list(state.said)
    assert len(state.said) == 1
    assert not state.dismissible, "a hunter is taken back step by step"


def test_a_bam_can_be_dismissed_when_its_round_is_over(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    play_by_hand(session)
    assert (len(session.state.game.rounds), session.state.dismissible) == (1, True)
    done(session.dismiss("screen"))
    assert (len(session.state.game.rounds), session.state.dismissible) == (0, False)
    play_by_hand(session)
    done(session.bet(session.state.game.seats[0], PHONE))
    assert not session.state.dismissible


@pytest.mark.parametrize(
    ("want", "sentence"),
    [
        (lambda session: session.bet("Red", PHONE), "Nobody can bet on “Red”"),
        (lambda session: session.dismiss(PHONE), "There is no Bam to take back"),
        (lambda session: session.deal(), "dealt by hand"),
        (lambda session: session.correct_bet(3, "Blue", PHONE), "no round 3 yet"),
    ],
)
def test_what_cannot_be_done_is_told_to_who_wants_it(
    open_sitting: OpenSitting, want: Callable[[Session], Future[None]], sentence: str
) -> None:
    session = open_sitting(NoVideoSource())
    before = session.state
    with pytest.raises(InputError, match=sentence):
        want(session).result(60.0)
    assert session.state is before


def test_what_another_program_put_right_is_shown_before_it_is_undone(open_sitting: OpenSitting, watch: Watch) -> None:
    session = open_sitting(NoVideoSource())
    play_by_hand(session)
    seen = watch(session)
    with GameFile.open(session.state.folder) as other:
        other.append(PoseCorrected(1, "Green", Pose.parse("TS TS")), "seen on the film", "Anna")
    with pytest.raises(InputError, match="Something was put right meanwhile"):
        done(session.undo(PHONE))
    shown = seen.until(lambda state: state.game.rounds[0].facts.poses["Green"] != MOOSE)
    assert shown.entries[-1].who == "Anna"
    done(session.undo(PHONE))
    assert session.state.game.rounds[0].facts.poses["Green"] == MOOSE


def test_after_the_end_everybody_is_told_so(open_sitting: OpenSitting) -> None:
    session = open_sitting(NoVideoSource())
    session.close()
    with pytest.raises(InputError, match="has been left"):
        session.bet("Blue", PHONE).result(60.0)


def test_a_fault_of_ours_is_told_and_raised_where_the_sitting_ends(
    open_sitting: OpenSitting, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_sitting(NoVideoSource())
    seen = watch(session)
    monkeypatch.setattr(session._referee, "bet", None)
    with pytest.raises(TypeError):
        session.bet("Blue", PHONE).result(60.0)
    assert "made a mistake" in seen.until(lambda state: bool(state.problem)).problem
    with pytest.raises(TypeError):
        session.__exit__(None)
    assert not session.running
