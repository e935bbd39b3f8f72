"""Lines that the table hears: those of the dealer, and announcements that a correction changes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.i18n.poem import load_poem
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.dealer import BAM, Dealer
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.rules.cards import Card, HunterCard, parse_card, parse_table
from bunnymoose_cv.rules.dealing import deal
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.events import CardLaid, Event, GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.illegal_event import IllegalEventError
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
    """A referee without a camera, at a table where Red narrates and bets on Blue."""
    started = GameStarted(("Red", "Blue", "Green", "Ida"), rules_for())
    with GameFile.create(tmp_path / "game", started, who="test") as file:
        referee = Referee(file, None, None, say=said.append, keeper=None, tell=pytest.fail)
        referee.bet("Blue")
        referee.lay(AHEAD)
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
def test_what_changes_in_a_round_is_said_once_more(
    referee: Referee, said: list[str], correct: Correction, lines: list[str], *, over: bool
) -> None:
    if over:
        referee.correct_pose("Ida", BUSH)
        referee.lay(BACK)
    said.clear()
    correct(referee)
    assert [line for line in said if not (over and line.startswith("Catching up"))] == lines


def test_a_bet_that_is_told_after_its_player_is_announced_is_copied(referee: Referee, said: list[str]) -> None:
    referee.correct_bet(1, None)
    said.clear()
    referee.correct_bet(1, "Blue")
    assert said == ["Red: moose ahead 4"]
    referee.correct_pose("Ida", BUSH)
    assert said[1] == "Ida: bush — both back 1"
    assert sum(line.startswith("Red:") for line in said) == 1


def test_a_correction_that_is_undone_is_said_back(referee: Referee, said: list[str]) -> None:
    referee.correct_pose("Blue", RABBIT, 1)
    said.clear()
    referee.undo()
    assert said == ["Blue: moose ahead 4", "Red: moose ahead 4"]


@pytest.mark.parametrize("over", [False, True], ids=["open", "over"])
def test_a_bet_on_somebody_that_is_undone_is_said_back(referee: Referee, said: list[str], *, over: bool) -> None:
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
def test_a_pose_told_anew_is_said_anew_and_the_copy_only_with_its_own(
    referee: Referee, said: list[str], player: str, lines: list[str]
) -> None:
    for _ in range(2 if player == "Blue" else 1):
        referee.undo()
    said.clear()
    referee.correct_pose(player, MOOSE)
    assert said == lines


def test_the_narrator_named_in_a_freeze_changes_no_round_before(referee: Referee) -> None:
    referee.correct_pose("Ida", BUSH)
    narrator = referee.game.narrator
    assert narrator in referee.game.rounds[0].facts.poses
    referee.lay(BACK)
    referee.bam("test")
    rounds = referee.game.rounds
    with pytest.raises(IllegalEventError, match=f"“{narrator}” shows nothing in round 2"):
        referee.correct_pose(narrator, RABBIT)
    assert referee.game.rounds == rounds


def test_a_hunter_that_ends_the_deal_asks_nobody_before_the_camera_has_looked(
    referee: Referee, said: list[str]
) -> None:
    referee.correct_pose("Ida", BUSH)
    referee.lay(BACK)
    said.clear()
    referee.lay(parse_table("HUNTER"))
    assert referee.game.phase is Phase.FROZEN
    assert said == []


def test_a_catch_up_that_a_correction_changes_is_said(referee: Referee, said: list[str]) -> None:
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


DECK = load_deck("second")
POEM = load_poem(6)


class Table:
    """A game whose cards a dealer lays."""

    def __init__(self, seed: int) -> None:
        self.dealer = Dealer(POEM, lambda: self.pile, self.lay, lambda: self.over, self.hear, tempo_s=2.0)
        self.events: list[Event] = [GameStarted(("Red", "Blue", "Green"), rules_for())]
        self.random = Random(seed)
        self.said: list[str] = []

    def hear(self, line: str) -> None:
        self.said.append(line)

    def lay(self) -> Card:
        dealt = deal(fold(self.events), DECK, self.random)
        self.events += dealt
        return next(event.card for event in dealt if isinstance(event, CardLaid))

    @property
    def pile(self) -> int:
        return fold(self.events).laid

    @property
    def over(self) -> bool:
        return fold(self.events).phase is Phase.FROZEN


@given(st.integers(0, 10_000))
def test_a_deal_ends_with_the_first_hunter_after_the_first_pass(seed: int) -> None:
    table = Table(seed)
    cards = []
    for turn in range(200):
        card = table.dealer.turn(2.0 * turn)
        assert card is not None
        cards.append(card)
        if table.over:
            break
    assert isinstance(cards[-1], HunterCard)
    assert not any(isinstance(card, HunterCard) for card in cards[6:-1])
    assert len(fold(table.events).table) == 6
    lines = [f"{line.draw} {line.lay}" for line in POEM]
    assert table.said == [lines[number % 6] for number in range(len(cards) - 1)] + [BAM]


def test_the_next_line_waits_for_its_time() -> None:
    table = Table(1)
    turns = [table.dealer.turn(now_s) is not None for now_s in (0.0, 0.5, 1.9, 2.0, 3.0, 4.5, 6.0, 6.5)]
    assert turns == [True, False, False, True, False, True, False, True]
    assert len(table.said) == 4


def test_the_line_is_that_of_the_pile_when_people_lay_a_card_themselves() -> None:
    table = Table(1)
    assert table.dealer.line is None
    table.dealer.turn(0.0)
    table.events.append(CardLaid(parse_card("TONGUE+1")))
    table.dealer.turn(2.0)
    assert table.dealer.line == 2
    assert table.said == [f"{POEM[line].draw} {POEM[line].lay}" for line in (0, 2)]
