"""The verdicts of a round as tiles, one for each player and one for all look-alikes.

Images and poses stand there as in a mirror, like the cards: the player's left at the left. A page that shows them
brings the style sheets `SHEETS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.referee.question import DOUBTS, EXEMPT_WORDS
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.art_names import card_name, pose_name
from bunnymoose_cv.web.art.card_art import SIZE, card_face
from bunnymoose_cv.web.art.figure_art import figure_art
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.auth.authors import SCREEN, author_name
from bunnymoose_cv.web.live.player_styles import style_of, styles_of
from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView, round_view, shown_round
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import contest_address
from bunnymoose_cv.web.widgets.landmark_overlay import still_image
from bunnymoose_cv.web.widgets.pose_lines import pose_lines, telling_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.rules.round import FigureMove
    from bunnymoose_cv.rules.scoring import Score, ScoreLine
    from bunnymoose_cv.rules.trail import Figure
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.likely_poses import LikelyPose
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView

SHEETS: Final = ("seen", "verdicts")
"""The style sheets that the tiles need, besides the house's own."""

CARDS: Final = "cards"
"""Part with the cards that lay on the piles; each tile is one, too, named by its place."""

_CARD_BOX: Final = f"0 0 {SIZE[0]:g} {SIZE[1]:g}"


def tile_parts(state: TableState, visitor: Visitor, texts: Texts, number: int | None = None) -> Mapping[str, Markup]:
    """Cards and tiles of a round, by part; unused parts are empty.

    Args:
        visitor: who looks; a player's own tile stands first on the player's phone.
        number: of the round; None for the newest that there are verdicts of.
    """
    number = number or shown_round(state.game)
    view = None if number is None else round_view(state, number)
    groups = () if view is None else _sorted(view, visitor)
    tiles = [] if view is None else [_Tile(view, group, state.game, visitor, texts).html() for group in groups]
    places, empty = tile_places(state.game), drawing("")
    tiles += [empty] * (len(places) - len(tiles))
    return {CARDS: empty if view is None else _cards(view, texts), **dict(zip(places, tiles, strict=True))}


def narrator_moves_html(state: TableState, visitor: Visitor, texts: Texts) -> Markup:
    """Moves of the narrator's figures in the round of the tiles, for the narrator's phone; nothing else."""
    number = shown_round(state.game)
    view = None if number is None else round_view(state, number)
    if view is None or view.narrator != visitor.player:
        return drawing("")
    return render("verdicts/moves", texts, moves=[_move(each, state.game, texts) for each in view.narrator_moves])


def tile_places(game: Game) -> tuple[str, ...]:
    """Names of the parts for tiles: as many as players can be seen."""
    return tuple(f"tile-{place}" for place in range(1, len(game.players)))


def _sorted(view: RoundView, visitor: Visitor) -> tuple[tuple[VerdictView, ...], ...]:
    """Look-alikes together; first those with the player whose phone it is, then those of whom a person was asked.

    Who was asked stays in front once it is told: tiles that moved would do so under somebody's finger.
    """
    own = visitor.player

    def place(group: tuple[VerdictView, ...]) -> tuple[bool, bool]:
        asked = any(each.asked or each.told is not None for each in group)
        return all(each.player != own for each in group), not asked

    return tuple(sorted(view.groups, key=place))


def _cards(view: RoundView, texts: Texts) -> Markup:
    faces = [drawing(card_face(card, texts)) for card in view.cards]
    return render("verdicts/laid_cards", texts, faces=faces, card_box=_CARD_BOX)


