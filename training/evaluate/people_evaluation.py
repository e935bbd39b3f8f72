"""Evaluation of a list of people: figures for each source, and a page of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.cli.framework.each_input import INPUT_WAS_WRONG, each_row
from bunnymoose_cv.cli.terminal.echo import echo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bunnymoose_cv.core.errors import InputError
    from training.evaluate.people import PeopleFigures, ReadPerson


def evaluate_people(file: Path, out: Path | None, *, as_json: bool) -> None:
    """Show how real people are read; a page of it in `out`.

    Raises:
        InputError: the list cannot be read, or the page not be written.
        typer.Exit: a line could not be used.
    """
    from training.evaluate.evaluation_pages import write_pages
    from training.evaluate.people import figures_by_source, people_page
    from training.evaluate.people_json import PeopleShape, PersonShape

    problems: list[InputError] = []
    people = []
    for person in _read(file, problems):
        people.append(person)
        if as_json:
            echo(PersonShape.of(person).line(ascii_only=False))
    figures = figures_by_source(people)
    if as_json:
        echo(PeopleShape.of(figures).line(ascii_only=False))
    else:
        _show(figures)
    if out is not None:
        write_pages(out, {"figures.md": people_page(f"{file.parent.name}/{file.name}", figures)})
        echo(f"pages written to {out}", err=True)
    if problems:
        raise typer.Exit(INPUT_WAS_WRONG)


def _read(file: Path, problems: list[InputError]) -> Iterator[ReadPerson]:
    """Every crop that can be used; a sentence on stderr, and in `problems`, for each that cannot."""
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.vision.reader import Reader
    from training.evaluate.people import read_people, read_person

    listed = read_people(file)
    problems += listed.problems
    with Reader(load_settings()) as reader:
        yield from each_row(listed.rows, lambda row: read_person(row, reader), problems)


def _show(figures: Mapping[str, PeopleFigures]) -> None:
    from bunnymoose_cv.cli.terminal.console import Terminal
    from training.evaluate.share_table import share_table

    for name, own in figures.items():
        Terminal().print(share_table("figure", "count", f"{name}, {own.persons} persons", own.shares))
