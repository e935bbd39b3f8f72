"""Evaluation of a card manifest: figures in all and for each group, and the places that are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.cli.framework.each_input import INPUT_WAS_WRONG
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.cli.terminal.printable import printable
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from training.evaluate.card_manifest import CardFigures, ImageOutcome

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
    """Show how the photographs of a card manifest are read.

    Raises:
        typer.Exit: a line could not be used.
    """
    from bunnymoose_cv.cli.cards_command import knowledge_of, open_reader
    from bunnymoose_cv.rules.deck import DEFAULT_EDITION, load_deck, read_deck
    from training.evaluate.card_manifest import read_card_manifest, read_row
    from training.evaluate.cards_json import PhotographShape

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
        _show(images, as_json=as_json)
    if problems or not images:
        raise typer.Exit(INPUT_WAS_WRONG)


def _show(images: Sequence[ImageOutcome], *, as_json: bool) -> None:
    from training.evaluate.card_manifest import card_figures
    from training.evaluate.cards_json import AllFiguresShape, CardFiguresShape

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
    from bunnymoose_cv.cli.terminal.console import Terminal
    from training.evaluate.share_table import share_table

    shares = {_TITLES[name]: share for name, share in figures.shares.items()}
    Terminal().print(share_table("figure", "count", f"{title}: {figures.images}", shares))
    echo(f"a photograph takes {figures.median_seconds:.2f} s (median)")
