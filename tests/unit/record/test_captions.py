"""The captions of a replay: what was announced, in order, while the film shows it, and nothing but text."""

from __future__ import annotations

import pytest

from bunnymoose_cv.record.captions import captions
from bunnymoose_cv.record.evidence_json import FilmShape, RepeatShape

SAID = ("Red: moose ahead 3", "Blue: bush", "<b>Ann</b> & Bo: rabbit\n--> back 1")


def test_what_was_announced_stands_beside_the_judged_image() -> None:
    assert captions(SAID, FilmShape(cue_s=2.0, hold_s=3.0)) == (
        "WEBVTT\n\n"
        "00:00:02.000 --> 00:00:04.258\nRed: moose ahead 3\nBlue: bush\n\n"
        "00:00:04.258 --> 00:00:07.000\n&lt;b&gt;Ann&lt;/b&gt; &amp; Bo: rabbit --&gt; back 1\n"
    )


def test_it_has_gone_before_a_move_is_repeated() -> None:
    times = FilmShape(cue_s=58.5, hold_s=3.0, repeats=(RepeatShape(seat=1, start_s=62.25, end_s=66.0),))
    assert captions(SAID[:2], times).splitlines()[2] == "00:00:58.500 --> 00:01:02.250"


@pytest.mark.parametrize("said", [(), ("",)])
def test_where_nothing_was_announced_nothing_stands(said: tuple[str, ...]) -> None:
    assert "moose" not in captions(said, FilmShape(cue_s=2.0, hold_s=3.0))
    assert captions(said, FilmShape(cue_s=2.0, hold_s=3.0)).startswith("WEBVTT\n")
