"""Interface of every live source (take a frame or sound, and close), and the state in which a source is watched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import Self, TypeAlias

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.sound import Sound


class CameraState(Enum):
    """State of the camera."""

    NONE = "none"  # played without a camera: the players enter what each of them shows
    WATCHING = "watching"
    LOST = "lost"
    ENDED = "ended"

    @property
    def is_blind(self) -> bool:
        """Return whether a camera was there and shows nothing any more: its last image is out of date."""
        return self in {CameraState.LOST, CameraState.ENDED}


Taken: TypeAlias = Frame | JpegFrame | Sound
"""One item of a source: an image, the camera's own JPEG of one, or a piece of sound."""


class LiveSource(ABC):
    """Images, and sound if there is any, in order of time.

    Attributes:
        again: text that opens the source again. For a camera this is its name even if its number was given, since
            numbers change when devices are plugged in. It is its address if two have the same name.
        live: True if it shows the present. Only then can it be lost, or freeze and repeat the same image.
        size: width and height in pixels of the latest image, upright.
        is_renewed: whether the latest image is new by its stamp even if it equals the one before to the last bit, since
            encoders leave out unchanged parts. Never True if every image is sent whole.
    """

    title: str
    again: str
    live: bool
    size: tuple[int, int]
    is_renewed: bool = False

    @abstractmethod
    def take(self) -> Taken:
        """Wait for the next item.

        Raises:
            SourceLostError: a camera or a stream has stopped.
            SourceEndedError: a clip or a folder has ended.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the source. Called by the thread that takes, or after that thread has ended."""

    def read(self) -> Frame:
        """Wait for the next frame, without sound. Raise the same errors as `take`."""
        while True:
            taken = self.take()
            if isinstance(taken, JpegFrame):
                return taken.frame()
            if isinstance(taken, Frame):
                return taken

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
