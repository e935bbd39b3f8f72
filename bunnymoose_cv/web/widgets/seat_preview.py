"""Preview of the chosen camera before a game begins, with everybody's seat drawn in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.art.animals import narrator_art
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.live_video import OverlaySync

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host


def preview_html(host: Host) -> Markup:
    """Preview image, or the reason why there is none."""
    return render(
        "setup/live_video",
        host.texts,
        has_camera=host.choices.camera is not None,
        problem=host.setup.problem,
        narrator_art=drawing(narrator_art()),
        art_definitions=drawing(art_definitions()),
    )


def preview_renderer(host: Host) -> PartsRenderer:
    """Begin to look at the preview: what is drawn over it, and who is seen."""
    in_step = OverlaySync()

    def render_parts() -> Mapping[str, str]:
        newest, (narrator, *row) = host.latest_reading, host.players
        if newest is None:
            return {}
        reading = in_step.shown(newest).reading
        absent = missing(reading, row)
        return {
            "over": overlay(reading, row, host.styles),
            "seen": render("setup/seen", host.texts, absent=absent, row=row, narrator=narrator),
        }

    return render_parts
