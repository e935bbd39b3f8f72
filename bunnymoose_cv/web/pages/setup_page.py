"""Set-up page: players, camera, and options that may be left as they were last time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import render
from bunnymoose_cv.web.widgets.seat_preview import preview_html, preview_renderer
from bunnymoose_cv.web.widgets.setup_form import audio_parts, players_html, rules_html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, choices = host.texts, host.choices
    left, last = host.setup.left, host.setup.last if host.session is None else None
    parts = {
        "begin": render("setup/begin", texts, begins=host.setup.begins, runs=host.runs),
        "running": render("setup/running", texts, runs=host.runs),
        "left": render("setup/left", texts, left=left, last=last, cameras=host.cameras),
        "players": players_html(choices, texts),
        "cameras": render("setup/cameras", texts, cameras=host.cameras, chosen=choices.camera),
        "live-video": preview_html(host),
        **audio_parts(choices, host.setup.voices, texts),
        "rules": rules_html(choices.rules, texts),
        "questions": render("setup/questions", texts, everything=choices.asks_everything),
    }
    return HtmlPage("setup/page", texts("New game"), parts, sheets=("table", "setup"))


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the chosen camera open, and look at its preview."""
    with host.setup.watched():
        yield preview_renderer(host)
