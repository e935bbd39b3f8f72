"""Pages of kept evenings: the history with films and downloads, and the films on a phone.

Reading evenings takes a while and making films longer, so both happen beside the server's loop. A page depends
only on stored files and requested films, so it can always be built again.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from markupsafe import escape

from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.record.game_folders import StoredGame
from bunnymoose_cv.record.past_evening import FilmState, past_evening_of
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.web import urls
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.live.past_evenings import load, when
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.round_summary import round_card_html
from bunnymoose_cv.web.widgets.standings import summary_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.past_evening import PastEvening, PastRound
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.past_evenings import Evenings, FilmJobs


LOOK_AGAIN_S: Final = 1.0
"""Interval of updates in seconds while a film is being made, to show its progress."""

_BYTES_OF_A_MEGABYTE: Final = 1e6


def history_basis(host: Host) -> object:
    """Return the state that the history depends on: finished and corrected rounds, films and evenings."""
    state = None if host.session is None else host.session.state
    return host.change_count, host.folder, None if state is None else (state.game.rounds, state.changes)


def history_page(host: Host, visitor: Visitor, game: int | None = None) -> HtmlPage:
    """Build the page of a game (`game_number`); None for the current one, or else the newest."""
    evenings, texts = load(host.games, game, host.folder), host.texts
    retold, deletes = evenings.retold, visitor.may(Action.DELETE)
    title = "" if retold is None else retold.title
    day = "" if evenings.kept is None else when(evenings.kept.folder, texts)
    around = {
        "heading": render("history/heading", texts, day=day, title=title, problem=evenings.problem),
        "older": _older(evenings, texts),
        **_deletion(evenings.kept if deletes else None, host),
    }
    if retold is None or not retold.rounds:
        notice = drawing("") if retold is None else render("history/nothing_over", texts)
        return HtmlPage("history/bare", texts("History"), {**around, "notice": notice}, sheets=("history",))
    parts, sheets, scripts = {**around, **_evening(retold, host)}, ("history",), ("films",)
    again_s = _again_s(retold, host.films)
    return HtmlPage("history/evening", texts("History"), parts, sheets=sheets, scripts=scripts, again_s=again_s)


def _deletion(kept: StoredGame | None, host: Host) -> Mapping[str, Markup]:
    """Return the button to delete an evening, and the question before it; empty without an evening."""
    if kept is None:
        return dict.fromkeys(("delete", "loss", "deleted"), drawing(""))
    return {
        "delete": render("history/delete", host.texts),
        "loss": escape(_loss(kept, host)),
        "deleted": render("history/deleted", host.texts, game=urls.game_number(kept.folder)),
    }


def _loss(kept: StoredGame, host: Host) -> str:
    lost = host.texts(
        "The evening of {when} will be deleted with its rounds, films and pictures ({megabytes:.1f} MB). "
        "This cannot be undone.",
        when=when(kept.folder, host.texts),
        megabytes=kept.size_bytes / _BYTES_OF_A_MEGABYTE,
    )
    if kept.folder == host.folder and host.runs:
        return f"{host.texts('It is being played: the game ends, too.')} {lost}"
    return lost


def _older(evenings: Evenings, texts: Texts) -> Markup:
    shown = None if evenings.kept is None else evenings.kept.folder
    listed = [
        (evening, urls.evening_address(evening.kept.folder), when(evening.kept.folder, texts))
        for evening in evenings.listed
    ]
    return render("history/older", texts, listed=listed, shown=shown)


# The evening itself, in parts that are replaced only when they differ, so that a playing film continues.


def _evening(evening: PastEvening, host: Host) -> Mapping[str, Markup]:
    texts, folder = host.texts, evening.kept.folder
    return {
        "summary": summary_html(evening.game, texts),
        "highlights": render(
            "history/highlights",
            texts,
            has_film=evening.has_highlights,
            making=host.films.known(evening.kept.highlights),
            address=urls.highlights_address(folder),
            game=urls.game_number(folder),
        ),
        **_rounds(evening, host),
        "downloads": render(
            "history/downloads",
            texts,
            megabytes=evening.size_bytes / _BYTES_OF_A_MEGABYTE,
            **{kind: urls.download_address(folder, kind) for kind in ("zip", "csv", "json")},
        ),
    }


def _rounds(evening: PastEvening, host: Host) -> Mapping[str, Markup]:
    """Return the finished rounds, the newest first, after empty parts for later rounds."""
    game, folder = evening.game, evening.kept.folder
    places = max(len(evening.rounds), game.rules.rounds(len(game.players)))
    parts = dict.fromkeys((f"round-{number}" for number in range(places, 0, -1)), drawing(""))
    for number, past in enumerate(evening.rounds, start=1):
        requested = {seat: host.films.known(path) for seat, path in _films_of_round(past, folder).items()}
        making = {seat: film for seat, film in requested.items() if film is not None}
        parts[f"round-{number}"] = round_card_html(past, folder, game, making, host.texts)
    return parts


def _films_of_round(past: PastRound, folder: Path) -> Mapping[int | None, Path]:
    """Return the files of a round's films by seat; the film of the whole round has the key None."""
    kept = round_folder(folder, past.played.facts.number)
    return {None: kept.replay, **{verdict.seat: kept.seat_film(verdict.seat) for verdict in past.played.verdicts}}


