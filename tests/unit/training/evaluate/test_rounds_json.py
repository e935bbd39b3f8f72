"""Lines of an evaluation of rounds, as other programs read them."""

from __future__ import annotations

import json

from tests.unit.training.evaluate.made_seats import SURE, seat
from training.evaluate.round_benchmark import ClipResult
from training.evaluate.rounds_json import ClipShape, RoundsShape

CLIP = ClipResult("é.mp4", (seat(SURE, moves=True, found=True),), (seat(None, found=None),), 0.12345, 1.0)


def test_the_line_of_a_clip() -> None:
    assert ClipShape.of(CLIP).line() == (
        '{"id": "\\u00e9.mp4", "from_cue_s": 0.123, "seats": [{"person": 1, "twist": "steady", "truth": "WU WU", '
        '"read": "WU WU", "probability": 1.0, "unclear": [], "moves": true, "found_moving": true}], '
        '"stills": [{"person": 1, "twist": "steady", "truth": "WU WU", "read": null, "probability": null, '
        '"unclear": [], "moves": false, "found_moving": null}]}'
    )


def test_the_line_of_all_clips() -> None:
    line = RoundsShape.of([CLIP], 0.93).line()
    assert line.startswith(
        '{"rounds": 1, "figures": {"round": {"pose right": {"n": 1, "effective_n": 1.0, "count": 1, "rate": 1.0, '
        '"low": 0.2065493117918027, "high": 1.0}, "seat lost": {"n": 1, "effective_n": 1.0, "count": 0, '
    )
    assert line.endswith('"mover found": null, "taken for a mover": null}}, "from_cue_s": 0.123, "work_s": 1.0}')
    figures = json.loads(line)["figures"]
    assert list(figures) == ["round", "best single frame"]
    assert list(figures["round"]) == [
        "pose right",
        "seat lost",
        "question asked",
        "right without a question",
        "confident and wrong",
        "mover found",
        "taken for a mover",
    ]
