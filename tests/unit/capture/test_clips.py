"""Clips in common containers, whole and damaged, and inputs of commands, of which a bad one fails alone."""

import errno
import io
import struct
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import av
import numpy as np
import pytest
from PIL import Image as PillowImage

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Image, UnreadableError
from bunnymoose_cv.capture.media_inputs import MediaInput, find_inputs
from bunnymoose_cv.core.errors import InputError
from tests.media import number_of

MakeClip = Callable[..., Path]


def red_corner(image: Image) -> str:
    height, width = image.shape[:2]
    corners = {
        "top left": image[: height // 8, : width // 8],
        "top right": image[: height // 8, -(width // 8) :],
        "bottom left": image[-(height // 8) :, : width // 8],
        "bottom right": image[-(height // 8) :, -(width // 8) :],
    }
    return max(corners, key=lambda corner: float(corners[corner][..., 2].mean() - corners[corner][..., 0].mean()))


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("clip.mp4", "libx264"),
        ("clip.mov", "libx264"),
        ("clip.mkv", "libx264"),
        ("clip.webm", "libvpx"),
        ("clip.avi", "mjpeg"),
        ("clip.ts", "libx264"),
        ("clip.flv", "libx264"),
    ],
)
def test_every_container_gives_all_frames_from_zero(make_clip: MakeClip, name: str, codec: str) -> None:
    clip = Clip(make_clip(name, codec=codec), name)
    frames = list(clip)
    assert [number_of(frame) for frame in frames] == list(range(20))
    assert [frame.time_s for frame in frames] == pytest.approx([number / 10 for number in range(20)], abs=0.001)
    assert clip.size == (96, 64)
    assert 1.9 < clip.duration_s < 2.01  # not every container says how long the last frame is shown
    assert number_of(clip.frame_at(1.31)) == 13


@pytest.mark.parametrize("time_s", [0.0, 0.05, 0.1, 0.49, 0.5, 0.55, 1.0, 1.34, 1.9, 1.99, 2.0])
def test_a_moment_shows_the_last_frame_before_it(make_clip: MakeClip, time_s: float) -> None:
    frame = Clip(make_clip(), "clip.mp4").frame_at(time_s)
    assert number_of(frame) == min(int(time_s * 10 + 1e-9), 19)
    assert frame.time_s == pytest.approx(number_of(frame) / 10, abs=0.001)


@pytest.mark.parametrize("time_s", [-0.1, 2.1, 60.0])
def test_moment_outside_is_refused_with_the_clips_length(make_clip: MakeClip, time_s: float) -> None:
    clip = Clip(make_clip(), "clip.mp4")
    with pytest.raises(InputError, match=r"clip\.mp4 has no moment .* it lasts from 0 to 2\.00 s"):
        clip.frame_at(time_s)


@pytest.mark.parametrize(
    ("start_s", "end_s", "numbers"),
    [
        (0.7, 1.1, [7, 8, 9, 10, 11]),
        (0.65, 0.75, [7]),
        (-1.0, 0.1, [0, 1]),
        (1.85, 9.0, [19]),
        (0.71, 0.79, []),
        (5.0, 6.0, []),
    ],
)
def test_a_stretch_has_the_frames_between_its_ends(
    make_clip: MakeClip, start_s: float, end_s: float, numbers: list[int]
) -> None:
    assert [number_of(frame) for frame in Clip(make_clip(), "clip.mp4").frames(start_s, end_s)] == numbers


def test_one_reading_does_not_disturb_another(make_clip: MakeClip) -> None:
    clip = Clip(make_clip(), "clip.mp4")
    seen = [(number_of(frame), number_of(clip.frame_at(1.5))) for frame in clip]
    assert seen == [(number, 15) for number in range(20)]


def test_a_changing_frame_rate_keeps_its_times(make_clip: MakeClip) -> None:
    times = [0.0, 0.03, 0.07, 0.5, 1.2, 1.23, 3.0, 3.5]
    clip = Clip(make_clip(times_s=times), "clip.mp4")
    assert [frame.time_s for frame in clip] == pytest.approx(times, abs=0.001)
    assert [number_of(clip.frame_at(time_s)) for time_s in (1.19, 1.21, 2.99, 3.1)] == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("turn_degrees", "size", "corner"),
    [
        (0, (96, 64), "top left"),
        (90, (64, 96), "bottom left"),
        (180, (96, 64), "bottom right"),
        (-90, (64, 96), "top right"),
    ],
)
def test_clip_of_a_turned_phone_is_upright(
    make_clip: MakeClip, turn_degrees: int, size: tuple[int, int], corner: str
) -> None:
    clip = Clip(make_clip(turn_degrees=turn_degrees), "clip.mp4")
    frame = clip.frame_at(0.5)
    assert clip.size == size
    assert frame.image.shape == (size[1], size[0], 3)
    assert red_corner(frame.image) == corner


PLAIN = (1, 0, 0, 1)


@pytest.mark.parametrize(
    ("matrix", "size", "corner"),
    [
        (PLAIN, (96, 64), "top left"),
        ((-1, 0, 0, 1), (96, 64), "top right"),  # as a mirror shows it
        ((1, 0, 0, -1), (96, 64), "bottom left"),
        ((0, 1, 1, 0), (64, 96), "top left"),  # turned and mirrored
        ((0, -1, -1, 0), (64, 96), "bottom right"),
        ((0, 1, -1, 0), (64, 96), "top right"),  # turned alone
        ((0, -1, 1, 0), (64, 96), "bottom left"),
    ],
)
def test_display_matrix_is_applied(
    make_clip: MakeClip, matrix: tuple[int, ...], size: tuple[int, int], corner: str
) -> None:
    path = make_clip()
    content = path.read_bytes()
    track = content.index(b"tkhd")
    path.write_bytes(content[:track] + content[track:].replace(display_matrix(PLAIN), display_matrix(matrix), 1))
    clip = Clip(path, "clip.mp4")
    assert clip.size == size
    assert red_corner(clip.frame_at(0.5).image) == corner
    assert clip.frame_at(0.5).image.flags.c_contiguous


def display_matrix(turn: tuple[int, ...]) -> bytes:
    """Return the matrix in a track header (ISO/IEC 14496-12): a b u, c d v, x y w."""
    a, b, c, d = (number << 16 for number in turn)
    return struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)


def test_bytes_are_read_like_a_file(make_clip: MakeClip) -> None:
    clip = Clip(make_clip().read_bytes(), "standard input")
    assert number_of(clip.frame_at(1.2)) == 12


@pytest.mark.parametrize(
    ("name", "options"), [("clip.mkv", {}), ("clip.ts", {}), ("clip.mp4", {"movflags": "+faststart"})]
)
def test_truncated_clip_yields_its_beginning(make_clip: MakeClip, name: str, options: dict[str, str]) -> None:
    whole = make_clip(name, codec="mpeg4", options=options)
    cut = whole.with_stem("cut")
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 3 // 4])
    clip = Clip(cut, name)
    times = [frame.time_s for frame in clip]
    assert 3 < len(times) < 20
    assert times == pytest.approx([number / 10 for number in range(len(times))], abs=0.001)
    assert clip.duration_s < 1.9
    with pytest.raises(InputError, match="it lasts from 0 to"):
        clip.check_time(1.95)


@pytest.mark.parametrize(
    ("name", "codec", "options"),
    [
        ("clip.mp4", "libx264", {"movflags": "faststart"}),
        ("clip.mkv", "libx264", {}),
        ("clip.webm", "libvpx", {}),
        ("clip.flv", "libx264", {}),
    ],
)
def test_truncated_clip_refuses_moments_at_its_end(
    make_clip: MakeClip, name: str, codec: str, options: dict[str, str]
) -> None:
    content = make_clip(name, codec=codec, options=options).read_bytes()
    whole, cut = Clip(content, name), Clip(content[: len(content) * 9 // 10], name)
    assert whole.missing_s() == pytest.approx(0.0, abs=0.11)
    assert cut.missing_s() == pytest.approx(whole.duration_s - cut.duration_s, abs=0.11)
    assert cut.missing_s() > 0.15


def test_damaged_frames_are_skipped(make_clip: MakeClip) -> None:
    path = make_clip("clip.ts")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 376] = np.random.default_rng(1).bytes(376)
    path.write_bytes(content)
    clip = Clip(path, "clip.ts")
    times = [frame.time_s for frame in clip]
    assert 10 < len(times) < 20
    assert all(before < after for before, after in pairwise(times))
    assert number_of(clip.frame_at(0.3)) == 3
    assert number_of(clip.frame_at(1.75)) == 17


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no clip that can be read"),
        (b"Bunny, bunny, moose!\n" * 200, "no clip that can be read"),
        (b"#EXTM3U\n#EXTINF:9,\nhttp://localhost:9/elsewhere.ts\n", "no clip that can be read"),
        (b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41", "no clip that can be read"),
    ],
)
def test_invalid_clip_is_refused_in_one_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_bytes(content)
    for source in (path, content):
        with pytest.raises(UnreadableError, match=sentence) as caught:
            Clip(source, "notes.mp4")
        assert "\n" not in str(caught.value)


def test_a_clip_without_its_index_is_refused(make_clip: MakeClip) -> None:
    path = make_clip()
    path.write_bytes(path.read_bytes()[:800])
    with pytest.raises(UnreadableError, match="not written to its end"):
        Clip(path, "clip.mp4")


def test_sound_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "song.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=16000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 16000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with pytest.raises(UnreadableError, match="only sound"):
        Clip(path, "song.mp4")


def test_a_missing_clip_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"There is no gone\.mp4"):
        Clip(tmp_path / "gone.mp4", "gone.mp4")
    with pytest.raises(UnreadableError, match=r"cannot be read|no clip"):
        Clip(tmp_path, "folder")


def image_file(path: Path) -> Path:
    PillowImage.new("RGB", (32, 24), "red").save(path, "PNG")
    return path


def only(argument: Path | str) -> MediaInput:
    (source,) = find_inputs([str(argument)])
    return source


def test_folder_yields_its_files_by_number(tmp_path: Path) -> None:
    for name in ("b10.jpg", "b9.JPG", "B1.png", "a.webp", "clip.mp4", "notes.txt", ".hidden.jpg", "manifest.csv"):
        (tmp_path / name).touch()
    (tmp_path / "inner").mkdir()
    names = [source.path.name for source in find_inputs([str(tmp_path)]) if source.path]
    assert names == ["a.webp", "B1.png", "b9.JPG", "b10.jpg", "clip.mp4"]


def test_arguments_keep_their_order(tmp_path: Path) -> None:
    names = [str(tmp_path / "z.jpg"), "-", str(tmp_path / "a.jpg")]
    assert [source.name for source in find_inputs(names)] == [names[0], "standard input", names[2]]


def test_path_is_found_as_programs_copy_it(tmp_path: Path) -> None:
    path = image_file(tmp_path / "a b.png")
    for copied in (f'"{path}"', f"'{path}'", path.as_uri(), f" '{path.as_uri()}' "):
        assert only(copied).path == path


@pytest.mark.parametrize("address", ["http://ida:x@10.0.0.5/a.jpg", "ftp://ida:x@10.0.0.5/a.jpg", "https://10.0.0.5/"])
def test_address_of_a_file_is_refused_with_a_remedy(address: str) -> None:
    with pytest.raises(UnreadableError, match=r"is an address, .* save it as a file"):
        only(address).open()


def test_empty_name_is_not_the_current_folder() -> None:
    with pytest.raises(InputError, match="empty name"):
        list(find_inputs(["a.png", ""]))


def test_image_is_recognized_by_content(tmp_path: Path) -> None:
    opened = only(image_file(tmp_path / "holiday.mp4")).open()
    assert isinstance(opened, np.ndarray)
    assert opened.shape == (24, 32, 3)


def test_clip_is_recognized_by_content(make_clip: MakeClip) -> None:
    path = make_clip()
    renamed = path.rename(path.with_name("holiday.jpg"))
    opened = only(renamed).open()
    assert isinstance(opened, Clip)
    assert opened.size == (96, 64)


def test_clip_is_refused_by_commands_for_images(make_clip: MakeClip, tmp_path: Path) -> None:
    assert only(image_file(tmp_path / "a.png")).image().shape == (24, 32, 3)
    with pytest.raises(UnreadableError, match=r"clip\.mp4 is a clip"):
        only(make_clip()).image()


@pytest.mark.parametrize("kind", ["picture", "clip", "nothing"])
def test_standard_input_is_an_image_or_a_clip_or_is_refused(
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
    PillowImage.fromarray(np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)).save(content, "JPEG")
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
def test_bad_source_is_reported_and_the_others_are_processed(
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


def test_unreadable_file_is_refused() -> None:
    error = UnreadableError.of_file("a.jpg", PermissionError(errno.EACCES, "Permission denied"))
    assert str(error) == "a.jpg cannot be read: Permission denied"
