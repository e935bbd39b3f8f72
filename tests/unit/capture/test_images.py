"""Images of all formats decode upright; bad ones are refused in one sentence; JPEG quality is applied."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags
from PIL import Image as PillowImage

from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.images import decode_image, is_image, read_image
from bunnymoose_cv.capture.jpeg_frame import encode_jpeg

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def corners(width: int = 320, height: int = 200) -> PillowImage.Image:
    """Return an image with red top left, green top right, blue bottom left and white bottom right."""
    image = PillowImage.new("RGB", (width, height), WHITE)
    image.paste(RED, (0, 0, width // 2, height // 2))
    image.paste(GREEN, (width // 2, 0, width, height // 2))
    image.paste(BLUE, (0, height // 2, width // 2, height))
    return image


def saved(image: PillowImage.Image, kind: str, **options: Any) -> bytes:
    content = io.BytesIO()
    image.save(content, kind, **options)
    return content.getvalue()


def colours(image: Image) -> list[tuple[int, ...]]:
    """Return the rounded colour in the middle of each quarter: top left, top right, bottom left, bottom right."""
    height, width = image.shape[:2]
    places = [(y, x) for y in (height // 4, 3 * height // 4) for x in (width // 4, 3 * width // 4)]
    return [tuple(int(round(value / 51.0) * 51) for value in image[place][::-1]) for place in places]


def assert_is_image(image: Image, width: int, height: int) -> None:
    assert image.dtype == np.uint8
    assert image.shape == (height, width, 3)
    assert image.flags.c_contiguous


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "TIFF", "BMP", "GIF", "JPEG2000", "PPM"])
def test_every_format_keeps_its_colours(kind: str, tmp_path: Path) -> None:
    content = saved(corners(), kind)
    path = tmp_path / "picture"
    path.write_bytes(content)
    image = read_image(path)
    assert_is_image(image, 320, 200)
    assert colours(image) == [RED, GREEN, BLUE, WHITE]
    assert is_image(path)
    assert is_image(content)
    np.testing.assert_array_equal(image, decode_image(content, "picture"))


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_pixels_are_those_of_opencv(kind: str) -> None:
    noise = PillowImage.fromarray(np.random.default_rng(3).integers(0, 256, (200, 320, 3), np.uint8))
    content = saved(noise, kind)
    expected = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert expected is not None
    np.testing.assert_array_equal(decode_image(content, "noise"), expected)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize(
    ("orientation", "stored"),
    [
        (1, lambda image: image),
        (2, lambda image: image.transpose(PillowImage.Transpose.FLIP_LEFT_RIGHT)),
        (3, lambda image: image.transpose(PillowImage.Transpose.ROTATE_180)),
        (4, lambda image: image.transpose(PillowImage.Transpose.FLIP_TOP_BOTTOM)),
        (5, lambda image: image.transpose(PillowImage.Transpose.TRANSPOSE)),
        (6, lambda image: image.transpose(PillowImage.Transpose.ROTATE_90)),
        (7, lambda image: image.transpose(PillowImage.Transpose.TRANSVERSE)),
        (8, lambda image: image.transpose(PillowImage.Transpose.ROTATE_270)),
    ],
)
def test_exif_orientation_is_turned_upright(
    kind: str, orientation: int, stored: Callable[[PillowImage.Image], PillowImage.Image]
) -> None:
    exif = PillowImage.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    image = decode_image(saved(stored(corners()), kind, exif=exif), "turned")
    assert_is_image(image, 320, 200)
    assert colours(image) == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(saved(corners(), "JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff"), id="damaged Exif"),
        pytest.param(saved(corners().convert("CMYK"), "JPEG"), id="for print"),
        pytest.param(
            saved(corners(), "GIF", save_all=True, append_images=[PillowImage.new("RGB", (320, 200))]), id="moving"
        ),
    ],
)
def test_odd_formats_keep_colours_and_animations_give_the_first_frame(content: bytes) -> None:
    assert colours(decode_image(content, "odd")) == [RED, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(("mode", "grey"), [("L", 102), ("1", 255), ("LA", 102)])
@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_grey_becomes_three_equal_colours(kind: str, mode: str, grey: int) -> None:
    drawn = PillowImage.new("L", (320, 200), 102 if mode != "1" else 255).convert(mode)
    image = decode_image(saved(drawn, kind), "grey")
    assert_is_image(image, 320, 200)
    assert (image == grey).all()


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
@pytest.mark.parametrize("channels", [1, 3])
def test_sixteen_bits_keep_their_upper_half(suffix: str, channels: int) -> None:
    ramp = np.linspace(0, 0xFFFF, 320, dtype=np.uint16)
    deep = np.broadcast_to(ramp[None, :, None], (64, 320, channels)).squeeze()
    encoded = cv2.imencode(suffix, np.ascontiguousarray(deep))[1].tobytes()
    image = decode_image(encoded, "deep")
    assert_is_image(image, 320, 64)
    np.testing.assert_allclose(image[0, :, 1].astype(int), ramp.astype(int) >> 8, atol=1)


@pytest.mark.parametrize(
    ("kind", "white"),
    [(np.float32, 1), *((kind, white) for kind in (np.float32, np.int32) for white in (0xFF, 0xFFFF, 2**30))],
)
def test_white_of_32_bits_is_found_by_the_mean(kind: type[np.generic], white: int) -> None:
    half = np.full((64, 320), white / 2).astype(kind)
    half[0, 0] = white
    image = decode_image(saved(PillowImage.fromarray(half), "TIFF"), "deep")
    np.testing.assert_allclose(image[1].astype(int), 127, atol=1)


def radiance(light: npt.NDArray[np.float32]) -> bytes:
    return cv2.imencode(".hdr", light)[1].tobytes()


@pytest.mark.parametrize("strength", [0.01, 1.0, 100.0])
def test_a_radiance_image_is_exposed_as_a_camera_would(strength: float, tmp_path: Path) -> None:
    light = np.asarray(corners(), np.float32)[..., ::-1] * np.float32(strength / 255)
    path = tmp_path / "room.hdr"
    path.write_bytes(radiance(light))
    image = read_image(path)
    assert_is_image(image, 320, 200)
    assert colours(image) == [RED, GREEN, BLUE, WHITE]
    assert is_image(path)
    assert is_image(path.read_bytes())


def test_a_lamp_in_a_radiance_image_leaves_the_room_visible() -> None:
    light = np.repeat(np.linspace(0.05, 0.8, 320, dtype=np.float32)[None, :, None], 200, 0).repeat(3, 2)
    light[:20, :32] = 5000
    image = decode_image(radiance(light), "lamp.hdr")
    row = image[100, :, 1].astype(int)
    assert 30 < row[0] < row[160] < row[-1] < 230
    assert (np.diff(row) >= 0).all()
    assert image[10, 10].min() == 255


def test_a_black_radiance_image_is_black() -> None:
    assert (decode_image(radiance(np.zeros((40, 60, 3), np.float32)), "night.hdr") == 0).all()


@pytest.mark.parametrize("share", [0.001, 0.2, 0.5, 0.95])
def test_truncated_radiance_image_is_refused_in_one_sentence(share: float, capfd: pytest.CaptureFixture[str]) -> None:
    content = radiance(np.random.default_rng(5).random((64, 96, 3), np.float32))
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_WARNING)
    try:
        with pytest.raises(UnreadableError, match=r"cut off|no picture"):
            decode_image(content[: int(len(content) * share)], "half.hdr")
        assert cv2.utils.logging.getLogLevel() == cv2.utils.logging.LOG_LEVEL_WARNING
    finally:
        cv2.utils.logging.setLogLevel(before)
    assert capfd.readouterr().err == ""


def test_a_huge_radiance_image_is_refused_by_its_header() -> None:
    content = radiance(np.zeros((20, 20, 3), np.float32)).replace(b"-Y 20 +X 20", b"-Y 30000 +X 30000")
    with pytest.raises(UnreadableError, match=r"huge\.hdr has more than 120 million pixels"):
        decode_image(content, "huge.hdr")


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "PNG palette", "GIF palette"])
def test_transparent_pixels_become_white(kind: str) -> None:
    name, _, palette = kind.partition(" ")
    if palette:
        image = corners().quantize(4)
        content = saved(image, name, transparency=image.getpixel((10, 10)))
    else:
        image = corners().convert("RGBA")
        image.paste((0, 0, 0, 0), (0, 0, 160, 100))
        content = saved(image, name, **({"lossless": True} if name == "WEBP" else {}))
    assert colours(decode_image(content, "cut out")) == [WHITE, GREEN, BLUE, WHITE]


@pytest.mark.parametrize(("width", "height"), [(320, 180), (1, 1), (7680, 4320)])
def test_an_image_of_any_size_is_decoded_whole(width: int, height: int) -> None:
    image = decode_image(saved(corners(width, height), "JPEG"), "sized")
    assert_is_image(image, width, height)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF", "TIFF", "BMP", "GIF", "JPEG2000", "PPM"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.95])
def test_truncated_image_is_refused(kind: str, share: float) -> None:
    noise = PillowImage.fromarray(np.random.default_rng(5).integers(0, 256, (64, 96, 3), np.uint8))
    content = saved(noise, kind)
    with pytest.raises(UnreadableError, match=r"cut off|no picture"):
        decode_image(content[: int(len(content) * share)], "half.jpg")


def png_header(width: int, height: int) -> bytes:
    """Return the header of a PNG of a size, without image data."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(30000, 30000), (12001, 10000), (2_000_000_000, 2_000_000_000)])
