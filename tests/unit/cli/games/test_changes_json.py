"""JSON of corrections and of what is taken back, as other programs read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.unit.cli.games.fixed_game import NAME, fixed_game

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BUSH = (
    '["Blue: moose ahead 4", "Gr\\u00fcn: bush \\u2014 both back 1", "Red: bush \\u2014 both back 1", '
    '"Catching up \\u2014 Red and Gr\\u00fcn: rabbit ahead 1", "Catching up \\u2014 Red and Gr\\u00fcn: moose ahead 1"]'
)
MOOSE = (
    '["Blue: moose ahead 4", "Gr\\u00fcn: moose ahead 2", "Red: moose ahead 2", '
    '"Catching up \\u2014 Red, Blue and Gr\\u00fcn: rabbit ahead 1", '
    '"Catching up \\u2014 Red and Gr\\u00fcn: moose ahead 1"]'
)
PLACES = (
    ("Red", "moose", 5, 8),
    ("Red", "rabbit", 5, 6),
    ("Blue", "rabbit", 5, 6),
    ("Gr\\u00fcn", "moose", 5, 8),
    ("Gr\\u00fcn", "rabbit", 5, 6),
)


def ranking(rear: int, front: int) -> str:
    others = (f'{{"place": 2, "player": "{name}", "rear": {rear}, "front": {front}}}' for name in ("Red", "Gr\\u00fcn"))
    return f'[{{"place": 1, "player": "Blue", "rear": {rear}, "front": 9}}, {", ".join(others)}]'


def figure(player: str, animal: str, before: int, after: int) -> str:
    return f'{{"round": 1, "player": "{player}", "animal": "{animal}", "before": {before}, "after": {after}}}'


def test_the_lines_of_a_correction_and_its_undoing(
    bunnymoose: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    fixed_game(tmp_path)
    more = ("--who", "Ann", "--json", "--games", str(tmp_path))
    corrected = bunnymoose("correct", "last", "1", "Grün", "WU CU", "--why", "x", *more)
    figures = ", ".join(figure(*each) for each in PLACES)
    effects = (
        f'"say": [{{"round": 1, "before": {BUSH}, "after": {MOOSE}}}], "figures": [{figures}], '
        f'"ranking": {{"before": {ranking(5, 5)}, "after": {ranking(6, 8)}}}}}\n'
    )
    line = (
        f'{{"game": "{NAME}", "round": 1, "player": "Gr\\u00fcn", "before": "-- --", "after": "WU CU", "who": "Ann", '
        f'"why": "x", "written": true, {effects}'
    )
    assert corrected == (0, line, "")
    undone = bunnymoose("undo", "last", *more)
    figures = ", ".join(figure(player, animal, after, before) for player, animal, before, after in PLACES)
    effects = (
        f'"say": [{{"round": 1, "before": {MOOSE}, "after": {BUSH}}}], "figures": [{figures}], '
        f'"ranking": {{"before": {ranking(6, 8)}, "after": {ranking(5, 5)}}}}}\n'
    )
    event = '{"kind": "pose corrected", "round": 1, "player": "Gr\\u00fcn", "pose": "WU CU"}'
    assert undone == (0, f'{{"game": "{NAME}", "undone": {event}, "who": "Ann", {effects}', "")
