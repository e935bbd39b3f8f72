"""Commands about a kept evening: make one of its films, delete it.

All of them read files, so they run beside the server's loop.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.highlight_films import write_highlights, write_seat_film
from bunnymoose_cv.record.past_evening import FilmState, past_evening_of
from bunnymoose_cv.record.round_film import make_film_again
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import number_field
from bunnymoose_cv.web.urls import HISTORY, game_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.record.highlight_films import Progress
    from bunnymoose_cv.record.past_evening import PastRound
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host

_MOST_DIGITS: Final = 20
"""Of a game's number."""


def _make_highlights(host: Host, game: int) -> None:
    """Have the film of an evening's highlights made.

    Raises:
        InputError: no such evening is kept.
    """
    kept, language = _find_evening(host, game), host.texts.language

    def make(tell: Progress) -> None:
        problems: list[InputError] = []
        with GameFile.open(kept.folder) as file:
            write_highlights(file, kept.highlights, problems, language, tell)
        if problems:  # the page shows it above the film of the others
            raise problems[0]

    host.films.begin(kept.highlights, make)


def _make_film(host: Host, game: int, of_round: int) -> None:
    """Have the film of a round made of the images that are held.

    Raises:
        InputError: there is no such round, or no images of it are held.
    """
    kept = _find_evening(host, game)
    if _find_round(kept, of_round).film is not FilmState.HELD:
        raise _nothing()
    host.films.begin(
        round_folder(kept.folder, of_round).replay, lambda tell: make_film_again(kept.folder, of_round, tell)
    )


def _make_seat_film(host: Host, game: int, of_round: int, seat: int) -> None:
    """Have the film of one player in a round made, near and slowly.

    Raises:
        InputError: there is no such player, or no film of the round.
    """
    kept = _find_evening(host, game)
    told = _find_round(kept, of_round)
    if told.film is not FilmState.THERE or seat not in {each.seat for each in told.played.verdicts}:
        raise _nothing()
    folder = round_folder(kept.folder, of_round)
    host.films.begin(folder.seat_film(seat), lambda tell: write_seat_film(folder, seat, tell))


def _delete_evening(host: Host, game: int) -> str:
    """Take an evening away; the one that is played ends before.

    Returns:
        The page to go on to.

    Raises:
        InputError: no such evening is kept, or it cannot be deleted.
    """
    host.delete(_find_evening(host, game))
    return HISTORY


def _find_evening(host: Host, game: int) -> StoredGame:
    for each in host.games:
        if game_number(each.folder) == game:
            return each
    raise _nothing()


def _find_round(kept: StoredGame, of_round: int) -> PastRound:
    for each in past_evening_of(kept).rounds:
        if each.played.facts.number == of_round:
            return each
    raise _nothing()


def _nothing() -> InputError:
    return InputError(Phrase("There is nothing here."))


def _parse_game(form: Form) -> int:
    return number_field(form, "game", _MOST_DIGITS)


def _start_highlights(host: Host, _visitor: Visitor, form: Form) -> Answer:
    return asyncio.to_thread(_make_highlights, host, _parse_game(form))


def _start_film(host: Host, _visitor: Visitor, form: Form) -> Answer:
    return asyncio.to_thread(_make_film, host, _parse_game(form), number_field(form, "round"))


def _start_seat_film(host: Host, _visitor: Visitor, form: Form) -> Answer:
    return asyncio.to_thread(
        _make_seat_film, host, _parse_game(form), number_field(form, "round"), number_field(form, "seat")
    )


def _start_deletion(host: Host, _visitor: Visitor, form: Form) -> Answer:
    return asyncio.to_thread(_delete_evening, host, _parse_game(form))


EVENING_COMMANDS: Final[Mapping[str, Command]] = {
    "make-highlights": Command(Action.BROWSE, _start_highlights),
    "make-film": Command(Action.BROWSE, _start_film),
    "make-seat-film": Command(Action.BROWSE, _start_seat_film),
    "delete-evening": Command(Action.DELETE, _start_deletion),
}
"""By the last part of their address."""
