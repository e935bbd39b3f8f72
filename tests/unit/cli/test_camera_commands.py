"""`bunnymoose cameras` names what there is; nothing is no error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bunnymoose_cv.capture import camera_list
from bunnymoose_cv.capture.camera_list import CameraFound
from bunnymoose_cv.capture.camera_mode import CameraMode

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

FOUND = (
    CameraFound(0, "Integrated Camera", "/dev/video0"),
    CameraFound(2, "Webcam", "/dev/video2", (CameraMode(1920, 1080, 30), CameraMode(640, 480, 0))),
)


def test_a_line_for_the_camera_and_one_for_each_size(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_list, "list_cameras", lambda: FOUND)
    code, out, err = bunnymoose("cameras")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "  0  Integrated Camera",
        "  2  Webcam",
        "     1920×1080 at 30 frames a second",
        "     640×480",
    ]


def test_as_json_a_line_per_camera(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_list, "list_cameras", lambda: FOUND)
    code, out, _ = bunnymoose("cameras", "--json")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == [
        {"number": 0, "name": "Integrated Camera", "modes": []},
        {
            "number": 2,
            "name": "Webcam",
            "modes": [{"size": [1920, 1080], "frames_per_s": 30}, {"size": [640, 480], "frames_per_s": None}],
        },
    ]


def test_no_camera_is_told_and_no_error(
    bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_list, "list_cameras", tuple)
    code, out, err = bunnymoose("cameras", "--json")
    assert (code, out) == (0, "")
    assert err == "This computer sees no camera: plug one in, or play from a stream or a clip\n"
