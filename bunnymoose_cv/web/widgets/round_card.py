"""A round that is over, as it is looked back on: cards, poses, scores, moves, what was put right, films."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.record.past_evening import FilmState
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.voice.announcing import catch_up_lines
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.art_names import pose_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.server.media import captions_address, film_address, poster_address, seat_film_address
from bunnymoose_cv.web.widgets.corrections_list import correction_author, correction_words
from bunnymoose_cv.web.widgets.player_names import player_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.record.past_evening import PastRound
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import FigureMove, Verdict
    from bunnymoose_cv.web.live.film_jobs import Making


class RoundCard:
    """One round on the page.

    Args:
        told: the round.
        folder: of its game.
        game: whose round it is.
        texts: in the language of the table.
    """

    def __init__(self, told: PastRound, folder: Path, game: Game, texts: Texts) -> None:
        self._told, self._played, self._number = told, told.played, told.played.facts.number
        self._folder, self._game, self._texts = folder, game, texts

    def build(
        self,
        making: Mapping[int | None, Making],
        make_seat_film: Callable[[int], None],
        make_film: Callable[[], None],
    ) -> None:
        """Build it.

        Args:
            making: what is known of films that were asked for: of seats, and under None of the whole round.
            make_seat_film: has the film of a seat made.
            make_film: has the film of the round made of the pictures that are held.
        """
        with html.article().classes("panel told-round") as article:
            article.props["aria-label"] = self._texts("Round {number}", number=self._number)
            self._heading()
            with html.div().classes("round-parts"):
                with html.div().classes("stack"):
                    self._cards()
                    self._verdicts()
                    self._moves()
                    self._corrections()
                with html.div().classes("stack films"):
                    self._film(making.get(None), make_film)
                    self._seat_films(making, make_seat_film)

    def _heading(self) -> None:
        facts = self._played.facts
        with html.header().classes("row apart"):
            html.h3(self._texts("Round {number}", number=self._number))
            with html.dl().classes("row small about"):
                with html.div():
                    html.dt(self._texts("Narrator"))
                    with html.dd():
                        player_name(facts.narrator, self._game)
                with html.div():
                    html.dt(self._texts("Bet on"))
                    with html.dd():
                        if facts.bet is None:
                            html.span(self._texts("nobody"))
                        else:
                            player_name(facts.bet, self._game)

    def _cards(self) -> None:
        cards = html.ul().classes("told-cards")
        cards.props["aria-label"] = self._texts("Cards")
        with cards:
            for card in self._played.facts.cards:
                with html.li():
                    ui.html(card_face(card, self._texts), sanitize=False)

    def _verdicts(self) -> None:
        shown = html.ul().classes("told-verdicts")
        shown.props["aria-label"] = self._texts("Poses and scores")
        with shown:
            for verdict in self._played.verdicts:
                with html.li():
                    self._verdict(verdict)

    def _verdict(self, verdict: Verdict) -> None:
        score = verdict.score
        ui.html(pose_art(score.pose, self._texts), sanitize=False).classes("pose")
        with html.div().classes("stack tight"):
            player_name(verdict.player, self._game)
            html.span(pose_name(score.pose, self._texts)).classes("small quiet").props("aria-hidden=true")
            said = html.span(announce(score.species, score.total, (), self._texts.language)).classes("badge")
            if score.species is not Animal.BUSH:
                said.classes(score.species.value)

    def _moves(self) -> None:
        """Show the moves besides the scores: the narrator's copy and catching up; all moves on demand."""
        facts, language = self._played.facts, self._texts.language
        with html.ul().classes("stack tight small"):
            for verdict in self._played.verdicts:
                if verdict.player == facts.bet:
                    html.li(announce(verdict.score.species, verdict.score.total, [facts.narrator], language))
            for line in catch_up_lines(self._played, language):
                html.li(line)
        with html.details():
            html.summary(self._texts("All moves of the figures")).classes("small")
            with html.ol().classes("stack tight small moves"):
                for move in self._played.moves:
                    html.li(move_line(move, self._texts))

    def _corrections(self) -> None:
        if not self._told.corrections:
            return
        with html.div().classes("notice ask stack tight"):
            html.strong(self._texts("Put right"))
            with html.ul().classes("stack tight small"):
                for entry in self._told.corrections:
                    html.li(correction_line(entry, self._texts))

    # Films.

    def _film(self, making: Making | None, make: Callable[[], None]) -> None:
        match self._told.film:
            case FilmState.THERE:
                about = (self._folder, self._number)
                with film_widget(film_address(*about), self._film_name(), self._texts, poster_address(*about)):
                    track = html.track(kind="captions", src=captions_address(*about))
                    track.props["srclang"] = self._texts.language.value
                    track.props["label"] = self._texts("Announcements")
                html.p(self._texts("As the camera sees it, not as in a mirror.")).classes("quiet small")
            case FilmState.COMING:
                html.p(self._texts("The film of this round is being made.")).classes("notice").props("role=status")
            case FilmState.HELD:
                self._held_film(making, make)
            case FilmState.LOST:
                html.p(
                    self._texts(
                        "The film of this round is lost: the program ended before it was written, or the disk was full."
                    )
                ).classes("notice ask")
            case FilmState.NONE:
                html.p(
                    self._texts("There is no film of this round: it was played without a camera, or the disk was full.")
                ).classes("notice ask")
            case FilmState.DAMAGED:
                html.p(self._texts("What was kept of this round is damaged: its film cannot be shown.")).classes(
                    "notice bad"
                )

    def _held_film(self, making: Making | None, make: Callable[[], None]) -> None:
        """A film that was lost, though its pictures were not."""
        if making is not None and not making.problem:
            progress_widget(making, self._film_name(), self._texts)
            return
        if making is not None:
            html.p(self._texts(making.problem)).classes("notice bad").props("role=alert")
        held = self._texts("The film of this round is not made yet. Its pictures are held on this computer.")
        html.p(held).classes("notice ask")
        button = html.button(self._texts("Make the film")).classes("button").props("type=button")
        button.props["data-focus"] = f"film-{self._number}"
        button.on("click", make)

    def _film_name(self) -> str:
        return self._texts("Film of round {number}", number=self._number)

    def _seat_films(self, making: Mapping[int | None, Making], make: Callable[[int], None]) -> None:
        """One player near and slowly: shown where it was made, else to be asked for."""
        if self._told.film is not FilmState.THERE:
            return
        asked = any(seat is not None for seat in making)
        with html.details(open=bool(self._told.seat_films or asked)).classes("seat-films"):
            html.summary(self._texts("One player near and slowly"))
            with html.div().classes("stack"):
                for verdict in self._played.verdicts:
                    self._seat_film(verdict, making.get(verdict.seat))
                with html.div().classes("row tight"):
                    for verdict in self._played.verdicts:
                        known = making.get(verdict.seat)
                        if verdict.seat not in self._told.seat_films and (known is None or known.problem):
                            self._seat_film_button(verdict, make)

    def _seat_film(self, verdict: Verdict, making: Making | None) -> None:
        """The film of a seat that was made, or asked for."""
        if making is None:
            if verdict.seat in self._told.seat_films:
                player_name(verdict.player, self._game)
                address = seat_film_address(self._folder, self._number, verdict.seat)
                film_widget(address, self._seat_film_name(verdict), self._texts)
        elif making.problem:
            html.p(self._texts(making.problem)).classes("notice bad").props("role=alert")
        else:
            progress_widget(making, self._seat_film_name(verdict), self._texts)

    def _seat_film_button(self, verdict: Verdict, make: Callable[[int], None]) -> None:
        button = html.button().classes("button small").props("type=button")
        button.props["data-focus"] = f"seat-{self._number}-{verdict.seat}"
        button.props["aria-label"] = self._texts("Make: {film}", film=self._seat_film_name(verdict))
        button.on("click", lambda: make(verdict.seat))
        with button:
            player_name(verdict.player, self._game)

    def _seat_film_name(self, verdict: Verdict) -> str:
        return self._texts("Film of {player} in round {number}", player=verdict.player, number=self._number)


