"""Status of the table in words: what it waits for, and what its keys do or why they do nothing now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.phrases import announce_camera_lost, ask_to_check, listed
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor


class Mood(Enum):
    """Mood of the status line."""

    BET = "bet"
    DEAL = "deal"
    FREEZE = "freeze"
    CHECK = "check"
    PAUSE = "pause"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Status: a headline legible from three metres, a hint and, while the dealer recites, the line of the poem."""

    mood: Mood
    headline: str
    hint: str = ""
    verse: str = ""


def waiting_for(state: TableState, texts: Texts) -> Waiting:
    """Return the status: the event that the table waits for now."""
    game = state.game
    if state.paused and game.phase is not Phase.OVER:
        return Waiting(
            Mood.PAUSE, texts("The table takes a break"), texts("Bam does not count until the game goes on.")
        )
    if state.judging:
        return Waiting(Mood.FREEZE, texts("Bam! Nobody moves"), texts("The referee looks at everybody."))
    match game.phase:
        case Phase.BETTING:
            return _lost(state, texts) or _reciting(state, texts) or _betting(game, texts)
        case Phase.DEALING:
            return _lost(state, texts) or _reciting(state, texts) or _hunter(state, texts) or _dealing(game, texts)
        case Phase.FROZEN:
            return _frozen(state, texts)
        case Phase.OVER:
            return _over(game, texts)


def verdicts_are_shown(state: TableState) -> bool:
    """Return whether the verdicts of the last Bam are shown: from Bam until the next round begins."""
    recites = state.deal is not None and state.deal.line is not None
    if state.judging or (recites and state.game.phase is Phase.BETTING):
        return False
    return state.game.phase in {Phase.FROZEN, Phase.OVER} or between_rounds(state.game)


def between_rounds(game: Game) -> bool:
    """Return whether a round is over and nothing has happened in the next one, so that all seats are as before."""
    return bool(game.rounds) and game.phase is Phase.BETTING and game.bet is None and not game.laid


def _lost(state: TableState, texts: Texts) -> Waiting | None:
    """Return the status while the camera is lost, otherwise None."""
    if state.camera is not CameraState.LOST:
        return None
    hint = texts("The dealer rests, and shouts do not count as Bam. Everything goes on when the camera is back.")
    return Waiting(Mood.PAUSE, announce_camera_lost(texts.language), hint)


def _betting(game: Game, texts: Texts) -> Waiting:
    if game.bet is None:
        headline = texts("{narrator} narrates: bet on somebody or lay the first card", narrator=game.narrator)
        return Waiting(Mood.BET, headline, texts("The narrator’s figures move with the player who was bet on."))
    headline = texts("{narrator} bets on {player}: lay the first card", narrator=game.narrator, player=game.bet)
    return Waiting(Mood.BET, headline, texts("Until then the bet may change."))


def _reciting(state: TableState, texts: Texts) -> Waiting | None:
    """Return the line of the poem that the dealer recites; None while it rests."""
    if state.deal is None or state.deal.line is None:
        return None
    line = state.deal.poem[state.deal.line]
    return Waiting(Mood.DEAL, texts("The referee deals: get ready"), verse=f"{line.draw} {line.lay}")


def _hunter(state: TableState, texts: Texts) -> Waiting | None:
    if not state.hunter:
        return None
    return Waiting(Mood.DEAL, texts("There is the hunter: Bam?"), texts("A shout or a key says so."))


def _dealing(game: Game, texts: Texts) -> Waiting:
    if game.first_pass:
        headline = texts("{narrator} deals: lay the next card", narrator=game.narrator)
    else:
        headline = texts("{narrator} deals: go on, or say Bam", narrator=game.narrator)
    missing = game.rules.piles - len(game.piles)
    hint = texts.counted("{count} pile has no card yet.", "{count} piles have no card yet.", missing) if missing else ""
    return Waiting(Mood.DEAL, headline, hint or texts("Only the top card of each pile counts."))


