"""The practice mirror: what is asked, what the referee sees of it, one thing to change, and how often it agreed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from nicegui import background_tasks, html, run, ui

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.session.practice.coach import field_name, hint_words
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.head_art import pose_art
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.live.player_styles import LOOKS
from bunnymoose_cv.web.pages.page_frame import page_frame
from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.check_box import check
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, overlay
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.practice.exercise import PracticeState
    from bunnymoose_cv.session.practice.lesson import Tally
    from bunnymoose_cv.session.practice.practice_mirror import Mirror, MirrorState
    from bunnymoose_cv.session.practice.takes import Consent
    from bunnymoose_cv.vision.readings import PlayerReading
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.pages.page_frame import PageFrame
    from bunnymoose_cv.web.server.host import Host

SHEET = "delete-takes"
"""The dialog that asks before takes go."""


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    texts = host.texts
    keys = (
        KeyWords(("n",), texts("Another pose")),
        KeyWords(("i",), texts("I do show that")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    with page_frame(host, visitor, texts("Practice"), sheets=("table", "practice"), keys=keys) as frame:
        _Practice(host, visitor, frame).begin()


class _Practice:
    """The page of one visitor."""

    def __init__(self, host: Host, visitor: Visitor, frame: PageFrame) -> None:
        self._host, self._visitor, self._frame, self._texts = host, visitor, frame, host.texts
        self._mirror: Mirror | None = None
        self._shown = -1
        self._stop_listening: Callable[[], None] = lambda: None
        texts = self._texts
        html.h1(texts("Practice")).classes("spoken")
        self._problem: Region[str] = Region(html.div(), self._build_problem)
        with html.div().classes("practice") as self._page:
            with html.figure().classes("mirror"):
                ui.html(art_definitions(), sanitize=False)
                with html.div().classes("glass"):
                    html.img(src="/live.mjpeg", alt=texts("You, as in a mirror"))
                    self._overlay = ui.html("", sanitize=False).classes("over")
            self._asked: Region[tuple[int, Pose]] = Region(
                html.section().classes("panel asked").props("aria-live=polite"), self._build_asked
            )
            with html.section().classes("panel seen stack"):
                html.h2(texts("The referee sees"))
                self._seen: Region[tuple[Pose, tuple[str, ...]] | None] = Region(html.div(), self._build_seen)
                self._hint: Region[str] = Region(
                    html.div().classes("hint").props("aria-live=assertive"), self._build_hint
                )
                self._held = html.progress(max="1", value="0")
                self._held.props["aria-label"] = texts("Hold it until the bar is full")
            with html.section().classes("row acts"):
                self._act(texts("Another pose"), "n", lambda mirror: mirror.skip())
                self._act(texts("I do show that"), "i", lambda mirror: mirror.accept_as_shown())
            self._tallies: Region[tuple[int, tuple[Tally, ...]]] = Region(
                html.section().classes("panel tallies stack"), self._build_tallies
            )
            self._takes: Region[tuple[Consent, int]] = Region(
                html.section().classes("panel takes stack"), self._build_takes
            )
        self._page.set_visibility(False)

    def begin(self) -> None:
        """Open the mirror, and let go of it with the last page."""
        ui.timer(0, self._open, once=True)
        ui.context.client.on_delete(self._leave)

    # The mirror.

    async def _open(self) -> None:
        if not self._visitor.may(Action.SET_UP):
            return
        self._problem.show(self._texts("One moment: the camera is being opened."))
        try:
            await run.io_bound(self._host.practise)
        except InputError as error:
            self._problem.show(self._texts(error.sentence))
            return
        mirror = self._host.mirror
        if mirror is not None:
            self._follow(mirror)

    def _follow(self, mirror: Mirror) -> None:
        """Show each of its states on the server's loop."""
        self._mirror, loop, client = mirror, asyncio.get_running_loop(), ui.context.client
        self._stop_listening()

        def show_newest() -> None:
            if not client.is_deleted:
                with client:
                    self._show(mirror.state)

        def soon(_: MirrorState) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(show_newest)

        self._stop_listening = mirror.listen(soon)
        self._show(mirror.state)

    async def _leave(self) -> None:
        """The camera rests when nobody looks into the mirror any more."""
        mirror, self._mirror = self._mirror, None
        self._stop_listening()
        if mirror is not None and not mirror.is_watched and mirror is self._host.mirror:
            await run.io_bound(self._host.stop_practising)

    def _act(self, name: str, key: str, deed: Callable[[Mirror], Future[None]]) -> None:
        """A button with its key."""
        button = html.button().classes("button large").props(f"type=button aria-keyshortcuts={key}")
        with button:
            html.span(name)
            html.kbd(key).props("aria-hidden=true")
        button.on("click", lambda: self._do(deed), args=[])

    async def _do(self, deed: Callable[[Mirror], Future[None]]) -> None:
        mirror = self._mirror
        if mirror is not None and self._visitor.may(Action.SET_UP):
            await self._frame.attempt(lambda: deed(mirror))

    # What is shown.

    def _show(self, state: MirrorState) -> None:
        if state.version == self._shown:
            return
        self._shown = state.version
        practice, lesson = state.practice, state.practice.lesson
        self._page.set_visibility(not state.over)
        self._problem.show(self._texts(state.problem) if not state.over else self._texts("The mirror is closed."))
        self._overlay.content = _drawn(practice, self._texts)
        self._asked.show((lesson.number, lesson.asked))
        self._seen.show(None if lesson.seen is None else (lesson.seen.pose, lesson.seen.unclear))
        words = self._texts("Yes! Hold it.") if lesson.hint is None else hint_words(lesson.hint, self._texts)
        self._hint.show(words)
        self._held.props["value"] = f"{lesson.held:.2f}"
        self._tallies.show((lesson.done, lesson.tallies))
        self._takes.show((practice.consent, practice.kept))

    def _build_problem(self, sentence: str) -> None:
        if not sentence:
            return
        with html.div(role="status").classes("notice ask row apart"):
            html.span(sentence)
            if self._mirror is None or self._mirror.state.over:
                html.button(self._texts("Open the mirror")).classes("button").props("type=button").on(
                    "click", self._open, args=[]
                )

    def _build_asked(self, what: tuple[int, Pose]) -> None:
        number, pose = what
        html.h2(self._texts("Show this"))
        html.span(self._texts("No. {number}", number=number)).classes("quiet small")
        with html.div().classes("pose-words"):
            ui.html(pose_art(pose, self._texts), sanitize=False).classes("pose")
            _pose_lines(pose, self._texts)

    def _build_seen(self, what: tuple[Pose, tuple[str, ...]] | None) -> None:
        if what is None:
            html.p(self._texts("nobody")).classes("quiet")
            return
        pose, unclear = what
        with html.div().classes("pose-words"):
            ui.html(pose_art(pose, self._texts), sanitize=False).classes("pose")
            _pose_lines(pose, self._texts, unclear)

    def _build_hint(self, words: str) -> None:
        html.p(words).classes("large")

    def _build_tallies(self, what: tuple[int, tuple[Tally, ...]]) -> None:
        done, tallies = what
        texts = self._texts
        html.h2(texts.counted("{count} pose agreed", "{count} poses agreed", done))
        html.p(texts("How often each part was read right all the way:")).classes("small quiet")
        with html.table().classes("small"):
            with html.thead().classes("spoken"), html.tr():
                html.th(texts("Part")).props("scope=col")
                html.th(texts("agreed, of all asked")).props("scope=col")
            with html.tbody():
                for tally in tallies:
                    with html.tr():
                        html.th(field_name(tally.field, texts)).props("scope=row")
                        html.td(f"{tally.agreed} / {tally.asked}").classes("number")

    # Takes.

    def _build_takes(self, what: tuple[Consent, int]) -> None:
        consent, kept = what
        texts = self._texts
        html.h2(texts("Takes for calibration"))
        takes = texts("Keep takes: what was asked, beside the outlines of face and hands")
        check(takes, consent.takes, lambda wanted: self._change_consent(takes=wanted))
        check(texts("Keep the pictures too"), consent.pictures, lambda wanted: self._change_consent(pictures=wanted))
        folder = "" if self._mirror is None else str(self._mirror.takes_folder)
        html.p(
            texts("They stay on this computer, in {folder}. Without the ticks nothing is kept.", folder=folder)
        ).classes("small quiet where")
        with html.div().classes("row apart"):
            html.span(texts.counted("{count} take", "{count} takes", kept)).classes("badge")
            if kept:
                self._build_delete(kept)

    def _build_delete(self, kept: int) -> None:
        texts = self._texts
        html.button(texts("Delete them…")).classes("button bad small").props(f"type=button data-opens={SHEET}")
        with html.dialog(id=SHEET).classes("sheet") as sheet, html.div().classes("stack"):
            sheet.props["aria-label"] = texts("Delete all takes?")
            html.h2(texts("Delete all takes?"))
            html.p(texts.counted("{count} take goes with its pictures.", "{count} takes go with their pictures.", kept))
            with html.div().classes("row"):
                html.button(texts("Keep them")).classes("button main").props("type=button data-closes data-first")
                gone = html.button(texts("Delete for good")).classes("button bad").props("type=button data-closes")
                gone.on("click", lambda: self._do(lambda mirror: mirror.delete_takes()), args=[])

    def _change_consent(self, **changed: bool) -> None:
        """Keep takes, or pictures, from now on; or none any more."""
        background_tasks.create(
            self._do(lambda mirror: mirror.give_consent(replace(mirror.state.practice.consent, **changed))),
            name="consent",
        )


