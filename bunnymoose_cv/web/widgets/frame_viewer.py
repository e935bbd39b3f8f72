"""The frames around a Bam one by one, or as a slow film, with one player's landmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.key_words import KeyWords
from bunnymoose_cv.web.widgets.landmark_overlay import frame_image

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.web.live.round_evidence import RoundEvidenceView

SCRIPT: Final = "viewer"
"""Script of pages with these frames: it shows one at a time."""

SLOWNESS: Final = 4.0
"""Slow-motion factor of the film."""

_SHORTEST_STEP_S: Final = 0.05


def film_html(seen: RoundEvidenceView | None, seat: int, player: str, texts: Texts) -> Markup:
    """All frames, the frozen one in sight, with the buttons to step through them.

    Args:
        seen: what the frames showed; None where nothing was kept.
        seat: whose landmarks are drawn, and who can be looked at closer.
    """
    if seen is None:
        return render("contest/film", texts, frames=())
    return render(
        "contest/film",
        texts,
        frames=[_frame(seen, index, seat, player, texts) for index in range(len(seen.frames))],
        frozen=seen.frozen,
        step_ms=round(_step_s(seen) * SLOWNESS * 1000),
    )


def viewer_keys(texts: Texts) -> tuple[KeyWords, ...]:
    """List the keys of the viewer."""
    return (
        KeyWords(("←", "→"), texts("The frame before, the frame after")),
        KeyWords((texts("Home"),), texts("The frozen frame")),
        KeyWords(("p",), texts("Slow motion, or stop it")),
        KeyWords(("z",), texts("Closer, or the whole table")),
        KeyWords(("l",), texts("Landmarks on or off")),
    )


def _step_s(seen: RoundEvidenceView) -> float:
    """Time from one frame to the next."""
    times = [frame.time_s for frame in seen.frames]
    return max(_SHORTEST_STEP_S, (times[-1] - times[0]) / max(1, len(times) - 1))


def _frame(seen: RoundEvidenceView, index: int, seat: int, player: str, texts: Texts) -> Mapping[str, object]:
    """One frame, with its time and place among all of them."""
    address = f"/frame/{seen.number}/{index + 1}.jpg?at={seen.cue_s * 1000:.0f}"
    when = _when(seen.frames[index].time_s - seen.cue_s, texts)
    name = texts("{player} {time}", player=player, time=when)
    read = seen.reading_in(index, seat)
    place = texts("{number} of {count}", number=index + 1, count=len(seen.frames))
    return {
        "image": drawing(frame_image(address, seen.size, seen.window_of(seat), read, name)),
        "told": f"{when} · {place}",
    }


def _when(after_s: float, texts: Texts) -> str:
    if after_s < 0:
        return texts("{seconds:.2f} s before Bam", seconds=-after_s)
    return texts("{seconds:.2f} s after Bam", seconds=after_s)