def _frozen(state: TableState, texts: Texts) -> Waiting:
    game = state.game
    if game.first_pass:
        hint = _missing_piles(len(game.piles), game.rules.piles, texts)
        return Waiting(Mood.CHECK, texts("Bam! Say which cards are on the piles"), hint)
    if state.camera is CameraState.NONE:
        headline = texts("Bam! Say what everybody shows")
        return Waiting(Mood.CHECK, headline, texts("One player after the other, from the left."))
    headline = ask_to_check(state.asked or game.seats, texts.language)
    if state.asked and game.provenance.undone_verdicts.issuperset(state.asked):
        return Waiting(Mood.CHECK, headline, texts("Their verdicts were undone: say what they show."))
    return Waiting(Mood.CHECK, headline, texts("The referee is not sure: one tap says what it is."))


def _missing_piles(known: int, piles: int, texts: Texts) -> str:
    """Return the hint about the piles whose cards are unknown."""
    if not known:
        return texts("No card is known yet: enter the cards of all {piles} piles.", piles=piles)
    return texts(
        "{known} of {piles} piles are known: enter the cards of the others, or of all {piles}.",
        known=known,
        piles=piles,
    )


def _over(game: Game, texts: Texts) -> Waiting:
    winners = [standing.player for standing in game.ranking if standing.place == 1]
    if len(winners) == 1:
        return Waiting(Mood.OVER, texts("{player} wins!", player=winners[0]), texts("The game is over."))
    names = listed(winners, texts.language)
    return Waiting(Mood.OVER, texts("{players} win together!", players=names), texts("The game is over."))


BAM_KEYS: Final = "Space Enter PageDown PageUp"
"""Keys that trigger Bam, as `aria-keyshortcuts` names them."""

_BET: Final = "b 1 2 3 4 5"
_ROUND: Final = f"{BAM_KEYS} {_BET} c s + -"
"""Keys of all actions that are possible until Bam."""


def idle_keys_html(state: TableState, visitor: Visitor, texts: Texts) -> Markup:
    """Render the reasons why keys do nothing now; a script shows one when such a key is pressed."""
    return render("round/idle_keys", texts, reasons=tuple(_reasons(state, visitor, texts)))


def _reasons(state: TableState, visitor: Visitor, texts: Texts) -> Iterator[tuple[str, str]]:
    """Yield keys with their reason; the first reason for a key counts."""
    if not visitor.may(Action.BAM):
        yield f"{_ROUND} d u p", texts("This phone cannot do that right now.")
    elif state.game.phase is Phase.OVER:
        yield f"{_ROUND} p", texts("The game is over: begin a new one.")
    elif state.judging or state.game.phase is Phase.FROZEN:
        keys = f"{_ROUND} d u" if state.judging else _ROUND
        yield keys, texts("Not yet. First: {headline}", headline=waiting_for(state, texts).headline)
        yield "u", texts("Only Bam is left to undo: press “That was no Bam”.")
    else:
        yield from _before_bam(state, texts)
    yield "d", texts("There is no Bam to undo.")
    yield "u", texts("There is nothing to undo.")
    yield "h", texts("There is no camera to check.")


def _before_bam(state: TableState, texts: Texts) -> Iterator[tuple[str, str]]:
    if state.paused:
        yield BAM_KEYS, texts("Bam does not count during the break: go on first.")
    elif state.camera is CameraState.LOST:
        yield BAM_KEYS, announce_camera_lost(texts.language)
        yield "s", texts("The dealer rests until the camera is back.")
    if between_rounds(state.game):
        yield BAM_KEYS, texts("Bam counts once there is a bet or a card.")
    if state.game.phase is Phase.DEALING:
        yield _BET, texts("Cards are on the table: the bet stays as it is.")
    yield _BET, texts("{count} players can be bet on.", count=len(state.game.seats))
    if state.deal is None:
        yield "s + -", texts("People deal in this game.")
    elif state.deal.line is None:
        yield "+ -", texts("The dealer rests: deal first.")
    yield "+ -", texts("The poem cannot go any faster or slower.")
