"""Entry point of image files: decode one as upright blue-green-red pixels, within bounds of size and time.

Pillow does the decoding, to the same pixels: OpenCV passes a half-written JPEG off as a whole one and turns only some
formats upright. Radiance images (radiance.py) are OpenCV's, since Pillow does not know them.
"""

from __future__ import annotations

import errno
import io
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import ExifTags, UnidentifiedImageError
from PIL import Image as PillowImage

from bunnymoose_cv.capture.dimensions import LARGEST_MEGAPIXELS, check_dimensions
from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.radiance import decode_radiance, is_radiance
from bunnymoose_cv.core.input_file import open_regular, read_bounded

if TYPE_CHECKING:
    from pathlib import Path


class ReadTimeoutError(Exception):
    """Deadline of a read that has passed."""


class TimedBytes(io.BytesIO):
    """A file in memory that stops whoever reads it for too long.

    Args:
        limit_s: seconds from now until the deadline.
    """

    def __init__(self, content: bytes, limit_s: float) -> None:
        super().__init__(content)
        self.extend(limit_s)

    def extend(self, limit_s: float) -> None:
        """Move the deadline to some seconds from now."""
        self._deadline_s = time.monotonic() + limit_s

    def read(self, size: int | None = -1, /) -> bytes:
        """Read as of any file.

        Raises:
            ReadTimeoutError: the deadline has passed.
        """
        if time.monotonic() > self._deadline_s:
            raise ReadTimeoutError
        return super().read(size)


LARGEST_BYTES: Final = 1_000_000_000
"""Bound of a file; the largest image of three channels of 16 bits has 720 MB."""

_HEADER_S: Final = 4.0
_PIXELS_S: Final = 30.0
"""Bound of decoding time; the largest JPEG takes 2 s of one core."""

PREFIX: Final = 256
"""Length of the prefix by which a file's format is told, in bytes."""

_JPEG: Final = b"\xff\xd8"
_AVIF: Final = frozenset({b"avif", b"avis"})
_HEIC: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_STILL_HEIC: Final = frozenset({b"heic", b"heix"})
_EITHER: Final = frozenset({b"mif1", b"msf1"})
"""Brands of HEIF files (ISO/IEC 23008-12); those of either kind name it among the compatible ones."""

PillowImage.init()  # Pillow knows its formats only from then on
_FORMATS: Final = tuple(
    kind
    for kind in ("JPEG", "MPO", "PNG", "WEBP", "AVIF", "TIFF", "BMP", "DIB", "GIF", "JPEG2000", "PPM", "SUN")
    if kind in PillowImage.OPEN
)
"""Formats that are read; of the others of Pillow some are films or printing languages."""

_UPRIGHT: Final = {
    2: PillowImage.Transpose.FLIP_LEFT_RIGHT,
    3: PillowImage.Transpose.ROTATE_180,
    4: PillowImage.Transpose.FLIP_TOP_BOTTOM,
    5: PillowImage.Transpose.TRANSPOSE,
    6: PillowImage.Transpose.ROTATE_270,
    7: PillowImage.Transpose.TRANSVERSE,
    8: PillowImage.Transpose.ROTATE_90,
}
"""Transposition that makes an image upright, by its EXIF orientation (EXIF 2.32, tag 0x0112)."""


def read_image(path: Path) -> Image:
    """Read an image file; of several images in it, the first.

    Raises:
        UnreadableError: it is missing, may not be read, is damaged, cut off, too large or no image.
    """
    try:
        content = read_bounded(path, LARGEST_BYTES)
    except OSError as error:
        raise UnreadableError.of_file(str(path), error) from error
    return decode_image(content, str(path))


def is_image(source: Path | bytes) -> bool:
    """Tell if a file, or the bytes of one, begins as an image does; the rest of it may still be damaged."""
    try:
        content = source if isinstance(source, bytes) else _content_of(source)
        if content is None or is_radiance(content):
            return content is not None
        with warnings.catch_warnings(action="ignore"), _open(_open_timed(content)):
            return True
    except (PillowImage.DecompressionBombError, ReadTimeoutError):
        return True
    except MemoryError:
        raise
    except OSError as error:
        return error.errno == errno.EFBIG
    except Exception:  # noqa: BLE001 - whatever the header's decoders fail with, it is no header
        return False


def _content_of(path: Path) -> bytes | None:
    """A whole file, where its beginning may be that of an image: clips are larger than memory."""
    with open_regular(path) as file:
        prefix = file.read(PREFIX)
    return read_bounded(path, LARGEST_BYTES) if is_radiance(prefix) or _may_be_image(prefix) else None


