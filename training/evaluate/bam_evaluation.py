"""Evaluation `--cues`: recordings in which Bam is said or slapped, and real sounds in which it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.cli.terminal.echo import echo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.evaluate.bams import NarratorFigures


def listen_for_bams(truth: Path, *, as_json: bool) -> None:
    """Show how often Bam is heard, and what else is taken for it."""
    from training.evaluate.bams import evaluate_bams
    from training.evaluate.bams_json import BamsShape, NarratorBamsShape

    narrators = []
    for narrator in evaluate_bams(truth):
        narrators.append(narrator)
        if as_json:
            echo(NarratorBamsShape.of(narrator).line(ascii_only=False))
    if as_json:
        echo(BamsShape.of(narrators).line())
    else:
        _show(narrators)


def listen_to_real_sounds(truth: Path, *, as_json: bool) -> None:
    """Show what real sounds do to the ear, where their recordings lie beside the checkout."""
    from bunnymoose_cv.cli.terminal.console import Terminal
    from training.evaluate.bams_json import RealSoundsShape
    from training.evaluate.real_sounds import FOLDER, figures_by_sort, listen, read_real_sounds
    from training.evaluate.share_table import figure_table, share_cells

    if not (FOLDER / "sounds.csv").is_file():
        echo(f"{FOLDER} is not there: real sounds are not listened to", err=True)
        return
    figures = figures_by_sort(list(listen(truth, read_real_sounds(FOLDER))))
    if as_json:
        echo(RealSoundsShape.of(figures).line())
        return
    columns = ("false alarms", "hours", "an hour", "95 % interval", "Bams heard", "of", "rate", "interval")
    table = figure_table("real sounds", columns, "Real sounds, each for every narrator")
    for name, own in figures.items():
        low, high = own.wrong.interval
        rate = f"{own.wrong.an_hour:.1f}", f"{low:.1f} – {high:.1f}"
        heard = ("", "", "", "") if own.heard is None else share_cells(own.heard)
        table.add_row(name, str(own.wrong.count), f"{own.wrong.hours:.2f}", *rate, *heard)
    Terminal().print(table)


def _show(narrators: Sequence[NarratorFigures]) -> None:
    from bunnymoose_cv.cli.terminal.console import Terminal
    from training.evaluate.bams import false_alarms, heard, timing_errors_s
    from training.evaluate.share_table import share_table

    rows = {own.name: heard([own]) for own in narrators}
    rows |= {"soft ones": heard(narrators, soft=True), "as loud as learnt": heard(narrators, soft=False)}
    rows |= {"all": heard(narrators)}
    Terminal().print(share_table("Bams", "heard", "How often Bam is heard", rows))
    wrong = false_alarms(narrators)
    low, high = wrong.interval
    echo(
        f"false alarms: {wrong.count} in {wrong.hours:.2f} hours,"
        f" {wrong.an_hour:.1f} an hour ({low:.1f} – {high:.1f} with 95 % confidence)"
    )
    median_s, slow_s = timing_errors_s(narrators)
    echo(
        f"the time of a cue is off by {median_s * 1000:.0f} ms (median), 90 in 100 by less than {slow_s * 1000:.0f} ms"
    )
