"""Summary of a finished round: cards, poses, scores, moves, films, and its corrections with their effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.announcing import catch_up_lines
from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.art.art_names import pose_name
from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.art.head_art import pose_art
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.web.auth.permissions import author_name
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import film_address, game_number, seat_film_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.game_corrections import ChangedFigure
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.record.past_evening import PastRound
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.round import FigureMove, Verdict
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.live.past_evenings import Making


def round_card_html(
    past: PastRound, folder: Path, game: Game, making: Mapping[int | None, Making], texts: Texts
) -> Markup:
    """Render one round of the history, with its requested films by seat; that of the whole round has the key None."""
    played, number = past.played, past.played.facts.number
    copied = [  # by the narrator's bet
        announce(verdict.score.species, verdict.score.total, [played.facts.narrator], texts.language)
        for verdict in played.verdicts
        if verdict.player == played.facts.bet
    ]
    return render(
        "history/round",
        texts,
        facts=played.facts,
        styles=styles_of(game.players, game.colours),
        faces=[drawing(card_face(card, texts)) for card in played.facts.cards],
        verdicts=[_verdict(verdict, past, folder, making, texts) for verdict in played.verdicts],
        lines=[*copied, *catch_up_lines(played, texts.language)],
        moves=[move_line(move, texts) for move in played.moves],
        corrections=[correction_line(entry, texts) for entry in past.corrections],
        state=past.film.value,
        making=making.get(None),
        game=game_number(folder),
        film_name=texts("Film of round {number}", number=number),
        address=film_address(folder, number),
        poster=film_address(folder, number, "jpg"),
        captions=film_address(folder, number, "vtt"),
        seats_open=bool(past.seat_films) or any(seat is not None for seat in making),
    )


def _verdict(
    verdict: Verdict, past: PastRound, folder: Path, making: Mapping[int | None, Making], texts: Texts
) -> Mapping[str, object]:
    """Return the pose and score of a player, and the film of that seat."""
    score, number = verdict.score, past.played.facts.number
    return {
        "player": verdict.player,
        "seat": verdict.seat,
        "art": drawing(pose_art(score.pose, texts)),
        "pose": pose_name(score.pose, texts),
        "said": announce(score.species, score.total, (), texts.language),
        "species": "" if score.species is Animal.BUSH else score.species.value,
        "film": texts("Film of {player} in round {number}", player=verdict.player, number=number),
        "making": making.get(verdict.seat),
        "has_film": verdict.seat in past.seat_films,
        "address": seat_film_address(folder, number, verdict.seat),
    }


def move_line(move: FigureMove, texts: Texts) -> str:
    """Describe one move of one figure: `Red, moose: +3, now on space 8 (the player's score)`."""
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


def corrections_html(entries: tuple[Entry, ...], texts: Texts, *, may_undo: bool) -> Markup:
    """Render the list of the corrections that were not taken back, the newest last."""
    lines = [(correction_words(entry, texts), correction_author(entry, texts)) for entry in entries]
    return render("contest/corrections", texts, entries=lines, may_undo=may_undo)


def correction_words(entry: Entry, texts: Texts) -> str:
    """Describe a correction."""
    match entry.event:
        case PoseCorrected(_, player, pose):
            return texts("{player}: {pose}", player=player, pose=pose_name(pose, texts))
        case TableCorrected(_, cards):
            return texts("The cards: {cards}", cards=" ".join(map(str, cards)))
        case BetCorrected(_, None):
            return texts("There was no bet")
        case BetCorrected(_, str(player)):
            return texts("The bet: {player}", player=player)
    raise AssertionError(entry.event)


def correction_author(entry: Entry, texts: Texts) -> str:
    """Return the author and local time of a correction."""
    return texts("{who}, {time}", who=author_name(entry.who, texts), time=f"{entry.time.astimezone():%H:%M}")


def changes_html(state: TableState, texts: Texts) -> Markup:
    """Render the effects of the newest correction until the next round begins.

    They are marked as outdated if the ranking has changed since.
    """
    if state.changes is None:
        return drawing("")
    return render(
        "verdicts/changes",
        texts,
        changed=state.changes,
        is_outdated=state.changes.after != state.game.ranking,
        figures=tuple(_figures(state.changes.figures, texts)),
        styles=styles_of(state.game.players, state.game.colours),
    )


def _figures(figures: tuple[ChangedFigure, ...], texts: Texts) -> Iterator[str]:
    """Yield for each figure the change after the last round in which it differs."""
    last = {figure.figure: figure for figure in figures}
    for figure in last.values():
        name = texts("moose") if figure.figure.animal is Animal.MOOSE else texts("rabbit")
        yield texts(
            "{player}’s {animal} after round {number}: space {after} instead of {before}",
            player=figure.figure.player,
            animal=name,
            number=figure.round_number,
            after=figure.after,
            before=figure.before,
        )