def _pose_lines(pose: Pose, texts: Texts, unclear: tuple[str, ...] = ()) -> None:
    """Show a pose, a line a side; a question mark stands where the referee is not sure."""
    with html.ul().classes("stack tight"):
        for side in Side:
            words = headgear_name(pose.headgear(side), texts)
            doubt = " ?" if any(each.startswith(side.name.lower()) for each in unclear) else ""
            on_side = texts("Your left") if side is Side.LEFT else texts("Your right")
            _line(on_side, f"{words}{doubt}")
        tongue = texts("stuck out") if pose.tongue is Tongue.OUT else texts("in the mouth")
        _line(texts("Your tongue"), f"{tongue}{' ?' if 'tongue' in unclear else ''}")


def _line(what: str, words: str) -> None:
    with html.li():
        html.span(f"{what}: ").classes("quiet")
        html.strong(words)


def _drawn(practice: PracticeState, texts: Texts) -> str:
    """Overlay of the reading of the one who practises."""
    seen, reading = practice.lesson.seen, practice.reading
    if seen is None or reading is None:
        return ""
    you = texts("You")
    return overlay(replace(reading, players=(_in_seat_one(seen),)), (you,), {you: LOOKS[0]})


def _in_seat_one(seen: PlayerReading) -> PlayerReading:
    return replace(seen, player=replace(seen.player, seat=1))