@dataclass(frozen=True, slots=True)
class _Tile:
    """One tile.

    Attributes:
        views: of the player, or of all look-alikes.
    """

    view: RoundView
    views: tuple[VerdictView, ...]
    game: Game
    visitor: Visitor
    texts: Texts

    def html(self) -> Markup:
        """The tile as HTML."""
        first, score = self.views[0], self.views[0].score
        standing = first.pose is not None
        return render(
            "verdicts/tile",
            self.texts,
            views=self.views,
            styles=styles_of(self.game.players, self.game.colours),
            badges=tuple(dict.fromkeys(self._badges())),
            figures=[self._figure(each) for each in self.views],
            pose=None if first.pose is None else self._pose(first.pose),
            doubts=[each for view in (self.views if standing else (first,)) for each in self._doubts(view)],
            say="" if score is None else announce(score.species, score.total, (), self.texts.language),
            species="" if score is None else score.species.value,
            lines=() if score is None else [self._line(each) for each in score.lines],
            reason="" if score is None else _reason_of_bush(score, self.texts),
            card_box=_CARD_BOX,
            moves=[each for view in self.views for each in self._moves(view)],
            question=self._question(first) if first.asked else None,
        )

    # Who it is.

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
                yield _name_corrector(view.corrections[-1].who, texts), "ask"
            elif view.told is not None:
                yield _name_teller(view.told.who, texts), "ask"

    def _figure(self, view: VerdictView) -> Mapping[str, object]:
        """Image at Bam, linked to the evidence of the verdict for whoever may see it."""
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
        """Crop of the player at Bam with landmarks; empty for a player who was not seen."""
        if view.read is None:
            return drawing("")
        name = self.texts("{player} at Bam, with the landmarks that were found", player=view.player)
        address = f"/still/{seen.number}/{view.seat}.jpg?at={seen.cue_s * 1000:.0f}"
        still, player = seen.still_of(view.seat), seen.player_in(view.seat)
        return drawing(still_image(address, still, player, view.read, name))

    # A verdict that stands, or waits for the cards.

    def _pose(self, pose: Pose) -> Mapping[str, object]:
        return {"art": drawing(pose_art(pose, self.texts)), "lines": pose_lines(pose, self.texts)}

    def _doubts(self, view: VerdictView) -> Iterator[tuple[str, str]]:
        """Fields of a verdict that were unsure, and those among them that do not matter, each with its kind."""
        texts = self.texts
        for exemption, words in EXEMPT_WORDS.items():
            if view.read is not None and exemption.value in view.read.exempt:
                yield texts(words), ""
        doubts = [texts(DOUBTS[name]) for name in view.doubts if name not in view.idle]
        if doubts and not view.asked:
            yield texts("Not sure: {doubts}", doubts="; ".join(doubts)), ""
        for name in view.doubts:
            if name in view.idle:
                yield texts("{doubt} does not matter here", doubt=DOUBTS[name]), "idle"

    def _line(self, line: ScoreLine) -> Mapping[str, str]:
        """Effect of a card, and the reason."""
        card = card_name(line.card, self.texts)
        return {"sort": _sort(line), "card": card, "why": self.texts(line.why), "worth": _worth(line)}

    def _moves(self, view: VerdictView) -> Iterator[Mapping[str, object]]:
        """Moves of the player's figures, and of the narrator's along with the bet."""
        along = self.view.narrator_moves if view.player == self.view.bet else ()
        return (_move(each, self.game, self.texts) for each in (*view.moves, *along))

    # A verdict that people are asked about.

    def _question(self, view: VerdictView) -> Mapping[str, object]:
        texts = self.texts
        doubts = [texts(DOUBTS[name]) for name in view.unclear if name not in view.idle] if view.likeliest else []
        return {
            "text": texts("What does {player} show?", player=view.player),
            "again": view.pose is not None,
            "doubts": texts("Not sure: {doubts}", doubts="; ".join(doubts)) if doubts else "",
            "may": self.visitor.may(Action.CORRECT_POSE, view.player),
            "round": view.round_number,
            "choices": list(self._choices(view)),
            "word": texts("Something else") if view.likeliest else texts("Say what it is"),
            "way": f"{contest_address(view.round_number, view.seat)}#correct",
        }

    def _choices(self, view: VerdictView) -> Iterator[Mapping[str, object]]:
        lines = telling_lines([each.pose for each in view.likeliest], self.texts)
        return (self._choice(view.player, *each) for each in zip(view.likeliest, lines, strict=True))

    def _choice(self, player: str, likely: LikelyPose, lines: tuple[str, ...]) -> Mapping[str, object]:
        texts, pose, score = self.texts, likely.pose, likely.score
        return {
            "art": drawing(pose_art(pose, texts)),
            "lines": lines,
            "pose": str(pose),
            "name": texts("{player}: {pose}", player=player, pose=pose_name(pose, texts)),
            "say": "" if score is None else announce(score.species, score.total, (), texts.language),
            "share": texts("{share:.0%}", share=likely.probability),
        }


def _name_corrector(who: str, texts: Texts) -> str:
    return (
        texts("put right at the table") if who == SCREEN else texts("put right by {who}", who=author_name(who, texts))
    )


def _name_teller(who: str, texts: Texts) -> str:
    return texts("told at the table") if who == SCREEN else texts("told by {who}", who=author_name(who, texts))


def _move(move: FigureMove, game: Game, texts: Texts) -> Mapping[str, object]:
    """A figure, and where it stands now."""
    figure = move.figure
    style = style_of(figure.player, game)
    words = _moved(figure, move.place, texts, caught_up=move.cause is Cause.CATCH_UP)
    return {"figure": drawing(figure_art(figure.animal, style.colour, style.symbol)), "words": words}


def _moved(figure: Figure, place: int, texts: Texts, *, caught_up: bool) -> str:
    player = figure.player
    if figure.animal is Animal.MOOSE:
        if caught_up:
            return texts("{player}’s moose catches up: space {place}", player=player, place=place)
        return texts("{player}’s moose: space {place}", player=player, place=place)
    if caught_up:
        return texts("{player}’s rabbit catches up: space {place}", player=player, place=place)
    return texts("{player}’s rabbit: space {place}", player=player, place=place)


def _reason_of_bush(score: Score, texts: Texts) -> str:
    """The reason of a bush, which is the same for all cards; empty for an animal, to which each card pays its own."""
    return texts(score.lines[0].why) if score.total is None and score.lines else ""


def _sort(line: ScoreLine) -> str:
    if line.factor != 1:
        return "factor"
    return "pays" if line.points > 0 else "costs" if line.points < 0 else "idle"


def _worth(line: ScoreLine) -> str:
    """Effect of a card, as a sign."""
    if line.factor != 1:
        return "×2" if line.factor > 0 else "±"
    return f"{line.points:+d}".replace("-", "−") if line.points else "0"
