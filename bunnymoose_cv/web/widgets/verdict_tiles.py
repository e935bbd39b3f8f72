"""The verdicts of a round as tiles, one for each player or group of look-alikes.

Images and poses are mirrored, like the cards: the player's left is at the left. A page that shows tiles needs the style
sheets `SHEETS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.announcements.phrases import announce
from bunnymoose_cv.art.animals import figure_art
from bunnymoose_cv.art.art_names import card_name
from bunnymoose_cv.art.card_art import SIZE, card_face
from bunnymoose_cv.art.head_art import pose_art
from bunnymoose_cv.art.ink import signed
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.referee.question import DOUBTS, EXEMPT_WORDS
from bunnymoose_cv.rules.pose import Animal, parse_headgear
from bunnymoose_cv.rules.provenance import NOBODY
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.web.auth.permissions import SCREEN, Action, author_name
from bunnymoose_cv.web.live.player_styles import style_of, styles_of
from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView, round_view, shown_round
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import contest_address
from bunnymoose_cv.web.widgets.landmarks import still_image
from bunnymoose_cv.web.widgets.poses import pose_lines
from bunnymoose_cv.web.widgets.question_tiles import question_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import FigureMove
    from bunnymoose_cv.rules.scoring import Score, ScoreLine
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView

SHEETS: Final = ("seen", "verdicts", "asking")
"""Style sheets of pages with tiles."""

CARDS: Final = "cards"
"""Part with the cards that were on the piles; each tile is a part, too, named by its position."""

_CARD_BOX: Final = f"0 0 {SIZE[0]:g} {SIZE[1]:g}"


def tile_parts(state: TableState, visitor: Visitor, texts: Texts, number: int | None = None) -> Mapping[str, Markup]:
    """Return the cards and tiles of a round by part, None for the newest with verdicts; unused parts are empty."""
    view, places = round_view(state, number or shown_round(state.game) or 0), tile_places(state.game)
    parts = dict.fromkeys((CARDS, *places), drawing(""))
    if view is not None:
        faces = [drawing(card_face(card, texts)) for card in view.cards]
        parts[CARDS] = render("verdicts/laid_cards", texts, faces=faces, card_box=_CARD_BOX)
        parts |= zip(places, _tiles(view, state, visitor, texts), strict=False)
    return parts


def narrator_moves_html(state: TableState, visitor: Visitor, texts: Texts) -> Markup:
    """Render the moves of the narrator's figures in the round of the tiles; empty for all but the narrator's phone."""
    view = round_view(state, shown_round(state.game) or 0)
    if view is None or view.narrator != visitor.player:
        return drawing("")
    return render("verdicts/moves", texts, moves=[_move(move, state.game, texts) for move in view.narrator_moves])


def tile_places(game: Game) -> tuple[str, ...]:
    """Return the names of the parts for tiles, one for each player who can be seen."""
    return tuple(f"tile-{place}" for place in range(1, len(game.players)))


def _sorted(view: RoundView, visitor: Visitor) -> tuple[tuple[VerdictView, ...], ...]:
    """Return the groups of look-alikes: first the phone's own player, then players about whom a question was asked.

    A player keeps the position once the question is answered, since tiles must not move under a finger.
    """
    own = visitor.player

    def place(group: tuple[VerdictView, ...]) -> tuple[bool, bool]:
        asked = any(verdict.asked or verdict.decision is not None for verdict in group)
        return all(verdict.player != own for verdict in group), not asked

    return tuple(sorted(view.groups, key=place))


def _tiles(view: RoundView, state: TableState, visitor: Visitor, texts: Texts) -> Iterator[Markup]:
    """Yield the tile of each group; keys answer the first question of the open round."""
    groups = _sorted(view, visitor)
    asked = [group[0].player for group in groups if group[0].asked and group[0].player in state.asked]
    for group in groups:
        if group[0].asked:
            has_keys = group[0].player in asked[:1]
            yield question_html(view, group[0], state, visitor, texts, has_keys=has_keys)
        else:
            yield _Tile(view, group, state.game, visitor, texts).html()


@dataclass(frozen=True, slots=True)
class _Tile:
    """One tile, with the verdicts about the player or about all look-alikes."""

    view: RoundView
    views: tuple[VerdictView, ...]
    game: Game
    visitor: Visitor
    texts: Texts

    def html(self) -> Markup:
        first, score = self.views[0], self.views[0].score
        return render(
            "verdicts/tile",
            self.texts,
            views=self.views,
            styles=styles_of(self.game.players, self.game.colours),
            badges=tuple(dict.fromkeys(self._badges())),
            figures=[self._figure(view) for view in self.views],
            pose=None if first.pose is None else self._pose(first, first.pose),
            doubts=[doubt for view in self.views for doubt in self._doubts(view)],
            say="" if score is None else announce(score.species, score.total, (), self.texts.language),
            species="" if score is None else score.species.value,
            lines=() if score is None else [self._line(line) for line in score.lines],
            reason="" if score is None else _reason_of_bush(score, self.texts),
            card_box=_CARD_BOX,
            moves=[move for view in self.views for move in self._moves(view)],
        )

    def _badges(self) -> Iterator[tuple[str, str]]:
        texts = self.texts
        if len(self.views) > 1:
            yield texts("look-alikes"), ""
        for view in self.views:
            if view.player == self.view.bet:
                yield texts("the narrator’s bet"), ""
            if view.moved_s is not None:
                yield texts("{player} moved {seconds:.1f} s after Bam", player=view.player, seconds=view.moved_s), "bad"
            if view.corrections:
                yield _correction_author(view.corrections[-1].who, texts), "ask"
            elif view.decision is not None:
                yield _answer_author(view.decision.who, texts), "ask"

    def _figure(self, view: VerdictView) -> Mapping[str, object]:
        """Return the image at Bam, with a link to the evidence of the verdict."""
        texts, player, seen = self.texts, view.player, self.view.seen
        word, name = texts("Look closer"), texts("Look closer at the verdict about {player}", player=player)
        if self.visitor.may(Action.CORRECT_POSE, player):
            word, name = texts("Contest"), texts("Contest the verdict about {player}", player=player)
        return {
            "image": "" if seen is None else self._image(view, seen),
            "unseen": "" if seen is None else texts("{player} was not seen", player=player),
            "player": player,
            "way": contest_address(view.round_number, view.seat),
            "word": word,
            "name": name,
        }

    def _image(self, view: VerdictView, seen: RoundEvidenceView) -> Markup:
        """Return the player at Bam with landmarks; empty for a player who was not seen."""
        if view.read is None:
            return drawing("")
        name = self.texts("{player} at Bam, with the landmarks that were found", player=view.player)
        address = f"/still/{seen.number}/{view.seat}.jpg?at={seen.cue_s * 1000:.0f}"
        still, player = seen.still_of(view.seat), seen.player_in(view.seat)
        return drawing(still_image(address, still, player, view.read, name))

    def _pose(self, view: VerdictView, pose: Pose) -> Mapping[str, object]:
        reasons = ("", "") if view.read is None else tuple(map(_why_nothing, (view.read.left, view.read.right)))
        parts = zip(pose_lines(pose, self.texts), (pose.left, pose.right, pose.tongue), (*reasons, ""), strict=False)
        lines = [f"{line} – {self.texts(why)}" if why and shown is None else line for line, shown, why in parts]
        return {"art": drawing(pose_art(pose, self.texts)), "lines": lines}

    def _doubts(self, view: VerdictView) -> Iterator[tuple[str, str]]:
        """Yield the unclear fields of a verdict, and those that do not matter, each with its kind."""
        texts = self.texts
        for exemption, words in EXEMPT_WORDS.items():
            if view.read is not None and exemption.value in view.read.exempt:
                yield texts(words), ""
        doubts = [texts(DOUBTS[name]) for name in view.doubts if name not in view.idle]
        if doubts:
            yield texts("Not sure: {doubts}", doubts="; ".join(doubts)), ""
        for name in view.doubts:
            if name in view.idle:
                yield texts("{doubt} does not matter here", doubt=DOUBTS[name]), "idle"

    def _line(self, line: ScoreLine) -> Mapping[str, str]:
        sort, worth = _worth(line)
        return {"sort": sort, "card": card_name(line.card, self.texts), "why": self.texts(line.why), "worth": worth}

    def _moves(self, view: VerdictView) -> Iterator[Mapping[str, object]]:
        """Return the moves of the player's figures, and of the narrator's along with the bet."""
        along = self.view.narrator_moves if view.player == self.view.bet else ()
        return (_move(move, self.game, self.texts) for move in (*view.moves, *along))


def _why_nothing(read: HeadgearEvidence) -> str:
    """Return why a visible hand counts as nothing: its position, otherwise its fingers; empty without a hand."""
    if read.measures is None or parse_headgear(read.headgear) is not None:
        return ""
    place = [reason for reason in read.reasons if reason.template.endswith("count")]
    fingers = [reason for reason in read.reasons if "finger" in reason.template]
    return next(iter((*place, *fingers)), "")


def _correction_author(who: str, texts: Texts) -> str:
    return (
        texts("corrected at the table") if who == SCREEN else texts("corrected by {who}", who=author_name(who, texts))
    )


def _answer_author(who: str, texts: Texts) -> str:
    if who == NOBODY:
        return texts("nobody answered: the likeliest counts")
    return texts("said at the table") if who == SCREEN else texts("said by {who}", who=author_name(who, texts))


def _move(move: FigureMove, game: Game, texts: Texts) -> Mapping[str, object]:
    figure = move.figure
    style = style_of(figure.player, game)
    words = _MOVES[figure.animal, move.cause is Cause.CATCH_UP].template
    return {
        "figure": drawing(figure_art(figure.animal, style.colour, style.symbol)),
        "words": texts(words, player=figure.player, place=move.place),
        "place": move.place,
    }


_MOVES: Final = {
    (Animal.MOOSE, False): Phrase("{player}’s moose: space {place}"),
    (Animal.MOOSE, True): Phrase("{player}’s moose catches up: space {place}"),
    (Animal.RABBIT, False): Phrase("{player}’s rabbit: space {place}"),
    (Animal.RABBIT, True): Phrase("{player}’s rabbit catches up: space {place}"),
}
"""Words about a move, by animal, and whether it catches up."""


def _reason_of_bush(score: Score, texts: Texts) -> str:
    """Return the reason for a bush, the same for all cards; empty for an animal, for which each card has its own."""
    return texts(score.lines[0].why) if score.total is None and score.lines else ""


def _worth(line: ScoreLine) -> tuple[str, str]:
    """Return the style class of a line, and its points or factor as printed."""
    if line.factor != 1:
        return ("factor", "×2") if line.factor > 0 else ("factor turns", "±")
    return "pays" if line.points > 0 else "costs" if line.points < 0 else "idle", signed(line.points)
