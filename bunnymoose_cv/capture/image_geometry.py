"""Size and orientation of images: rotation and mirroring, bounds that are checked before decoding, and fitting.

Images become upright and unmirrored: every player's right hand is on the left, whichever way the camera is mounted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import UnreadableError

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.core.user_settings import CameraSettings


_TURNS: Final = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, slots=True)
class View:
    """Rotation and mirroring applied to each image of a source.

    Attributes:
        rotation_degrees: clockwise turn that makes its images upright: 0, 90, 180 or 270.
        mirrored: True if it shows a mirror image, as phones and webcams often do, which is then undone.
    """

    rotation_degrees: int = 0
    mirrored: bool = False

    @classmethod
    def of(cls, camera: CameraSettings) -> Self:
        """Return the orientation in the settings' group `[camera]`."""
        return cls(camera.rotation_degrees, camera.mirrored)

    @property
    def flipped(self) -> Self:
        """Return the view of a camera whose images are the mirror images of this one's."""
        return type(self)(-self.rotation_degrees % 360, not self.mirrored)

    def upright(self, image: Image) -> Image:
        """Return the image as seen from behind the camera. The mirror is undone before the turn."""
        if self.mirrored:
            image = cv2.flip(image, 1).astype(np.uint8, copy=False)
        turn = _TURNS.get(self.rotation_degrees)
        return image if turn is None else cv2.rotate(image, turn).astype(np.uint8, copy=False)

    def size_of(self, width: int, height: int) -> tuple[int, int]:
        """Return width and height of such an image after `upright`."""
        return (height, width) if self.rotation_degrees % 180 else (width, height)


AS_IT_IS: Final = View()
"""View of images that are already upright and unmirrored."""


LARGEST_MEGAPIXELS: Final = 120
"""Largest size of an image in megapixels; 8K has 33, the largest phone images in use 108."""

MOST_ELONGATED: Final = 20
"""Largest ratio of the longer to the shorter side; a panorama has 8."""

_ALIKE: Final = 0.97
"""Share of an area above which an image is stretched to fill it, since sizes are rounded."""


def too_large(name: str) -> UnreadableError:
    """Return the error for an image with more than the largest number of pixels."""
    return UnreadableError(f"{name} has more than {LARGEST_MEGAPIXELS} million pixels: save it smaller")


def check_pixels(name: str, width: int, height: int) -> None:
    """Raise an `UnreadableError` if an image has more than the largest number of pixels."""
    if width * height > LARGEST_MEGAPIXELS * 1_000_000:
        raise too_large(name)


def check_dimensions(name: str, width: int, height: int) -> None:
    """Raise an `UnreadableError` if an image is too large or too elongated."""
    check_pixels(name, width, height)
    if max(width, height) > MOST_ELONGATED * min(width, height):
        raise UnreadableError(
            f"{name} is {width} × {height} pixels, one side more than {MOST_ELONGATED} times the other: cut it"
        )


def fit_frame(frame: Frame, size: tuple[int, int]) -> Frame:
    """Scale a frame as `fit_image` does. Clips and streams may change their size in the middle."""
    return frame if frame.size == size else replace(frame, image=fit_image(frame.image, size))


def fit_image(image: Image, size: tuple[int, int]) -> Image:
    """Scale an image to a width and height in pixels, whole and in its shape, with black bars where needed."""
    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    scale = min(size[0] / width, size[1] / height)
    inner = (max(1, round(width * scale)), max(1, round(height * scale)))
    if inner[0] * inner[1] >= _ALIKE * size[0] * size[1]:
        inner = size
    resized = cv2.resize(image, inner, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    right, bottom = size[0] - inner[0] - left, size[1] - inner[1] - top
    return np.asarray(cv2.copyMakeBorder(resized, top, bottom, left, right, cv2.BORDER_CONSTANT), np.uint8)
