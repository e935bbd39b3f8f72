"""Cameras found by number or name, their sizes and rates, quality steps and mountings; with a simulated driver."""

import os
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture import camera_list
from bunnymoose_cv.capture.camera_list import (
    CameraFound,
    CameraMode,
    CameraStep,
    advertised_modes,
    find_camera,
    keep_step,
    kept_step,
    list_cameras,
    step_file,
    unmistakable_name,
)
from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings

CAPTURES, OUTPUTS, HAS_DEVICE_CAPABILITIES = 0x1, 0x2, 0x80000000
JPEG, YUYV = int.from_bytes(b"MJPG", "little"), int.from_bytes(b"YUYV", "little")


class Driver:
    """Simulated kernel driver, which writes its answers into the structs of `linux/videodev2.h`."""

    def __init__(self, capabilities: int, modes: dict[int, dict[tuple[int, int], list[tuple[int, int]]]]) -> None:
        self.capabilities, self.modes = capabilities, modes

    def __call__(self, request: int, block: bytearray) -> None:
        answer = {0: self.capable, 2: self.pixel_format, 74: self.size, 75: self.interval}[request & 0xFF]
        assert request >> 16 & 0x3FFF == len(block)
        try:
            answer(block)
        except IndexError:
            raise OSError(22, "Invalid argument") from None

    def capable(self, block: bytearray) -> None:
        struct.pack_into("32s", block, 16, "Kamera für Elche".encode())
        struct.pack_into("II", block, 84, CAPTURES | OUTPUTS | HAS_DEVICE_CAPABILITIES, self.capabilities)

    def pixel_format(self, block: bytearray) -> None:
        struct.pack_into("I", block, 44, list(self.modes)[struct.unpack_from("I", block)[0]])

    def size(self, block: bytearray) -> None:
        index, pixel_format = struct.unpack_from("II", block)
        struct.pack_into("III", block, 8, 1, *list(self.modes[pixel_format])[index])

    def interval(self, block: bytearray) -> None:
        index, pixel_format, *size = struct.unpack_from("IIII", block)
        struct.pack_into("III", block, 16, 1, *self.modes[pixel_format][size[0], size[1]][index])


def test_each_size_has_its_highest_rate() -> None:
    driver = Driver(
        CAPTURES,
        {
            YUYV: {(640, 480): [(1, 30), (1, 15)], (1920, 1080): [(1, 5)]},
            JPEG: {(640, 480): [(1, 60)], (1920, 1080): [(1, 30), (1, 24)], (1280, 720): []},
        },
    )
    assert camera_list.describe(driver) == (
        "Kamera für Elche",
        (CameraMode(1920, 1080, 30), CameraMode(1280, 720, 0), CameraMode(640, 480, 60)),
    )


def test_camera_of_any_size_reports_the_largest() -> None:
    def driver(request: int, block: bytearray) -> None:
        index = struct.unpack_from("I", block)[0]
        if index:
            raise OSError(22, "Invalid argument")
        if request == camera_list.QUERY_CAPABILITIES:
            struct.pack_into("II", block, 84, CAPTURES, 0)
        if request == camera_list.ENUMERATE_SIZES:
            struct.pack_into("IIIIIII", block, 8, 3, 16, 2592, 16, 16, 1944, 16)
        if request == camera_list.ENUMERATE_INTERVALS:
            struct.pack_into("III", block, 16, 2, 1, 90)

    reported = camera_list.describe(driver)
    assert reported is not None
    assert reported[1] == (CameraMode(2592, 1944, 90),)


def test_device_without_images_is_not_a_camera(tmp_path: Path) -> None:
    assert camera_list.describe(Driver(OUTPUTS, {})) is None
    for name in ("video0", "video12", "videotape"):
        (tmp_path / name).touch()
    assert list(camera_list.nodes(tmp_path)) == []


@pytest.mark.parametrize(
    ("refused", "found"),
    [((), [0, 1, 2]), ((0,), [1, 2]), ((1, 2), [0]), ((0, 1, 2), None)],
)
def test_refused_camera_does_not_hide_others(
    refused: tuple[int, ...], found: list[int] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / f"video{number}" for number in range(3)]
    opened = os.open

    def open_permitted(path: Path, *flags: int) -> int:
        if path in [paths[number] for number in refused]:
            raise PermissionError
        return opened(path, *flags)

    for path in paths:
        path.touch()
    monkeypatch.setattr(os, "open", open_permitted)
    monkeypatch.setattr(camera_list, "describe", lambda _: ("Webcam", ()))
    if found is None:
        with pytest.raises(UnreadableError, match=r"permission to use the camera .*video0"):
            list(camera_list.nodes(tmp_path))
    else:
        assert [node.number for node in camera_list.nodes(tmp_path)] == found


def test_list_comes_from_this_computer() -> None:
    assert all(camera.name and camera.address for camera in list_cameras())


CAMERAS = (
    CameraFound(0, "Integrated Camera", "/dev/video0"),
    CameraFound(2, "HD Pro Webcam C920", "/dev/video2"),
    CameraFound(4, "C9", "/dev/video4"),
)


