"""Summary of a finished round: cards, poses, scores, moves, corrections, films."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.voice.announcing import catch_up_lines
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.art_names import pose_name
from bunnymoose_cv.web.art.card_art import card_face
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import (
    captions_address,
    film_address,
    game_number,
    poster_address,
    seat_film_address,
)
from bunnymoose_cv.web.widgets.corrections_list import correction_author, correction_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from markupsafe import Markup

    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.record.past_evening import PastRound
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import FigureMove, Round, Verdict
    from bunnymoose_cv.web.live.film_jobs import Making


def round_card_html(
    told: PastRound, folder: Path, game: Game, making: Mapping[int | None, Making], texts: Texts
) -> Markup:
    """One round on the page.

    Args:
        making: what is known of films that were asked for: of seats, and under None of the whole round.
    """
    played, number = told.played, told.played.facts.number
    asked = any(seat is not None for seat in making)
    return render(
        "history/round",
        texts,
        facts=played.facts,
        styles=styles_of(game.players, game.colours),
        faces=[drawing(card_face(card, texts)) for card in played.facts.cards],
        verdicts=[_verdict(each, told, folder, making, texts) for each in played.verdicts],
        lines=[*_copied(played, texts.language), *catch_up_lines(played, texts.language)],
        moves=[move_line(move, texts) for move in played.moves],
        corrections=[correction_line(entry, texts) for entry in told.corrections],
        state=told.film.value,
        making=making.get(None),
        game=game_number(folder),
        film_name=texts("Film of round {number}", number=number),
        address=film_address(folder, number),
        poster=poster_address(folder, number),
        captions=captions_address(folder, number),
        seats_open=bool(told.seat_films or asked),
    )


def _verdict(
    verdict: Verdict, told: PastRound, folder: Path, making: Mapping[int | None, Making], texts: Texts
) -> Mapping[str, object]:
    """Pose and score of a player, and the film of that seat."""
    score, number = verdict.score, told.played.facts.number
    return {
        "player": verdict.player,
        "seat": verdict.seat,
        "art": drawing(pose_art(score.pose, texts)),
        "pose": pose_name(score.pose, texts),
        "said": announce(score.species, score.total, (), texts.language),
        "species": "" if score.species is Animal.BUSH else score.species.value,
        "film": texts("Film of {player} in round {number}", player=verdict.player, number=number),
        "making": making.get(verdict.seat),
        "has_film": verdict.seat in told.seat_films,
        "address": seat_film_address(folder, number, verdict.seat),
    }


def _copied(played: Round, language: Language) -> Iterator[str]:
    """Announcement of the score that the narrator got by the bet."""
    for verdict in played.verdicts:
        if verdict.player == played.facts.bet:
            yield announce(verdict.score.species, verdict.score.total, [played.facts.narrator], language)


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
