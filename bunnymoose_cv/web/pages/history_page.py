"""The history: an evening looked back on, its films and downloads, and the evenings before it.

Reading evenings takes a while and making films longer, so both happen beside the server's loop. What is shown follows
from what is kept and from what is being made, so the page can always be built anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html, run, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.evidence import make_film_again
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.highlight_films import write_highlights, write_seat_film
from bunnymoose_cv.record.past_evening import FilmState
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.past_evenings import load, when
from bunnymoose_cv.web.live.updates import follow
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.server.media import download_address, game_number, highlights_address
from bunnymoose_cv.web.widgets.ranking_list import ranking_widget
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.round_card import RoundCard, film_widget, progress_widget
from bunnymoose_cv.web.widgets.standings import standings_widget

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from nicegui.element import Element

    from bunnymoose_cv.record.correction_effects import Changes
    from bunnymoose_cv.record.highlight_films import Progress
    from bunnymoose_cv.record.past_evening import PastEvening, PastRound
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import Round
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.film_jobs import FilmJobs, Making
    from bunnymoose_cv.web.live.past_evenings import Evenings, ListedEvening
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

LOOK_AGAIN_S: Final = 1.0
"""While a film is being made, people see this often how far it is."""

_BYTES_OF_A_MEGABYTE: Final = 1e6


def show(host: Host, visitor: Visitor, game: int | None = None) -> None:
    """Build the page.

    Args:
        host: whose games.
        visitor: who looks.
        game: which evening (`game_number`); None for the one that is played, else the newest.
    """
    with page_frame(host, visitor, host.texts("History"), sheets=("history",)) as frame:
        _History(host, visitor, frame, game).begin()


class _History:
    """The page of one visitor."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame, wanted: int | None) -> None:
        self._host, self._visitor, self._frame, self._wanted = host, visitor, frame, wanted
        self._texts = host.texts
        self._evenings: Evenings | None = None
        self._reading = self._awaited = False
        self._ended = host.films.ended
        self._told: tuple[tuple[Round, ...], Changes | None] = ((), None)
        self._heading: Region[tuple[StoredGame | None, str, str]] = Region(
            html.header().classes("stack"), self._build_heading
        )
        self._evening: Region[tuple[StoredGame, bool] | None] = Region(
            html.div().classes("stack wide"), self._build_evening
        )
        self._older: Region[tuple[ListedEvening, ...]] = Region(html.section().classes("older"), self._build_older)

    def begin(self) -> None:
        """Show what is kept now, and whatever comes."""
        self._read_soon()
        follow(self._host, self._see)
        ui.timer(LOOK_AGAIN_S, self._look_again)

    # Reading.

    def _see(self, state: TableState) -> None:
        """Read again when a round is over, or was put right; cards and bets change nothing here."""
        told = (state.game.rounds, state.changes)
        if told != self._told:
            self._told = told
            self._read_soon()

    def _read_soon(self) -> None:
        ui.timer(0, self._read, once=True)

    async def _read(self) -> None:
        """Read what is kept and show it."""
        if self._reading:
            self._awaited = True  # `_look_again` reads once more
            return
        self._reading = True
        try:
            evenings = await run.io_bound(load, self._host.games, self._wanted, self._host.folder)
        finally:
            self._reading = False
        if evenings is not None:
            self._evenings = evenings
            self._show(evenings)

    async def _look_again(self) -> None:
        """Read again while films are being made, and once more when they are."""
        evening = None if self._evenings is None else self._evenings.retold
        if evening is None:
            return
        films = self._host.films
        awaited, has_ended = _is_awaited(evening, films), films.ended != self._ended
        reads, self._awaited, self._ended = awaited or self._awaited or has_ended, awaited, films.ended
        if reads:
            await self._read()

    # Showing.

    def _show(self, evenings: Evenings) -> None:
        title = "" if evenings.retold is None else evenings.retold.title
        self._heading.show((evenings.kept, title, evenings.problem))
        retold = evenings.retold
        self._evening.show(None if retold is None else (retold.kept, bool(retold.rounds)))
        if retold is not None and retold.rounds:
            self._parts.show(retold)
        self._older.show(evenings.listed)

    def _build_heading(self, what: tuple[StoredGame | None, str, str]) -> None:
        texts, (kept, title, problem) = self._texts, what
        if kept is None:
            html.h1(texts("History"))
            html.p(texts("No evening is kept yet: play one, and it stands here."))
            return
        html.h1(title or texts("Evening of {when}", when=when(kept.folder).replace("-", "\N{NON-BREAKING HYPHEN}")))
        if title:
            html.p(when(kept.folder)).classes("quiet")
        if problem:
            html.p(texts(problem)).classes("notice bad").props("role=alert")
            self._build_delete(kept)

    def _build_evening(self, what: tuple[StoredGame, bool] | None) -> None:
        if what is None:
            return
        kept, has_rounds = what
        if has_rounds:
            self._parts = _EveningParts(kept, self._host, self._frame)
        else:
            html.p(self._texts("No round is over yet: after the first one it stands here.")).classes("notice")
        self._build_delete(kept)

    def _build_older(self, listed: tuple[ListedEvening, ...]) -> None:
        if not listed:
            return
        html.h2(self._texts("All evenings"))
        with html.ul().classes("tiles"):
            for each in listed:
                with html.li():
                    self._build_listed(each)

    def _build_listed(self, each: ListedEvening) -> None:
        texts = self._texts
        with html.a(href=f"/history/{game_number(each.folder)}").classes("panel flat evening stack tight") as way:
            if self._evenings is not None and self._evenings.kept is not None:
                way.props(add="aria-current=page" if self._evenings.kept.folder == each.folder else "")
            html.strong(each.title or when(each.folder))
            if each.problem:
                html.span(texts("This evening cannot be read.")).classes("badge bad")
                return
            if each.title:
                html.span(when(each.folder)).classes("small quiet")
            html.span(", ".join(each.players)).classes("small")
            rounds = texts.counted("{count} round", "{count} rounds", each.rounds)
            html.span(rounds if each.over else texts("{rounds}, not played to the end", rounds=rounds)).classes(
                "small quiet"
            )

    # Taking away.

    def _build_delete(self, kept: StoredGame) -> None:
        """The way to take an evening away, with a question before it."""
        if not self._visitor.may(Action.DELETE):
            return
        texts = self._texts
        with html.section().classes("panel flat row apart"):
            html.p(texts("Delete this evening with all its films and pictures.")).classes("small")
            html.button(texts("Delete…")).classes("button bad small").props("type=button data-opens=delete-sheet")
        with html.dialog(id="delete-sheet").classes("sheet") as sheet, html.div().classes("stack"):
            sheet.props["aria-label"] = texts("Delete this evening?")
            html.h2(texts("Delete this evening?"))
            html.p(self._what_goes(kept))
            with html.div().classes("row"):
                html.button(texts("Keep it")).classes("button main").props("type=button data-closes data-first")
                gone = html.button(texts("Delete for good")).classes("button bad").props("type=button data-closes")
                gone.on("click", lambda: self._delete(kept))

    def _what_goes(self, kept: StoredGame) -> str:
        """Describe the data that a deletion loses."""
        megabytes = f"{kept.size_bytes / _BYTES_OF_A_MEGABYTE:.1f}"
        lost = self._texts(
            "The evening of {when} goes with its rounds, films and pictures ({megabytes} MB). Nothing brings it back.",
            when=when(kept.folder),
            megabytes=megabytes,
        )
        if kept.folder == self._host.folder:
            return f"{self._texts('It is being played: the game ends, too.')} {lost}"
        return lost

    async def _delete(self, kept: StoredGame) -> None:
        """Take an evening away; the one that is played ends before."""
        if not self._visitor.may(Action.DELETE):
            return
        try:
            if kept.folder == self._host.folder:
                await run.io_bound(self._host.end)
            await run.io_bound(self._host.games.delete, kept)
        except InputError as error:
            self._frame.tell(self._texts(error.sentence))
            return
        ui.navigate.to("/history")


