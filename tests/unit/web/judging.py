"""One round of the rendered evening, judged from a canned reading, for tests of verdicts."""

import json
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.game_setup import FIRST_SETUP
from bunnymoose_cv.session.services import open_game, open_services
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.table_state import TableState
from tests.doubles import CannedReader, CannedVideoSource, row_reading

EVENING = Path(__file__).parents[3] / "fixtures" / "evening"
FIELDS = ("kind", "spread", "direction", "form", "place")
ASKS_ALWAYS = "".join(["[headgear]\n", *(f"{name} = 1\n" for name in FIELDS), "[questions]\nmove = 1\n"])
NOBODY_MOVES = "[freeze]\nwatched_s = 0\n"
"""Profile that does not watch movements after the freeze."""

SOURCE = "a script"
"""Title of the source, the same as in `serving.py`, so that a screen can resume the game."""
WRONG = Pose.parse("TF TF t")


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRound:
    """States of the table during the round; the session has ended.

    Attributes:
        games: folder of the game.
        truth: shown poses, in seat order.
        asked: state after Bam, when all players are asked.
        entered: state after the players have entered their poses.
        corrected: state after a wrong correction of the first player.
        undone: state after that correction was undone.
    """

    games: Path
    truth: dict[str, Pose]
    asked: TableState
    entered: TableState
    corrected: TableState
    undone: TableState


def judge_round(folder: Path) -> JudgedRound:
    """Play the evening's first round, and return its states once all evidence is stored in the folder."""
    evening = read_script(EVENING / "evening.toml")
    clips = json.loads((EVENING / "truth.json").read_text())["clips"]
    truth = {player["player"]: Pose.parse(player["pose"]) for player in clips[0]["players"]}
    (folder / "profile.toml").write_text(ASKS_ALWAYS + NOBODY_MOVES)
    with ExitStack() as stack:
        started = GameStarted(evening.players, evening.rules)
        file = stack.enter_context(open_game(GameStore(folder / "games"), started, source=SOURCE))
        row = row_reading([str(truth[player]) for player in file.game.seats], seat_px=320)
        reader = stack.enter_context(CannedReader(row, load_settings(folder / "profile.toml")))
        services = stack.enter_context(open_services(file, reader, replace(FIRST_SETUP, speaks=False), lambda _: None))
        session = stack.enter_context(Session(services, CannedVideoSource(evening, row.image)))
        session.bam(Maker.BUTTON, "screen").result(60)
        asked = session.state
        for player in asked.asked:
            session.correct_pose(player, truth[player], f"{player}'s phone").result(60)
        reported = session.state
        first = next(iter(truth))
        session.correct_pose(first, WRONG, "Anna", 1).result(60)
        corrected = session.state
        session.undo("screen").result(60)
        undone = session.state
    return JudgedRound(folder / "games", truth, asked, reported, corrected, undone)
