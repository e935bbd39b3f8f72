"""`bunnymoose hand` and `face`, as a person and another program call them, with the real models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from bunnymoose_cv.capture.images import read_image

if TYPE_CHECKING:
    from collections.abc import Callable

    Program = Callable[..., tuple[int, str, str]]

CLIP = Path(__file__).parents[3] / "fixtures" / "demo.mp4"


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_hands_and_faces_are_told_and_a_missing_file_exits_with_2(
    bunnymoose: Program, party_file: Path, tmp_path: Path
) -> None:
    hand, wall, missing = tmp_path / "hand.png", tmp_path / "wall.png", tmp_path / "missing.png"
    cv2.imwrite(str(hand), read_image(party_file)[100:400, 1000:1280])
    cv2.imwrite(str(wall), np.full((100, 100, 3), 90, np.uint8))
    sources = [str(path) for path in (hand, wall, missing)]

    code, out, err = bunnymoose("hand", *sources, "--json")
    assert (code, err.count("\n")) == (2, 1)
    found, nothing = objects(out)
    assert (found["source"], found["kind"]) == (str(hand), "antler")
    assert nothing.keys() == found.keys()
    assert {key: value for key, value in nothing.items() if value} == {"source": str(wall)}
    code, out, err = bunnymoose("hand", *sources[:2])
    assert (code, err) == (0, "")
    assert "antler" in out.splitlines()[0]
    assert out.splitlines()[1] == f"{wall}: no hand found"

    code, out, err = bunnymoose("face", str(party_file), *sources[1:], "--json")
    assert (code, err.count("\n")) == (2, 1)
    assert [len(line["faces"]) for line in objects(out)] == [2, 0]
    code, out, err = bunnymoose("face", str(party_file), str(wall))
    assert (code, err) == (0, "")
    assert out.splitlines()[0].count("tongue") == 2
    assert out.splitlines()[1] == f"{wall}: no face found"


def test_a_clip_is_no_hand(bunnymoose: Program) -> None:
    code, out, err = bunnymoose("hand", str(CLIP))
    assert (code, out) == (2, "")
    assert "is a clip and this takes only pictures" in err


def test_a_line_break_in_a_name_keeps_a_image_on_its_line(bunnymoose: Program, tmp_path: Path) -> None:
    wall = tmp_path / "a\nb.png"
    wall.write_bytes(cv2.imencode(".png", np.full((100, 100, 3), 90, np.uint8))[1].tobytes())
    code, out, _ = bunnymoose("face", str(wall))
    assert (code, out) == (0, f"{tmp_path}/a\\nb.png: no face found\n")
