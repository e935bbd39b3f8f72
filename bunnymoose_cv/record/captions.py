"""Captions (WebVTT) of a replay's announcements, for those who do not hear them.

They are made of what was kept whenever somebody asks for them, so that evenings of before have them too.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.unicode_text import isolated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.record.evidence_json import FilmShape

LINES_AT_ONCE: Final = 2
"""More would hide what is seen."""

LINGERS_S: Final = 2.0
"""Duration of the last captions after the judged image, unless the film goes on with a move."""


def captions(said: Sequence[str], times: FilmShape) -> str:
    """Captions of a round's replay from the judged image on, each as long as it has letters.

    Returns:
        The whole of a `.vtt` file.
    """
    blocks = ["WEBVTT"]
    for start_s, end_s, lines in _time_captions(said, times):
        words = "\n".join(escape(isolated(" ".join(line.split())), quote=False) for line in lines)
        blocks.append(f"{_time(start_s)} --> {_time(end_s)}\n{words}")
    return "\n\n".join(blocks) + "\n"


def _time_captions(said: Sequence[str], times: FilmShape) -> Iterator[tuple[float, float, tuple[str, ...]]]:
    """Yield captions with their start and end, seconds of the film."""
    end_s = times.repeats[0].start_s if times.repeats else times.cue_s + times.hold_s + LINGERS_S
    letter_s = (end_s - times.cue_s) / max(1, sum(map(len, said)))
    read_s = times.cue_s
    for first in range(0, len(said), LINES_AT_ONCE):
        lines = tuple(said[first : first + LINES_AT_ONCE])
        start_s, read_s = read_s, read_s + letter_s * sum(map(len, lines))
        yield start_s, read_s, lines


def _time(time_s: float) -> str:
    """Time of a caption as WebVTT writes it: `00:01:02.345`."""
    seconds, thousandths = divmod(round(max(0.0, time_s) * 1000), 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}.{thousandths:03d}"
