"""A sitting: an evening is played by several people at once, and everybody sees the same table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.catalogue.language import Language
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.dealer import BAM
from bunnymoose_cv.errors import InputError
from bunnymoose_cv.rules.cards import HunterCard, parse_table
from bunnymoose_cv.rules.events import Bam, CardLaid
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.sitting.sights import NoSight, ScriptSight
from bunnymoose_cv.sitting.table_state import CameraState

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Any

    from bunnymoose_cv.evening import Evening
    from bunnymoose_cv.sitting.sitting import Sitting

    OpenSitting = Callable[..., Sitting]
    Watch = Callable[[Sitting], Any]

CARDS = parse_table("L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2")
MOOSE = Pose.parse("WU WU")
PHONE = "Blue's phone"


def done(wanted: Future[None]) -> None:
    wanted.result(60.0)


def show_to_the_table(sitting: Sitting, pose: Pose = MOOSE) -> None:
    """People say what everybody shows who is asked."""
    for player in sitting.state.asked:
        done(sitting.put_right(player, pose, PHONE))


def play_by_hand(sitting: Sitting) -> None:
    done(sitting.lay(CARDS, "people"))
    done(sitting.bam(Maker.BUTTON, PHONE))
    show_to_the_table(sitting)


def test_a_round_of_a_script_is_judged_from_its_clip(open_sitting: OpenSitting, evening: Evening, watch: Watch) -> None:
    sitting = open_sitting(ScriptSight(evening), asks=False)
    seen = watch(sitting)
    while (glimpse := sitting.glimpse) is None:
        done(sitting.pause(False))
    done(sitting.bet("Yellow", PHONE))
    done(sitting.bam(Maker.BUTTON, PHONE))
    assert [player.seat for player in glimpse.reading.players] == [1, 2, 3]
    (played,) = sitting.state.game.rounds
    assert played.facts.bet == "Yellow"
    assert played.facts.cards == evening.rounds[0].cards
    judged = sitting.state.judged
    assert judged is not None
    assert judged.cue_s == evening.rounds[0].bam_s
    assert judged.kept is not None
    steps = [(each.judging, each.watching) for each in seen.states]
    taken = steps.index((True, False))
    assert seen.states[taken].game.phase in {Phase.BETTING, Phase.DEALING}
    assert not seen.states[taken].said
    assert (False, True) in steps[taken:]
    assert steps[-1] == (False, False)
    assert list(sitting.state.said) == seen.heard
    assert {entry.who for entry in sitting.state.entries if isinstance(entry.event, Bam)} == {PHONE}
    done(sitting.dismiss("screen"))
    assert (sitting.state.said, sitting.state.judged, sitting.state.game.rounds) == ((), None, ())


def test_nothing_is_shown_before_the_first_word(
    open_sitting: OpenSitting, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bunnymoose_cv.sitting.sitting.FIRST_WORD_S", 60.0)
    sitting = open_sitting(ScriptSight(evening), asks=False, aloud=True)
    speaker = sitting._rooms.speaker
    assert speaker is not None
    shown: list[bool] = []
    speaker.listen(lambda _: shown.append(not sitting.state.judging))
    done(sitting.bam(Maker.KEY, PHONE))
    assert shown[0] is False


def test_without_a_camera_people_say_what_everybody_shows(open_sitting: OpenSitting) -> None:
    sitting = open_sitting(NoSight())
    assert sitting.state.camera is CameraState.NONE
    done(sitting.lay(CARDS, PHONE))
    done(sitting.bam(Maker.KEY, "screen"))
    assert sitting.state.asked == sitting.state.game.seats
    assert sitting.state.said == ("Blue, Green and Yellow, please check",)
    show_to_the_table(sitting)
    assert len(sitting.state.game.rounds) == 1
    assert len(sitting.state.said) > 3
    done(sitting.bet(sitting.state.game.seats[0], "screen"))
    assert sitting.state.said == ()
    assert sitting.newest() is None


def test_a_sitting_that_was_killed_goes_on_with_who_is_asked(open_sitting: OpenSitting) -> None:
    sitting = open_sitting(NoSight())
    done(sitting.lay(CARDS, PHONE))
    done(sitting.bam(Maker.KEY, "screen"))
    done(sitting.put_right("Green", MOOSE, PHONE))
    sitting.close()
    sitting._rooms.file.close()
    again = open_sitting(NoSight())
    assert again.state.game == sitting.state.game
    assert again.state.asked == ("Blue", "Yellow")
    told = again.state.said
    assert told == (sitting.state.said[-1], "Blue and Yellow, please check")
    show_to_the_table(again)
    assert len(again.state.game.rounds) == 1
    assert again.state.said[:2] == told
    again.close()
    again._rooms.file.close()
    assert open_sitting(NoSight()).state.said != ()


def test_cards_that_are_missing_at_bam_are_waited_for(open_sitting: OpenSitting) -> None:
    sitting = open_sitting(NoSight(), language=Language.ENGLISH)
    for card in CARDS[:2]:
        done(sitting.lay((card,), PHONE))
    done(sitting.bam(Maker.KEY, "screen"))
    show_to_the_table(sitting)
    assert sitting.state.game.first_pass
    assert not sitting.state.game.rounds
    done(sitting.lay(CARDS[2:3], PHONE))
    assert len(sitting.state.game.piles) == 3
    done(sitting.lay(CARDS, PHONE))
    assert len(sitting.state.game.rounds) == 1
    assert sitting.state.game.rounds[0].facts.cards == CARDS
    play_by_hand(sitting)
    assert len(sitting.state.game.rounds) == 2


def test_corrections_tell_what_they_change_until_the_next_round_begins(open_sitting: OpenSitting) -> None:
    sitting = open_sitting(NoSight(), language=Language.GERMAN)
    play_by_hand(sitting)
    assert sitting.state.changes is None
    before = sitting.state.game
    done(sitting.put_right("Green", Pose.parse("TS TS"), PHONE))
    changed = sitting.state.changes
    assert changed is not None
    assert any("Green" in line and "Hase" in line for line in changed.lines[0].after)
    assert sitting.state.entries[-1].who == PHONE
    done(sitting.correct_bet(1, "Green", "screen"))
    done(sitting.correct_table(1, CARDS[::-1], "screen"))
    assert sitting.state.game.rounds[0].facts.cards == CARDS[::-1]
    assert sitting.state.game.rounds[0].facts.bet == "Green"
    for _ in range(3):
        done(sitting.undo(PHONE))
    assert sitting.state.game == before
    assert sitting.state.changes is not None
    done(sitting.lay(CARDS[:1], PHONE))
    assert sitting.state.changes is None


def test_dealt_and_laid_cards_mix_and_the_hunter_is_bam(open_sitting: OpenSitting, watch: Watch) -> None:
    sitting = open_sitting(NoSight(), tempo_s=60.0)
    seen = watch(sitting)
    assert sitting.state.deal is not None
    poem = sitting.state.deal.poem
    assert sitting.state.deal.line is None
    done(sitting.deal())
    assert seen.until(lambda state: state.game.laid == 1).deal.line == 0
    done(sitting.rest())
    assert sitting.state.deal.line is None
    done(sitting.lay(CARDS[:1], PHONE))
    done(sitting.deal(0.01))
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
    sitting = open_sitting(NoSight())
    done(sitting.lay(CARDS, PHONE))
    done(sitting.lay(parse_table("HUNTER"), PHONE))
    assert sitting.state.asked == sitting.state.game.seats


def test_while_the_table_pauses_nobody_says_bam(open_sitting: OpenSitting) -> None:
    sitting = open_sitting(NoSight())
    done(sitting.pause(True))
    done(sitting.bam(Maker.KEY, "screen"))
    assert (sitting.state.paused, sitting.state.game.phase) == (True, Phase.BETTING)
    done(sitting.pause(False))
    done(sitting.bam(Maker.KEY, "screen"))
    assert sitting.state.game.phase is Phase.FROZEN


@pytest.mark.parametrize(
    ("want", "sentence"),
    [
        (lambda sitting: sitting.bet("Red", PHONE), "Nobody can bet on “Red”"),
        (lambda sitting: sitting.dismiss(PHONE), "There is no Bam to take back"),
        (lambda sitting: sitting.deal(), "dealt by hand"),
        (lambda sitting: sitting.correct_bet(3, "Blue", PHONE), "no round 3 yet"),
    ],
)
def test_what_cannot_be_done_is_told_to_who_wants_it(
    open_sitting: OpenSitting, want: Callable[[Sitting], Future[None]], sentence: str
) -> None:
    sitting = open_sitting(NoSight())
    before = sitting.state
    with pytest.raises(InputError, match=sentence):
        want(sitting).result(60.0)
    assert sitting.state is before


def test_after_the_end_everybody_is_told_so(open_sitting: OpenSitting) -> None:
    sitting = open_sitting(NoSight())
    sitting.close()
    with pytest.raises(InputError, match="has been left"):
        sitting.bet("Blue", PHONE).result(60.0)


def test_a_fault_of_ours_is_told_and_raised_where_the_sitting_ends(
    open_sitting: OpenSitting, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = open_sitting(NoSight())
    seen = watch(sitting)
    monkeypatch.setattr(sitting._referee, "bet", None)
    with pytest.raises(TypeError):
        sitting.bet("Blue", PHONE).result(60.0)
    assert "made a mistake" in seen.until(lambda state: bool(state.trouble)).trouble
    with pytest.raises(TypeError):
        sitting.__exit__(None)
    assert not sitting.running
