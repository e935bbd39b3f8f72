"""`bunnymoose deck enrol`: the cards of people's own box, photographed and named, for the camera to know them."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.i18n.language import Language  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, load_deck, read_deck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.deck_enrolment import DeckEnrolment


def enrol(
    images: Annotated[
        list[Path] | None,
        typer.Argument(metavar="IMAGE…", help="Photographs of your cards; more may follow."),
    ] = None,
    *,
    deck: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="The cards of your box; else those of our deck.")
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="Tell only what is known and what is missing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The same as one JSON object, and nothing else.")] = False,
    language: Annotated[Language | None, typer.Option("--language", help="Of the page.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="Where the page is found.")
    ] = None,
) -> None:
    """Teach the camera your own cards: a page opens on which you photograph them and say of each which one it is.

    Lay them three by three on the mat or on something plain, none over another. The images stay in your data folder.

    For example:

        bunnymoose deck enrol

        bunnymoose deck enrol box1.jpg box2.jpg --deck my-box.toml

        bunnymoose deck enrol --list
    """
    from bunnymoose_cv.cli.cards_command import usual_enrolment

    own = load_deck(DEFAULT_EDITION) if deck is None else read_deck(deck)
    enrolment = usual_enrolment(None if deck is None else own)
    if show or as_json:
        _list(enrolment, own, as_json=as_json)
        return
    _take(enrolment, images or ())
    _open_page(enrolment, None if deck is None else own, language, port)


def _list(enrolment: DeckEnrolment, deck: Deck, *, as_json: bool) -> None:
    """Tell how many faces of a deck are known, and which are missing."""
    faces = tuple(dict.fromkeys((*deck.cards, *deck.advanced)))
    missing = enrolment.missing(faces)
    known = len(faces) - len(missing)
    if as_json:
        shape = {"faces": len(faces), "known": known, "missing": [str(card) for card in missing]}
        echo(json.dumps(shape, ensure_ascii=False))
        return
    echo(f"{known} of {len(faces)} faces" + (f"; missing: {format_table(missing)}" if missing else ""))


def _take(enrolment: DeckEnrolment, images: Sequence[Path]) -> None:
    """Find the cards in photographs.

    Raises:
        InputError: one cannot be read, or shows no card.
    """
    from bunnymoose_cv.capture.images import read_image

    for path in images:
        added = enrolment.add(read_image(path))
        echo(f"{path}: {added} new cards", err=True)


def _open_page(enrolment: DeckEnrolment, deck: Deck | None, language: Language | None, port: int | None) -> None:
    from bunnymoose_cv.cli.play.play_options import PlayOptions
    from bunnymoose_cv.cli.play.play_screen import play_on_screen
    from bunnymoose_cv.record.game_store import GameStore, default_games_folder

    told = PlayOptions(language=language, own_deck=deck)
    play_on_screen(GameStore(default_games_folder()), told, enrolment=enrolment, port=port, home="/enrol")
