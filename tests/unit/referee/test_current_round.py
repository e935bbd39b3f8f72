"""Lines that the table hears: those of the dealer, and announcements that a correction changes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import GameStarted, IllegalEventError
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose

Correction = Callable[[Referee], object]


AHEAD = parse_table("L.WU+2 R.WU+2 RABBIT-1 REVERSE REVERSE TONGUE+1")
BACK = parse_table("L.WU-2 R.WU-2 RABBIT-1 REVERSE REVERSE TONGUE+1")
MOOSE, RABBIT, BUSH = map(Pose.parse, ("WU WU", "TS TS", "-- --"))


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def referee(tmp_path: Path, said: list[str]) -> Iterator[Referee]:
    """Return a referee without a camera; Red narrates and bets on Blue."""
    started = GameStarted(("Red", "Blue", "Green", "Ida"), rules_for())
    with GameFile.create(tmp_path / "game", started, who="test") as file:
        referee = Referee(file, None, None, say=said.append, keeper=None, notify=pytest.fail)
        referee.bet("Blue")
        referee.record_cards(AHEAD)
        referee.bam("test")
        referee.correct_pose("Blue", MOOSE)
        referee.correct_pose("Green", MOOSE)
        yield referee


@pytest.mark.parametrize(
    ("correct", "lines"),
    [
        (lambda referee: referee.correct_pose("Blue", RABBIT, 1), ["Blue: rabbit back 1", "Red: rabbit back 1"]),
        (lambda referee: referee.correct_pose("Green", RABBIT, 1), ["Green: rabbit back 1"]),
        (lambda referee: referee.correct_pose("Green", Pose.parse("WU WU t"), 1), ["Green: rabbit ahead 4"]),
        (lambda referee: referee.correct_table(1, BACK), ["Blue and Green: moose back 4", "Red: moose back 4"]),
        (lambda referee: referee.correct_bet(1, "Green"), []),
        (lambda referee: referee.correct_bet(1, None), ["Red: bet on nobody"]),
    ],
    ids=["the pose of the bet", "another pose", "the tongue alone", "the cards", "a bet as good", "no bet"],
)
@pytest.mark.parametrize("over", [False, True], ids=["open", "over"])
def test_changed_moves_of_a_round_are_announced_again(
    referee: Referee, said: list[str], correct: Correction, lines: list[str], *, over: bool
) -> None:
    if over:
        referee.correct_pose("Ida", BUSH)
        referee.record_cards(BACK)
    said.clear()
    correct(referee)
    assert [line for line in said if not (over and line.startswith("Catching up"))] == lines


def test_a_bet_entered_after_its_player_was_announced_is_copied(referee: Referee, said: list[str]) -> None:
    referee.correct_bet(1, None)
    said.clear()
    referee.correct_bet(1, "Blue")
    assert said == ["Red: moose ahead 4"]
    referee.correct_pose("Ida", BUSH)
    assert said[1] == "Ida: bush — both back 1"
    assert sum(line.startswith("Red:") for line in said) == 1


def test_the_undo_of_a_correction_is_announced(referee: Referee, said: list[str]) -> None:
    referee.correct_pose("Blue", RABBIT, 1)
    said.clear()
    referee.undo()
    assert said == ["Blue: moose ahead 4", "Red: moose ahead 4"]


@pytest.mark.parametrize("over", [False, True], ids=["open", "over"])
def test_the_undo_of_a_bet_correction_is_announced(referee: Referee, said: list[str], *, over: bool) -> None:
    if over:
        referee.correct_pose("Ida", BUSH)
    referee.correct_bet(1, None)
    referee.correct_bet(1, "Blue")
    said.clear()
    referee.undo()
    assert [line for line in said if not line.startswith("Catching up")] == ["Red: bet on nobody"]


@pytest.mark.parametrize(
    ("player", "lines"),
    [("Green", ["Green: moose ahead 4"]), ("Blue", ["Blue: moose ahead 4", "Red: moose ahead 4"])],
    ids=["another player", "the player of the bet"],
)
def test_a_new_pose_is_announced_with_its_own_copy_only(
    referee: Referee, said: list[str], player: str, lines: list[str]
) -> None:
    for _ in range(2 if player == "Blue" else 1):
        referee.undo()
    said.clear()
    referee.correct_pose(player, MOOSE)
    assert said == lines


def test_an_announced_narrator_changes_no_earlier_round(referee: Referee) -> None:
    referee.correct_pose("Ida", BUSH)
    narrator = referee.game.narrator
    assert narrator in referee.game.rounds[0].facts.poses
    referee.record_cards(BACK)
    referee.bam("test")
    rounds = referee.game.rounds
    with pytest.raises(IllegalEventError, match=f"“{narrator}” shows nothing in round 2"):
        referee.correct_pose(narrator, RABBIT)
    assert referee.game.rounds == rounds


def test_a_hunter_that_ends_the_deal_asks_no_question_before_the_camera(referee: Referee, said: list[str]) -> None:
    referee.correct_pose("Ida", BUSH)
    referee.record_cards(BACK)
    said.clear()
    referee.record_cards(parse_table("HUNTER"))
    assert referee.game.phase is Phase.FROZEN
    assert said == []


def test_a_catch_up_changed_by_a_correction_is_announced(referee: Referee, said: list[str]) -> None:
    referee.correct_pose("Ida", RABBIT)
    assert said[-2:] == ["Catching up — Ida: rabbit ahead 1", "Catching up — Ida: moose ahead 1"]
    said.clear()
    referee.correct_pose("Green", RABBIT, 1)
    assert said == [
        "Green: rabbit back 1",
        "Catching up — Green and Ida: rabbit ahead 1",
        "Catching up — Green and Ida: moose ahead 1",
    ]
    referee.correct_pose("Green", MOOSE, 1)
    assert said[-2:] == ["Catching up — Ida: rabbit ahead 1", "Catching up — Ida: moose ahead 1"]
