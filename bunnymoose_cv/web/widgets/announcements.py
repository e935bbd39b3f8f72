"""Announcements of this round: the newest lines to be seen, all of them for screen readers."""

from __future__ import annotations

from nicegui import html


class AnnouncementsWidget:
    """The announcements on a page; built where it is made."""

    def __init__(self) -> None:
        self._log = html.div(role="log").classes("said")
        self._shown: tuple[str, ...] = ()

    def show(self, said: tuple[str, ...]) -> None:
        """Show what was said; what stands already is not said once more by a screen reader."""
        if said[: len(self._shown)] != self._shown:
            self._log.clear()
            self._shown = ()
        with self._log:
            for line in said[len(self._shown) :]:
                html.p(line)
        self._shown = said
