"""Drawing of notes as labels, in the largest letters with which none covers another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.drawing.label_layout import Label, Obstacle, place
from bunnymoose_cv.drawing.letters import BOLD, PLAIN, text_width, write_text
from bunnymoose_cv.drawing.strokes import draw_line, outline, stroke
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.drawing.notes import Note

SHRINKING = 0.88
PADDING = 0.35
LINE_HEIGHT = 1.25
SIGN_SIDE = 1.5
"""Lengths of a label, in heights of its letters."""


def draw_notes(canvas: Image, notes: Sequence[Note], obstacles: Sequence[Obstacle], letters: float) -> None:
    """Draw all labels in the largest letters with which none covers another."""
    height, width = canvas.shape[:2]
    while letters >= _FEWEST_PIXELS:
        labels = [_label(note, letters) for note in notes]
        corners = place(labels, obstacles, (width, height), gap=max(2.0, 0.2 * letters))
        if corners is not None:
            for note, label, corner in zip(notes, labels, corners, strict=True):
                _draw_leader(canvas, note, label, corner, letters)
            for note, label, corner in zip(notes, labels, corners, strict=True):
                _draw_note(canvas, note, label, corner, letters)
            return
        letters *= SHRINKING


_FEWEST_PIXELS = 4.0
"""Letters lower than this say nothing; with so many players the lines alone must do."""


def _label(note: Note, letters: float) -> Label:
    own = note.scale * letters
    widest = max(text_width(line, own, _weight(number)) for number, line in enumerate(note.lines))
    width = widest + 2 * PADDING * own + (1 + PADDING) * SIGN_SIDE * own * bool(note.sign)
    height = LINE_HEIGHT * own * len(note.lines) + 2 * PADDING * own
    x, y = note.anchor
    return Label(x + note.towards[0] * letters, y + note.towards[1] * letters, np.ceil(width), np.ceil(height))


def _weight(line_number: int) -> int:
    return BOLD if line_number == 0 else PLAIN


def _draw_leader(canvas: Image, note: Note, label: Label, corner: tuple[int, int], letters: float) -> None:
    """A line from a label that could not stand near what it names."""
    nearest = np.clip(note.anchor, corner, (corner[0] + label.width, corner[1] + label.height))
    ends = [np.asarray(note.anchor, np.float32), np.asarray(nearest, np.float32)]
    if np.linalg.norm(ends[0] - ends[1]) > 1.5 * letters:
        draw_line(canvas, ends, note.colour, max(1, round(letters / 12)))


def _draw_note(canvas: Image, note: Note, label: Label, corner: tuple[int, int], letters: float) -> None:
    own, thickness = note.scale * letters, max(1, round(letters / 12))
    left, top = corner
    right, bottom = left + int(label.width), top + int(label.height)
    ground = canvas[top:bottom, left:right]
    ground[:] = ground // 6
    frame = Box(left + thickness / 2, top + thickness / 2, label.width - thickness, label.height - thickness)
    draw_line(canvas, outline(frame), note.colour, thickness, dashed=note.dashed)
    x, y = left + PADDING * own, top + PADDING * own
    if note.sign:
        side = SIGN_SIDE * own
        start = np.array([x, (top + bottom - side) / 2], np.float32)
        stroke(
            canvas,
            [start + side * np.array(line, np.float32) for line in note.sign],
            note.colour,
            max(1, round(own / 9)),
        )
        x += side + PADDING * own
    for number, text in enumerate(note.lines):
        baseline = y + (number + 0.9) * LINE_HEIGHT * own - 0.1 * own
        write_text(canvas, text, (x, baseline), own, _weight(number))
