"""Output of the evaluations of people, card photographs, recordings of Bams and rounds, and of reading times."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol, TypeVar

import typer
from rich.progress import Progress

from bunnymoose_cv.cli.cards_command import knowledge_of, open_reader
from bunnymoose_cv.cli.framework.named_files import INPUT_WAS_WRONG, sentence_about
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo, printable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, load_deck, read_deck
from bunnymoose_cv.vision.reader import Reader
from training.bench.network_timing import timing_line, timings
from training.evaluate.bams import BamsShape, NarratorBamsShape, evaluate_bams, false_alarms, heard, timing_errors_s
from training.evaluate.card_manifest import (
    AllFiguresShape,
    CardFiguresShape,
    PhotographShape,
    card_figures,
    read_card_manifest,
    read_row,
)
from training.evaluate.datasets import read_manifest
from training.evaluate.evaluation_pages import write_pages
from training.evaluate.people import PeopleShape, PersonShape, figures_by_source, people_page, read_people, read_person
from training.evaluate.real_sounds import FOLDER, RealSoundsShape, figures_by_sort, listen, read_real_sounds
from training.evaluate.round_benchmark import SetPart, judge_clip, read_round_set
from training.evaluate.round_figures import ClipShape, RoundFigures, RoundsShape, seats_of, stills_of, times_s
from training.evaluate.shares import figure_table, share_cells, share_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from training.evaluate.bams import NarratorFigures
    from training.evaluate.card_manifest import CardFigures, ImageOutcome
    from training.evaluate.people import PeopleFigures, ReadPerson
    from training.evaluate.round_benchmark import ClipResult


class ImageRow(Protocol):
    """Row of a list that names an image."""

    @property
    def image(self) -> Path:
        """Path of the image."""


Row = TypeVar("Row", bound=ImageRow)
Result = TypeVar("Result")


def each_row(rows: Sequence[Row], read: Callable[[Row], Result], problems: list[InputError]) -> Iterator[Result]:
    """Read every row of a list, and report each unusable one on stderr.

    Args:
        rows: rows of the list.
        read: reader of a row. If it raises anything, the image of that row counts as unusable.
        problems: errors of the list's lines. Those of unusable rows are added.
    """
    console = Terminal(stderr=True)

    def name_problem(problem: InputError) -> None:
        console.print(printable(str(problem)), markup=False, highlight=False, soft_wrap=True)

    with Progress(console=console, disable=not console.is_terminal) as progress:
        for problem in problems:
            name_problem(problem)
        for row in progress.track(rows, description="Reading"):
            try:
                yield read(row)
            except Exception as error:  # noqa: BLE001 - any fault in one image is reported, and the others are read
                problem = InputError(sentence_about(str(row.image), error))
                problems.append(problem)
                name_problem(problem)


def evaluate_people(file: Path, out: Path | None, *, as_json: bool) -> None:
    """Show how well poses of real people are read, and write a page about it to `out`.

    Raises:
        InputError: the list cannot be read, or the page cannot be written.
        typer.Exit: a line could not be used.
    """
    problems: list[InputError] = []
    people = []
    for person in _read_people(file, problems):
        people.append(person)
        if as_json:
            echo(PersonShape.of(person).line(ascii_only=False))
    figures = figures_by_source(people)
    if as_json:
        echo(PeopleShape.of(figures).line(ascii_only=False))
    else:
        _show_people(figures)
    if out is not None:
        write_pages(out, {"figures.md": people_page(f"{file.parent.name}/{file.name}", figures)})
        echo(f"pages written to {out}", err=True)
    if problems:
        raise typer.Exit(INPUT_WAS_WRONG)


def _read_people(file: Path, problems: list[InputError]) -> Iterator[ReadPerson]:
    """Yield every usable crop. Report each other one on stderr and in `problems`."""
    listed = read_people(file)
    problems += listed.problems
    with Reader(load_settings()) as reader:
        yield from each_row(listed.rows, lambda row: read_person(row, reader), problems)


def _show_people(figures: Mapping[str, PeopleFigures]) -> None:

    for name, own in figures.items():
        Terminal().print(share_table("figure", "count", f"{name}, {own.persons} persons", own.shares))


_TITLES = {
    "found": "places found",
    "right": "card right",
    "all_right": "all cards of a photograph right",
    "asked": "asked about",
    "offered": "right one of the two offered",
    "sure_wrong": "sure and yet wrong",
    "taken": "something else taken for a card",
    "invented": "photographs with an invented card",
}


def evaluate_cards(file: Path, deck: Path | None, *, as_json: bool) -> None:
    """Show how well the photographs of a card manifest are read.

    Raises:
        typer.Exit: a line could not be used.
    """
    played = load_deck(DEFAULT_EDITION) if deck is None else read_deck(deck)
    manifest = read_card_manifest(file)
    problems: list[InputError] = [*manifest.problems]
    reader, deal = open_reader(played), knowledge_of(played)
    images: list[ImageOutcome] = []
    for row in manifest.rows:
        try:
            image = read_row(row, reader, deal)
        except InputError as error:
            problems.append(error)
            continue
        images.append(image)
        if as_json:
            echo(PhotographShape.of(image).line(ascii_only=False))
    for problem in problems:
        echo(printable(str(problem)), err=True)
    if images:
        _show_cards(images, as_json=as_json)
    if problems or not images:
        raise typer.Exit(INPUT_WAS_WRONG)


def _show_cards(images: Sequence[ImageOutcome], *, as_json: bool) -> None:

    groups = sorted({image.group for image in images if image.group})
    parts = {"": list(images)} | {
        group: [image for image in images if image.group == group] for group in groups if len(groups) > 1
    }
    figures = {name: card_figures(part) for name, part in parts.items()}
    if as_json:
        shapes = {name: CardFiguresShape.of(part) for name, part in figures.items()}
        echo(AllFiguresShape(figures=shapes).line(ascii_only=False))
        return
    for name, part in figures.items():
        _print_table(part, printable(name) or "All photographs")
    for image in images:
        for number, place in enumerate(image.places, start=1):
            if not place.is_as_shown:
                read = "|".join(place.offered) or "nothing"
                echo(f"{printable(image.name)}, place {number}: {place.shows} was read as {read}")
        for face in image.invented:
            echo(f"{printable(image.name)}: {face} was read where no card lies")


def _print_table(figures: CardFigures, title: str) -> None:

    shares = {_TITLES[name]: share for name, share in figures.shares.items()}
    Terminal().print(share_table("figure", "count", f"{title}: {figures.images}", shares))
    echo(f"a photograph takes {figures.median_seconds:.2f} s (median)")


def listen_for_bams(truth: Path, *, as_json: bool) -> None:
    """Show how often a Bam is heard, and which other sounds are taken for one."""
    narrators = []
    for narrator in evaluate_bams(truth):
        narrators.append(narrator)
        if as_json:
            echo(NarratorBamsShape.of(narrator).line(ascii_only=False))
    if as_json:
        echo(BamsShape.of(narrators).line())
    else:
        _show_bams(narrators)


def listen_to_real_sounds(truth: Path, *, as_json: bool) -> None:
    """Show how the Bam detector reacts to real sounds, if their recordings are beside the checkout."""
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


def _show_bams(narrators: Sequence[NarratorFigures]) -> None:

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


def play_rounds(folder: Path, part: str | None, *, as_json: bool) -> None:
    """Show how well rounds are judged, beside the best single frame.

    Args:
        folder: folder of the clips.
        part: part of the set to judge; None judges all.
        as_json: True to print lines of JSON.

    Raises:
        InputError: the part does not exist, or the clips cannot be read.
    """
    settings, results = load_settings(), []
    if part not in {None, *(known_part.value for known_part in SetPart)}:
        raise InputError(f"--part {part} is no part: use {' or '.join(known_part.value for known_part in SetPart)}")
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
        _show_rounds(results, settings.questions.move)


def _show_rounds(results: Sequence[ClipResult], threshold: float) -> None:

    for title, seats in (("Rounds", seats_of(results)), ("Best single frame", stills_of(results))):
        shares = RoundFigures.of(seats, threshold).rows
        Terminal().print(share_table("per verdict", "count", f"{title}, {len(results)} clips", shares))
    footage_s, work_s = times_s(results)
    echo(f"judged {footage_s:.2f} s after the cue (median of the footage), with {work_s:.2f} s of processor time")


def time_readings(file: Path, *, as_json: bool) -> None:
    """Show the time of each kind of reading, for the images of a manifest.

    Raises:
        InputError: the manifest cannot be read.
    """
    times = timings(read_manifest(file).rows, load_settings())
    if as_json:
        echo(json.dumps(timing_line(times), ensure_ascii=False))
        return
    table = figure_table("one core", ("median ms", "90 % below", "of"), "How long one reading takes")
    for timing in times:
        table.add_row(timing.stage, f"{timing.median_ms:.2f}", f"{timing.slow_ms:.2f}", str(timing.count))
    Terminal().print(table)
