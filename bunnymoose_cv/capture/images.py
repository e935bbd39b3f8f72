"""Decoder of image files to upright blue-green-red pixels, with limits of size and time.

Pillow decodes, to the same pixels as OpenCV, which passes a half-written JPEG off as a whole one and turns only some
formats upright. OpenCV decodes Radiance images (.hdr), which Pillow does not know. Its tone mappings turn the
darkest pixel into NaN and refuse a black image, so the exposure is ours: Reinhard and others, Photographic Tone
Reproduction for Digital Images, SIGGRAPH 2002, equations 1, 2 and 4.
"""

from __future__ import annotations

import errno
import io
import re
import time
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import ExifTags, UnidentifiedImageError
from PIL import Image as PillowImage

from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.image_geometry import check_dimensions, check_pixels, too_large
from bunnymoose_cv.core.input_file import open_regular, read_bounded

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt


class ReadTimeoutError(Exception):
    """Error for reading past the deadline."""


class TimedBytes(io.BytesIO):
    """A file in memory whose reader is stopped at a deadline, `limit_s` seconds from now."""

    def __init__(self, content: bytes, limit_s: float) -> None:
        super().__init__(content)
        self.extend(limit_s)

    def extend(self, limit_s: float) -> None:
        """Move the deadline to this many seconds from now."""
        self._deadline_s = time.monotonic() + limit_s

    def read(self, size: int | None = -1, /) -> bytes:
        """Read like any file, or raise a `ReadTimeoutError` if the deadline has passed."""
        if time.monotonic() > self._deadline_s:
            raise ReadTimeoutError
        return super().read(size)


LARGEST_BYTES: Final = 1_000_000_000
"""Largest size of a file in bytes; the largest image of three channels of 16 bits has 720 MB."""

_HEADER_S: Final = 4.0
_PIXELS_S: Final = 30.0
"""Limit of the decoding time in seconds; the largest JPEG takes 2 s of one core."""

PREFIX: Final = 256
"""Length in bytes of the prefix that identifies a file's format."""

_JPEG: Final = b"\xff\xd8"
_AVIF: Final = frozenset({b"avif", b"avis"})
_HEIC: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"})
_STILL_HEIC: Final = frozenset({b"heic", b"heix"})
_EITHER: Final = frozenset({b"mif1", b"msf1"})
"""Brands of HEIF files (ISO/IEC 23008-12) of either kind, which is named among the compatible brands."""

PillowImage.init()  # Pillow lists its formats only after this call
_FORMATS: Final = tuple(
    kind
    for kind in ("JPEG", "MPO", "PNG", "WEBP", "AVIF", "TIFF", "BMP", "DIB", "GIF", "JPEG2000", "PPM", "SUN")
    if kind in PillowImage.OPEN
)
"""Formats that are read; some of Pillow's other formats are films or printing languages."""

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
    """Read an image file; if it holds several images, the first. Raise an `UnreadableError` if that fails."""
    try:
        content = read_bounded(path, LARGEST_BYTES)
    except OSError as error:
        raise UnreadableError.of_file(str(path), error) from error
    return decode_image(content, str(path))


def is_image(source: Path | bytes) -> bool:
    """Return whether a file, or the bytes of one, begins like an image. The rest may still be damaged."""
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
    """Return a whole file if it begins like an image, since clips may be larger than memory."""
    with open_regular(path) as file:
        prefix = file.read(PREFIX)
    return read_bounded(path, LARGEST_BYTES) if is_radiance(prefix) or _may_be_image(prefix) else None


def _may_be_image(prefix: bytes) -> bool:
    prefix = _named_avif(prefix)
    accepts = (PillowImage.OPEN[kind][1] for kind in _FORMATS)
    return any(accept is None or bool(accept(prefix)) for accept in accepts)


def _open_timed(content: bytes) -> TimedBytes:
    """Open a file whose header may be read for a few seconds.

    Truncated JPEGs are often padded with zeros, which Pillow would scan byte by byte.
    """
    return TimedBytes(content.rstrip(b"\0") if content.startswith(_JPEG) else _named_avif(content), _HEADER_S)


def is_heic(content: bytes) -> bool:
    """Return whether a file begins as HEIC, which phones make and nothing here can read."""
    major, compatible = _heif_brands(content)
    return not _AVIF & compatible and (major in _HEIC | _EITHER or not _STILL_HEIC.isdisjoint(compatible))


def _named_avif(content: bytes) -> bytes:
    """Return a file with the brand by which Pillow knows AVIF, if that is only among its compatible ones."""
    major, compatible = _heif_brands(content)
    return content[:8] + b"avif" + content[12:] if major not in _AVIF and compatible & _AVIF else content


