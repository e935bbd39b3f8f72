"""Named inputs become images and clips, and a bad one fails by itself."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.media_inputs import MediaInput, find_inputs
from bunnymoose_cv.core.errors import InputError

MakeClip = Callable[..., Path]


def image_file(path: Path) -> Path:
    Image.new("RGB", (32, 24), "red").save(path, "PNG")
    return path


def only(argument: Path | str) -> MediaInput:
    (source,) = find_inputs([str(argument)])
    return source


def test_a_folder_stands_for_its_files_by_number(tmp_path: Path) -> None:
    for name in ("b10.jpg", "b9.JPG", "B1.png", "a.webp", "clip.mp4", "notes.txt", ".hidden.jpg", "manifest.csv"):
        (tmp_path / name).touch()
    (tmp_path / "inner").mkdir()
    names = [source.path.name for source in find_inputs([str(tmp_path)]) if source.path]
    assert names == ["a.webp", "B1.png", "b9.JPG", "b10.jpg", "clip.mp4"]


def test_arguments_keep_their_order(tmp_path: Path) -> None:
    names = [str(tmp_path / "z.jpg"), "-", str(tmp_path / "a.jpg")]
    assert [source.name for source in find_inputs(names)] == [names[0], "standard input", names[2]]


def test_an_empty_name_is_no_folder() -> None:
    with pytest.raises(InputError, match="empty name"):
        list(find_inputs(["a.png", ""]))


def test_a_image_is_one_whatever_its_name(tmp_path: Path) -> None:
    opened = only(image_file(tmp_path / "holiday.mp4")).open()
    assert isinstance(opened, np.ndarray)
    assert opened.shape == (24, 32, 3)


def test_a_clip_is_one_whatever_its_name(make_clip: MakeClip) -> None:
    path = make_clip()
    renamed = path.rename(path.with_name("holiday.jpg"))
    opened = only(renamed).open()
    assert isinstance(opened, Clip)
    assert opened.size == (96, 64)


def test_where_only_images_do_a_clip_is_refused(make_clip: MakeClip, tmp_path: Path) -> None:
    assert only(image_file(tmp_path / "a.png")).image().shape == (24, 32, 3)
    with pytest.raises(UnreadableError, match=r"clip\.mp4 is a clip"):
        only(make_clip()).image()


@pytest.mark.parametrize("kind", ["picture", "clip", "nothing"])
def test_standard_input_is_an_image_a_clip_or_refused(
    kind: str, make_clip: MakeClip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {"picture": image_file(tmp_path / "a.png"), "clip": make_clip()}.get(kind)
    content = made.read_bytes() if made else b""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    if kind == "nothing":
        with pytest.raises(UnreadableError, match="standard input is empty"):
            only("-").open()
    else:
        assert isinstance(only("-").open(), Clip if kind == "clip" else np.ndarray)


def heic(path: Path) -> None:
    path.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100))


def truncated(path: Path) -> None:
    content = io.BytesIO()
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)).save(content, "JPEG")
    path.write_bytes(content.getvalue()[:-200])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda path: path.write_text("Bunny, bunny, moose!"), "is no picture and no clip that can be read"),
        (lambda path: path.touch(), "is empty"),
        (truncated, "is damaged or was cut off"),
        (lambda _: None, r"There is no .*a\.jpg: check the name"),
        (heic, "is a HEIC picture"),
        (lambda path: path.mkdir(), r"The folder .*a\.jpg has no picture and no clip in it"),
    ],
)
def test_a_bad_source_gives_one_sentence_and_stops_nobody(
    make: Callable[[Path], object], sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path / "a.jpg")
    good = image_file(tmp_path / "b.png")
    bad_source, good_source = find_inputs([str(tmp_path / "a.jpg"), str(good)])
    with pytest.raises(UnreadableError, match=sentence) as caught:
        bad_source.open()
    assert "\n" not in str(caught.value)
    assert good_source.image().shape == (24, 32, 3)
    assert capfd.readouterr() == ("", "")


def test_a_file_that_may_not_be_read() -> None:
    error = UnreadableError.of_file("a.jpg", PermissionError(errno.EACCES, "Permission denied"))
    assert str(error) == "a.jpg cannot be read: Permission denied"
