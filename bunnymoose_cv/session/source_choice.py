"""Choices of video sources by their titles: cameras, scripts, no camera; and the list that players choose from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.camera_list import find_camera, kept_step, list_cameras
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.live import address_of, is_stored, lasting_name, shown_name
from bunnymoose_cv.capture.media_inputs import pasted_path
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.referee.script import demo_script
from bunnymoose_cv.session.sources.script_video_source import ScriptVideoSource
from bunnymoose_cv.session.sources.video_source import LiveVideoSource, NoVideoSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.core.user_settings import CameraSettings
    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.session.sources.video_source import VideoSource


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """Choice of a video source.

    Attributes:
        where: the device, file or address, with its password.
        make: factory of the source, which is opened with `with`.
    """

    title: str
    where: str = field(repr=False)
    make: Callable[[], VideoSource] = field(repr=False)

    @property
    def place(self) -> str:
        """Name by which an unfinished game is found again, without secrets."""
        return as_unicode(shown_name(self.where))


def watched_camera(where: str, settings: CameraSettings, microphone: str | None = None) -> Watcher:
    """Make the watcher of a camera, stream or file, which subtracts the delay in the settings or a profile."""

    def delay_of(size: tuple[int, int]) -> float | None:
        if settings.delay_s >= 0:
            return settings.delay_s
        camera = lasting_name(where)
        return None if camera is None else default_profile_files().delay_of(camera, size)

    return Watcher(where, View.of(settings), settings, microphone, delay_of=delay_of)


def camera_source(title: str, where: str, settings: CameraSettings, microphone: str | None = None) -> SourceChoice:
    """Return the choice of a camera at a rate that the computer can process, or of a stream or file."""

    def make() -> LiveVideoSource:
        watcher = watched_camera(where, kept_step().limit(settings), microphone)
        return LiveVideoSource(watcher, None if settings.delay_s >= 0 else keep_delay)  # a set one is not measured

    def keep_delay(size: tuple[int, int], delay_s: float) -> bool:
        camera = lasting_name(where)
        if camera is not None:
            default_profile_files().keep_delay(camera, size, delay_s)
        return camera is not None

    return SourceChoice(as_unicode(shown_name(title)), where, make)


def script_source(title: str, where: str, evening: Script) -> SourceChoice:
    """Return the choice of a script's clips."""
    return SourceChoice(as_unicode(title), where, lambda: ScriptVideoSource(evening))


NO_CAMERA: Final = SourceChoice("", "no camera", NoVideoSource)
"""Choice to play without a camera: players enter all poses."""

DEMO: Final = "demo.mp4"


class OfferedSources:
    """List of the sources that players choose from. A chosen source keeps its index.

    Args:
        find: returns the cameras that are connected now.
        at: makes the choice of an address, a file or a camera's name; None offers none of them.
    """

    def __init__(
        self,
        choices: Iterable[SourceChoice] = (),
        *,
        find: Callable[[], Iterable[SourceChoice]] = tuple,
        at: Callable[[str], SourceChoice] | None = None,
    ) -> None:
        self._choices, self._find, self._at = list(choices), find, at

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the sources."""
        return tuple(choice.title for choice in self._choices)

    def choice(self, index: int | None) -> SourceChoice:
        """Return a choice by its index; `NO_CAMERA` for None."""
        return NO_CAMERA if index is None else self._choices[index]

    def find_cameras(self) -> None:
        """Offer the cameras that have been plugged in since; an unplugged one remains, and fails when it is opened."""
        for choice in self._find():
            self._offer(choice)

    def offer(self, where: str) -> int:
        """Offer an address, file or camera by name, and return its index; raise an `InputError` if nothing is there."""
        where = pasted_path(where)
        is_there = address_of(where) is not None or is_stored(where) or find_camera(where, list_cameras()) is not None
        if self._at is None or not is_there:
            raise InputError(
                Phrase("Nothing is found at “{where}”: type an address or a file.", where=shown_name(where))
            )
        return self._offer(self._at(where))

    def offer_demo(self) -> tuple[int, Script]:
        """Offer the bundled clip, and return its index and script."""
        script = demo_script()
        return self._offer(script_source(DEMO, DEMO, script)), script

    def _offer(self, choice: SourceChoice) -> int:
        """Add a source, or replace the one with its title, and return its index."""
        titles = self.titles
        if choice.title in titles:
            self._choices[titles.index(choice.title)] = choice
        else:
            self._choices.append(choice)
        return self.titles.index(choice.title)
