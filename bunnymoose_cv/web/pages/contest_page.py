"""The contest page: all that one verdict rests on, and putting it right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from nicegui import html, ui

from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.voice.phrases import announce
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.updates import follow
from bunnymoose_cv.web.live.verdict_view import round_view
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.correction_changes import changes_html
from bunnymoose_cv.web.widgets.corrections_list import correction_author, corrections_list
from bunnymoose_cv.web.widgets.frame_viewer import FrameViewer, viewer_keys
from bunnymoose_cv.web.widgets.html_parts import HtmlPart
from bunnymoose_cv.web.widgets.player_names import player_name
from bunnymoose_cv.web.widgets.pose_chooser import PoseChooser
from bunnymoose_cv.web.widgets.reading_panel import reading_panel
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.round_facts import bet_form, cards_form, round_cards
from bunnymoose_cv.web.widgets.verdict_tiles import SHEETS, pose_lines

if TYPE_CHECKING:
    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView
    from bunnymoose_cv.web.live.verdict_view import RoundView, VerdictView
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

    _Seen: TypeAlias = tuple[RoundEvidenceView | None]
    _RoundFacts: TypeAlias = tuple[Table, str | None]
    _Corrections: TypeAlias = tuple[tuple[Entry, ...], bool]

_NOTHING_ON: Final = Pose(None, None)
"""Pose of the chooser where nothing is known."""


def show(host: Host, visitor: Visitor, round_number: int, seat: int) -> None:
    """Build the page.

    Args:
        host: what is served.
        visitor: who looks.
        round_number: which round of the game that is played.
        seat: whose verdict, counted from 1 at the picture's left.
    """
    texts = host.texts
    keys = (*viewer_keys(texts), KeyWords(("?",), texts("These keys")))
    with page_frame(host, visitor, texts("Contest"), sheets=(*SHEETS, "contest"), keys=keys) as frame:
        if host.session is None:
            html.h1(texts("No game runs"))
            return
        view = round_view(host.session.state, round_number)
        if view is None or view.of_seat(seat) is None:
            html.h1(texts("There is no such verdict"))
            html.a(texts("To the verdicts"), href="/verdicts").classes("button main")
            return
        follow(host, _Contest(host, visitor, frame, round_number, seat).show)


class _Contest:
    """The page of one visitor about one verdict."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame, number: int, seat: int) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._session, self._number, self._seat = host.session, number, seat
        self._view: RoundView | None = None
        self._player = ""
        with html.div().classes("contest-page"):
            self._head: Region[str] = Region(html.header().classes("row apart"), self._build_head)
            self._verdict: Region[VerdictView] = Region(html.section().classes("panel stands"), self._build_verdict)
            self._viewer: Region[_Seen] = Region(html.section().classes("panel film"), self._build_viewer)
            self._reading: Region[_Seen] = Region(html.section().classes("panel reading"), self._build_reading)
            self._chooser: Region[Pose] = Region(html.section(id="correct").classes("panel"), self._build_chooser)
            self._changes = HtmlPart("changes", "section", "status")
            self._list: Region[_Corrections] = Region(html.section().classes("panel corrections"), self._build_list)
            self._round: Region[_RoundFacts] = Region(html.section().classes("panel round-facts"), self._build_round)

    def show(self, state: TableState) -> None:
        """Show what stands."""
        if self._host.session is not self._session:
            ui.navigate.reload()
            return
        view = round_view(state, self._number)
        verdict = None if view is None else view.of_seat(self._seat)
        if view is None or verdict is None:
            ui.navigate.to("/verdicts")  # the Bam has been taken back
            return
        self._view, self._player = view, verdict.player
        self._head.show(verdict.player)
        self._changes.show(changes_html(state, self._texts))
        self._viewer.show((view.seen,))
        self._verdict.show(verdict)
        self._reading.show((view.seen,))
        self._chooser.show(_begin_with(verdict))
        self._round.show((view.cards, view.bet))
        self._list.show((view.corrections, view.can_take_back))

    @property
    def _may_put_right(self) -> bool:
        return self._visitor.may(Action.PUT_RIGHT, self._player)

    # What stands on the page.

    def _build_head(self, player: str) -> None:
        with html.h1().classes("row tight"):
            html.span(self._texts("Round {number}:", number=self._number))
            player_name(player, self._host.at_table().state.game)
        html.a(self._texts("All verdicts"), href=f"/verdicts/{self._number}").classes("button")

    def _build_viewer(self, shown: _Seen) -> None:
        seen = shown[0]
        html.h2(self._texts("Around Bam"))
        if seen is None:
            html.p(self._texts("No pictures were kept of this round.")).classes("quiet")
        else:
            FrameViewer(seen, self._seat, self._player, self._texts)

    def _build_verdict(self, verdict: VerdictView) -> None:
        texts = self._texts
        html.h2(texts("The verdict"))
        if verdict.score is not None:
            say = announce(verdict.score.species, verdict.score.total, (), texts.language)
            html.p(say).classes(f"say {verdict.score.species.value}")
        if verdict.pose is None:
            html.p(texts("{player} waits for somebody to say what it is.", player=verdict.player)).classes("say ask")
        else:
            with html.div().classes("shown"):
                ui.html(pose_art(verdict.pose, texts), sanitize=False).classes("pose")
                with html.ul():
                    for words in pose_lines(verdict.pose, texts):
                        html.li(words)
        said = (*((verdict.told,) if verdict.told is not None else ()), *verdict.corrections)[-1:]
        for entry in said:
            html.p(texts("Said by {who}", who=correction_author(entry, texts))).classes("quiet")
        if verdict.moved_s is not None:
            words = texts("{player} moved {seconds:.1f} s after Bam", player=verdict.player, seconds=verdict.moved_s)
            html.p(words).classes("badge bad")
        if self._may_put_right:  # on a phone the form stands far below
            html.a(texts("Put right"), href="#correct").classes("button main to-the-form")
        else:
            who = texts("The table’s screen and {player}’s phone can put this right.", player=self._player)
            html.p(who).classes("notice")

    def _build_reading(self, shown: _Seen) -> None:
        reading_panel(shown[0], self._seat, self._texts)

    # Putting it right.

    def _build_chooser(self, pose: Pose) -> None:
        if not self._may_put_right:
            return
        texts = self._texts
        html.h2(texts("What does {player} show?", player=self._player))
        PoseChooser(pose, self._player, self._put_right, self._consequence, texts)

    async def _put_right(self, pose: Pose) -> None:
        session, who = self._host.at_table(), self._visitor.name
        game = session.state.game
        unjudged = self._number == game.round_number and self._player not in game.poses
        number = None if unjudged and game.phase is Phase.FROZEN else self._number
        await self._frame.attempt(lambda: session.put_right(self._player, pose, who, number))

    def _consequence(self, pose: Pose) -> str:
        """Describe the score of a pose."""
        view = self._view
        if view is None:
            return ""
        game = self._host.at_table().state.game
        rules = game.round_rules if view.played is None else view.played.facts.rules
        if len(view.cards) < rules.piles:
            return ""
        scored = score(pose, view.cards, rules)
        return announce(scored.species, scored.total, (), self._texts.language)

    def _build_round(self, facts: _RoundFacts) -> None:
        cards, bet = facts
        round_cards(cards, self._texts)
        if not self._visitor.may(Action.CORRECT_TABLE) or self._view is None:
            return
        name, number = self._visitor.name, self._number
        seats = tuple(view.player for view in self._view.verdicts)
        table, frame, texts = self._host.at_table, self._frame, self._texts
        cards_form(cards, lambda laid: table().correct_table(number, laid, name), frame, texts)
        bet_form(bet, seats, lambda player: table().correct_bet(number, player, name), frame, texts)

    def _build_list(self, corrections: _Corrections) -> None:
        entries, newest = corrections

        async def undo() -> None:
            await self._frame.attempt(lambda: self._host.at_table().undo(self._visitor.name))

        corrections_list(entries, undo if newest and self._visitor.may(Action.UNDO) else None, self._texts)


def _begin_with(verdict: VerdictView) -> Pose:
    """Return the chooser's first pose: the standing one, else the likeliest."""
    if verdict.pose is not None:
        return verdict.pose
    return verdict.likeliest[0].pose if verdict.likeliest else _NOTHING_ON
