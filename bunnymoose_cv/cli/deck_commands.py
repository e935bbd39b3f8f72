"""`bunnymoose deck`: the bundled decks, the users' own decks, their printing, and the photographing of their cards."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from bunnymoose_cv.cli.framework.named_files import check_output_file
from bunnymoose_cv.cli.games.kept_game_arguments import JsonOption, kept_games
from bunnymoose_cv.cli.shared_options import DeckOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import read_text
from bunnymoose_cv.i18n.language import Language  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, deck_file, deck_names, load_deck, read_deck
from bunnymoose_cv.rules.deck_check import CARD_KINDS, check_deck

if TYPE_CHECKING:
    from bunnymoose_cv.printing.sheets import Paper
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment


app = typer.Typer(
    help="""Decks of cards: list, show, check, print and enrol them.

    For example:

        bunnymoose deck check my-box.toml

        bunnymoose deck print --paper letter --out deck.pdf
    """,
    no_args_is_help=True,
)
DeckArgument = Annotated[str, typer.Argument(metavar="DECK", help="The name of one of our decks, or a TOML file.")]
OutOption = Annotated[Path, typer.Option("--out", metavar="FILE", help="The PDF file to write.")]
PaperOption = Annotated[str, typer.Option("--paper", help="Paper size: a4, letter, or a3 for the mat.")]


@app.command()
def enrol(
    images: Annotated[
        list[Path] | None, typer.Argument(metavar="IMAGE…", help="Photographs of your cards; more may follow.")
    ] = None,
    *,
    deck: DeckOption = None,
    show: Annotated[bool, typer.Option("--list", help="Only list the known and the missing cards.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    language: Annotated[Language | None, typer.Option("--language", help="Language of the page.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="The port of the page.")
    ] = None,
) -> None:
    """Teach the camera your own cards: a page opens on which you photograph and name them.

    Lay them out three by three on the mat or a plain surface, without overlaps. The images stay in your data folder.

    For example:

        bunnymoose deck enrol

        bunnymoose deck enrol box1.jpg box2.jpg --deck my-box.toml

        bunnymoose deck enrol --list
    """
    from bunnymoose_cv.cli.cards_command import usual_enrolment

    own = load_deck(DEFAULT_EDITION) if deck is None else read_deck(deck)
    enrolment = usual_enrolment(None if deck is None else own)
    if show or as_json:
        _list_enrolled(enrolment, own, as_json=as_json)
        return
    from bunnymoose_cv.capture.images import read_image
    from bunnymoose_cv.cli.play.play_options import PlayOptions
    from bunnymoose_cv.cli.play.play_screen import play_on_screen

    for path in images or ():
        echo(f"{path}: {enrolment.add(read_image(path))} new cards", err=True)
    options = PlayOptions(given={"language": language, "deck": None if deck is None else own})
    play_on_screen(kept_games(None), options, enrolment=enrolment, port=port, home="/enrol")


def _list_enrolled(enrolment: DeckEnrolment, deck: Deck, *, as_json: bool) -> None:
    """Print how many faces of a deck are known, and which are missing."""
    faces = tuple(dict.fromkeys((*deck.cards, *deck.advanced)))
    missing = enrolment.missing(faces)
    known = len(faces) - len(missing)
    if as_json:
        shape = {"faces": len(faces), "known": known, "missing": [str(card) for card in missing]}
        echo(json.dumps(shape, ensure_ascii=False))
        return
    echo(f"{known} of {len(faces)} faces" + (f"; missing: {format_table(missing)}" if missing else ""))


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
        bool, typer.Option("--toml", help="Print its file, as a template for that of your box.")
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
    backs: Annotated[bool, typer.Option(help="Print a page of backs after each page of fronts.")] = True,
) -> None:
    """Write a deck as a PDF to print and cut: our faces with a marker each, which the camera reads.

    For example:

        bunnymoose deck print --paper letter --out deck.pdf
    """
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.printing.sheets import deck_pdf

    check_output_file(out, deck_file(deck))
    _write(out, deck_pdf(_open(deck), _paper(paper, "a4", "letter"), Texts(), backs=backs))


@app.command()
def mat(
    *,
    places: Annotated[int, typer.Option(help="One per pile: 6 or 8.")] = 6,
    out: OutOption = Path("mat.pdf"),
    paper: PaperOption = "a4",
) -> None:
    """Write a mat as a PDF: the cards of any deck are found on it, so it is the best help to the camera.

    For example:

        bunnymoose deck mat --places 8 --paper a3 --out mat.pdf
    """
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.printing.sheets import mat_pdf

    check_output_file(out)
    _write(out, mat_pdf(places, _paper(paper, "a4", "letter", "a3"), Texts()))


def _paper(name: str, *known: str) -> Paper:
    """Return a paper size by its name, if it is supported here."""
    from bunnymoose_cv.printing.sheets import Paper

    if name.casefold() not in known:
        raise InputError(f"There is no paper “{name}” here: choose {', '.join(known)}.")
    return Paper(name.casefold())


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically, and print its path."""
    try:
        with whole_file(path) as part:
            part.write_bytes(content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}. Name another file.") from error
    echo(f"{path}: print it at 100 %, without fitting it to the page.")


def _open(deck: str) -> Deck:
    """Read a bundled deck by its name, or a deck from a file."""
    return read_deck(deck_file(deck))


def _about(deck: Deck) -> dict[str, str | bool]:
    return {"title": deck.title, "edition": deck.edition, "reconstruction": deck.reconstruction}


def _numbers(deck: Deck) -> str:
    if not deck.advanced:
        return f"{len(deck.cards)} cards in one lot"
    return f"{len(deck.cards) + len(deck.advanced)} cards, {len(deck.cards)} basic and {len(deck.advanced)} advanced"


def _lot_grid(title: str, lot: Table) -> Grid:
    """Return a table of the cards of a lot by kind; repeated cards are counted."""
    grid = Grid("Kind", "Number", "Cards", title=title, title_justify="left")
    for kind, words in CARD_KINDS.items():
        cards = Counter(card for card in lot if isinstance(card, kind))
        if cards:
            texts = (f"{number} × {card}" if number > 1 else format_table((card,)) for card, number in cards.items())
            grid.add_row(words, str(cards.total()), ", ".join(texts))
    return grid
