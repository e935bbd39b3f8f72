"""Checks of an uploaded photograph, from the cheap ones to the dear: type by content, dimensions, pixels."""

from __future__ import annotations

import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Final

from PIL import Image as PillowImage

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.images import decode_image, is_heic
from bunnymoose_cv.capture.jpeg_encoding import encode_jpeg
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.vision.shrink import shrink

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image

MOST_PIXELS: Final = 12_500_000
"""Of a photograph that no browser scaled; one that did leaves at most four millions."""

LEAST_SIDE: Final = 320
SHOWN_SIDE: Final = 1280
"""The longer side of the image that is shown back."""

_JPEG: Final = b"\xff\xd8\xff"
_QUALITY: Final = 80


class PhotoError(InputError):
    """Refusal of a photograph that cannot be used.

    Attributes:
        status: of HTTP that says the same.
    """

    def __init__(self, status: int, sentence: Phrase) -> None:
        self.status = status
        super().__init__(sentence)


def checked_photo(content: bytes) -> Image:
    """Decode an uploaded photograph, upright.

    Raises:
        PhotoError: it is no JPEG, too large, too small or damaged.
    """
    if is_heic(content):
        raise PhotoError(
            415,
            Phrase(
                "This is a HEIC picture, which cannot be read here: let the phone's camera save “most compatible” "
                "pictures, or send a JPEG."
            ),
        )
    if not content.startswith(_JPEG):
        raise PhotoError(415, Phrase("This is no JPEG picture: send a photograph."))
    width, height = _dimensions(content)
    if width * height > MOST_PIXELS:
        raise _too_large()
    if min(width, height) < LEAST_SIDE:
        raise PhotoError(422, Phrase("The photograph is too small to read cards on it: send a larger one."))
    try:
        return decode_image(content, "photograph")
    except UnreadableError as error:
        raise _damaged() from error


def shown_photo(image: Image) -> bytes:
    """Encode a photograph anew to be shown: smaller, and without anything that stood around its pixels."""
    return encode_jpeg(shrink(image, SHOWN_SIDE)[0], _QUALITY)


def _dimensions(content: bytes) -> tuple[int, int]:
    """Read width and height in the header; no pixel is decoded."""
    try:
        with warnings.catch_warnings(action="ignore"), PillowImage.open(BytesIO(content), formats=("JPEG",)) as image:
            return image.size
    except PillowImage.DecompressionBombError:
        raise _too_large() from None
    except Exception as error:  # a header fails in as many ways as it is damaged
        raise _damaged() from error


def _too_large() -> PhotoError:
    return PhotoError(413, Phrase("The photograph has too many pixels: send a smaller one."))


def _damaged() -> PhotoError:
    return PhotoError(422, Phrase("The photograph is damaged or was cut off: send it once more."))