@pytest.mark.parametrize(
    ("where", "number", "exactly"),
    [
        ("0", 0, False),
        ("2", 2, False),
        ("HD Pro Webcam C920", 2, False),
        ("webcam", 2, False),
        ("c9", 4, False),
        ("C92", 2, False),
        ("/dev/video4", 4, False),
        ("1", None, False),
        ("9", None, False),
        (" 920 ", None, False),
        ("", None, False),
        ("clip.mp4", None, False),
        ("webcam", None, True),  # when reopened, a camera with a longer name does not match
        ("HD Pro Webcam C9", None, True),
        ("c9", 4, True),
        ("/dev/video2", 2, True),
        ("0", 0, True),
    ],
)
def test_a_camera_is_found_by_number_address_or_name(where: str, number: int | None, *, exactly: bool) -> None:
    found = find_camera(where, CAMERAS, exactly=exactly)
    assert (found and found.number) == number


def test_cameras_with_equal_names_have_different_addresses() -> None:
    twins = (*CAMERAS[:2], CameraFound(6, "HD Pro Webcam C920", "/dev/video6"))
    names = [unmistakable_name(camera, twins) for camera in twins]
    assert names == ["Integrated Camera", "/dev/video2", "/dev/video6"]
    assert [find_camera(name, twins) for name in names] == list(twins)


@pytest.mark.parametrize(
    ("text", "modes"),
    [
        (
            (
                "  vcodec=mjpeg  min s=1920x1080 fps=5 max s=1920x1080 fps=30\n"
                "  pixel_format=yuyv422  min s=640x480 fps=5 max s=640x480 fps=30.0003\n"
                "  pixel_format=yuyv422  min s=1920x1080 fps=5 max s=1920x1080 fps=5\n"
            ),
            (CameraMode(1920, 1080, 30), CameraMode(640, 480, 30.0003)),
        ),
        (
            "Supported modes:\n  1280x720@[1.000000 30.000000]fps\n  640x480@[1.000000 60.000000]fps\n",
            (CameraMode(1280, 720, 30), CameraMode(640, 480, 60)),
        ),
        ("", ()),
    ],
)
def test_modes_of_other_systems_are_parsed(text: str, modes: tuple[CameraMode, ...]) -> None:
    assert advertised_modes(text) == modes


@pytest.mark.usefixtures("data_folder")
def test_stored_step_limits_the_requested_mode() -> None:
    settings = load_settings().camera
    assert kept_step() is CameraStep.FULL
    assert CameraStep.FULL.limit(settings) == settings
    keep_step(CameraStep.SMALL)
    small = kept_step().limit(settings)
    assert (small.width, small.height, small.frames_per_s) == (1280, 720, 15)
    assert CameraStep.SMALL.limit(settings.model_copy(update={"width": 640})).width == 640
    step_file().write_text("step = 'huge'\n")
    assert kept_step() is CameraStep.FULL
    step_file().write_bytes(b"\xff\xfe")
    assert kept_step() is CameraStep.FULL


def test_unwritable_step_is_reported_in_one_sentence(data_folder: Path) -> None:
    data_folder.write_text("no folder")
    with pytest.raises(InputError, match=r"cannot be kept in .*camera_step.toml \(.+\): make room, or give yourself"):
        keep_step(CameraStep.SMALL)
    assert kept_step() is CameraStep.FULL


TABLE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
"""Image in front of the camera, with different pixels everywhere."""

MOUNTED = {0: None, 90: cv2.ROTATE_90_COUNTERCLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_CLOCKWISE}


def as_sent(rotation_degrees: int, *, mirrored: bool) -> Image:
    """Return the image that a camera sends: rotated by its mounting, then mirrored by its software."""
    turn = MOUNTED[rotation_degrees]
    sent = TABLE if turn is None else cv2.rotate(TABLE, turn)
    return (cv2.flip(sent, 1) if mirrored else sent).astype(np.uint8)


@pytest.mark.parametrize("rotation_degrees", MOUNTED)
@pytest.mark.parametrize("mirrored", [False, True])
def test_every_mounting_is_undone(rotation_degrees: int, *, mirrored: bool) -> None:
    view = View(rotation_degrees, mirrored)
    sent = as_sent(rotation_degrees, mirrored=mirrored)
    np.testing.assert_array_equal(view.upright(sent), TABLE)
    assert view.size_of(sent.shape[1], sent.shape[0]) == (6, 4)


@pytest.mark.parametrize("rotation_degrees", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_flipped_view_shows_the_mirror_image(rotation_degrees: int, *, mirrored: bool) -> None:
    view = View(rotation_degrees, mirrored)
    sent = as_sent(90, mirrored=True)
    assert np.array_equal(view.flipped.upright(sent), cv2.flip(view.upright(sent), 1))


def test_default_view_is_upright_and_unmirrored() -> None:
    assert View.of(load_settings().camera) == View(0, mirrored=False)
