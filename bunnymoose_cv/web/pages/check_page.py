"""The check page: the camera's own picture, and beside it a line for each check with what helps."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nicegui import html, run, ui

from bunnymoose_cv.calibration.checks.check_words import SIGNS, level_name, line_name
from bunnymoose_cv.calibration.finding import State
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.session.table_checker import CheckStep, request_of
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.calibration.checks.check_finding import CheckFinding
    from bunnymoose_cv.session.table_checker import CheckState, TableChecker
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.server.host import Host


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    keys = (
        KeyWords(("n",), texts("Skip this question")),
        KeyWords(("a",), texts("Check again")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    with page_frame(host, visitor, texts("Is the table ready?"), sheets=("table", "check"), keys=keys):
        _CheckPage(host, visitor).begin()


class _CheckPage:
    """The page of the table's owner."""

    def __init__(self, host: Host, visitor: Visitor) -> None:
        self._host, self._visitor, self._texts = host, visitor, host.texts
        self._checker: TableChecker | None = None
        self._shown = -1
        self._stop_listening: Callable[[], None] = lambda: None
        texts = self._texts
        with html.div().classes("check"):
            html.h1(texts("Is the table ready?"))
            with html.figure().classes("mirror"):
                with html.div().classes("glass"):
                    html.img(src="/live.mjpeg", alt=texts("The players, as in a mirror"))
                html.figcaption(texts("What the camera sees, mirrored; nothing is drawn in.")).classes("quiet small")
            with html.section().classes("panel stack told-now"):
                self._request: Region[tuple[CheckStep, str]] = Region(
                    html.div(role="status").props("aria-live=assertive"), self._build_request
                )
                with html.div().classes("row"):
                    self._act(texts("Skip this question"), "n", lambda checker: checker.skip())
                    self._act(texts("Check again"), "a", lambda checker: checker.again())
                    self._back()
            with html.section().classes("panel stack lines"):
                html.h2(texts("Findings"))
                self._lines: Region[tuple[CheckFinding, ...]] = Region(
                    html.div().props("aria-live=polite"), self._build_lines
                )

    def begin(self) -> None:
        """Open the check, and let go of it with the last page."""
        self._request.show((CheckStep.LOOK, self._texts("One moment: the camera is being opened.")))
        ui.timer(0, self._open, once=True)
        ui.context.client.on_delete(self._leave)

    def _back(self) -> None:
        """The way on, whatever the check says."""
        playing = self._host.session is not None
        words = self._texts("Back to the table") if playing else self._texts("On to the game")
        html.a(words, href="/table" if playing else "/setup").classes("button")

    async def _open(self) -> None:
        if not self._visitor.may(Action.SET_UP):
            return
        try:
            checker = await run.io_bound(self._host.check_table)
        except InputError as error:
            self._request.show((CheckStep.OVER, self._texts(error.sentence)))
            return
        if checker is not None:
            self._follow(checker)

    def _follow(self, checker: TableChecker) -> None:
        """Show each of its states on the server's loop."""
        self._checker, loop, client = checker, asyncio.get_running_loop(), ui.context.client

        def show_newest() -> None:
            if not client.is_deleted:
                with client:
                    self._show(checker.state)

        def soon(_: CheckState) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(show_newest)

        self._stop_listening = checker.listen(soon)
        self._show(checker.state)

    async def _leave(self) -> None:
        """The camera rests when nobody looks at the check any more."""
        checker, self._checker = self._checker, None
        self._stop_listening()
        if checker is not None and not checker.is_watched and checker is self._host.checker:
            await run.io_bound(self._host.stop_checking)

    def _act(self, name: str, key: str, deed: Callable[[TableChecker], None]) -> None:
        """A button with its key."""
        button = html.button().classes("button").props(f"type=button aria-keyshortcuts={key}")
        with button:
            html.span(name)
            html.kbd(key).props("aria-hidden=true")

        def press() -> None:
            if self._checker is not None and self._visitor.may(Action.SET_UP):
                deed(self._checker)

        button.on("click", press, args=[])

    # What is shown.

    def _show(self, state: CheckState) -> None:
        if state.version <= self._shown:
            return
        self._shown = state.version
        self._request.show((state.step, self._words(state)))
        self._lines.show(state.findings)

    def _words(self, state: CheckState) -> str:
        """Describe the current step, and in the end the sum."""
        request, texts = request_of(state.step), self._texts
        if request is not None:
            return texts(request)
        if state.step is CheckStep.LOOK:
            return texts("The camera is looked through: sit as you will play, hands down.")
        if state.step is CheckStep.SPEED:
            return texts("The computer reads five players, to see how long that takes.")
        levels = {finding.level for finding in state.findings}
        if State.BAD in levels:
            return texts("Something is bad: see what helps, then check again. You may play all the same.")
        if State.WEAK in levels:
            return texts("You can play; some things could be better.")
        return texts("The table is ready.")

    def _build_request(self, what: tuple[CheckStep, str]) -> None:
        _, words = what
        html.p(words).classes("large")

    def _build_lines(self, findings: tuple[CheckFinding, ...]) -> None:
        if not findings:
            html.p(self._texts("Nothing is known yet.")).classes("quiet")
            return
        with html.ul().classes("findings"):
            for finding in findings:
                self._build_line(finding)

    def _build_line(self, finding: CheckFinding) -> None:
        texts = self._texts
        with html.li().classes(finding.level.value):
            with html.span().classes("level"):
                html.span(SIGNS[finding.level]).props("aria-hidden=true")
                html.strong(level_name(finding.level, texts))
            with html.div():
                html.strong(line_name(finding.line, texts))
                html.p(texts(finding.sentence))
                if finding.remedy is not None:
                    html.p(texts(finding.remedy)).classes("remedy")
