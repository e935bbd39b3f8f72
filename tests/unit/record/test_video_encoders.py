"""The encoder of films: the system's own before x264, and only one that starts."""

from __future__ import annotations

import av
import pytest

from bunnymoose_cv.record.video_encoders import ENCODERS, bit_rate, choose_encoder, opens


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
def test_the_systems_own_encoder_is_preferred(available: set[str], broken: set[str], chosen: str) -> None:
    assert choose_encoder(640, 480, available, lambda name, *_: name not in broken) == chosen


def test_an_encoder_that_is_listed_has_to_start() -> None:
    assert opens("mpeg4", 640, 480)
    assert not opens("no such encoder", 640, 480)
    assert not opens("aac", 640, 480)
    chosen = choose_encoder(640, 480)
    assert chosen in ENCODERS
    assert chosen in av.codecs_available
    assert opens(chosen, 640, 480)


def test_who_keeps_no_constant_quality_gets_enough_bits() -> None:
    assert bit_rate("libx264", 1920, 1080) == 0
    assert bit_rate("libopenh264", 1920, 1080) > 5_000_000
