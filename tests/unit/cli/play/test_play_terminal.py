"""The terminal's game begins, shows, goes on and ends with what was told, or says why not."""

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.cli.play import play_terminal
from bunnymoose_cv.cli.play.terminal_view import TableView
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, CardLaid, Event, GameStarted, TableLaid
from bunnymoose_cv.rules.fold import fold
from tests.program import Program, Run
from tests.unit.web import states

STARTED = GameStarted(("Red", "Blue", "Green"), rules_for())
CARDS = "L.WU+1 B.WU+1/-1 REVERSE RABBIT-3 R.?F-1 MOOSE*2"


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some seconds in which nobody is to be seen."""
    path = tmp_path_factory.mktemp("clip") / "empty.mp4"
    write_film(path, (Frame(np.full((320, 640, 3), 90, np.uint8), number / 10) for number in range(26)))
    return path


@pytest.fixture(autouse=True)
def _no_network(quick_freeze: None, reads_the_party: None) -> None:
    """Rounds are played without a network."""


@pytest.fixture
def play(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, clip: Path, tmp_path: Path) -> Run:
    """The program before that clip, with nobody at a keyboard."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    table = ("--players", "Red,Blue,Green", "--games", str(tmp_path / "games"), "--silent", "--json")
    return partial(bunnymoose, "play", "--no-screen", "--camera", str(clip), *table)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ([], "The pictures ended and no round was judged: tell when Bam is said with --at SECONDS."),
        (["--at", "99"], "The pictures ended before Bam at 99 s: name an earlier moment with --at."),
        (
            ["--at", "0.3", "--cards", "L.WU+1"],
            "Round 1 has no verdicts: 1 of its 6 cards were told, so name all of them with --cards.",
        ),
    ],
)
def test_images_that_end_before_the_round_are_told(play: Run, more: list[str], sentence: str) -> None:
    code, out, err = play(*more)
    assert (code, err.splitlines()[-1]) == (2, sentence)
    assert [list(json.loads(line)) for line in out.splitlines()] == [["ranking"]]


def test_images_that_end_after_the_round_are_no_fault(play: Run) -> None:
    code, out, _ = play("--at", "0.3", "--cards", CARDS)
    assert (code, len(out.splitlines())) == (0, 2)


def test_other_rules_than_the_game_was_begun_by_are_told(bunnymoose: Program, clip: Path, tmp_path: Path) -> None:
    GameStore(tmp_path).begin(STARTED, title="", source=str(clip), who="people").close()
    words = ("play", "--no-screen", "--camera", clip, "--games", tmp_path, "--silent", "--resume")
    assert "was begun by other players or rules" in bunnymoose.refusal(*words, "--edition", "first")


COMPOSED, AS_TYPED = "Zo\u00eb", "Zoe\u0308"
"""One name in composed letters, and as a keyboard or another system may have given it to an older program."""


def begun_with_the_other_spelling(games: Path, source: Path) -> None:
    started = GameStarted((AS_TYPED, "Blue", f"{AS_TYPED} B"), rules_for())
    GameStore(games).begin(started, title="", source=str(source), who="people").close()


def test_a_script_goes_on_with_a_game_that_spells_a_name_otherwise(
    bunnymoose: Program, clip: Path, tmp_path: Path
) -> None:
    script = tmp_path / "evening.toml"
    rounds = "".join(
        f"""
        [[round]]
        clip = "{clip}"
        bam_s = 0.3
        bet = "{bet}"
        cards = "{CARDS}"
        correct = {{ "{bet}" = "WU CD t" }}
        """
        for bet in (f"{COMPOSED} B", COMPOSED)
    )
    script.write_text(f'players = ["{COMPOSED}", "Blue", "{COMPOSED} B"]\n{rounds}', "utf-8")
    begun_with_the_other_spelling(tmp_path / "games", script.resolve())
    words = ("play", "--no-screen", "--script", script, "--silent", "--json", "--games", tmp_path / "games")
    *played, _ = bunnymoose.objects(*words, "--resume")
    assert [each["bet"] for each in played] == [f"{AS_TYPED} B", AS_TYPED]
    with GameFile.open(GameStore(tmp_path / "games").find("last").folder) as file:
        assert [str(each.facts.poses[each.facts.bet or ""]) for each in file.game.rounds] == ["WU CD t"] * 2
    assert len(list(GameStore(tmp_path / "games"))) == 1


def test_a_bet_in_another_spelling_is_on_the_player_of_the_game(play: Run, clip: Path, tmp_path: Path) -> None:
    begun_with_the_other_spelling(tmp_path / "games", clip)
    names = ("--players", f"{COMPOSED},Blue,{COMPOSED} B", "--bet", f"{COMPOSED} B")
    code, out, _ = play(*names, "--resume", "--at", "0.3", "--cards", CARDS)
    assert code == 0
    assert json.loads(out.splitlines()[0])["bet"] == f"{AS_TYPED} B"


@pytest.mark.parametrize("bet", ["Blue", None])
def test_a_bet_for_a_round_that_has_begun_is_told(bet: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    game = fold([STARTED, TableLaid(parse_table(CARDS)), Bam()])
    session: Any = SimpleNamespace(state=SimpleNamespace(game=game), bet=pytest.fail, lay=pytest.fail)
    play_terminal.begin_first_round(session, bet, None)
    told = "The first round has begun already: --bet and --cards change nothing in this game.\n"
    assert capsys.readouterr().err == (told if bet else "")


@pytest.mark.parametrize(
    ("events", "known"),
    [
        ((CardLaid(states.CARDS[0]),), ""),
        ((Bam(),), "0 of 6 piles are known"),
        ((CardLaid(states.CARDS[0]), Bam()), "1 of 6 piles are known"),
        ((TableLaid(states.CARDS), Bam()), ""),
    ],
)
def test_at_bam_the_missing_cards_are_asked_for(events: tuple[Event, ...], known: str) -> None:
    console = Console(width=120)
    with console.capture() as shown:
        console.print(TableView().render(states.state_after(*events), ""))
    assert ("Please tell the cards" in shown.get()) is bool(known)
    assert known in shown.get()
