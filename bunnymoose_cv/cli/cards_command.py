"""`bunnymoose cards`: reading of the cards on the piles in photographs of the table."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.framework.named_files import process_inputs
from bunnymoose_cv.cli.shared_options import DeckOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.cli.terminal.echo import echo, printable, warn
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, Deck, load_deck, read_deck

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.vision.cards.card_reader import CardReader
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading
    from bunnymoose_cv.vision.cards.deal import DealKnowledge


def cards(
    images: Annotated[
        list[str], typer.Argument(metavar="IMAGE", help="Photographs of the table, folders of them, or - for stdin.")
    ],
    *,
    deck: DeckOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per photograph and nothing else.")
    ] = False,
) -> None:
    """Read the cards on the piles, from left to right in the photograph, or by the mat's places.

    Your own cards are read if you enrolled them (`bunnymoose deck enrol`), otherwise those of `bunnymoose deck print`.
    An empty place prints --, a covered one **?**, an unsure one its candidates between bars.

    For example:

        bunnymoose cards table.jpg

        bunnymoose cards evening/ --deck my-box.toml --json
    """
    from bunnymoose_cv.capture.media_inputs import find_inputs

    played = load_deck(DEFAULT_EDITION) if deck is None else read_deck(deck)
    found = list(find_inputs(images, warn))
    enrolment, deal = usual_enrolment(played), knowledge_of(played)

    @cache
    def reader() -> CardReader:
        """Open the reader, which takes seconds, only if there is a photograph."""
        from bunnymoose_cv.vision.cards.card_reader import CardReader

        return CardReader(enrolment.to_play_with)

    def look(source: MediaInput) -> None:
        image = source.image()
        reading = reader().read(image, deal=deal)
        echo(_line(source.name, reading) if as_json else _words(source.name, reading))

    process_inputs(found, look)


def open_reader(deck: Deck) -> CardReader:
    """Open a reader of a deck's enrolled cards, or of the bundled printed ones if they are not enrolled."""
    from bunnymoose_cv.vision.cards.card_reader import CardReader

    return CardReader(usual_enrolment(deck).to_play_with)


def usual_enrolment(own: Deck | None) -> DeckEnrolment:
    """Open the enrolment of the players' own deck, or of the bundled one if None, together with our printed cards."""
    from bunnymoose_cv.art.card_images import printed_enrolment
    from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment, default_deck_folder

    deck = own or load_deck(DEFAULT_EDITION)
    return DeckEnrolment(default_deck_folder(), lambda: printed_enrolment((*deck.cards, *deck.advanced)))


def knowledge_of(deck: Deck) -> DealKnowledge:
    """Return the knowledge of the deck for reading: the number of copies of each face."""
    from bunnymoose_cv.session.cards.table_card_reader import deal_knowledge

    return deal_knowledge((*deck.cards, *deck.advanced))


def table_in(path: Path, deck: Deck) -> Table:
    """Read the cards for judging from a photograph; raise an `InputError` if it does not show all surely."""
    from bunnymoose_cv.capture.images import read_image

    image = read_image(path)
    reading = open_reader(deck).read(image, deal=knowledge_of(deck))
    faces = reading.faces
    if faces is None:
        seen = " ".join(map(_word, reading.places)) or "nothing"
        advice = " ".join(reading.advice)
        raise InputError(f"{path} does not show all cards surely ({seen}). {advice} Or name them with --cards.")
    return tuple(parse_card(face) for face in faces)


def _word(place: PlaceReading) -> str:
    from bunnymoose_cv.vision.cards.card_reading import PlaceState

    match place.state:
        case PlaceState.CARD:
            return str(place.candidates[0].face)
        case PlaceState.UNSURE:
            return "|".join(str(candidate.face) for candidate in place.candidates)
        case PlaceState.EMPTY:
            return "--"
        case PlaceState.COVERED:
            return "?"


def _words(name: str, reading: CardsReading) -> str:
    """Format a reading as `table.jpg: L.WU+1 B.CD+1 …`, with the advice below."""
    line = f"{printable(name)}: {' '.join(map(_word, reading.places)) or 'no cards found'}"
    return "\n".join([line, *(f"  {advice}" for advice in reading.advice)])


def _line(name: str, reading: CardsReading) -> str:
    shape = {
        "source": name,
        "size": list(reading.size),
        "mat": reading.mat_found,
        "cards": None if reading.faces is None else " ".join(reading.faces),
        "places": [_place_shape(place) for place in reading.places],
        "advice": list(reading.advice),
    }
    return json.dumps(shape, ensure_ascii=False)


def _place_shape(place: PlaceReading) -> dict[str, object]:
    return {
        "place": place.place,
        "state": place.state.value,
        "corners_px": [[round(float(x), 1), round(float(y), 1)] for x, y in place.corners_px],
        "candidates": [
            {"card": candidate.face, "probability": round(candidate.probability, 4)} for candidate in place.candidates
        ],
        "cause": None if place.cause is None else place.cause.value,
    }