def test_a_huge_image_is_refused_by_its_header(width: int, height: int) -> None:
    content = png_header(width, height)
    assert is_image(content)
    with pytest.raises(UnreadableError, match=r"huge\.png has more than 120 million pixels"):
        decode_image(content, "huge.png")


@pytest.mark.parametrize(
    "content", [b"", b"Bunny, bunny, moose!\n" * 99, b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", bytes(5000)]
)
def test_invalid_image_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_bytes(content)
    assert not is_image(path)
    with pytest.raises(UnreadableError, match=r"notes\.jpg is no picture") as caught:
        read_image(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"There is no .*gone\.jpg: check the name"):
        read_image(tmp_path / "gone.jpg")
    with pytest.raises(UnreadableError, match="cannot be read: Is a directory"):
        read_image(tmp_path)


@given(
    position=st.integers(0, 10_000),
    damage=st.binary(min_size=1, max_size=40),
    kind=st.sampled_from(["JPEG", "PNG", "GIF", "TIFF", "BMP"]),
)
@settings(max_examples=150)
def test_damaged_image_is_read_or_refused_in_one_sentence(position: int, damage: bytes, kind: str) -> None:
    content = bytearray(saved(corners(64, 48), kind))
    position %= len(content)
    content[position : position + len(damage)] = damage
    try:
        image = decode_image(bytes(content), "damaged")
    except UnreadableError:
        return
    assert image.dtype == np.uint8
    assert image.shape[2:] == (3,)


def test_image_is_encoded_at_the_requested_quality() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    assert len(encode_jpeg(noise, 30)) < len(encode_jpeg(noise, 90))
    blue = np.zeros((48, 64, 3), np.uint8)
    blue[..., 0] = 200
    content = encode_jpeg(blue, 90)
    assert content.startswith(b"\xff\xd8")
    decoded = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert np.abs(decoded.astype(int) - blue).max() <= 3
