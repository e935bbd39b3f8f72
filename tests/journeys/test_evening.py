"""A whole evening from rendered clips: four players, twelve rounds, and the ranking that the truth leads to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.evening import read_evening
from bunnymoose_cv.rules.events import Bam, BetPlaced, GameStarted, PosesJudged, TableLaid
from bunnymoose_cv.rules.game import Game, Phase, fold
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.rules.events import Event

    Program = Callable[..., tuple[int, str, str]]

EVENING = Path(__file__).parents[2] / "fixtures" / "evening"


@pytest.fixture(scope="module")
def truth() -> dict[str, dict[str, Pose]]:
    """What every player shows, by clip."""
    content = json.loads((EVENING / "truth.json").read_text())
    return {
        clip["clip"]: {player["player"]: Pose.parse(player["pose"]) for player in clip["players"]}
        for clip in content["clips"]
    }


def true_game(truth: dict[str, dict[str, Pose]]) -> Game:
    """The evening by the rules room alone, fed with the truth."""
    evening = read_evening(EVENING / "evening.toml")
    events: list[Event] = [GameStarted(evening.players, evening.rules)]
    for each in evening.rounds:
        events += [BetPlaced(each.bet)] if each.bet else []
        events += [TableLaid(each.cards or ()), Bam(), PosesJudged(truth[each.clip.name])]
    return fold(events)


def test_an_evening_ends_as_the_truth_would_have_it(
    bunnymoose: Program, truth: dict[str, dict[str, Pose]], tmp_path: Path
) -> None:
    script = str(EVENING / "evening.toml")
    code, out, err = bunnymoose("play", "--script", script, "--no-screen", "--json", "--games", str(tmp_path))
    assert (code, err) == (0, "")
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    *rounds, last = lines
    game = true_game(truth)
    assert len(rounds) >= 12
    assert game.phase is Phase.OVER
    wrong = [
        (line["round"], verdict["player"], verdict["pose"], str(shown))
        for line, played in zip(rounds, game.rounds, strict=True)
        for verdict in line["verdicts"]
        if verdict["pose"] != str(shown := played.facts.poses[verdict["player"]])
    ]
    assert not wrong
    expected = [(each.place, each.player, each.rear, each.front) for each in game.ranking]
    assert [(each["place"], each["player"], each["rear"], each["front"]) for each in last["ranking"]] == expected
    assert all(Path(line["clip"]).is_file() for line in rounds)
