"""Evidence of one reading: the reasons, and every number against its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html, ui

from bunnymoose_cv.core.profile import load_profile
from bunnymoose_cv.rules.pose import Side, parse_headgear
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.headgear_art import headgear_art
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.core.profile import Profile
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView


def reading_panel(seen: RoundEvidenceView | None, seat: int, texts: Texts) -> None:
    """Build it: both sides and the tongue, as all frames together say; each frame by itself is a tick on the bar.

    The player's left stands at the left, as in a mirror.

    Args:
        seen: what the frames showed; None where there was nothing to see.
        seat: whose reading.
        texts: in the language of the table.
    """
    html.h2(texts("What the referee read"))
    read = None if seen is None else seen.reading_of(seat)
    if seen is None or read is None:
        html.p(texts("Nothing was seen, so people said what it was.")).classes("quiet")
        return
    profile = load_profile()
    each_frame = [each for index in range(len(seen.frames)) if (each := seen.reading_in(index, seat)) is not None]
    with html.div().classes("sides"):
        for side, title in ((Side.LEFT, texts("Left")), (Side.RIGHT, texts("Right"))):
            with html.section().classes("stack"):
                _build_side(title, side, (read, *each_frame), profile, texts)
    with html.section().classes("stack tongue"):
        html.h3(texts("Tongue"))
        gauge = tongue_gauge(read.tongue, profile.tongue, texts, [each.tongue for each in each_frame])
        ui.html(gauge_art(gauge), sanitize=False)
    html.p(texts("A dot is what all frames say together, a tick what one of them says, a line a limit.")).classes(
        "quiet small"
    )


def _build_side(title: str, side: Side, readings: Sequence[PlayerEvidence], profile: Profile, texts: Texts) -> None:
    read, *frames = (_of_side(reading, side) for reading in readings)
    headgear = parse_headgear(read.headgear)
    with html.h3().classes("row tight"):
        ui.html(headgear_art(headgear, side), sanitize=False).classes("headgear")
        html.span(texts("{side}: {headgear}", side=title, headgear=headgear_name(headgear, texts)))
    gauges = [*confidence_gauges(read, profile.headgear, texts, frames), *measure_gauges(read, texts, frames)]
    ui.html("".join(map(gauge_art, gauges)), sanitize=False).classes("gauges")
    with html.ul().classes("reasons"):
        for reason in read.reasons:
            html.li(texts(reason))


def _of_side(reading: PlayerEvidence, side: Side) -> HeadgearEvidence:
    return reading.left if side is Side.LEFT else reading.right
