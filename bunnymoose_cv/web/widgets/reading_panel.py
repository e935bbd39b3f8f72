"""Evidence of one reading: the reasons, and every number against its threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Side, parse_headgear
from bunnymoose_cv.web.art.art_names import headgear_name
from bunnymoose_cv.web.art.headgear_art import headgear_art
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.record.evidence_json import HeadgearEvidence, PlayerEvidence
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView


def reading_html(seen: RoundEvidenceView | None, seat: int, texts: Texts) -> Markup:
    """Both sides and the tongue, as all frames together say; each frame by itself is a tick on the bar.

    The player's left stands at the left, as in a mirror.

    Args:
        seen: what the frames showed; None where there was nothing to see.
    """
    read = None if seen is None else seen.reading_of(seat)
    if seen is None or read is None:
        return render("contest/reading", texts, sides=())
    settings = load_settings()
    each_frame = [each for index in range(len(seen.frames)) if (each := seen.reading_in(index, seat)) is not None]
    titles = ((Side.LEFT, texts("Left")), (Side.RIGHT, texts("Right")))
    tongue = tongue_gauge(read.tongue, settings.tongue, texts, [each.tongue for each in each_frame])
    return render(
        "contest/reading",
        texts,
        sides=[_side(title, side, (read, *each_frame), settings, texts) for side, title in titles],
        tongue=drawing(gauge_art(tongue)),
    )


def _side(
    title: str, side: Side, readings: Sequence[PlayerEvidence], settings: Settings, texts: Texts
) -> Mapping[str, object]:
    read, *frames = (_of_side(reading, side) for reading in readings)
    headgear = parse_headgear(read.headgear)
    gauges = [*confidence_gauges(read, settings.headgear, texts, frames), *measure_gauges(read, texts, frames)]
    return {
        "title": title,
        "art": drawing(headgear_art(headgear, side)),
        "headgear": headgear_name(headgear, texts),
        "gauges": [drawing(gauge_art(gauge)) for gauge in gauges],
        "reasons": read.reasons,
    }


def _of_side(reading: PlayerEvidence, side: Side) -> HeadgearEvidence:
    return reading.left if side is Side.LEFT else reading.right
