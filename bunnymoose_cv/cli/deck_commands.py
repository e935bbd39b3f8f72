"""`bunnymoose deck`: the decks that come with the program, those of people's own boxes, and their print."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from bunnymoose_cv.cli.enrol_command import enrol
from bunnymoose_cv.cli.framework.output_guard import check_output_file
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, deck_file, deck_names, load_deck, read_deck
from bunnymoose_cv.rules.deck_check import CARD_KINDS, check_deck

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.web.printing.paper import Paper

app = typer.Typer(
    help="""Decks of cards: list, show, check, print and enrol them.

    For example:

        bunnymoose deck check my-box.toml

        bunnymoose deck print --paper letter --out deck.pdf
    """,
    no_args_is_help=True,
)
app.command()(enrol)

DeckArgument = Annotated[str, typer.Argument(metavar="DECK", help="The name of one of our decks, or a TOML file.")]
OutOption = Annotated[Path, typer.Option("--out", metavar="FILE", help="The PDF that is written.")]
PaperOption = Annotated[str, typer.Option("--paper", help="a4, letter, or a3 for the mat.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line, and nothing else.")]


@app.command("list")
def list_decks(*, as_json: JsonOption = False) -> None:
    """List the decks that come with the program.

    For example:

        bunnymoose deck list
    """
    decks = [(name, load_deck(name)) for name in deck_names()]
    if as_json:
        for name, deck in decks:
            numbers = {"cards": len(deck.cards), "advanced": len(deck.advanced)}
            echo(json.dumps({"name": name, **_about(deck), **numbers}, ensure_ascii=False))
        return
    grid = Grid("Name", "Deck", "Cards")
    for name, deck in decks:
        grid.add_row(name, escape(deck.title), _numbers(deck))
    Terminal().print(grid)


@app.command()
def show(
    deck: DeckArgument = DEFAULT_EDITION,
    *,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="Print its file, to be changed into that of your box.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show every card of a deck.

    For example:

        bunnymoose deck show second

        bunnymoose deck show second --toml > my-box.toml

        bunnymoose deck show my-box.toml --json
    """
    if as_toml and as_json:
        raise InputError("--toml and --json print the same deck in two ways: choose one.")
    shown = _open(deck)
    if as_toml:
        for line in read_text(deck_file(deck)).splitlines():
            echo(line)
        return
    if as_json:
        lots = {"cards": [str(card) for card in shown.cards], "advanced": [str(card) for card in shown.advanced]}
        echo(json.dumps({**_about(shown), **lots}, ensure_ascii=False))
        return
    console = Terminal()
    console.print(f"[bold]{escape(shown.title)}[/]: {_numbers(shown)}")
    if shown.reconstruction:
        console.print("A reconstruction of ours: the rulebooks do not print the deck card by card.")
    console.print(_lot_grid("Cards", shown.cards))
    if shown.advanced:
        console.print(_lot_grid("Advanced cards", shown.advanced))


@app.command()
def check(deck: DeckArgument, *, as_json: JsonOption = False) -> None:
    """Check a deck against what is known of its box; exit code 1 when something differs.

    For example:

        bunnymoose deck check my-box.toml
    """
    findings = check_deck(_open(deck))
    right = all(finding.holds for finding in findings)
    if as_json:
        listed = [{"sentence": finding.sentence, "holds": finding.holds} for finding in findings]
        echo(json.dumps({"deck": deck, "right": right, "findings": listed}, ensure_ascii=False))
    else:
        for finding in findings:
            echo(f"{'✓' if finding.holds else '✗'} {finding.sentence}")
    if not right:
        raise typer.Exit(1)


@app.command("print")
def print_deck(
    deck: DeckArgument = DEFAULT_EDITION,
    *,
    out: OutOption = Path("deck.pdf"),
    paper: PaperOption = "a4",
    backs: Annotated[bool, typer.Option(help="A page of backs after each page of fronts.")] = True,
) -> None:
    """Write a deck as a PDF to print and cut: our faces with a marker each, which the camera reads.

    For example:

        bunnymoose deck print --paper letter --out deck.pdf
    """
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.printing.deck_pdf import deck_pdf

    check_output_file(out, deck_file(deck))
    _write(out, deck_pdf(_open(deck), _paper(paper, "a4", "letter"), Texts(), backs=backs))


@app.command()
def mat(
    *,
    places: Annotated[int, typer.Option(help="One a pile: 6 or 8.")] = 6,
    out: OutOption = Path("mat.pdf"),
    paper: PaperOption = "a4",
) -> None:
    """Write a mat as a PDF: the cards of any deck are found on it, so it is the best help to the camera.

    For example:

        bunnymoose deck mat --places 8 --paper a3 --out mat.pdf
    """
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.printing.mat_pdf import mat_pdf

    check_output_file(out)
    _write(out, mat_pdf(places, _paper(paper, "a4", "letter", "a3"), Texts()))


def _paper(name: str, *known: str) -> Paper:
    """A paper by its name.

    Raises:
        InputError: nothing is laid out for it.
    """
    from bunnymoose_cv.web.printing.paper import Paper

    if name.casefold() not in known:
        raise InputError(f"There is no paper “{name}” here: choose {', '.join(known)}.")
    return Paper(name.casefold())


def _write(path: Path, content: bytes) -> None:
    """Write a file whole, and say where it lies.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with whole_file(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}. Name another file.") from error
    echo(f"{path}: print it at 100 %, without fitting it to the page.")


def _open(deck: str) -> Deck:
    """One of our decks by its name, else a file."""
    return read_deck(deck_file(deck))


def _about(deck: Deck) -> dict[str, str | bool]:
    return {"title": deck.title, "edition": deck.edition, "reconstruction": deck.reconstruction}


def _numbers(deck: Deck) -> str:
    if not deck.advanced:
        return f"{len(deck.cards)} cards in one lot"
    return f"{len(deck.cards) + len(deck.advanced)} cards, {len(deck.cards)} basic and {len(deck.advanced)} advanced"


def _lot_grid(title: str, lot: Table) -> Grid:
    """The cards of a lot by kind; a card that is there several times is counted."""
    grid = Grid("Kind", "Number", "Cards", title=title, title_justify="left")
    for kind, words in CARD_KINDS.items():
        cards = Counter(card for card in lot if isinstance(card, kind))
        if cards:
            texts = (f"{number} × {card}" if number > 1 else format_table((card,)) for card, number in cards.items())
            grid.add_row(words, str(cards.total()), ", ".join(texts))
    return grid
