"""Unusual clips: joined, raw, with covers, with several tracks, or with pixels that are not square."""

import struct
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import av
import cv2
import numpy as np
import pytest
from av.container import OutputContainer
from av.sidedata.sidedata import Type as SideData
from av.stream import Disposition

from bunnymoose_cv.capture.clip_survey import find_joints
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.decoding import TrackGeometry, upright_image
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.image_geometry import AS_IT_IS, fit_image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.media_inputs import MediaInput, find_inputs
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.capture.stream import StreamSource
from tests.media import STEP, grey_jpeg, number_of, write_clip
from tests.program import Program

MakeClip = Callable[..., Path]
DATA = Path(__file__).parents[2] / "data"


def add_video(container: OutputContainer, codec: str, rate: int = 10) -> av.VideoStream:
    """Add a video track of 96 × 64 pixels."""
    stream = container.add_stream(codec, rate=rate)
    assert isinstance(stream, av.VideoStream)
    stream.width, stream.height, stream.pix_fmt, stream.codec_context.gop_size = 96, 64, "yuv420p", 5
    stream.codec_context.bit_rate = 2_000_000
    if codec == "mjpeg":
        stream.pix_fmt = "yuvj420p"
    return stream


def grey_frame(number: int) -> av.VideoFrame:
    """Return a frame that encodes its number."""
    return av.VideoFrame.from_ndarray(np.full((64, 96, 3), number * STEP, np.uint8), format="bgr24")


def write_greys(path: Path, count: int, codec: str, file_format: str | None = None, rate: int = 10) -> Path:
    """Write a clip of 96 × 64 pixels whose frames encode their numbers."""
    with av.open(path, "w", format=file_format) as container:
        stream = add_video(container, codec, rate)
        for number in range(count):
            container.mux(stream.encode(grey_frame(number)))
        container.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("clip.ts", "libx264"),
        ("clip.ts", "mpeg2video"),
        ("clip.mkv", "libx264"),
        ("clip.webm", "libvpx"),
        ("clip.ogv", "libvpx"),
    ],
)
def test_joined_clips_follow_each_other(make_clip: MakeClip, name: str, codec: str) -> None:
    path, parts = make_clip(name, codec=codec), 2 if name in {"clip.mkv", "clip.webm"} else 3
    path.write_bytes(parts * path.read_bytes())
    clip = Clip(path, name)
    frames = list(clip)
    assert [number_of(frame) for frame in frames] == parts * list(range(20))
    assert [frame.time_s for frame in frames] == pytest.approx([number / 10 for number in range(20 * parts)], abs=0.11)
    assert all(before.time_s < after.time_s for before, after in pairwise(frames))
    assert clip.duration_s == pytest.approx(2 * parts, abs=0.21)
    assert [number_of(clip.frame_at(frames[number].time_s)) for number in (3, 24, 31)] == [3, 4, 11]
    assert [number_of(frame) for frame in clip.frames(frames[28].time_s, frames[30].time_s)] == [8, 9, 10]
    assert not clip.hides_another()


def test_the_sound_of_joined_clips_follows_their_frames(tmp_path: Path) -> None:
    loud = np.where(np.arange(16_000) < 8000, 0, 20_000).astype(np.int16)
    path = write_clip(tmp_path / "clip.mkv", [np.zeros((48, 64, 3), np.uint8)], Sound(loud, 8000), 10)
    path.write_bytes(2 * path.read_bytes())
    begins = [0.0]
    for piece in Clip(path, "clip.mkv").sounds():
        begins.append(piece.end_s if np.abs(piece.samples).max() < 10_000 else begins[-1])
    assert next(before for before, after in pairwise(begins) if before == after) == pytest.approx(1.0, abs=0.1)
    assert begins[-1] == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize(
    ("name", "codec"),
    [("clip.mp4", "libx264"), ("clip.flv", "flv1"), ("clip.wmv", "wmv2"), ("clip.webm", "libvpx")],
)
def test_concatenated_clip_is_reported(
    make_clip: MakeClip, name: str, codec: str, bunnymoose: Program, quick_freeze: None
) -> None:
    del quick_freeze
    path = make_clip(name, codec=codec)
    assert not Clip(path, name).hides_another()
    path.write_bytes(3 * path.read_bytes())
    code, _, err = bunnymoose("judge", path)
    assert (code, err) == (0, f"{path} is several clips in one file, and not all of them are read: part them.\n")