def film_widget(address: str, name: str, texts: Texts, poster: str = "") -> html.video:
    """A film with its controls; where it cannot be played, a sentence.

    Args:
        address: of the film.
        name: what a screen reader says.
        texts: in the language of the table.
        poster: address of the picture that stands for it until it plays.

    Returns:
        The film, for captions to be put into.
    """
    film = html.video(src=address).props("controls preload=none playsinline").classes("film")
    film.props["aria-label"] = name
    if poster:
        film.props["poster"] = poster
    problem = html.p(texts("This film cannot be played: its file is damaged or has gone.")).classes("notice bad")
    problem.props("hidden role=alert")
    # The browser alone knows, and tells itself.
    film.on("error", js_handler=_TELLS_TROUBLE)
    return film


_TELLS_TROUBLE: Final = (
    "(event) => { const film = event.target; film.hidden = true; film.nextElementSibling.hidden = false; }"
)


def progress_widget(making: Making, name: str, texts: Texts) -> None:
    """Show the progress of a film."""
    with html.div().classes("stack tight making").props("role=status"):
        html.span(texts("Being made: {film}", film=name)).classes("small")
        bar = html.progress(max="1", value=f"{making.share:.2f}")
        bar.props["aria-label"] = name


def move_line(move: FigureMove, texts: Texts) -> str:
    """One move of one figure: `Red's moose ahead 3, to space 8: the player's score`."""
    why = {
        Cause.SCORE: texts("the player's score"),
        Cause.BET: texts("the narrator's bet"),
        Cause.CATCH_UP: texts("the last catch up"),
    }[move.cause]
    animal = texts("moose") if move.figure.animal is Animal.MOOSE else texts("rabbit")
    return texts(
        "{player}, {animal}: {spaces}, now on space {place} ({why})",
        player=move.figure.player,
        animal=animal,
        spaces=f"{move.spaces:+d}".replace("-", "−"),
        place=move.place,
        why=why,
    )


def correction_line(entry: Entry, texts: Texts) -> str:
    """Describe a correction with its author, time and reason."""
    by = texts("{who_and_when}: {why}", who_and_when=correction_author(entry, texts), why=texts(entry.why))
    return f"{correction_words(entry, texts)} ({by})"
