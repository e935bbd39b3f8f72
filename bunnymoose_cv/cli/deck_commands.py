"""`bunnymoose deck`: the decks that come with the program, and those of people's own boxes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table as Grid

from bunnymoose_cv.cli.echo import echo
from bunnymoose_cv.cli.terminal import Terminal
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.deck import CARD_KINDS, DEFAULT_EDITION, check_deck, deck_names, load_deck, read_deck

if TYPE_CHECKING:
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Deck

app = typer.Typer(help="Decks of cards: list, show and check them.", no_args_is_help=True)

DeckArgument = Annotated[str, typer.Argument(metavar="DECK", help="The name of one of our decks, or a TOML file.")]
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
def show(deck: DeckArgument = DEFAULT_EDITION, *, as_json: JsonOption = False) -> None:
    """Show every card of a deck.

    For example:

        bunnymoose deck show second

        bunnymoose deck show my-box.toml --json
    """
    shown = _open(deck)
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


def _open(deck: str) -> Deck:
    """One of our decks by its name, else a file."""
    return load_deck(deck) if deck in deck_names() else read_deck(Path(deck))


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
