"""Interface of every live source: take a frame or sound, close, end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self, TypeAlias

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.jpeg_frame import JpegFrame
from bunnymoose_cv.capture.sound import Sound

Taken: TypeAlias = Frame | JpegFrame | Sound
"""One item of a source: an image, one that is still the camera's own JPEG, or a piece of sound."""


class LiveSource(ABC):
    """Images, and sound where there is some, in the order of their times.

    Attributes:
        again: what opens it again; a camera's name even where its number was given, for plugs move numbers, and its
            address where two have the same name.
        live: whether it shows what happens now; only then can it be lost, or freeze and show the same image again.
        size: width and height in pixels of the latest image, upright.
        is_renewed: whether the latest image is new by its stamp although it may equal the one before to the last bit:
            encoders leave out what does not change. Never so where every image is sent whole.
    """

    title: str
    again: str
    live: bool
    size: tuple[int, int]
    is_renewed: bool = False

    @abstractmethod
    def take(self) -> Taken:
        """Wait for what comes next.

        Raises:
            SourceLostError: a camera or a stream gives no more.
            SourceEndedError: a clip or a folder is over.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of it; called by the thread that takes, or after that thread."""

    def read(self) -> Frame:
        """Wait for the next frame; sound is left out.

        Raises:
            SourceLostError: a camera or a stream gives no more.
            SourceEndedError: a clip or a folder is over.
        """
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