def _may_be_image(prefix: bytes) -> bool:
    prefix = _named_avif(prefix)
    accepts = (PillowImage.OPEN[kind][1] for kind in _FORMATS if kind in PillowImage.OPEN)
    return any(accept is None or bool(accept(prefix)) for accept in accepts)


def _open_timed(content: bytes) -> TimedBytes:
    """A file whose header may be read for a few seconds.

    A JPEG whose end was never written is often filled up with zeros, of which Pillow would look at every single one.
    """
    return TimedBytes(content.rstrip(b"\0") if content.startswith(_JPEG) else _named_avif(content), _HEADER_S)


def is_heic(content: bytes) -> bool:
    """Return whether a file begins as one of HEIC, which telephones make and nothing here can read."""
    major, compatible = _heif_brands(content)
    return not _AVIF & compatible and (major in _HEIC | _EITHER or not _STILL_HEIC.isdisjoint(compatible))


def _named_avif(content: bytes) -> bytes:
    """A file under the brand by which Pillow knows AVIF, if that is only among its compatible ones."""
    major, compatible = _heif_brands(content)
    return content[:8] + b"avif" + content[12:] if major not in _AVIF and compatible & _AVIF else content


def _heif_brands(content: bytes) -> tuple[bytes, frozenset[bytes]]:
    """The major and the compatible brands of a file (ISO/IEC 14496-12, ftyp); none of other kinds of files."""
    length = min(int.from_bytes(content[:4], "big"), PREFIX)
    if content[4:8] != b"ftyp":
        return b"", frozenset()
    return content[8:12], frozenset(content[start : start + 4] for start in range(16, length, 4))


def decode_image(content: bytes, name: str) -> Image:
    """Turn an image file's content into pixels.

    Eight bits are kept of deeper images, those without limit are exposed as a camera would, grey becomes three equal
    colours, what is transparent becomes white.

    Raises:
        UnreadableError: it is damaged, cut off, too large or no image.
    """
    if is_radiance(content):
        return _of_bounded_shape(decode_radiance(content, name, LARGEST_MEGAPIXELS), name)
    try:
        with warnings.catch_warnings(action="ignore"):
            return _pixels(_turn_upright(_decode_pixels(content, name)))
    except (UnreadableError, MemoryError):
        raise
    except ReadTimeoutError as error:
        raise UnreadableError(f"{name} takes too long to read: save it again where it came from") from error
    except UnidentifiedImageError as error:
        raise UnreadableError(f"{name} is no picture that can be read: give a JPEG, a PNG or the like") from error
    except Exception as error:  # decoders fail in as many ways as files are damaged
        raise UnreadableError(f"{name} is damaged or was cut off: save it again where it came from") from error


def _decode_pixels(content: bytes, name: str) -> PillowImage.Image:
    """The image as it lies in the file, unless its header says that it is too large."""
    with suppress(PillowImage.DecompressionBombError):  # Pillow's own limit, beyond ours
        file = _open_timed(content)
        image = _open(file)
        check_dimensions(name, *image.size)
        file.extend(_PIXELS_S)
        image.load()
        return image
    raise UnreadableError(f"{name} has more than {LARGEST_MEGAPIXELS} million pixels: save it smaller")


def _of_bounded_shape(image: Image, name: str) -> Image:
    check_dimensions(name, image.shape[1], image.shape[0])
    return image


def _open(file: TimedBytes) -> PillowImage.Image:
    """Read no more than the header."""
    return PillowImage.open(file, formats=_FORMATS)


def _turn_upright(image: PillowImage.Image) -> PillowImage.Image:
    turn = None
    with suppress(Exception):  # what stands about an image may be damaged while the image is whole
        turn = _UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    return image if turn is None else image.transpose(turn)


def _pixels(image: PillowImage.Image) -> Image:
    if image.mode == "I" or image.mode.startswith("I;16"):
        image = PillowImage.fromarray((np.clip(np.asarray(image), 0, 0xFFFF) >> 8).astype(np.uint8))
    elif image.mode == "F":
        image = PillowImage.fromarray((np.clip(np.asarray(image), 0.0, 1.0) * 0xFF).astype(np.uint8))
    elif image.has_transparency_data:
        image = image.convert("RGBA")
        image = PillowImage.alpha_composite(PillowImage.new("RGBA", image.size, "white"), image)
    pixels = np.asarray(image if image.mode == "RGB" else image.convert("RGB"))
    return cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)
