"""The commands `bench`: how long the stages of a reading and of a round take on this computer."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bunnymoose_cv.cli.framework.command_groups import HELP_NAMES, CheckedCommand, CommandGroup
from bunnymoose_cv.cli.terminal.echo import echo

app = typer.Typer(
    cls=CommandGroup,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": list(HELP_NAMES)},
)

RoundsOption = Annotated[int, typer.Option(min=1, max=1000, help="How often everything runs; the median counts.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")]


@app.callback(invoke_without_command=True)
def bench(context: typer.Context, rounds: RoundsOption = 15, as_json: JsonOption = False) -> None:
    """Time the stages of reading five players at 1080p on this computer; nothing else should be running.

    The image is the freeze of the demo clip: first a search of it, then a glance at the same row as while the game
    waits, one player and a few tiles. The command below times a whole round, and how often such a glance is made.

    For example:

        python -m training.bench --rounds 30

        python -m training.bench --json

        python -m training.bench round
    """
    if context.invoked_subcommand is not None:
        return
    from training.bench.stage_timing import time_stages

    medians = time_stages(rounds)
    if as_json:
        echo(json.dumps({"medians_ms": {name: round(value, 1) for name, value in medians.items()}}))
        return
    from rich.table import Table

    from bunnymoose_cv.cli.terminal.console import Terminal

    table = Table("stage", "median ms", title=f"Five players at 1080p, {rounds} rounds")
    for name, value in medians.items():
        table.add_row(name, f"{value:.1f}")
    Terminal().print(table)


@app.command("round", cls=CheckedCommand)
def bench_round(
    rounds: RoundsOption = 3,
    pages: Annotated[
        int | None,
        typer.Option("--pages", min=1, max=4, help="Time rounds with and without so many pages of the screen open."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Time a round from the cue to the first spoken word, five players at 1080p, live.

    Stage by stage, with the rate of readings while the game waits, beside the bare model calls: the same looks of the
    same nets at the same crops, on as many threads and with nothing else done. With --pages a real game is played at
    the table screen instead, alternately with and without pages that show the live video.

    For example:

        python -m training.bench round --rounds 5

        python -m training.bench round --pages 2

        python -m training.bench round --json
    """
    title = f"From the cue to the first word, five players at 1080p, {rounds} rounds"
    if pages is not None:
        from training.bench.live_video_timing import time_with_pages

        _print(time_with_pages(rounds, pages, lambda sentence: echo(sentence, err=True)), title, as_json)
        return
    from training.bench.round_timing import time_rounds

    _print(time_rounds(rounds), title, as_json)


def _print(figures: dict[str, float], title: str, as_json: bool) -> None:
    """Figures, each named with its unit."""
    if as_json:
        echo(json.dumps({name: round(value, 3) for name, value in figures.items()}))
        return
    from rich.table import Table

    from bunnymoose_cv.cli.terminal.console import Terminal

    table = Table("", "", title=title)
    for name, value in figures.items():
        table.add_row(name, f"{value:.2f}")
    Terminal().print(table)