@pytest.mark.parametrize(
    ("first", "second"),
    [("clip.mp4", "clip.ts"), ("clip.ts", "clip.mp4"), ("clip.mkv", "clip.mp4"), ("clip.mp4", "clip.avi")],
)
def test_further_clip_in_another_container_is_noticed(make_clip: MakeClip, first: str, second: str) -> None:
    content = [
        make_clip(name, codec="mpeg4" if name == "clip.avi" else "libx264").read_bytes() for name in (first, second)
    ]
    assert Clip(b"".join(content), "clip").hides_another()
    assert not Clip(content[0], "clip").hides_another()


@pytest.mark.parametrize(
    ("stamps_s", "joints"),
    [
        ([], []),
        ([number / 10 for number in range(20)], []),
        ([None, *range(10), *range(10)], [11]),
        ([*range(10), 3, *range(10, 20)], []),  # one stamp is damaged
        ([0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11], []),  # in the order in which they are decoded
        ([*range(10), *range(100, 110)], [10]),
        ([*range(10), 5000, *range(10, 20)], []),
    ],
)
def test_parts_begin_where_stamps_begin_again(stamps_s: Sequence[float | None], joints: list[int]) -> None:
    assert list(find_joints(stamps_s, leaps=True)) == joints


@pytest.mark.parametrize(
    ("codec", "file_format", "rate"),
    [
        ("libx264", "h264", 10),
        ("libx265", "hevc", 10),
        ("mpeg4", "m4v", 10),
        ("libvpx", "ivf", 10),
        ("mpeg2video", "mpeg2video", 25),
        ("mjpeg", "mjpeg", 25),
    ],
)
def test_a_raw_stream_is_read_at_the_rate_that_it_states(
    codec: str, file_format: str, rate: int, tmp_path: Path
) -> None:
    path = write_greys(tmp_path / "clip", 20, codec, file_format, rate)
    clip = Clip(path, "clip")
    frames = list(clip)
    assert [number_of(frame) for frame in frames] == list(range(20))
    assert [frame.time_s for frame in frames] == pytest.approx([number / rate for number in range(20)], abs=0.001)
    assert clip.duration_s == pytest.approx(20 / rate, abs=0.001)
    assert clip.missing_s() == 0
    assert [number_of(clip.frame_at(number / rate)) for number in (0, 7, 13, 19)] == [0, 7, 13, 19]


def test_concatenated_jpegs_are_a_film_only_by_their_name(tmp_path: Path) -> None:
    path = tmp_path / "clip.mjpeg"
    path.write_bytes(b"".join(grey_jpeg(number * STEP) for number in range(5)))
    film = MediaInput("clip", path).open()
    assert isinstance(film, Clip)
    assert [number_of(frame) for frame in film] == list(range(5))
    photograph = path.rename(tmp_path / "portrait.jpg")
    assert isinstance(MediaInput("portrait", photograph).open(), np.ndarray)


def noisy_jpeg(width: int, height: int) -> bytes:
    """Return an image of about 200 kB, of which FFmpeg's first look shows no second one."""
    pixels = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def test_film_of_large_jpegs_may_change_its_size() -> None:
    clip = Clip(3 * noisy_jpeg(640, 360) + 2 * noisy_jpeg(360, 640), "clip")
    assert [frame.size for frame in clip] == 3 * [(640, 360)] + 2 * [(360, 640)]


def test_saved_answer_of_a_network_camera_is_a_film() -> None:
    parts = (b"--x\r\nContent-Type: image/jpeg\r\n\r\n" + grey_jpeg(number * STEP) + b"\r\n" for number in range(5))
    clip = Clip(b"".join(parts), "clip")
    assert [number_of(frame) for frame in clip] == list(range(5))
    assert clip.duration_s == pytest.approx(5 / 25)


