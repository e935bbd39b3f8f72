"""Films, decoded and compared with their input, and the choice of the encoder."""

import shutil
import sys
import wave
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.record import video_file
from bunnymoose_cv.record.video_file import ENCODERS, FilmError, bit_rate, choose_encoder, opens, with_still, write_film
from tests.program import run_python

SKY, ORANGE, GREEN = (233, 180, 86), (0, 159, 230), (115, 158, 0)
TICK_S = 1 / 30_000


def image(colour: tuple[int, int, int], width: int = 320, height: int = 240) -> Image:
    return np.full((height, width, 3), colour, np.uint8)


def clip(start_s: float = 0.0, number: int = 30) -> Iterator[Frame]:
    """Return frames at uneven times, with a bar that moves right by 8 pixels a frame."""
    for index in range(number):
        frame = image(SKY)
        frame[:, index * 8 : index * 8 + 32] = ORANGE
        yield Frame(frame, start_s + index / 30 + 0.007 * (index % 3))


def decoded(path: Path) -> list[Frame]:
    with av.open(path) as container:
        return [
            Frame(frame.to_ndarray(format="bgr24").astype(np.uint8, copy=False), frame.time or 0.0)
            for frame in container.decode(video=0)
        ]


def heard(path: Path) -> tuple[NDArray[np.float64], int]:
    """Return the sound of a film, and its sample rate."""
    with av.open(path) as container:
        pieces = [frame.to_ndarray()[0] for frame in container.decode(audio=0)]
        return np.concatenate(pieces).astype(np.float64), container.streams.audio[0].rate


