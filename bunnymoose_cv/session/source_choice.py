"""Choice of video sources, by the titles that people choose from: cameras, a script, nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.capture.camera_step import kept_step
from bunnymoose_cv.capture.live import lasting_name, shown_name
from bunnymoose_cv.capture.orientation import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.unicode_text import as_unicode
from bunnymoose_cv.session.live_video_source import LiveVideoSource
from bunnymoose_cv.session.script_video_source import ScriptVideoSource
from bunnymoose_cv.session.video_source import NoVideoSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.core.user_settings import CameraSettings
    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.session.video_source import VideoSource


@dataclass(frozen=True, slots=True)
class SourceChoice:
    """Choice of a video source.

    Attributes:
        where: what it is opened by; an address with its password.
        make: makes the source, which is opened with `with`.
    """

    title: str
    where: str = field(repr=False)
    make: Callable[[], VideoSource] = field(repr=False)

    @property
    def place(self) -> str:
        """Return the name by which an unfinished game is found again, without secrets."""
        return as_unicode(shown_name(self.where))


def _is_delay_set(settings: CameraSettings) -> bool:
    """Return whether the user's settings give the delay, so that none is measured."""
    return settings.delay_s >= 0


def watched_camera(where: str, settings: CameraSettings, microphone: str | None = None) -> Watcher:
    """Make the watcher of a camera, stream or file, which subtracts the delay that the settings or a profile hold."""

    def delay_of(size: tuple[int, int]) -> float | None:
        if _is_delay_set(settings):
            return settings.delay_s
        camera = lasting_name(where)
        return None if camera is None else default_table_profiles().delay_of(camera, size)

    return Watcher(where, View.of(settings), settings, microphone, delay_of=delay_of)


def camera_source(title: str, where: str, settings: CameraSettings, microphone: str | None = None) -> SourceChoice:
    """Choice of a camera, asked for what the computer keeps up with, or of a stream or file played as one."""

    def make() -> LiveVideoSource:
        watcher = watched_camera(where, kept_step().limit(settings), microphone)
        return LiveVideoSource(watcher, None if _is_delay_set(settings) else keep_delay)

    def keep_delay(size: tuple[int, int], delay_s: float) -> bool:
        camera = lasting_name(where)
        if camera is not None:
            default_table_profiles().keep_delay(camera, size, delay_s)
        return camera is not None

    return SourceChoice(as_unicode(shown_name(title)), where, make)


def script_source(title: str, where: str, evening: Script) -> SourceChoice:
    """Choice of the clips of a script."""
    return SourceChoice(as_unicode(title), where, lambda: ScriptVideoSource(evening))


NO_CAMERA: Final = SourceChoice("", "no camera", NoVideoSource)
"""Choice to play without a camera: people say what everybody shows."""
