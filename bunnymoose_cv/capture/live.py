"""Opening of the source that plays during a game: a camera, a stream, or files as if they happened now."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from heapq import merge
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.camera_list import find_camera, list_cameras, unmistakable_name
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame, SourceEndedError, UnreadableError
from bunnymoose_cv.capture.live_source import LiveSource, Taken
from bunnymoose_cv.capture.media_inputs import exists, find_inputs, is_still, pasted_path
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.capture.stream import open_address, open_camera
from bunnymoose_cv.core.address import Address, find_address, without_secrets
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.capture.image_geometry import View
    from bunnymoose_cv.core.user_settings import CameraSettings


IMAGES_PER_S: Final = 10.0
"""Frame rate at which the images of a folder are played."""


class PlaybackSource(LiveSource):
    """Files as a source, played as recorded, faster, or as fast as frames are taken.

    With a pace the times are those of `time.monotonic()`, as for a camera. Without one they are the file's own.
    """

    live = False

    def __init__(self, coming: Iterator[Frame | Sound], title: str, size: tuple[int, int], pace: float | None) -> None:
        """Take over frames and sounds in the order of their ends, from 0 s on.

        Args:
            pace: speed of playing, 1 as recorded; other speeds are silent. None returns the next item at once.
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
        """Do nothing, since the files close themselves."""

    def _in_time(self, taken: Frame | Sound, pace: float) -> Frame | Sound:
        """Wait until an item is due, and stamp it with that time."""
        if self._began_s is None:
            self._began_s = time.monotonic()
        time.sleep(max(0.0, self._began_s + _end_s(taken) / pace - time.monotonic()))
        if isinstance(taken, Sound):
            return replace(taken, start_s=self._began_s + taken.start_s)
        return replace(taken, time_s=self._began_s + taken.time_s / pace)


def play_clip(path: Path, view: View, pace: float | None) -> PlaybackSource:
    """Play a clip with its sound. Raise an `UnreadableError` if it is not a clip, or damaged from the beginning."""
    clip = Clip(path, str(path))
    frames = (replace(frame, image=view.upright(frame.image)) for frame in clip)
    coming: Iterator[Frame | Sound] = merge(frames, clip.sounds(), key=_end_s)
    return PlaybackSource(coming, str(path), view.size_of(*clip.size), pace)


def play_images(path: Path, view: View, pace: float | None) -> PlaybackSource:
    """Play the images of a folder, or a single one, in the order of their numbers and names, without damaged ones.

    Raises:
        UnreadableError: not one image in it can be read.
    """
    frames = _readable_images(path, view)
    first = next(frames, None)
    if first is None:
        raise UnreadableError(f"{path} has no picture in it that can be read: give another folder")
    return PlaybackSource(chain([first], frames), str(path), first.size, pace)


def _readable_images(path: Path, view: View) -> Iterator[Frame]:
    number = count()
    for source in find_inputs([str(path)]):
        with suppress(UnreadableError):
            yield Frame(view.upright(source.image()), next(number) / IMAGES_PER_S)


def _end_s(taken: Frame | Sound) -> float:
    return taken.time_s if isinstance(taken, Frame) else taken.end_s


def open_live(
    where: str, view: View, settings: CameraSettings, pace: float | None = 1.0, *, exactly: bool = False
) -> LiveSource:
    """Open the source that a user named, or raise an `UnreadableError` if it does not exist or gives no images.

    Args:
        where: a camera's number, name or part of the name, an address (rtsp, http), a clip, or a folder of images.
        pace: speed at which files are played, 1 as recorded. None returns frames at once, with their own times.
        exactly: whether part of a camera's name is not enough, such as when the same camera is reopened.
    """
    address = address_of(where)
    if address is not None:
        return open_address(address, where, view, settings)
    path = Path(pasted_path(where))
    if where.strip():  # an empty path would be the current folder, an empty name part of every camera's
        cameras = () if is_stored(where) else list_cameras()
        camera = find_camera(where, cameras, exactly=exactly)
        if camera is not None:
            return open_camera(camera, view, settings, again=unmistakable_name(camera, cameras))
        if exists(path):
            is_images = path.is_dir() or (path.is_file() and is_still(path))
            return (play_images if is_images else play_clip)(path, view, pace)
    raise UnreadableError(
        Phrase(
            "There is no camera, clip or folder “{where}”: “bunnymoose cameras” lists the cameras of this computer",
            where=shown_name(where),
        )
    )


def address_of(where: str) -> Address | None:
    """Return the address of a stream, or None for an existing file or the name of anything else."""
    return None if is_stored(where) else find_address(where)


def is_stored(where: str) -> bool:
    """Return whether a file or folder exists. A number always means a camera, even if a file has that name."""
    path = Path(pasted_path(where))
    return not where.isdecimal() and exists(path) and (path.is_dir() or path.is_file())


def shown_name(where: str) -> str:
    """Return a source's name for pages, lists and games: an address without its secrets."""
    return where if is_stored(where) else without_secrets(where)


def lasting_name(where: str) -> str | None:
    """Return the name by which a camera or stream is found again on another day, without secrets; None for files."""
    address = address_of(where)
    if address is not None:
        return address.kept
    if is_stored(where):
        return None
    try:
        cameras = list_cameras()
    except UnreadableError:  # a camera that cannot be used has no lasting name
        return None
    camera = find_camera(where, cameras)
    return None if camera is None else unmistakable_name(camera, cameras)