@pytest.mark.parametrize("beginning", [b"PK\x03\x04", b"%PDF-1.7\n"])
def test_document_or_archive_with_an_image_is_not_a_clip(beginning: bytes) -> None:
    with pytest.raises(UnreadableError, match="it is something else"):
        Clip(beginning + bytes(60) + noisy_jpeg(64, 64), "letter")


ANAMORPHIC = Fraction(4, 3)


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("clip.mp4", "libx264"),
        ("clip.mkv", "libx264"),
        ("clip.ts", "libx264"),
        ("clip.avi", "mpeg4"),
        ("clip.flv", "libx264"),
    ],
)
@pytest.mark.parametrize(
    ("aspect", "size"), [(ANAMORPHIC, (128, 64)), (1 / ANAMORPHIC, (96, 85)), (Fraction(200), (96, 64))]
)
def test_pixels_are_made_square(
    make_clip: MakeClip, name: str, codec: str, aspect: Fraction, size: tuple[int, int]
) -> None:
    clip = Clip(make_clip(name, codec=codec, aspect=aspect), name)
    assert clip.size == size
    assert {frame.size for frame in clip} == {size}


def test_a_turned_clip_is_made_square_before_it_is_turned(make_clip: MakeClip) -> None:
    assert Clip(make_clip(aspect=ANAMORPHIC, turn_degrees=90), "clip.mp4").size == (64, 128)


def test_pixel_aspect_of_the_container_takes_precedence(make_clip: MakeClip) -> None:
    plain, stretched = (struct.pack(">9i", a, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30) for a in (1 << 16, 2 << 16))
    content = make_clip().read_bytes()
    track = content.index(b"tkhd")
    clip = Clip(content[:track] + content[track:].replace(plain, stretched, 1), "clip.mp4")
    assert clip.size == (192, 64)


def write_tracks(path: Path, dispositions: Sequence[Disposition]) -> Path:
    """Write a clip with several video tracks, with frames from 0 in the first, from 8 in the second, and so on."""
    with av.open(path, "w") as container:
        streams = [add_video(container, "libx264") for _ in dispositions]
        for stream, disposition in zip(streams, dispositions, strict=True):
            stream.disposition = disposition
        for number in range(5):
            for track, stream in enumerate(streams):
                container.mux(stream.encode(grey_frame(8 * track + number)))
        for stream in streams:
            container.mux(stream.encode(None))
    return path


NO, DEFAULT = Disposition(0), Disposition.default


@pytest.mark.parametrize(
    ("dispositions", "first"),
    [((NO, DEFAULT), 8), ((DEFAULT, NO), 0), ((DEFAULT, DEFAULT), 0), ((NO, NO, DEFAULT), 16)],
)
@pytest.mark.parametrize("name", ["clip.mkv", "clip.mp4"])
def test_default_track_is_used(dispositions: tuple[Disposition, ...], first: int, name: str, tmp_path: Path) -> None:
    clip = Clip(write_tracks(tmp_path / name, dispositions), name)
    assert [number_of(frame) for frame in clip] == list(range(first, first + 5))
    assert clip.duration_s == pytest.approx(0.5, abs=0.11)


def test_cover_in_a_matroska_file_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "clip.mkv"
    with av.open(path, "w") as container:
        container.add_attachment("cover.jpg", "image/jpeg", grey_jpeg(240))
        stream = add_video(container, "libx264")
        for number in range(5):
            container.mux(stream.encode(grey_frame(number)))
        container.mux(stream.encode(None))
    assert [number_of(frame) for frame in Clip(path, "clip.mkv")] == list(range(5))


