"""The commands `bench`: how long the stages of a reading and of a round take on this computer."""

from __future__ import annotations

import json
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.echo import echo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

app = typer.Typer()

RoundsOption = Annotated[int, typer.Option(min=1, max=1000, help="How often everything runs; the median counts.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


@app.callback(invoke_without_command=True)
def bench(context: typer.Context, rounds: RoundsOption = 15, as_json: JsonOption = False) -> None:
    """Time the stages of reading five players at 1080p on this computer; nothing else should be running.

    The picture is the freeze of the demo clip; the commands below time a whole round, and a look while waiting.

    For example:

        bunnymoose bench --rounds 30

        bunnymoose bench --json

        bunnymoose bench round

        bunnymoose bench watch
    """
    if context.invoked_subcommand is not None:
        return
    medians = _medians(rounds)
    if as_json:
        echo(json.dumps({"medians_ms": {name: round(value, 1) for name, value in medians.items()}}))
        return
    from rich.table import Table

    from bunnymoose_cv.cli.terminal import Terminal

    table = Table("stage", "median ms", title=f"Five players at 1080p, {rounds} rounds")
    for name, value in medians.items():
        table.add_row(name, f"{value:.1f}")
    Terminal().print(table)


@app.command("round")
def bench_round(
    rounds: RoundsOption = 3,
    pages: Annotated[
        int | None,
        typer.Option("--pages", min=1, max=4, help="Time rounds with and without so many pages of the screen open."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Time a round from the cue to the first spoken word, five players at 1080p, live.

    Stage by stage, beside the bare model calls: the same looks of the same nets at the same crops, on as many threads
    and with nothing else done. With --pages a real game is played at the table screen instead, alternately with and
    without pages that show the live mirror.

    For example:

        bunnymoose bench round --rounds 5

        bunnymoose bench round --pages 2

        bunnymoose bench round --json
    """
    title = f"From the cue to the first word, five players at 1080p, {rounds} rounds"
    if pages is not None:
        from bunnymoose_cv.cli.bench.mirror_timing import time_with_pages

        _print(time_with_pages(rounds, pages, lambda sentence: echo(sentence, err=True)), title, as_json)
        return
    from bunnymoose_cv.cli.bench.round_timing import time_rounds

    _print(time_rounds(rounds), title, as_json)


@app.command("watch")
def bench_watch(
    seconds: Annotated[float, typer.Option(min=1, max=600, help="For how long.")] = 10.0, as_json: JsonOption = False
) -> None:
    """Count how many frames a second are read while the game waits for Bam, five players at 1080p, live.

    For example:

        bunnymoose bench watch --seconds 30
    """
    from bunnymoose_cv.cli.bench.round_timing import time_watching

    _print(time_watching(seconds), f"Five players at 1080p, watched for {seconds:g} s", as_json)


def _print(figures: dict[str, float], title: str, as_json: bool) -> None:
    """Figures, each named with its unit."""
    if as_json:
        echo(json.dumps({name: round(value, 3) for name, value in figures.items()}))
        return
    from rich.table import Table

    from bunnymoose_cv.cli.terminal import Terminal

    table = Table("", "", title=title)
    for name, value in figures.items():
        table.add_row(name, f"{value:.2f}")
    Terminal().print(table)


def _medians(rounds: int) -> dict[str, float]:
    """Stage → median milliseconds."""
    import cv2
    import numpy as np

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.cli.bench.demo_clip import FULL_HD
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.core.resources import bundled
    from bunnymoose_cv.vision import pipeline
    from bunnymoose_cv.vision.effort import BUDGETS, Effort
    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.nets.worker_pool import Workers
    from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader

    clip = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    frame = clip.frame_at(clip.duration_s - 0.5).picture
    picture = np.asarray(cv2.resize(frame, FULL_HD), np.uint8)
    profile = load_profile()
    budget, state = BUDGETS[Effort.SEARCH], pipeline.FrameState(picture)
    own = pipeline.PlayerTools(HeadgearReader(profile.headgear), TongueReader(profile.tongue))
    medians: dict[str, float] = {}
    with Workers() as workers:
        tools = pipeline.ImageTools(workers, profile.people)
        for stage in pipeline.IMAGE_STAGES:
            medians[stage.name] = _median(partial(stage.run, state, tools, budget), rounds)
            state = stage.run(state, tools, budget)
        players = [pipeline.PlayerState(picture, player) for player in state.players]
        for each in pipeline.PLAYER_STAGES:
            runs = [partial(each.run, player, own, budget) for player in players]
            medians[each.name] = _median(partial(_run_all, runs), rounds)
    return medians


def _run_all(runs: Iterable[Callable[[], object]]) -> None:
    for run in runs:
        run()


def _median(stage: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        stage()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)
