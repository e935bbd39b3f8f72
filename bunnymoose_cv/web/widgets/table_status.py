"""Status of the table, in words for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.referee.game_history import taken_back
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.voice.phrases import ask_to_check, listed

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.table_state import TableState


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
    """Status and its mood.

    Attributes:
        headline: in a few words, to be read from three metres.
        hint: what there is to know besides; may be empty.
        verse: the line of the poem that is being recited, if one is.
    """

    mood: Mood
    headline: str
    hint: str = ""
    verse: str = ""


def waiting_for(state: TableState, texts: Texts) -> Waiting:
    """Describe the event that the table waits for now."""
    game = state.game
    if state.paused and game.phase is not Phase.OVER:
        return Waiting(Mood.PAUSE, texts("The table takes a break"), texts("No Bam counts until it goes on."))
    if state.judging:
        return Waiting(Mood.FREEZE, texts("Bam! Nobody moves"), texts("The referee looks at everybody."))
    match game.phase:
        case Phase.BETTING:
            return _reciting(state, texts) or _betting(game, texts)
        case Phase.DEALING:
            return _reciting(state, texts) or _hunter(state, texts) or _dealing(game, texts)
        case Phase.FROZEN:
            return _frozen(state, texts)
        case Phase.OVER:
            return _over(game, texts)


def verdicts_stand(state: TableState) -> bool:
    """Tell if the verdicts of the last Bam are what everybody looks at: until the next bet or card."""
    if state.judging:
        return False
    return state.game.phase in {Phase.FROZEN, Phase.OVER} or between_rounds(state.game)


def between_rounds(game: Game) -> bool:
    """Tell if a round is over and nothing has been done in the next one: people still sit as they sat."""
    return bool(game.rounds) and game.phase is Phase.BETTING and game.bet is None and not game.laid


def _betting(game: Game, texts: Texts) -> Waiting:
    if game.bet is None:
        headline = texts("{narrator} narrates: bet on somebody or lay the first card", narrator=game.narrator)
        return Waiting(Mood.BET, headline, texts("The narrator’s figure moves along with whoever the bet lies on."))
    headline = texts("{narrator} bets on {player}: lay the first card", narrator=game.narrator, player=game.bet)
    return Waiting(Mood.BET, headline, texts("Until then the bet may change."))


def _reciting(state: TableState, texts: Texts) -> Waiting | None:
    """Line of the poem that the dealer recites; None while it rests."""
    if state.deal is None or state.deal.line is None:
        return None
    line = state.deal.poem[state.deal.line]
    return Waiting(Mood.DEAL, texts("The referee deals: get ready"), verse=f"{line.draw} {line.lay}")


def _hunter(state: TableState, texts: Texts) -> Waiting | None:
    if not state.hunter:
        return None
    return Waiting(Mood.DEAL, texts("The hunter lies there: Bam?"), texts("A shout or a press says so."))


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
        hint = _piles_to_tell(len(game.piles), game.rules.piles, texts)
        return Waiting(Mood.CHECK, texts("Bam! Say which cards lie on the piles"), hint)
    if state.camera is CameraState.NONE:
        headline = texts("Bam! Say what everybody shows")
        return Waiting(Mood.CHECK, headline, texts("One player after the other, from the left."))
    headline = ask_to_check(state.asked or game.seats, texts.language)
    if state.asked and taken_back(state.entries).issuperset(state.asked):
        return Waiting(Mood.CHECK, headline, texts("Their verdicts were taken back: say what they show."))
    return Waiting(Mood.CHECK, headline, texts("The referee is not sure: one tap says what it is."))


def _piles_to_tell(known: int, piles: int, texts: Texts) -> str:
    """Name the cards that the referee still needs."""
    if not known:
        return texts("No card is known yet: tell those of all {piles} piles.", piles=piles)
    return texts(
        "{known} of {piles} piles are known: tell the cards of the others, or all {piles}.", known=known, piles=piles
    )


def _over(game: Game, texts: Texts) -> Waiting:
    winners = [standing.player for standing in game.ranking if standing.place == 1]
    if len(winners) == 1:
        return Waiting(Mood.OVER, texts("{player} wins!", player=winners[0]), texts("The game is over."))
    names = listed(winners, texts.language)
    return Waiting(Mood.OVER, texts("{players} win together!", players=names), texts("The game is over."))