def boxes(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Return types and contents of consecutive boxes (ISO/IEC 14496-12)."""
    while content:
        size = int.from_bytes(content[:4], "big")
        yield content[4:8], content[8:size]
        content = content[size:]


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + kind + content


def with_cover(content: bytes, *, in_front: bool) -> bytes:
    """Return an MP4 with a cover before or after its tracks, as written by iTunes and some phones."""
    handler = box(b"hdlr", bytes(8) + b"mdirappl" + bytes(9))
    data = box(b"data", struct.pack(">II", 13, 0) + grey_jpeg(240))
    about = (b"udta", box(b"meta", bytes(4) + handler + box(b"ilst", box(b"covr", data))))
    written = b""
    for kind, inner in boxes(content):
        if kind == b"moov":
            parts = [part for part in boxes(inner) if part[0] != b"udta"]
            parts.insert(1 if in_front else len(parts), about)
            inner = b"".join(box(*part) for part in parts)  # noqa: PLW2901 - the box that is written instead
        written += box(kind, inner)
    return written


@pytest.mark.parametrize("in_front", [True, False])
def test_cover_in_an_mp4_is_ignored(make_clip: MakeClip, in_front: bool) -> None:  # noqa: FBT001
    clip = Clip(with_cover(make_clip().read_bytes(), in_front=in_front), "clip.mp4")
    assert [number_of(frame) for frame in clip] == list(range(20))


def test_song_with_a_cover_is_not_a_clip(tmp_path: Path) -> None:
    path = tmp_path / "song.mp4"
    with av.open(path, "w") as container:
        stream = container.add_stream("aac", rate=16_000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 16_000
        assert isinstance(stream, av.AudioStream)
        container.mux([*stream.encode(frame), *stream.encode(None)])
    with pytest.raises(UnreadableError, match="only sound"):
        Clip(with_cover(path.read_bytes(), in_front=False), "song.mp4")


@pytest.mark.parametrize("brand", [b"mif1", b"msf1", b"miaf", b"MA1B", b"avif"])
def test_avif_is_read_with_any_major_brand(brand: bytes, tmp_path: Path) -> None:
    content = (DATA / "mif1.avif").read_bytes()
    path = tmp_path / "picture.heif"
    path.write_bytes(content[:8] + brand + content[12:])
    opened = MediaInput("picture.heif", path).open()
    assert isinstance(opened, np.ndarray)
    assert opened.shape == (720, 1280, 3)
    np.testing.assert_array_equal(opened, read_image(DATA / "mif1.avif"))


@pytest.mark.parametrize("brands", [b"heicmif1", b"mif1mif1heic", b"msf1hevc", b"miafheic"])
def test_a_heic_picture_is_named(brands: bytes, tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(box(b"ftyp", brands[:4] + bytes(4) + brands[4:]) + bytes(100))
    with pytest.raises(UnreadableError, match="is a HEIC picture"):
        MediaInput("picture.jpg", path).open()


def test_folder_yields_its_images_and_names_other_files(make_clip: MakeClip, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    (folder / "more").mkdir(parents=True)
    for number, ending in enumerate(("jfif", "pjpeg", "mpo", "unknown")):
        (folder / f"{number}.{ending}").write_bytes(grey_jpeg(STEP))
    clip = make_clip().read_bytes()
    for number, ending in enumerate(("3g2", "qt", "vob", "MP", "360"), 4):
        (folder / f"{number}.{ending}").write_bytes(clip)
    for name in ("notes.txt", "empty", ".hidden"):
        (folder / name).write_bytes(b"Bunny!" * (name != "empty"))
    (folder / "song.m4a").write_bytes(with_cover(box(b"ftyp", b"M4A " + bytes(4)), in_front=False))
    said: list[str] = []
    found = list(find_inputs([str(folder)], said.append))
    assert [source.path.stem for source in found if source.path] == list("012345678")
    assert [type(source.open()).__name__ for source in found] == 4 * ["ndarray"] + 5 * ["Clip"]
    left_out = "empty, more, notes.txt, song.m4a"
    assert said == [f"{folder} also holds what is no picture and no clip, and is left out: {left_out}."]


def test_long_list_of_other_files_is_shortened(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "a.jpg").write_bytes(grey_jpeg(STEP))
    list(find_inputs([str(tmp_path)], said.append))
    assert not said
    for number in range(8):
        (tmp_path / f"{number}.txt").touch()
    list(find_inputs([str(tmp_path)], said.append))
    assert said[0].endswith("left out: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 3 more.")


def test_rotation_may_change_within_a_clip() -> None:
    turned = np.array([0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30], np.int32).tobytes()
    track = SimpleNamespace(sample_aspect_ratio=None, codec_context=SimpleNamespace(sample_aspect_ratio=None))
    geometry = TrackGeometry(cast("av.VideoStream", track), {})
    image = av.VideoFrame.from_ndarray(np.zeros((64, 96, 3), np.uint8), format="bgr24")
    widths = []
    for rotation, is_key in ((0, True), (0, False), (90, True), (0, False), (0, True), (90, False), (0, False)):
        beside = {SideData.DISPLAYMATRIX: turned} if rotation else {}
        frame = SimpleNamespace(rotation=rotation, key_frame=is_key, side_data=beside)
        widths.append(upright_image(image, geometry.of(cast("av.VideoFrame", frame))).shape[1])
    assert widths == [96, 96, 64, 64, 96, 64, 64]


def test_stream_is_square_and_turned_as_stated(make_clip: MakeClip) -> None:
    path = make_clip(aspect=ANAMORPHIC, turn_degrees=90)
    with StreamSource(av.open(path), "phone", "phone", AS_IT_IS) as source:
        assert source.read().size == source.size == (64, 128)


def write_jpegs(path: Path, jpegs: Sequence[bytes], times_s: Sequence[float]) -> Path:
    """Write a clip of JPEGs without encoding them again."""
    with av.open(path, "w") as container:
        stream = add_video(container, "mjpeg")
        for jpeg, time_s in zip(jpegs, times_s, strict=True):
            packet = av.Packet(jpeg)
            packet.stream, packet.time_base = stream, Fraction(1, 1000)
            packet.pts = packet.dts = round(time_s * 1000)
            container.mux(packet)
    return path


def test_a_clip_may_change_size_pixel_format_and_rate(tmp_path: Path) -> None:
    sampling = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
    sizes, steps_s = [(96, 64), (48, 32), (64, 96), (192, 128)], (0.1, 0.033, 0.2, 0.05)
    times_s = np.cumsum([0.0, *np.repeat(steps_s, 5)])[:20].tolist()
    jpegs = []
    for number in range(20):
        width, height = sizes[number // 5]
        grey = np.full((height, width, 3), number * STEP, np.uint8)
        options = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling[number // 5 % 2]]
        jpegs.append(cv2.imencode(".jpg", grey, options)[1].tobytes())
    clip = Clip(write_jpegs(tmp_path / "clip.mkv", jpegs, times_s), "clip.mkv")
    frames = list(clip)
    assert [number_of(frame) for frame in frames] == list(range(20))
    assert [frame.size for frame in frames] == [size for size in sizes for _ in range(5)]
    assert [frame.time_s for frame in frames] == pytest.approx(times_s, abs=0.002)
    assert [number_of(clip.frame_at(frame.time_s)) for frame in frames] == list(range(20))


@pytest.mark.parametrize(
    ("size", "fitted", "bars"),
    [
        ((96, 64), (48, 32), (0, 0)),
        ((96, 64), (192, 128), (0, 0)),
        ((96, 64), (193, 127), (0, 0)),  # rounded
        ((64, 96), (96, 64), (26, 0)),
        ((96, 64), (64, 96), (0, 26)),
        ((96, 64), (96, 64), (0, 0)),
    ],
)
def test_fitted_image_is_whole_and_undistorted(
    size: tuple[int, int], fitted: tuple[int, int], bars: tuple[int, int]
) -> None:
    image = fit_image(np.full((size[1], size[0], 3), 200, np.uint8), fitted)
    assert image.shape == (fitted[1], fitted[0], 3)
    dark = image.max(axis=2) == 0
    assert (int(dark.all(axis=0)[: fitted[0] // 2].sum()), int(dark.all(axis=1)[: fitted[1] // 2].sum())) == bars
