"""Commands about a kept evening: make its films, or delete it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.past_evening import FilmState, past_evening_of
from bunnymoose_cv.record.round_film import make_film_again
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.short_films import write_highlights, write_seat_film
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.commands.form_command import Command, number_field, text_field
from bunnymoose_cv.web.urls import HISTORY, game_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.record.past_evening import PastRound
    from bunnymoose_cv.record.video_file import Progress
    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Form
    from bunnymoose_cv.web.live.host import Host

_MOST_DIGITS: Final = 20

_NOTHING: Final = Phrase("There is nothing here.")


def _make_evening_film(host: Host, visitor: Visitor, _form: Form) -> str | None:
    """Start making the highlights of the current game unless they exist, and redirect to the history."""
    kept = _find_current(host)
    if not past_evening_of(kept).has_highlights:
        _begin_highlights(host, kept)
    return HISTORY if visitor.may(Action.BROWSE) else None


def _begin_highlights(host: Host, kept: StoredGame) -> None:
    language = host.texts.language

    def make(progress: Progress) -> None:
        problems: list[InputError] = []
        with GameFile.open(kept.folder) as file:
            write_highlights(file, kept.highlights, problems, language, progress)
        if problems:  # the page shows it above the film of the others
            raise problems[0]

    host.films.begin(kept.highlights, make)


def _make_film(host: Host, _visitor: Visitor, form: Form) -> None:
    """Start making the film of a round from the stored images."""
    kept, number = _find_evening(host, form), number_field(form, "round")
    if _find_round(kept, number).film is not FilmState.HELD:
        raise InputError(_NOTHING)
    host.films.begin(
        round_folder(kept.folder, number).replay,
        lambda progress: make_film_again(kept.folder, number, progress),
    )


def _make_seat_film(host: Host, _visitor: Visitor, form: Form) -> None:
    kept, number, seat = _find_evening(host, form), number_field(form, "round"), number_field(form, "seat")
    past = _find_round(kept, number)
    verdict = next((verdict for verdict in past.played.verdicts if verdict.seat == seat), None)
    if past.film is not FilmState.THERE or verdict is None:
        raise InputError(_NOTHING)
    _begin_seat_film(host, kept, number, verdict)


def _make_close_ups(host: Host, _visitor: Visitor, form: Form) -> None:
    """Start making all near films of a player in the current game that do not exist yet."""
    kept, player = _find_current(host), text_field(form, "player")
    rounds = [past for past in past_evening_of(kept).rounds if past.film is FilmState.THERE]
    found = [(past, verdict) for past in rounds for verdict in past.played.verdicts if verdict.player == player]
    if not found:
        raise InputError(_NOTHING)
    for past, verdict in found:
        if verdict.seat not in past.seat_films:
            _begin_seat_film(host, kept, past.played.facts.number, verdict)


def _begin_seat_film(host: Host, kept: StoredGame, number: int, verdict: Verdict) -> None:
    folder = round_folder(kept.folder, number)
    path = folder.seat_film(verdict.seat)
    host.films.begin(path, lambda progress: write_seat_film(folder, verdict.seat, verdict, progress))


def _delete_evening(host: Host, _visitor: Visitor, form: Form) -> str:
    """Delete an evening, after ending it if it is the current one, and go on to the history."""
    host.delete(_find_evening(host, form))
    return HISTORY


def _find_current(host: Host) -> StoredGame:
    return _find_game(host, -1 if host.folder is None else game_number(host.folder))


def _find_evening(host: Host, form: Form) -> StoredGame:
    return _find_game(host, number_field(form, "game", _MOST_DIGITS))


def _find_game(host: Host, game: int) -> StoredGame:
    for kept in host.games:
        if game_number(kept.folder) == game:
            return kept
    raise InputError(_NOTHING)


def _find_round(kept: StoredGame, number: int) -> PastRound:
    for past in past_evening_of(kept).rounds:
        if past.played.facts.number == number:
            return past
    raise InputError(_NOTHING)


def _beside(needs: Action, act: Callable[[Host, Visitor, Form], str | None], about: str = "") -> Command:
    """Return a command that runs beside the server's loop, since it reads files."""
    return Command(needs, lambda host, visitor, form: asyncio.to_thread(act, host, visitor, form), about)


EVENING_COMMANDS: Final[Mapping[str, Command]] = {
    "make-highlights": _beside(Action.BROWSE, lambda host, _, form: _begin_highlights(host, _find_evening(host, form))),
    "make-film": _beside(Action.BROWSE, _make_film),
    "make-seat-film": _beside(Action.BROWSE, _make_seat_film),
    "make-evening-film": _beside(Action.SEE, _make_evening_film),
    "make-close-ups": _beside(Action.SEE_CLOSE_UPS, _make_close_ups, about="player"),
    "delete-evening": _beside(Action.DELETE, _delete_evening),
}
