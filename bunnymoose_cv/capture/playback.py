"""Clips and folders of images as sources, played as if they happened now."""

from __future__ import annotations

import time
from dataclasses import replace
from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame, SourceEndedError, UnreadableError
from bunnymoose_cv.capture.live_source import LiveSource, Taken
from bunnymoose_cv.capture.media_inputs import find_inputs
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.capture.orientation import View

IMAGES_PER_S: Final = 10.0
"""Frame rate at which the images of a folder are played."""


class PlaybackSource(LiveSource):
    """Files as a source, at their own pace, faster, or as fast as frames are taken.

    With a pace the times are those of `time.monotonic()`, as a camera's are; without one they are the file's own.
    """

    live = False

    def __init__(self, coming: Iterator[Frame | Sound], title: str, size: tuple[int, int], pace: float | None) -> None:
        """Take it over.

        Args:
            coming: frames and sounds in the order of their ends, from 0 s on.
            pace: how many times faster than in life it is played, without sound where that is not once; None hands out
                whatever is next at once.
        """
        self.title = self.again = title
        self.size = size
        self._coming = coming
        self._pace = pace
        self._began_s: float | None = None

    def take(self) -> Taken:
        """See `LiveSource.take`."""
        for taken in self._coming:
            if self._pace is None:
                return taken
            if isinstance(taken, Frame) or self._pace == 1:
                return self._in_time(taken, self._pace)
        raise SourceEndedError(Phrase("{clip} is over", clip=self.title))

    def close(self) -> None:
        """Leave the files to the source, which closes them itself."""

    def _in_time(self, taken: Frame | Sound, pace: float) -> Frame | Sound:
        """Wait until it is time for it, and stamp it with that time."""
        if self._began_s is None:
            self._began_s = time.monotonic()
        time.sleep(max(0.0, self._began_s + _end_s(taken) / pace - time.monotonic()))
        if isinstance(taken, Sound):
            return replace(taken, start_s=self._began_s + taken.start_s)
        return replace(taken, time_s=self._began_s + taken.time_s / pace)


def play_clip(path: Path, view: View, pace: float | None) -> PlaybackSource:
    """Play a clip with its sound.

    Raises:
        UnreadableError: it is none, or damaged from the beginning.
    """
    clip = Clip(path, str(path))
    frames = (replace(frame, image=view.upright(frame.image)) for frame in clip)
    coming: Iterator[Frame | Sound] = merge(frames, clip.sounds(), key=_end_s)
    return PlaybackSource(coming, str(path), view.size_of(*clip.size), pace)


def play_images(path: Path, view: View, pace: float | None) -> PlaybackSource:
    """Play the images of a folder in the order of their numbers and names; what is damaged is left out.

    Args:
        path: the folder, or one image by itself.
        pace: see `PlaybackSource`.

    Raises:
        UnreadableError: not one image in it can be read.
    """
    frames = _images(path, view)
    first = next(frames, None)
    if first is None:
        raise UnreadableError(f"{path} has no picture in it that can be read: give another folder")
    return PlaybackSource(chain([first], frames), str(path), first.size, pace)


def _images(path: Path, view: View) -> Iterator[Frame]:
    number = 0
    for source in find_inputs([str(path)]):
        try:
            image = source.image()
        except UnreadableError:
            continue
        yield Frame(view.upright(image), number / IMAGES_PER_S)
        number += 1


def _end_s(taken: Frame | Sound) -> float:
    return taken.time_s if isinstance(taken, Frame) else taken.end_s
