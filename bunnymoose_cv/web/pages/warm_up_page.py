"""The warm-up page: who sits where, then each pose with the time left, then what the referee understood of whom."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nicegui import background_tasks, html, run, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpPhase
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.check_box import check
from bunnymoose_cv.web.widgets.exemption_choices import ExemptionChoices
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from bunnymoose_cv.session.warmup.understanding import Understanding
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpView
    from bunnymoose_cv.session.warmup.warm_up_round import WarmUpState
    from bunnymoose_cv.session.warmup.warm_up_steps import WarmUpStep
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    keys = (
        KeyWords(("b",), texts("Begin the warm-up")),
        KeyWords(("n",), texts("Skip this pose")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    with page_frame(host, visitor, texts("Warm-up"), sheets=("table", "warm_up"), keys=keys) as frame:
        _WarmUpPage(host, visitor, frame).begin()


@dataclass(frozen=True, slots=True)
class _Asked:
    """Content of the main panel; it is built anew when this changes."""

    phase: WarmUpPhase
    number: int = 0
    again: bool = False
    step: WarmUpStep | None = None
    only: tuple[str, ...] = ()
    understood: tuple[Understanding, ...] = ()


class _WarmUpPage:
    """The page of the table's owner."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._guide: WarmUpGuide | None = None
        self._shown = -1
        self._stop_listening: Callable[[], None] = lambda: None
        texts = self._texts
        with html.div().classes("warm-up"):
            with html.header().classes("row apart"):
                html.h1(texts("Warm-up"))
                self._back()
            self._problem: Region[str] = Region(html.div().classes("problem"), self._build_problem)
            with html.figure().classes("mirror"):
                ui.html(art_definitions(), sanitize=False)
                with html.div().classes("glass"):
                    html.img(src="/live.mjpeg", alt=texts("The players, as in a mirror"))
                    self._overlay = ui.html("", sanitize=False).classes("over")
                self._absent: Region[tuple[str, ...]] = Region(html.figcaption(), self._build_absent)
            with html.section().classes("panel stack asked"):
                self._left: Region[tuple[bool, int] | None] = Region(html.div().classes("left"), self._build_left)
                self._asked: Region[_Asked] = Region(
                    html.div().classes("stack").props("aria-live=polite"), self._build_asked
                )
            self._row = html.section().classes("panel stack people")
            self._people: Region[tuple[str, ...]] = Region(self._row, self._build_people)

    def begin(self) -> None:
        """Open the warm-up, and let go of it with the last page."""
        self._problem.show(self._texts("One moment: the camera is being opened."))
        ui.timer(0, self._open, once=True)
        ui.context.client.on_delete(self._leave)

    def _back(self) -> None:
        """The way on, at any time."""
        playing = self._host.session is not None
        words = self._texts("Back to the table") if playing else self._texts("On to the game")
        html.a(words, href="/table" if playing else "/setup").classes("button")

    async def _open(self) -> None:
        if not self._visitor.may(Action.SET_UP):
            return
        try:
            guide = await run.io_bound(self._host.warm_up)
        except InputError as error:
            self._problem.show(self._texts(error.sentence))
            return
        if guide is not None:
            self._follow(guide)

    def _follow(self, guide: WarmUpGuide) -> None:
        """Show each of its states on the server's loop."""
        self._guide, loop, client = guide, asyncio.get_running_loop(), ui.context.client

        def show_newest() -> None:
            if not client.is_deleted:
                with client:
                    self._show(guide.state)

        def soon(_: WarmUpView) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(show_newest)

        self._stop_listening = guide.listen(soon)
        self._people.show(guide.players)
        self._show(guide.state)

    async def _leave(self) -> None:
        """The camera rests when nobody looks at the warm-up any more."""
        guide, self._guide = self._guide, None
        self._stop_listening()
        if guide is not None and not guide.is_watched and guide is self._host.guide:
            await run.io_bound(self._host.stop_warming_up)

    async def _do(self, deed: Callable[[WarmUpGuide], Future[None]]) -> None:
        guide = self._guide
        if guide is not None and self._visitor.may(Action.SET_UP):
            await self._frame.attempt(lambda: deed(guide))

    def _do_soon(self, deed: Callable[[WarmUpGuide], Future[None]]) -> None:
        background_tasks.create(self._do(deed), name="warm-up")

    def _button(
        self, name: str, deed: Callable[[WarmUpGuide], Future[None]], *, key: str = "", classes: str = ""
    ) -> None:
        """A button, with its key where it has one."""
        button = html.button().classes(f"button {classes}").props("type=button")
        button.props["data-focus"] = name
        with button:
            html.span(name)
            if key:
                button.props(f"aria-keyshortcuts={key}")
                html.kbd(key).props("aria-hidden=true")
        button.on("click", lambda: self._do(deed), args=[])

    # What is shown.

    def _show(self, state: WarmUpView) -> None:
        if state.version <= self._shown:
            return
        self._shown = state.version
        self._problem.show(self._texts(state.problem))
        self._asked.show(_asked(state))
        self._row.set_visibility(state.phase is not WarmUpPhase.POSES)  # nobody changes seats in the middle
        self._left.show(_left(state.round))
        latest = None if self._guide is None else self._guide.latest_reading
        if latest is not None:
            self._overlay.content = overlay(latest.reading, state.row, self._host.looks)
            self._absent.show(missing(latest.reading, state.row))

    def _build_problem(self, sentence: str) -> None:
        if sentence:
            html.div(sentence, role="status").classes("notice ask")

    def _build_absent(self, absent: tuple[str, ...]) -> None:
        if absent:
            html.span(self._texts("? Not seen: {names}", names=", ".join(absent))).classes("badge ask")
        else:
            html.span(self._texts("Everybody is seen."))

    def _build_asked(self, asked: _Asked) -> None:
        if asked.step is not None:
            self._build_step(asked, asked.step)
        elif asked.phase is WarmUpPhase.OVER:
            self._build_understood(asked.understood)
        elif asked.phase is WarmUpPhase.SEATING:
            self._build_seating()

    def _build_seating(self) -> None:
        texts = self._texts
        html.h2(texts("Five poses, half a minute"))
        html.p(
            texts(
                "Everybody shows them at once, and the referee learns everybody’s hands. "
                "They are also all that a beginner has to know."
            )
        )
        html.p(texts("Sit so that each name stands over its own head. Only numbers are kept, no picture."))
        with html.div().classes("row"):
            self._button(texts("Begin the warm-up"), lambda guide: guide.begin(), key="b", classes="main large")

    def _build_step(self, asked: _Asked, step: WarmUpStep) -> None:
        texts = self._texts
        told = texts("Pose {number} of {count}", number=asked.number, count=len(STEPS))
        html.p(f"{told} · {', '.join(asked.only)}" if asked.only else told).classes("eyebrow")
        words = texts(step.words)
        html.h2(texts("Once more. {line}", line=words) if asked.again else words).classes("instruction")
        with html.div().classes("row pose-words"):
            ui.html(pose_art(step.asked, texts), sanitize=False).classes("pose")
            html.p(texts(step.manual)).classes("large")
        with html.div().classes("row"):
            self._button(texts("Skip this pose"), lambda guide: guide.skip(), key="n")
            self._button(texts("Leave off"), lambda guide: guide.leave_off())

    def _build_understood(self, understood: tuple[Understanding, ...]) -> None:
        texts = self._texts
        html.h2(texts("What the referee understood"))
        with html.ul().classes("understood"):
            for each in understood:
                with html.li():
                    with html.div():
                        html.p(texts(each.words))
                        self._build_missed(each)
                    self._button(
                        texts("{player} once more", player=each.player),
                        lambda guide, name=each.player: guide.begin(frozenset({name})),  # type: ignore[misc]
                    )
        with html.div().classes("row"):
            self._button(texts("Everybody once more"), lambda guide: guide.begin(), key="b")
            html.a(texts("On to the game"), href="/setup").classes("button main")

    def _build_missed(self, understood: Understanding) -> None:
        """The poses that nothing was learnt from, small, as they were asked for."""
        if not understood.missed:
            return
        html.p(self._texts("Not recognised, so nothing is learnt from it:")).classes("small quiet")
        with html.div().classes("row tight"):
            for pose in understood.missed:
                ui.html(pose_art(pose, self._texts), sanitize=False).classes("pose small-pose")

    def _build_left(self, left: tuple[bool, int] | None) -> None:
        if left is None:
            return
        counts, seconds = left
        with html.div().classes("row countdown"):
            html.strong(f"{seconds}").classes("huge number").props("aria-hidden=true")
            html.span(self._texts("Hold it!") if counts else self._texts("Take the pose …")).classes("large")

    # Who sits there, and what is not judged of whom.

    def _build_people(self, players: tuple[str, ...]) -> None:
        texts = self._texts
        guide = self._guide
        if guide is None:
            return
        html.h2(texts("Who sits in the row?"))
        html.p(texts("From the left of the picture, as they sit; in the mirror from the right.")).classes("quiet")
        row = set(guide.state.row)

        def sit(player: str, there: bool) -> None:  # noqa: FBT001 - what the box shows
            row.symmetric_difference_update({player} if there is not (player in row) else ())
            self._do_soon(lambda guide: guide.sit(tuple(row)))

        with html.ol().classes("stack tight"):
            for player in players:
                with html.li().classes("stack tight"):
                    check(player, player in row, lambda there, name=player: sit(name, there))  # type: ignore[misc]
                    ExemptionChoices(
                        player,
                        guide.state.exempt.get(player, frozenset()),
                        texts,
                        lambda parts, name=player: self._do_soon(lambda guide: guide.exempt(name, parts)),  # type: ignore[misc]
                    )


def _asked(state: WarmUpView) -> _Asked:
    """Content of the main panel of a state."""
    if state.round is not None and state.round.step is not None:
        only = tuple(name for name in state.row if name in state.asked) if len(state.asked) < len(state.row) else ()
        return _Asked(state.phase, state.round.number, state.round.again, state.round.step, only)
    understood = tuple(state.understood.values()) if state.phase is WarmUpPhase.OVER else ()
    return _Asked(state.phase, understood=understood)


def _left(state: WarmUpState | None) -> tuple[bool, int] | None:
    """Tell if the pose counts by now, with the whole seconds left of that part."""
    if state is None or state.step is None:
        return None
    return state.counts, max(1, math.ceil(state.left_s if state.counts else state.moving_s))