def _again_s(evening: PastEvening, films: FilmJobs) -> float | None:
    """Return the seconds until the page is built again; None unless a film of the evening is being made."""
    paths = chain.from_iterable(_films_of_round(past, evening.kept.folder).values() for past in evening.rounds)
    requested = map(films.known, (evening.kept.highlights, *paths))
    is_requested = any(making is not None and not making.problem for making in requested)
    return LOOK_AGAIN_S if is_requested or any(past.film is FilmState.COMING for past in evening.rounds) else None


def films_basis(host: Host) -> object:
    """Return the state that the films depend on: that of the history, and the players' consents."""
    return history_basis(host), tuple((phone.player, phone.shares) for phone in host.access.phones)


def films_page(host: Host, visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, folder = host.texts, host.folder
    evening = None if folder is None else past_evening_of(StoredGame(0, folder))
    players = [player for player in host.players if visitor.player is not None and player != visitor.player]
    shown = [player for player in players if visitor.may(Action.SEE_CLOSE_UPS, player)]
    shares = None if visitor.player is None else host.access.shares(visitor.player)
    parts = {
        "own": drawing("") if visitor.player is None else _close_ups(host, evening, visitor.player, is_own=True),
        "sharing": drawing("") if shares is None else render("films/sharing", texts, shares=shares),
        "others": drawing("").join(_close_ups(host, evening, player, is_own=False) for player in shown),
        "evening": _films_of_evening(host, evening),
    }
    again_s = None if evening is None else _again_s(evening, host.films)
    sheets, scripts = ("history", "films"), ("films",)
    return HtmlPage("films/page", texts("Films"), parts, sheets=sheets, scripts=scripts, again_s=again_s)


def _close_ups(host: Host, evening: PastEvening | None, player: str, *, is_own: bool) -> Markup:
    """Render the near films of a player, the newest first, with a button to make the missing ones."""
    films = [] if evening is None else list(_films_of(evening, player, host))
    missing = any(film["is_missing"] for film in films)
    return render(
        "films/close_ups", host.texts, player=player, is_own=is_own, films=films, missing=missing, styles=host.styles
    )


def _films_of(evening: PastEvening, player: str, host: Host) -> Iterator[Mapping[str, object]]:
    texts, folder = host.texts, evening.kept.folder
    for past in reversed(evening.rounds):
        number = past.played.facts.number
        for verdict in past.played.verdicts:
            if verdict.player != player or past.film not in {FilmState.THERE, FilmState.COMING}:
                continue
            score, has_film = verdict.score, verdict.seat in past.seat_films
            making = host.films.known(round_folder(folder, number).seat_film(verdict.seat))
            is_made = making is not None and not making.problem
            yield {
                "number": number,
                "said": announce(score.species, score.total, (), texts.language),
                "name": texts("Film of {player} in round {number}", player=player, number=number),
                "address": urls.seat_film_address(folder, number, verdict.seat),
                "has_film": has_film,
                "making": making,
                "is_coming": past.film is FilmState.COMING,
                "is_missing": past.film is FilmState.THERE and not has_film and not is_made,
            }


def _films_of_evening(host: Host, evening: PastEvening | None) -> Markup:
    """Render the highlights, and the films of all rounds."""
    texts = host.texts
    if evening is None or not evening.rounds:
        return render("history/nothing_over", texts)
    folder = evening.kept.folder
    rounds = [
        (texts("Film of round {number}", number=number), urls.film_address(folder, number))
        for number, past in reversed(list(enumerate(evening.rounds, start=1)))
        if past.film is FilmState.THERE
    ]
    return render(
        "films/evening",
        texts,
        has_film=evening.has_highlights,
        making=host.films.known(evening.kept.highlights),
        address=urls.highlights_address(folder),
        rounds=rounds,
    )
