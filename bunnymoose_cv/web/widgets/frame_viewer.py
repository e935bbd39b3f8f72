"""The frames around a Bam one by one, or as a slow film, with one player's landmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import html, ui

from bunnymoose_cv.web.pages.page_header import KeyWords
from bunnymoose_cv.web.widgets.landmark_overlay import frame_picture
from bunnymoose_cv.web.widgets.region import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.element import Element

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView

SLOWNESS: Final = 4.0
"""Slow-motion factor of the film."""


class FrameViewer:
    """Shows one frame at a time; all of them are loaded, so that stepping is at once.

    Args:
        seen: what the frames showed.
        seat: whose landmarks are drawn, and who can be looked at closer.
        player: who sits there.
        texts: in the language of the table.
    """

    def __init__(self, seen: RoundEvidenceView, seat: int, player: str, texts: Texts) -> None:
        self._seen, self._seat, self._player, self._texts = seen, seat, player, texts
        self._shown = seen.frozen
        self._viewer = html.div().classes("viewer zoomed")
        with self._viewer:
            with html.div().classes("frames"):
                self._frames = [self._build_frame(index) for index in range(len(seen.frames))]
            self._told = html.output().classes("time number").props("aria-live=polite")
            self._time: Region[str] = Region(self._told, html.span)
            self._build_controls()
        self._film = ui.timer(self._step_s * SLOWNESS, lambda: self._go(1), active=False, immediate=False)
        self._go(0)

    @property
    def _step_s(self) -> float:
        """From one frame to the next."""
        times = [frame.time_s for frame in self._seen.frames]
        return max(0.05, (times[-1] - times[0]) / max(1, len(times) - 1))

    def _build_frame(self, index: int) -> Element:
        seen = self._seen
        address = f"/frame/{seen.number}/{index + 1}.jpg?at={seen.cue_s * 1000:.0f}"
        name = self._texts("{player} {time}", player=self._player, time=self._when(index))
        read = seen.reading_in(index, self._seat)
        picture = frame_picture(address, seen.size, seen.window_of(self._seat), read, name)
        return ui.html(picture, sanitize=False).classes("seen")

    def _build_controls(self) -> None:
        texts = self._texts
        with html.div(role="group").classes("row tight controls") as controls:
            controls.props["aria-label"] = texts("Frames around Bam")
            _button("←", texts("The frame before"), "ArrowLeft", lambda: self._step(-1))
            self._play = _button("", texts("Slow motion"), "p", self._play_or_rest)
            self._sign: Region[str] = Region(self._play, html.span)
            self._sign.show("▶")
            _button("→", texts("The frame after"), "ArrowRight", lambda: self._step(1))
            _button(
                texts("Bam"), texts("The frozen frame"), "Home", lambda: self._step(self._seen.frozen - self._shown)
            )
            self._zoom = _button(texts("Closer"), "", "z", lambda: self._switch(self._zoom, "zoomed", on=True))
            self._lines = _button(texts("Landmarks"), "", "l", lambda: self._switch(self._lines, "bare", on=False))
            for switch in (self._zoom, self._lines):
                switch.props("aria-pressed=true")

    def _when(self, index: int) -> str:
        after_s = self._seen.frames[index].time_s - self._seen.cue_s
        if after_s < 0:
            return self._texts("{seconds:.2f} s before Bam", seconds=-after_s)
        return self._texts("{seconds:.2f} s after Bam", seconds=after_s)

    def _step(self, by: int) -> None:
        """A person steps: the film rests."""
        if self._film.active:
            self._play_or_rest()
        self._go(by)

    def _go(self, by: int) -> None:
        """Show another frame; after the last comes the first."""
        self._frames[self._shown].classes(remove="shown")
        self._shown = (self._shown + by) % len(self._frames)
        self._frames[self._shown].classes(add="shown")
        place = self._texts("{number} of {count}", number=self._shown + 1, count=len(self._frames))
        self._time.show(f"{self._when(self._shown)} · {place}")

    def _play_or_rest(self) -> None:
        self._film.active = not self._film.active
        self._sign.show("❚❚" if self._film.active else "▶")
        self._play.props(f"aria-pressed={str(self._film.active).lower()}")
        self._told.props("aria-live=off" if self._film.active else "aria-live=polite")

    def _switch(self, switch: Element, kind: str, *, on: bool) -> None:
        """Turn something on or off that a class of the viewer says."""
        was = switch.props["aria-pressed"] == "true"
        switch.props(f"aria-pressed={str(not was).lower()}")
        self._viewer.classes(add=kind if was is not on else "", remove=kind if was is on else "")


def viewer_keys(texts: Texts) -> tuple[KeyWords, ...]:
    """List the keys of the viewer."""
    return (
        KeyWords(("←", "→"), texts("The frame before, the frame after")),
        KeyWords((texts("Home"),), texts("The frozen frame")),
        KeyWords(("p",), texts("Slow motion, or stop it")),
        KeyWords(("z",), texts("Closer, or the whole table")),
        KeyWords(("l",), texts("Landmarks on or off")),
    )


def _button(text: str, name: str, key: str, does: Callable[[], None]) -> html.button:
    button = html.button(text, type="button").classes("button").props(f"aria-keyshortcuts={key}")
    if name:
        button.props["aria-label"] = button.props["title"] = name
    return button.on("click", does)