def loudness(path: Path, start_s: float, end_s: float) -> float:
    samples, rate = heard(path)
    return float(np.sqrt(np.mean(samples[round(start_s * rate) : round(end_s * rate)] ** 2)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.mp4"


@pytest.fixture
def tone(tmp_path: Path) -> Path:
    """Write half a second of 440 Hz in the format of the voice."""
    path = tmp_path / "tone.wav"
    samples = 16_000 * np.sin(2 * np.pi * 440 * np.arange(11_025) / 22_050)
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(22_050)
        sound.writeframes(samples.astype("<i2").tobytes())
    return path


def test_frames_round_trip_with_their_times(path: Path) -> None:
    write_film(path, clip(start_s=12.5))
    put_in, got_out = list(clip()), decoded(path)
    assert [frame.time_s for frame in got_out] == pytest.approx([frame.time_s for frame in put_in], abs=TICK_S)
    for before, after in zip(put_in, got_out, strict=True):
        difference = np.abs(before.image.astype(int) - after.image.astype(int))
        assert difference.mean() < 4
        assert np.median(difference) <= 3


def test_film_can_be_played_while_it_loads(path: Path) -> None:
    write_film(path, clip())
    content = path.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")
    with av.open(path) as container:
        images = container.streams.video[0].codec_context
        assert (images.name, images.pix_fmt) == ("h264", "yuv420p")


@pytest.mark.parametrize("scale", [0.5, 1.5, 3])
def test_images_of_other_sizes_are_scaled(path: Path, scale: float) -> None:
    other = image(SKY, round(320 * scale), round(240 * scale))
    other[:, other.shape[1] // 2 :] = GREEN
    write_film(path, [Frame(image(ORANGE, 321, 241), 0.0), Frame(other, 0.1)])
    shown = decoded(path)[1].image
    assert shown.shape == (240, 320, 3)
    np.testing.assert_allclose(shown[:, :150].mean((0, 1)), SKY, atol=8)
    np.testing.assert_allclose(shown[:, 170:].mean((0, 1)), GREEN, atol=8)


def test_images_of_another_aspect_ratio_get_black_bars(path: Path) -> None:
    write_film(path, [Frame(image(ORANGE, 320, 240), 0.0), Frame(image(SKY, 180, 240), 0.1)])
    shown = decoded(path)[1].image
    assert shown.shape == (240, 320, 3)
    np.testing.assert_allclose(shown[:, 80:240].mean((0, 1)), SKY, atol=8)
    assert max(shown[:, :60].max(), shown[:, 260:].max()) < 30


@pytest.mark.parametrize(
    ("width", "height", "size"), [(321, 241, (320, 240)), (320, 243, (320, 242)), (1, 1, (2, 2)), (1, 3000, (2, 3000))]
)
def test_odd_sizes_are_cropped_to_even_ones(path: Path, width: int, height: int, size: tuple[int, int]) -> None:
    write_film(path, [Frame(image(GREEN, width, height), index / 10) for index in range(3)])
    shape = decoded(path)[0].image.shape
    assert (shape[1], shape[0]) == size


def test_frame_that_is_not_later_is_dropped(path: Path) -> None:
    write_film(path, [Frame(image(GREEN), time_s) for time_s in (1.0, 1.0, 1.5, 1.2, 2.0)])
    assert [frame.time_s for frame in decoded(path)] == pytest.approx([0, 0.5, 1.0], abs=TICK_S)


def test_still_stops_the_film_and_then_it_continues(path: Path) -> None:
    frames = list(clip())
    moment = frames[10].time_s
    write_film(path, with_still(frames, image(GREEN), moment, 3.0))
    got_out = decoded(path)
    times = [frame.time_s for frame in frames]
    expected = [*times[:10], moment, *(time_s + 3 for time_s in times[10:])]
    assert [frame.time_s for frame in got_out] == pytest.approx(expected, abs=TICK_S)
    assert got_out[10].image[120, 160] == pytest.approx(GREEN, abs=6)
    assert got_out[11].image[120, 8 * 10 + 16] == pytest.approx(ORANGE, abs=6)


def test_still_after_the_last_frame_is_shown(path: Path) -> None:
    write_film(path, with_still(clip(), image(GREEN), 1.5, 2.0))
    with av.open(path) as container:
        assert container.duration is not None
        assert container.duration / av.time_base == pytest.approx(3.5, abs=0.1)


def test_sounds_are_heard_at_their_times(path: Path, tone: Path) -> None:
    write_film(
        path, clip(start_s=10.0, number=90), [read_sound(tone, 10.5), read_sound(tone, 12.0), read_sound(tone, 12.9)]
    )
    for start_s, end_s, sounds in [
        (0.0, 0.45, False),
        (0.55, 0.95, True),
        (1.1, 1.9, False),
        (2.1, 2.45, True),
        (2.55, 2.85, False),
        (3.0, 3.3, True),
    ]:
        assert (loudness(path, start_s, end_s) > 0.2) is sounds
        assert (loudness(path, start_s, end_s) < 0.01) is not sounds


def test_images_and_sound_are_interleaved(path: Path, tone: Path) -> None:
    write_film(path, clip(number=150), [read_sound(tone, 4.0)])
    with av.open(path) as container:
        times = [
            (packet.stream.type, float(packet.pts * packet.time_base))
            for packet in container.demux()
            if packet.pts is not None and packet.time_base is not None
        ]
    reached = {"video": 0.0, "audio": 0.0}
    for kind, time_s in times:
        reached[kind] = time_s
        assert abs(reached["video"] - reached["audio"]) < 1.5


def test_overlapping_sounds_are_mixed_without_wrapping(path: Path, tone: Path) -> None:
    write_film(path, clip(), [read_sound(tone, 0.2)] * 4)
    assert np.abs(heard(path)[0]).max() < 1.2
    assert loudness(path, 0.3, 0.6) > 0.6


def test_sound_before_the_first_frame_is_left_out(path: Path, tone: Path) -> None:
    write_film(path, clip(start_s=1.0), [read_sound(tone, 0.75), read_sound(tone, 0.2)])
    assert loudness(path, 0.05, 0.2) > 0.2
    assert len(heard(path)[0]) / heard(path)[1] == pytest.approx(0.25, abs=0.05)


def test_film_can_be_written_without_x264(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video_file, "choose_encoder", lambda *_: "mpeg4")
    write_film(path, clip())
    assert len(decoded(path)) == 30


def test_film_needs_an_image(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="without a picture"):
        write_film(tmp_path / "a.mp4", [])
    assert list(tmp_path.iterdir()) == []


def test_unwritable_film_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder.mp4").mkdir()
    for path in (tmp_path / "missing" / "a.mp4", tmp_path / "folder.mp4"):
        with pytest.raises(FilmError, match="cannot be written"):
            write_film(path, clip())
    assert [path.name for path in tmp_path.iterdir()] == ["folder.mp4"]


def test_exception_in_the_frames_keeps_the_old_film(tmp_path: Path, path: Path) -> None:
    path.write_bytes(b"the old film")

    def frames() -> Iterator[Frame]:
        yield from clip(number=20)
        raise TimeoutError("the camera")

    with pytest.raises(TimeoutError, match="the camera"):
        write_film(path, frames())
    assert [file.name for file in tmp_path.iterdir()] == ["a.mp4"]
    assert path.read_bytes() == b"the old film"


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
@pytest.mark.parametrize("limit", [10, 3000, 20_000])
def test_full_disk_is_reported_and_leaves_no_file(tmp_path: Path, limit: int) -> None:
    script = f"""
import resource, sys
import numpy as np
from pathlib import Path
from bunnymoose_cv.capture.frame import Frame
from tests.program import run_python
from bunnymoose_cv.record.video_file import FilmError, write_film
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
noise = np.random.default_rng(0)
frames = (Frame(noise.integers(0, 256, (240, 320, 3), np.uint8), index / 30) for index in range(90))
try:
    write_film(Path("a.mp4"), frames)
except FilmError as error:
    sys.exit(str(error))
"""
    done = run_python(script, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("the film a.mp4 cannot be written")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert shutil.disk_usage(tmp_path).free > limit


@pytest.mark.parametrize(
    ("available", "broken", "chosen"),
    [
        ({"libx264", "mpeg4"}, set(), "libx264"),
        ({"libx264", "h264_videotoolbox"}, set(), "h264_videotoolbox"),
        ({"libx264", "h264_mf", "h264_nvenc"}, {"h264_mf"}, "h264_nvenc"),
        ({"libx264", "libopenh264"}, set(), "libopenh264"),
        ({"libx264", "libopenh264", "h264_nvenc"}, {"libopenh264", "h264_nvenc"}, "libx264"),
        ({"mpeg4"}, set(), "mpeg4"),
        ({"h264_qsv"}, set(), "mpeg4"),
    ],
)
def test_the_systems_own_encoder_is_preferred(
    monkeypatch: pytest.MonkeyPatch, available: set[str], broken: set[str], chosen: str
) -> None:
    monkeypatch.setattr(video_file, "opens", lambda name, *_: name in available - broken)
    assert choose_encoder(640, 480) == chosen


def test_listed_encoder_must_start() -> None:
    assert opens("mpeg4", 640, 480)
    assert not opens("no such encoder", 640, 480)
    assert not opens("aac", 640, 480)
    chosen = choose_encoder(640, 480)
    assert chosen in ENCODERS
    assert chosen in av.codecs_available
    assert opens(chosen, 640, 480)


def test_encoder_without_constant_quality_gets_a_bit_rate() -> None:
    assert bit_rate("libx264", 1920, 1080) == 0
    assert bit_rate("libopenh264", 1920, 1080) > 5_000_000