def _heif_brands(content: bytes) -> tuple[bytes, frozenset[bytes]]:
    """Return the major and the compatible brands of a file (ISO/IEC 14496-12, ftyp); empty for other formats."""
    length = min(int.from_bytes(content[:4], "big"), PREFIX)
    if content[4:8] != b"ftyp":
        return b"", frozenset()
    return content[8:12], frozenset(content[start : start + 4] for start in range(16, length, 4))


def decode_image(content: bytes, name: str) -> Image:
    """Decode an image file's content. Raise an `UnreadableError` if it is damaged, cut off, too large or not an image.

    Deeper images are reduced to eight bits, high dynamic range is exposed as by a camera, transparency becomes white.
    """
    if is_radiance(content):
        return _decode_radiance(content, name)
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
    """Return the image as stored, before it is turned upright, unless its header says that it is too large."""
    file = _open_timed(content)
    with suppress(PillowImage.DecompressionBombError):  # Pillow's own limit, which is beyond ours
        image = _open(file)
        check_dimensions(name, *image.size)
        file.extend(_PIXELS_S)
        image.load()
        return image
    raise too_large(name)


def _open(file: TimedBytes) -> PillowImage.Image:
    """Open an image and read only its header."""
    return PillowImage.open(file, formats=_FORMATS)


def _turn_upright(image: PillowImage.Image) -> PillowImage.Image:
    turn = None
    with suppress(Exception):  # the metadata may be damaged although the image is whole
        turn = _UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    return image if turn is None else image.transpose(turn)


def _pixels(image: PillowImage.Image) -> Image:
    if image.mode.startswith("I;16"):
        image = PillowImage.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    elif image.mode in {"I", "F"}:
        light = np.nan_to_num(np.asarray(image, np.float32))
        white = next((white for white in _WHITES if light.mean() <= white), light.max())
        image = PillowImage.fromarray((np.clip(light / white, 0, 1) * 0xFF).astype(np.uint8))
    elif image.has_transparency_data:
        image = image.convert("RGBA")
        image = PillowImage.alpha_composite(PillowImage.new("RGBA", image.size, "white"), image)
    pixels = np.asarray(image if image.mode == "RGB" else image.convert("RGB"))
    return cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR).astype(np.uint8, copy=False)


_WHITES: Final = (1.0, 0xFF, 0xFFFF)
"""Values of white that programs use in images of 32 bits, whose files do not state it."""

_BEGINNINGS: Final = (b"#?RADIANCE", b"#?RGBE")
_SIZE: Final = re.compile(rb"\n-Y (\d+) \+X (\d+)\n")
"""The line before the pixels: height and width, the first pixel top left."""

_HEADER: Final = 65_536
_MIDDLE_GREY: Final = 0.18
_DARKEST: Final = 1e-6
_BRIGHTEST: Final = np.float32(1e15)
"""Largest radiance, whose square is still a number of 32 bits."""

_SCREEN_GAMMA: Final = 2.2


def is_radiance(content: bytes) -> bool:
    """Return whether a file begins like a Radiance image."""
    return content.startswith(_BEGINNINGS)


def _decode_radiance(content: bytes, name: str) -> Image:
    """Decode a Radiance image. Raise an `UnreadableError` if it is damaged, cut off or too large."""
    light, size = None, _SIZE.search(content[:_HEADER])
    if size is not None:
        check_pixels(name, int(size[2]), int(size[1]))
        light = _decode_light(content)
    if light is None:
        raise UnreadableError(f"{name} is damaged or was cut off: save it again where it came from")
    check_dimensions(name, light.shape[1], light.shape[0])
    return _expose_light(light)


def _decode_light(content: bytes) -> npt.NDArray[np.float32] | None:
    # OpenCV writes to stderr about a damaged file; users get a sentence instead.
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        light = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        return None
    finally:
        cv2.utils.logging.setLogLevel(before)
    return None if light is None else np.nan_to_num(np.asarray(light, np.float32))


def _expose_light(light: npt.NDArray[np.float32]) -> Image:
    """Reduce light to eight bits: its middle becomes middle grey, its brightest spot white."""
    brightness = light @ np.array([0.0722, 0.7152, 0.2126], np.float32)
    middle = float(np.exp(np.log(np.maximum(brightness, _DARKEST)).mean()))
    with np.errstate(over="ignore"):
        scaled = np.minimum(_MIDDLE_GREY / middle * light, _BRIGHTEST)
    white = max(float(scaled.max()), _DARKEST)
    seen = scaled * (1 + scaled / white**2) / (1 + scaled)
    return np.asarray((np.clip(seen, 0, 1) ** (1 / _SCREEN_GAMMA) * 0xFF).round(), np.uint8)
