"""The commands `bench`, which time the stages of a reading and of a round on this computer."""

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
def bench(
    context: typer.Context,
    rounds: RoundsOption = 15,
    growth: Annotated[bool, typer.Option("--growth", help="Time rows of 1 to 12 players, too.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Time MediaPipe on the whole image, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Time a cold look at five players at 1080p on this computer; nothing else should be running.

    The image is the freeze of the demo clip. First the stages of a look at it, and those of a glance at the same row as
    while the game waits, one player and all faces. Then the whole look beside the bare calls that it cannot do
    without. The command below times a whole round, and how often such a glance is made.

    For example:

        python -m training.bench --rounds 30 --growth --plain

        python -m training.bench --json

        python -m training.bench round
    """
    if context.invoked_subcommand is not None:
        return
    from training.bench import look_timing
    from training.bench.demo_clip import IN_CLIP, row_image
    from training.bench.stage_timing import time_stages

    memory_mb = look_timing.memory_of_looks()
    looks = look_timing.time_looks(look_timing.GROWTH if growth else [IN_CLIP], rounds)
    stages = {players: time_stages(row_image(players), rounds) for players in looks}
    of_search, of_glance = stages[IN_CLIP]
    medians_ms = of_search | {f"glance: {name}": median_ms for name, median_ms in of_glance.items()}
    for players, figures in looks.items() if growth else ():
        figures["cold look against that at five"] = figures[look_timing.LOOK] / looks[IN_CLIP][look_timing.LOOK]
        figures.update({f"stage {name}, ms": median_ms for name, median_ms in stages[players][0].items()})
    by_players = {str(players): _rounded(figures, 3) for players, figures in looks.items()}
    of_plain = look_timing.time_plain(rounds) if plain else {}
    if as_json:
        others = {"looks": by_players, "plain": _rounded(of_plain, 3), "peak_resident_mb": memory_mb}
        echo(json.dumps({"medians_ms": _rounded(medians_ms, 1), **others}))
        return
    _print_table(f"Stages of five players at 1080p, {rounds} rounds", {"median ms": medians_ms})
    _print_table(f"Cold looks by the number of players, {rounds} rounds", by_players)
    if plain:
        ours = {name: looks[IN_CLIP][name] for name in ("players found", "hands found", look_timing.LOOK)}
        _print_table("Five players on the whole image", {"plain MediaPipe": of_plain, "our cold look": ours})
    if memory_mb:
        echo(f"Peak of resident memory after two cold looks: {memory_mb:.0f} MB")


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


@app.command("questions", cls=CheckedCommand)
def bench_questions(rounds: RoundsOption = 3, as_json: JsonOption = False) -> None:
    """Time rounds with questions that are answered at once, from Bam until all is announced, three and five players.

    For example:

        python -m training.bench questions --rounds 3
    """
    from training.bench.question_timing import time_questions

    figures = {name: dict(medians) for name, medians in time_questions(rounds)}
    if as_json:
        echo(json.dumps({name: _rounded(figure, 3) for name, figure in figures.items()}))
        return
    _print_table(f"From Bam until all is announced, medians of {rounds} rounds", figures)


def _print(figures: dict[str, float], title: str, as_json: bool) -> None:
    """Print figures, each named with its unit."""
    if as_json:
        echo(json.dumps(_rounded(figures, 3)))
    else:
        _print_table(title, {"": figures})


def _print_table(title: str, columns: dict[str, dict[str, float]]) -> None:
    """Print columns of figures by their names; a figure that a column lacks is a dash."""
    from rich.table import Table

    from bunnymoose_cv.cli.terminal.console import Terminal

    table = Table("", *columns, title=title)
    for name in dict.fromkeys(name for figures in columns.values() for name in figures):
        table.add_row(name, *(f"{round(column[name], 2):,}" if name in column else "–" for column in columns.values()))
    Terminal().print(table)


def _rounded(figures: dict[str, float], digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in figures.items()}
