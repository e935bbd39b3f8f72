"""The verdicts of a round as tiles, one for each player and one for all look-alikes.

Pictures and poses stand there as in a mirror, like the cards: the player's left at the left.

    tiles = VerdictTiles(host, visitor, frame)      # on any page
    tiles.show(state)                               # with each new state; builds anew only what changed

A page that shows them brings the style sheets `SHEETS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.referee.question import DOUBTS, EXEMPT_WORDS
from bunnymoose_cv.rules.pose import Animal, Pose, Tongue
from bunnymoose_cv.rules.round import Cause
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.art_names import card_name, headgear_name, pose_name
from bunnymoose_cv.web.art.card_art import SIZE, card_face
from bunnymoose_cv.web.art.figure_art import figure_art
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.authors import author_name
from bunnymoose_cv.web.live.player_styles import style_of
from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView, round_view, shown_round
from bunnymoose_cv.web.widgets.landmark_overlay import still_picture
from bunnymoose_cv.web.widgets.player_names import player_name
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nicegui.element import Element

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.scoring import ScoreLine
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.likely_poses import LikelyPose
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

SHEETS: Final = ("seen", "verdicts")
"""The style sheets that the tiles need, besides the house's own."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """Content of one tile; equal to another exactly when it looks the same."""

    views: tuple[VerdictView, ...]
    bet: str | None
    cards: Table
    pictures: tuple[_Picture | None, ...]


@dataclass(frozen=True, slots=True)
class _Picture:
    """One player's picture: where it is fetched, the part of the frame that it shows, and the part that must be seen.

    A tile holds no more of the round: else it would be built anew under somebody's finger when something else changes.
    """

    address: str
    still: Box
    player: Box

    @classmethod
    def of(cls, seen: RoundEvidenceView, seat: int) -> _Picture:
        address = f"/still/{seen.number}/{seat}.jpg?at={seen.cue_s * 1000:.0f}"
        return cls(address, seen.still_of(seat), seen.player_in(seat))


