"""Orientation of the camera: rotation and mirroring that make its images upright and unmirrored.

After it every player's own right hand lies on the left of the image, whatever the camera does: nobody behind it
needs to know about rotation and mirrors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import CameraSettings

_TURNS: Final = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
_SIDEWAYS: Final = (90, 270)


@dataclass(frozen=True, slots=True)
class View:
    """Rotation and mirroring applied to each image of a source.

    Attributes:
        rotation_degrees: how far its images must be turned clockwise to be upright: 0, 90, 180 or 270.
        mirrored: whether it shows a mirror image, as telephones and webcams like to, which is then undone.
    """

    rotation_degrees: int = 0
    mirrored: bool = False

    @classmethod
    def of(cls, camera: CameraSettings) -> Self:
        """Orientation from the settings' group `[camera]`."""
        return cls(camera.rotation_degrees, camera.mirrored)

    @property
    def flipped(self) -> Self:
        """The view whose images are the mirror images of this one's."""
        return type(self)(-self.rotation_degrees % 360, not self.mirrored)

    def upright(self, image: Image) -> Image:
        """The image as somebody standing behind the camera sees the players; the mirror is undone before the turn."""
        if self.mirrored:
            image = cv2.flip(image, 1).astype(np.uint8, copy=False)
        turn = _TURNS.get(self.rotation_degrees)
        return image if turn is None else cv2.rotate(image, turn).astype(np.uint8, copy=False)

    def size_of(self, width: int, height: int) -> tuple[int, int]:
        """Width and height of what `upright` makes of such an image."""
        return (height, width) if self.rotation_degrees in _SIDEWAYS else (width, height)


AS_IT_IS: Final = View()
"""The view of what is upright and unmirrored already."""
