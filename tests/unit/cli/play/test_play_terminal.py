"""Start, display, resumption and end of a game at the terminal, and the reasons for refusing one."""

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
    """A few seconds without a player."""
    path = tmp_path_factory.mktemp("clip") / "empty.mp4"
    write_film(path, (Frame(np.full((320, 640, 3), 90, np.uint8), number / 10) for number in range(26)))
    return path


@pytest.fixture(autouse=True)
def _no_network(quick_freeze: None, reads_the_party: None) -> None:
    """Play rounds without a network."""


@pytest.fixture
def play(bunnymoose: Program, monkeypatch: pytest.MonkeyPatch, clip: Path, tmp_path: Path) -> Run:
    """Run the program with the clip and without a keyboard."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False))
    table = ("--players", "Red,Blue,Green", "--games", str(tmp_path / "games"), "--silent", "--json")
    return partial(bunnymoose, "play", "--no-screen", "--camera", str(clip), *table)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ([], "The pictures ended and no round was judged: give the time of Bam with --at SECONDS."),
        (["--at", "99"], "The pictures ended before Bam at 99 s: name an earlier moment with --at."),
        (
            ["--at", "0.3", "--cards", "L.WU+1"],
            "Round 1 has no verdicts: 1 of its 6 cards were given, so name all of them with --cards.",
        ),
    ],
)
def test_source_that_ends_before_a_verdict_is_an_error(play: Run, more: list[str], sentence: str) -> None:
    code, out, err = play(*more)
    assert (code, err.splitlines()[-1]) == (2, sentence)
    assert [list(json.loads(line)) for line in out.splitlines()] == [["ranking"]]


def test_source_that_ends_after_the_round_is_not_an_error(play: Run) -> None:
    code, out, _ = play("--at", "0.3", "--cards", CARDS)
    assert (code, len(out.splitlines())) == (0, 2)


def test_resume_with_other_rules_is_refused(bunnymoose: Program, clip: Path, tmp_path: Path) -> None:
    GameStore(tmp_path).begin(STARTED, title="", source=str(clip), who="people").close()
    words = ("play", "--no-screen", "--camera", clip, "--games", tmp_path, "--silent", "--resume")
    assert "was begun by other players or rules" in bunnymoose.refusal(*words, "--edition", "first")


COMPOSED, AS_TYPED = "Zo\u00eb", "Zoe\u0308"
"""A name in composed letters, and decomposed as an older version may have stored it."""


def begun_with_the_other_spelling(games: Path, source: Path) -> None:
    started = GameStarted((AS_TYPED, "Blue", f"{AS_TYPED} B"), rules_for())
    GameStore(games).begin(started, title="", source=str(source), who="people").close()


def test_script_resumes_a_game_with_another_unicode_form_of_a_name(
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
    assert [played_round["bet"] for played_round in played] == [f"{AS_TYPED} B", AS_TYPED]
    with GameFile.open(GameStore(tmp_path / "games").find("last").folder) as file:
        assert [str(round_.facts.poses[round_.facts.bet or ""]) for round_ in file.game.rounds] == ["WU CD t"] * 2
    assert len(list(GameStore(tmp_path / "games"))) == 1


def test_bet_with_another_unicode_form_matches_the_player(play: Run, clip: Path, tmp_path: Path) -> None:
    begun_with_the_other_spelling(tmp_path / "games", clip)
    names = ("--players", f"{COMPOSED},Blue,{COMPOSED} B", "--bet", f"{COMPOSED} B")
    code, out, _ = play(*names, "--resume", "--at", "0.3", "--cards", CARDS)
    assert code == 0
    assert json.loads(out.splitlines()[0])["bet"] == f"{AS_TYPED} B"


@pytest.mark.parametrize("bet", ["Blue", None])
def test_bet_for_a_round_in_progress_is_reported(bet: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    game = fold([STARTED, TableLaid(parse_table(CARDS)), Bam()])
    session: Any = SimpleNamespace(state=SimpleNamespace(game=game), bet=pytest.fail, lay=pytest.fail)
    play_terminal.begin_first_round(session, bet, None)
    warning = "The first round has begun already: --bet and --cards change nothing in this game.\n"
    assert capsys.readouterr().err == (warning if bet else "")


@pytest.mark.parametrize(
    ("events", "known"),
    [
        ((CardLaid(states.CARDS[0]),), ""),
        ((Bam(),), "0 of 6 piles are known"),
        ((CardLaid(states.CARDS[0]), Bam()), "1 of 6 piles are known"),
        ((TableLaid(states.CARDS), Bam()), ""),
    ],
)
def test_missing_cards_are_requested_after_bam(events: tuple[Event, ...], known: str) -> None:
    console = Console(width=120)
    with console.capture() as shown:
        console.print(TableView().render(states.state_after(*events), ""))
    assert ("Please enter the cards" in shown.get()) is bool(known)
    assert known in shown.get()
