"""Evaluation `--rounds`: clips around a Bam, judged and compared with the best single frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.evaluate.round_benchmark import ClipResult


def play_rounds(folder: Path, part: str | None, *, as_json: bool) -> None:
    """Show how rounds are judged, beside the best single frame.

    Args:
        folder: of the clips.
        part: the part of them that is judged; None judges all.
        as_json: whether lines of JSON are printed.

    Raises:
        InputError: there is no such part, or the clips cannot be read.
    """
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal.console import Terminal
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.vision.reader import Reader
    from training.evaluate.round_benchmark import judge_clip
    from training.evaluate.round_set import SetPart, read_round_set
    from training.evaluate.rounds_json import ClipShape, RoundsShape

    settings, results = load_settings(), []
    if part not in {None, *(each.value for each in SetPart)}:
        raise InputError(f"--part {part} is no part: use {' or '.join(each.value for each in SetPart)}")
    clips = read_round_set(folder).of_part(None if part is None else SetPart(part))
    if not clips:
        raise InputError(f"No clip of {folder} belongs to the part {part}")
    console = Terminal(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress, Reader(settings) as reader:
        for truth in progress.track(clips, description="Judging"):
            results.append(judge_clip(folder / truth.clip, truth, reader))
            if as_json:
                echo(ClipShape.of(results[-1]).line())
    if as_json:
        echo(RoundsShape.of(results, settings.questions.move).line())
    else:
        _show(results, settings.questions.move)


def _show(results: Sequence[ClipResult], threshold: float) -> None:
    from bunnymoose_cv.cli.terminal.console import Terminal
    from training.evaluate.round_figures import RoundFigures, seats_of, stills_of, times_s
    from training.evaluate.share_table import share_table

    for title, seats in (("Rounds", seats_of(results)), ("Best single frame", stills_of(results))):
        shares = RoundFigures.of(seats, threshold).rows
        Terminal().print(share_table("per verdict", "count", f"{title}, {len(results)} clips", shares))
    footage_s, work_s = times_s(results)
    echo(f"judged {footage_s:.2f} s after the cue (median of the footage), with {work_s:.2f} s of processor time")
