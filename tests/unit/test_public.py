"""The public API: its names, its examples, and the scripts of `examples/`."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import bunnymoose_cv
from bunnymoose_cv import public
from bunnymoose_cv.rules.pose import Pose

ROOT = Path(__file__).parents[2]
PLAYER = ROOT / "fixtures" / "players" / "0001.jpg"


def test_every_public_name_is_there() -> None:
    assert {name for name in bunnymoose_cv.__all__ if getattr(bunnymoose_cv, name, None) is None} == set()
    assert dir(bunnymoose_cv) == sorted(bunnymoose_cv.__all__)
    with pytest.raises(AttributeError, match="no attribute 'referees'"):
        _ = bunnymoose_cv.referees


def test_the_version_is_that_of_the_package() -> None:
    assert version("bunnymoose-cv") == bunnymoose_cv.__version__


@pytest.mark.parametrize("module", [bunnymoose_cv, public])
def test_examples_in_docstrings_hold(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert (failed, tried > 0) == (0, True)


def test_an_image_is_judged() -> None:
    judgement = bunnymoose_cv.judge(PLAYER, "L.WU+1 TONGUE+3")
    (player,) = judgement.players
    assert isinstance(player.reading.pose, Pose)
    assert player.score is not None
    assert len(player.score.lines) == 2


@pytest.mark.parametrize(
    ("script", "arguments", "said"),
    [
        ("score_without_camera.py", (), "TS TF t: 3"),
        ("judge_photo.py", (str(PLAYER), "L.WU+1"), "Seat 1:"),
        ("draw_reading.py", (str(PLAYER), "drawn.jpg"), ""),
        ("follow_stream.py", (str(ROOT / "fixtures" / "evening" / "blink.mp4"), "0.2"), " s: "),
    ],
)
def test_the_example_scripts_run(script: str, arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / script), *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert said in done.stdout
    assert (tmp_path / "drawn.jpg").is_file() == (script == "draw_reading.py")
