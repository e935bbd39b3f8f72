"""The command `bench`: how long each stage of a reading takes on this computer. Owns no stage."""

from __future__ import annotations

import json
import statistics
import time
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

FULL_HD = (1920, 1080)


def bench(
    rounds: Annotated[int, typer.Option(min=1, help="How often each stage runs; the median counts.")] = 15,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Time the stages of reading five players at 1080p on this computer.

    The picture is the freeze of the demo clip. Nothing else should be running.

    For example:

        bunnymoose bench --rounds 30

        bunnymoose bench --json
    """
    medians = _medians(rounds)
    if as_json:
        typer.echo(json.dumps({"medians_ms": {name: round(value, 1) for name, value in medians.items()}}))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("stage", "median ms", title=f"Five players at 1080p, {rounds} rounds")
    for name, value in medians.items():
        table.add_row(name, f"{value:.1f}")
    Console().print(table)


def _medians(rounds: int) -> dict[str, float]:
    """Stage → median milliseconds."""
    import cv2
    import numpy as np

    from bunnymoose_cv.bundled import bundled
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.profile import load_profile
    from bunnymoose_cv.vision.headgear import HeadgearReader
    from bunnymoose_cv.vision.people import find_heads, find_players
    from bunnymoose_cv.vision.tongue import TongueReader
    from bunnymoose_cv.vision.workers import Workers

    clip = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    frame = clip.frame_at(clip.duration_s - 0.5).picture
    picture = np.asarray(cv2.resize(frame, FULL_HD), np.uint8)
    profile = load_profile()
    headgear, tongue = HeadgearReader(profile.headgear), TongueReader(profile.tongue)
    with Workers() as workers:
        players = find_players(picture, workers, profile.people)
        return {
            "heads": _median(lambda: find_heads(picture, workers, profile.people), rounds),
            "heads and hands": _median(lambda: find_players(picture, workers, profile.people), rounds),
            "headgears": _median(lambda: headgear.read(players), rounds),
            "tongues": _median(lambda: [tongue.read(picture, player.head.face) for player in players], rounds),
        }


def _median(stage: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        stage()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)
