"""Reads a picture file as upright blue-green-red pixels; owns neither clips (clips.py) nor finding files (sources.py).

Pillow does the decoding, to the same pixels: OpenCV passes a half-written JPEG off as a whole one and turns only some
formats upright. Radiance pictures (radiance.py) are OpenCV's, since Pillow does not know them.
"""

from __future__ import annotations

import io
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import ExifTags, Image, UnidentifiedImageError

from bunnymoose_cv.capture.frame import Picture, UnreadableError
from bunnymoose_cv.capture.radiance import decode_radiance, is_radiance

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_MEGAPIXELS: Final = 120
"""More than this is refused before any of it is decoded; 8K has 33, the largest phone pictures in use 108."""

Image.init()  # Pillow knows its formats only from then on
_FORMATS: Final = tuple(
    kind
    for kind in ("JPEG", "MPO", "PNG", "WEBP", "AVIF", "TIFF", "BMP", "DIB", "GIF", "JPEG2000", "PPM", "SUN")
    if kind in Image.OPEN
)
"""Pillow reads more, but films and printing languages are among them; some builds lack one of these."""

_UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What makes a picture upright, by its EXIF orientation (EXIF 2.32, tag 0x0112)."""


def read_picture(path: Path) -> Picture:
    """Read a picture file; of several pictures in it, the first.

    Raises:
        UnreadableError: it is missing, may not be read, is damaged, cut off, too large or no picture.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableError.of_file(str(path), error) from error
    return decode_picture(content, str(path))


def is_picture(source: Path | bytes) -> bool:
    """Whether a file, or the bytes of one, begins as a picture does; the rest of it may still be damaged."""
    if is_radiance(source):
        return True
    try:
        with warnings.catch_warnings(action="ignore"), _open(source):
            return True
    except Image.DecompressionBombError:
        return True
    except Exception:  # noqa: BLE001 - whatever the header's decoders fail with, it is no header
        return False


def decode_picture(content: bytes, name: str) -> Picture:
    """Turn a picture file's content into pixels.

    Eight bits are kept of deeper pictures, those without limit are exposed as a camera would, grey becomes three equal
    colours, what is transparent becomes white.

    Args:
        content: the whole file.
        name: how the error calls it.

    Raises:
        UnreadableError: it is damaged, cut off, too large or no picture.
    """
    if is_radiance(content):
        return decode_radiance(content, name, LARGEST_MEGAPIXELS)
    try:
        with warnings.catch_warnings(action="ignore"):
            return _pixels(_upright(_decoded(content, name)))
    except UnreadableError:
        raise
    except UnidentifiedImageError as error:
        raise UnreadableError(f"{name} is no picture that can be read: give a JPEG, a PNG or the like") from error
    except Exception as error:  # decoders fail in as many ways as files are damaged
        raise UnreadableError(f"{name} is damaged or was cut off: save it again where it came from") from error


def _decoded(content: bytes, name: str) -> Image.Image:
    """The picture as it lies in the file, unless its header says that it is too large."""
    with suppress(Image.DecompressionBombError):  # Pillow's own limit, beyond ours
        image = _open(content)
        if image.width * image.height <= LARGEST_MEGAPIXELS * 1_000_000:
            image.load()
            return image
    raise UnreadableError(f"{name} has more than {LARGEST_MEGAPIXELS} million pixels: save it smaller")


def _open(source: Path | bytes) -> Image.Image:
    """Reads no more than the header."""
    return Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=_FORMATS)


def _upright(image: Image.Image) -> Image.Image:
    turn = None
    with suppress(Exception):  # what stands about a picture may be damaged while the picture is whole
        turn = _UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    return image if turn is None else image.transpose(turn)


def _pixels(image: Image.Image) -> Picture:
    if image.mode == "I" or image.mode.startswith("I;16"):
        image = Image.fromarray((np.clip(np.asarray(image), 0, 0xFFFF) >> 8).astype(np.uint8))
    elif image.mode == "F":
        image = Image.fromarray((np.clip(np.asarray(image), 0.0, 1.0) * 0xFF).astype(np.uint8))
    elif image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    pixels = np.asarray(image if image.mode == "RGB" else image.convert("RGB"))
    return cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)