class VerdictTiles:
    """The tiles of one round.

    Args:
        host: whose session.
        visitor: who looks; a player's own tile stands first on the player's phone.
        frame: of the page; told where something cannot be done.
        number: of the round; None for the newest that there are verdicts of.
    """

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame, number: int | None = None) -> None:
        self._host, self._visitor, self._frame, self._number = host, visitor, frame, number
        self._texts = host.texts
        self._cards: Region[Table] = Region(html.div().classes("laid-cards"), self._build_cards)
        self._holder = html.div().classes("verdicts")
        self.cover_with_tiles: list[Region[_Tile]] = []

    def show(self, state: TableState) -> None:
        """Show what stands; nothing before the first Bam."""
        number = self._number or shown_round(state.game)
        view = None if number is None else round_view(state, number)
        groups = () if view is None else self._sorted(view)
        if len(groups) != len(self.cover_with_tiles):
            self._holder.clear()
            with self._holder:
                self.cover_with_tiles = [self._empty_tile() for _ in groups]
        if view is not None:
            self._cards.show(view.cards)
            for region, group in zip(self.cover_with_tiles, groups, strict=True):
                seen = view.seen
                pictures = tuple(None if seen is None else _Picture.of(seen, each.seat) for each in group)
                region.show(_Tile(group, view.bet, view.cards, pictures))

    def _sorted(self, view: RoundView) -> tuple[tuple[VerdictView, ...], ...]:
        """Look-alikes together; first those with the player whose phone it is, then those of whom a person was asked.

        Who was asked stays in front once it is told: tiles that moved would do so under somebody's finger.
        """
        own = self._visitor.player

        def place(group: tuple[VerdictView, ...]) -> tuple[bool, bool]:
            asked = any(each.asked or each.told is not None for each in group)
            return all(each.player != own for each in group), not asked

        return tuple(sorted(view.groups, key=place))

    def _build_cards(self, cards: Table) -> None:
        """The cards that lay on the piles: the lines of all tiles draw them from here, seen or not."""
        for number, card in enumerate(cards):
            face = f'<g id="laid-{number}">{card_face(card, self._texts)}</g>'
            ui.html(_card_svg(face), sanitize=False).classes("laid-card")

    def _empty_tile(self) -> Region[_Tile]:
        article = html.article()
        return Region(article, lambda tile: self._build_tile(article, tile))

    def _build_tile(self, article: Element, tile: _Tile) -> None:
        first = tile.views[0]
        article.classes(replace="panel verdict asks" if first.asked else "panel verdict")
        self._build_head(tile)
        with html.div().classes(f"pictures of-{min(len(tile.views), 3)}"):
            for view, picture in zip(tile.views, tile.pictures, strict=True):
                self._build_picture(view, picture)
        if first.pose is not None:
            self._build_verdict(tile, first.pose)
        elif not first.asked:
            self._build_wait_for_cards(first)
        if first.asked:
            self._build_question(first)

    @property
    def _game(self) -> Game:
        return self._host.at_table().state.game

    # Who it is.

    def _build_head(self, tile: _Tile) -> None:
        with html.header().classes("row apart"):
            with html.h2().classes("row tight"):
                for view in tile.views:
                    player_name(view.player, self._game)
            with html.div().classes("row tight"):
                for words, kind in self._badges(tile):
                    html.span(words).classes(f"badge {kind}")

    def _badges(self, tile: _Tile) -> Iterator[tuple[str, str]]:
        texts = self._texts
        if len(tile.views) > 1:
            yield texts("look-alikes"), ""
        for view in tile.views:
            if view.player == tile.bet:
                yield texts("the narrator’s bet"), ""
            if view.moved_s is not None:
                yield texts("{player} moved {seconds:.1f} s after Bam", player=view.player, seconds=view.moved_s), "bad"
            if view.corrections:
                yield texts("put right by {who}", who=author_name(view.corrections[-1].who, texts)), "ask"
            elif view.told is not None:
                yield texts("told by {who}", who=author_name(view.told.who, texts)), "ask"

    def _build_picture(self, view: VerdictView, picture: _Picture | None) -> None:
        with html.figure():
            if view.read is not None and picture is not None:
                name = self._texts("{player} at Bam, with the landmarks that were found", player=view.player)
                drawn = still_picture(picture.address, picture.still, picture.player, view.read, name)
                ui.html(drawn, sanitize=False).classes("seen")
            elif picture is not None:
                html.p(self._texts("{player} was not seen", player=view.player)).classes("unseen quiet")
            self._build_way(view)

    def _build_way(self, view: VerdictView) -> None:
        """The way to all that is known of this verdict, for everybody: who may not put it right may look."""
        texts, player = self._texts, view.player
        word, name = texts("Look closer"), texts("Look closer at the verdict about {player}", player=player)
        if self._visitor.may(Action.PUT_RIGHT, player):
            word, name = texts("Contest"), texts("Contest the verdict about {player}", player=player)
        way = html.a(word, href=f"/contest/{view.round_number}/{view.seat}").classes("button small contest")
        way.props["aria-label"] = name

    # A verdict that stands.

    def _build_verdict(self, tile: _Tile, pose: Pose) -> None:
        score = tile.views[0].score
        if score is not None:
            say = announce(score.species, score.total, (), self._texts.language)
            html.p(say).classes(f"say {score.species.value}")
        with html.div().classes("shown"):
            ui.html(pose_art(pose, self._texts), sanitize=False).classes("pose")
            with html.ul():
                for words in pose_lines(pose, self._texts):
                    html.li(words)
        for view in tile.views:
            self._build_doubts(view)
        if score is None:
            html.p(self._texts("What it scores is known once all cards are.")).classes("quiet")
            return
        ui.html(self._lines(score.lines), sanitize=False).classes("lines")
        for view in tile.views:
            self._build_moves(view)

    def _build_doubts(self, view: VerdictView) -> None:
        """Name the fields of a verdict that were unsure, and those among them that do not matter."""
        texts = self._texts
        for exemption, words in EXEMPT_WORDS.items():
            if view.read is not None and exemption.value in view.read.exempt:
                html.p(texts(words)).classes("quiet")
        doubts = [texts(DOUBTS[name]) for name in view.doubts if name not in view.idle]
        if doubts and not view.asked:
            html.p(texts("Not sure: {doubts}", doubts="; ".join(doubts))).classes("quiet")
        for name in view.doubts:
            if name in view.idle:
                html.p(texts("{doubt} does not matter here", doubt=DOUBTS[name])).classes("quiet idle")

    def _build_wait_for_cards(self, view: VerdictView) -> None:
        """A doubt that may not matter: people are asked once the cards tell, if at all."""
        self._build_doubts(view)
        html.p(self._texts("Whether that matters is known once all cards are.")).classes("quiet")

    def _lines(self, lines: tuple[ScoreLine, ...]) -> str:
        """Describe the effect of each card, and the reason."""
        rows = "".join(
            f'<li class="{_sort(line)}">{_card_svg(f"""<use href="#laid-{number}"/>""", hidden=True)}'
            f'<span class="spoken">{escape(card_name(line.card, self._texts))}:</span>'
            f'<span class="why">{escape(self._texts(line.why))}</span>'
            f'<strong class="number">{_worth(line)}</strong></li>'
            for number, line in enumerate(lines)
        )
        return f"<ul>{rows}</ul>"

    def _build_moves(self, view: VerdictView) -> None:
        """Show the moves of the player's figures."""
        look = style_of(view.player, self._game)
        for move in view.moves:
            with html.p().classes("move"):
                ui.html(figure_art(move.figure.animal, look.colour, look.symbol), sanitize=False).classes("figure")
                html.span(
                    self._moved(view.player, move.figure.animal, move.place, caught_up=move.cause is Cause.CATCH_UP)
                )

    def _moved(self, player: str, animal: Animal, place: int, *, caught_up: bool) -> str:
        texts = self._texts
        if animal is Animal.MOOSE:
            if caught_up:
                return texts("{player}’s moose catches up: space {place}", player=player, place=place)
            return texts("{player}’s moose: space {place}", player=player, place=place)
        if caught_up:
            return texts("{player}’s rabbit catches up: space {place}", player=player, place=place)
        return texts("{player}’s rabbit: space {place}", player=player, place=place)

    # A verdict that people are asked about.

    def _build_question(self, view: VerdictView) -> None:
        texts = self._texts
        html.p(texts("What does {player} show?", player=view.player)).classes("say ask")
        if view.pose is not None:
            html.p(texts("With the cards that lie now it matters.")).classes("quiet")
        doubts = [texts(DOUBTS[name]) for name in view.unclear if name not in view.idle] if view.likeliest else []
        if doubts:
            html.p(texts("Not sure: {doubts}", doubts="; ".join(doubts))).classes("quiet")
        if not self._visitor.may(Action.PUT_RIGHT, view.player):
            return
        with html.div(role="group").classes("choices") as choices:
            choices.props["aria-label"] = texts("What does {player} show?", player=view.player)
            for likely in view.likeliest:
                self._build_choice(view, likely)
        way = html.a(
            texts("Something else") if view.likeliest else texts("Say what it is"),
            href=f"/contest/{view.round_number}/{view.seat}#correct",
        )
        way.classes("button")

    def _build_choice(self, view: VerdictView, likely: LikelyPose) -> None:
        texts, pose = self._texts, likely.pose
        words = pose_name(pose, texts)

        async def choose() -> None:
            number = None if view.pose is None else view.round_number
            table, who = self._host.at_table(), self._visitor.name
            await self._frame.attempt(lambda: table.put_right(view.player, pose, who, number))

        button = html.button(type="button").classes("choice").on("click", choose)
        button.props["aria-label"] = texts("{player}: {pose}", player=view.player, pose=words)
        button.props["data-focus"] = f"choice {view.seat} {pose}"
        with button:
            ui.html(pose_art(pose, texts), sanitize=False).props("aria-hidden=true").classes("pose")
            with html.span().classes("words"):
                for line in pose_lines(pose, texts):
                    html.span(line)
                if likely.score is not None:
                    html.strong(announce(likely.score.species, likely.score.total, (), texts.language))
            html.span(texts("{share:.0%}", share=likely.probability)).classes("number quiet")


def pose_lines(pose: Pose, texts: Texts) -> tuple[str, ...]:
    """A pose in words, one line a side, and one for a tongue that is out."""
    left, right = headgear_name(pose.left, texts), headgear_name(pose.right, texts)
    sides = (texts("left: {headgear}", headgear=left), texts("right: {headgear}", headgear=right))
    return (*sides, *((texts("tongue out"),) if pose.tongue is Tongue.OUT else ()))


def _sort(line: ScoreLine) -> str:
    if line.factor != 1:
        return "factor"
    return "pays" if line.points > 0 else "costs" if line.points < 0 else "idle"


def _worth(line: ScoreLine) -> str:
    """Effect of a card, as a sign."""
    if line.factor != 1:
        return "×2" if line.factor > 0 else "±"
    return f"{line.points:+d}".replace("-", "−") if line.points else "0"


def _card_svg(content: str, *, hidden: bool = False) -> str:
    spoken = ' aria-hidden="true"' if hidden else ""
    return f'<svg viewBox="0 0 {SIZE[0]:g} {SIZE[1]:g}"{spoken}>{content}</svg>'