class _EveningParts:
    """The parts of one evening; each is built anew only when it changed, so that a film that plays goes on."""

    def __init__(self, kept: StoredGame, host: Host, frame: PageFrame) -> None:
        self._kept, self._host, self._frame, self._texts = kept, host, frame, host.texts
        self._summary: Region[Game] = Region(html.section().classes("summary"), self._build_summary)
        self._highlights: Region[tuple[bool, Making | None]] = Region(
            html.section().classes("panel stack"), self._build_highlights
        )
        self._rounds = html.section().classes("stack wide")
        self._each_round: list[Region[tuple[PastRound, Mapping[int | None, Making]]]] = []
        self._downloads = Region(html.section().classes("panel stack"), self._build_downloads)
        self._game: Game | None = None

    def show(self, evening: PastEvening) -> None:
        """Show how it stands."""
        self._game = evening.game
        self._summary.show(evening.game)
        self._highlights.show((evening.has_highlights, self._host.films.known(self._kept.highlights)))
        self._show_rounds(evening)
        self._downloads.show(f"{evening.size_bytes / _BYTES_OF_A_MEGABYTE:.0f}")

    def _show_rounds(self, evening: PastEvening) -> None:
        """The newest first."""
        if len(evening.rounds) < len(self._each_round):  # one was undone
            self._rounds.clear()
            self._each_round.clear()
        while len(self._each_round) < len(evening.rounds):
            with self._rounds:
                holder: Element = html.div()
            holder.move(target_index=0)
            self._each_round.append(Region(holder, self._build_round))
        for region, told in zip(self._each_round, evening.rounds, strict=True):
            region.show((told, self._being_made(told)))

    def _being_made(self, told: PastRound) -> Mapping[int | None, Making]:
        """By seat, the films that were asked for; under None that of the round."""
        kept = round_folder(self._kept.folder, told.played.facts.number)
        known: dict[int | None, Making | None] = {None: self._host.films.known(kept.replay)}
        known |= {each.seat: self._host.films.known(kept.seat_film(each.seat)) for each in told.played.verdicts}
        return {seat: making for seat, making in known.items() if making is not None}

    def _build_summary(self, game: Game) -> None:
        with html.div().classes("panel ranking-panel"):
            ranking_widget(game, self._texts)
        with html.div().classes("panel"):
            html.h2(self._texts("Standings"))
            standings_widget(game, self._texts)

    def _build_round(self, what: tuple[PastRound, Mapping[int | None, Making]]) -> None:
        told, making = what
        if self._game is not None:
            number = told.played.facts.number
            RoundCard(told, self._kept.folder, self._game, self._texts).build(
                making, lambda seat: self._make_seat_film(number, seat), lambda: self._make_film(number)
            )

    def _make_film(self, number: int) -> None:
        folder = self._kept.folder
        self._host.films.begin(round_folder(folder, number).replay, lambda tell: make_film_again(folder, number, tell))

    def _make_seat_film(self, number: int, seat: int) -> None:
        kept = round_folder(self._kept.folder, number)
        self._host.films.begin(kept.seat_film(seat), lambda tell: write_seat_film(kept, seat, tell))

    # Highlights and downloads.

    def _build_highlights(self, what: tuple[bool, Making | None]) -> None:
        has_film, making = what
        texts = self._texts
        name = texts("Highlights of the evening")
        html.h2(name)
        if making is not None and not making.problem:
            progress_widget(making, name, texts)
            return
        if making is not None:
            html.p(texts(making.problem)).classes("notice bad").props("role=alert")
        if has_film:
            film_widget(highlights_address(self._kept.folder), name, texts)
        else:
            html.p(texts("The biggest scores, who moved after Bam, and what was put right, in one film.")).classes(
                "quiet"
            )
        again = texts("Make it anew") if has_film else texts("Make the film")
        with html.div().classes("row"):
            button = html.button(again).classes("button small" if has_film else "button main").props("type=button")
        button.props["data-focus"] = "highlights"
        button.on("click", self._make_highlights)

    def _make_highlights(self) -> None:
        kept, language = self._kept, self._texts.language

        def make(tell: Progress) -> None:
            with GameFile.open(kept.folder) as file:
                write_highlights(file, kept.highlights, language, tell)

        self._host.films.begin(kept.highlights, make)

    def _build_downloads(self, megabytes: str) -> None:
        texts, folder = self._texts, self._kept.folder
        html.h2(texts("Take it along"))
        with html.div().classes("row"):
            for kind, name in (
                ("zip", texts("Everything, with films (ZIP, {megabytes} MB)", megabytes=megabytes)),
                ("csv", texts("Rounds as a table (CSV)")),
                ("json", texts("Rounds for programs (JSON)")),
            ):
                html.a(name, href=download_address(folder, kind)).classes("button").props("download")


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
