"""The history: an evening looked back on, its films and downloads, and the evenings before it.

Reading evenings takes a while and making films longer, so both happen beside the server's loop. What is shown follows
from what is kept and from what is being made, so the page can always be built anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import escape

from bunnymoose_cv.record.past_evening import FilmState
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.past_evenings import load, when
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import download_address, evening_address, game_number, highlights_address
from bunnymoose_cv.web.widgets.round_card import round_card_html
from bunnymoose_cv.web.widgets.standings import summary_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.past_evening import ListedGame, PastEvening, PastRound
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.film_jobs import FilmJobs, Making
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.past_evenings import Evenings

LOOK_AGAIN_S: Final = 1.0
"""While a film is being made, people see this often how far it is."""

_BYTES_OF_A_MEGABYTE: Final = 1e6


def basis(host: Host) -> object:
    """State that the page follows from: a round that is over or put right, a film, an evening; no card and no bet."""
    state = None if host.session is None else host.session.state
    return host.change_count, host.folder, None if state is None else (state.game.rounds, state.changes)


def page(host: Host, visitor: Visitor, game: int | None = None) -> HtmlPage:
    """Build the page.

    Args:
        game: which evening (`game_number`); None for the one that is played, else the newest.
    """
    evenings, texts = load(host.games, game, host.folder), host.texts
    retold, deletes = evenings.retold, visitor.may(Action.DELETE)
    around = {
        "heading": _heading(evenings, texts),
        "older": _older(evenings, texts),
        **_deletion(evenings.kept if deletes else None, host),
    }
    if retold is None or not retold.rounds:
        notice = drawing("") if retold is None else render("history/nothing_over", texts)
        return HtmlPage("history/bare", texts("History"), {**around, "told": notice}, sheets=("history",))
    again_s = LOOK_AGAIN_S if _is_awaited(retold, host.films) else None
    parts = {**around, **_evening(retold, host)}
    return HtmlPage(
        "history/evening", texts("History"), parts, sheets=("history",), scripts=("films",), again_s=again_s
    )


# Around the evening.


def _heading(evenings: Evenings, texts: Texts) -> Markup:
    title = "" if evenings.retold is None else evenings.retold.title
    day = "" if evenings.kept is None else when(evenings.kept.folder, texts)
    return render("history/heading", texts, day=day, title=title, problem=evenings.problem)


def _deletion(kept: StoredGame | None, host: Host) -> Mapping[str, Markup]:
    """The way to take an evening away, and the question before it; nothing without one."""
    if kept is None:
        return dict.fromkeys(("delete", "loss", "deleted"), drawing(""))
    return {
        "delete": render("history/delete", host.texts),
        "loss": escape(_loss(kept, host)),
        "deleted": render("history/deleted", host.texts, game=game_number(kept.folder)),
    }


def _loss(kept: StoredGame, host: Host) -> str:
    """Words on what a deletion loses."""
    lost = host.texts(
        "The evening of {when} goes with its rounds, films and pictures ({megabytes:.1f} MB). Nothing brings it back.",
        when=when(kept.folder, host.texts),
        megabytes=kept.size_bytes / _BYTES_OF_A_MEGABYTE,
    )
    if kept.folder == host.folder:
        return f"{host.texts('It is being played: the game ends, too.')} {lost}"
    return lost


def _older(evenings: Evenings, texts: Texts) -> Markup:
    shown = None if evenings.kept is None else evenings.kept.folder
    return render("history/older", texts, listed=[_listed(each, shown, texts) for each in evenings.listed])


def _listed(each: ListedGame, shown: Path | None, texts: Texts) -> Mapping[str, object]:
    rounds = texts.counted("{count} round", "{count} rounds", each.rounds)
    return {
        "way": evening_address(each.kept.folder),
        "is_shown": each.kept.folder == shown,
        "title": each.title,
        "day": when(each.kept.folder, texts),
        "problem": each.problem,
        "players": ", ".join(each.players),
        "rounds": rounds if each.over else texts("{rounds}, not played to the end", rounds=rounds),
    }


# The evening itself, in parts that are replaced when they differ, so that a film that plays goes on.


def _evening(evening: PastEvening, host: Host) -> Mapping[str, Markup]:
    texts, folder = host.texts, evening.kept.folder
    return {
        "summary": summary_html(evening.game, texts),
        "highlights": render(
            "history/highlights",
            texts,
            has_film=evening.has_highlights,
            making=host.films.known(evening.kept.highlights),
            address=highlights_address(folder),
            game=game_number(folder),
        ),
        **_rounds(evening, host),
        "downloads": render(
            "history/downloads",
            texts,
            megabytes=evening.size_bytes / _BYTES_OF_A_MEGABYTE,
            **{kind: download_address(folder, kind) for kind in ("zip", "csv", "json")},
        ),
    }


def _rounds(evening: PastEvening, host: Host) -> Mapping[str, Markup]:
    """Rounds that are over, the newest first, after the empty places of those that may come."""
    game, folder = evening.game, evening.kept.folder
    places = max(len(evening.rounds), game.rules.rounds(len(game.players)))
    parts = dict.fromkeys((f"round-{number}" for number in range(places, 0, -1)), drawing(""))
    for number, told in enumerate(evening.rounds, start=1):
        making = _being_made(told, folder, host.films)
        parts[f"round-{number}"] = round_card_html(told, folder, game, making, host.texts)
    return parts


def _being_made(told: PastRound, folder: Path, films: FilmJobs) -> Mapping[int | None, Making]:
    """By seat, the films that were asked for; under None that of the round."""
    kept = round_folder(folder, told.played.facts.number)
    known: dict[int | None, Making | None] = {None: films.known(kept.replay)}
    known |= {each.seat: films.known(kept.seat_film(each.seat)) for each in told.played.verdicts}
    return {seat: making for seat, making in known.items() if making is not None}


def _is_awaited(evening: PastEvening, films: FilmJobs) -> bool:
    """Tell if a film of an evening is being made."""
    asked = (films.known(path) for path in _films_to_ask_for(evening))
    return any(each is not None and not each.problem for each in asked) or any(
        told.film is FilmState.COMING for told in evening.rounds
    )


def _films_to_ask_for(evening: PastEvening) -> Iterator[Path]:
    yield evening.kept.highlights
    for told in evening.rounds:
        kept = round_folder(evening.kept.folder, told.played.facts.number)
        yield kept.replay
        yield from (kept.seat_film(verdict.seat) for verdict in told.played.verdicts)
