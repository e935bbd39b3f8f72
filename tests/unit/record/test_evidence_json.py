"""Shapes of a round's evidence: images beside it alone, and readings by their seats."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from bunnymoose_cv.record.evidence_json import FrameEvidence, PlayerEvidence, RoundShape
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.round_folder import round_folder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("file", ["/home/anna/frame_1.jpg", "../../frame_1.jpg", "C:\\\\pictures\\\\frame_1.jpg"])
def test_evidence_names_images_beside_it_alone(file: str) -> None:
    shape = FrameEvidence.model_validate_json(f'{{"file": "{file}", "time_s": 1.0, "players": []}}')
    assert shape.file == "frame_1.jpg"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("cue_s",), math.inf),
        (("moved", 0, "time_s"), math.nan),
        (("frames",), []),
        (("agreed", "players", 0, "left", "confidence"), math.inf),
        (("agreed", "players", 0, "face_px", 0), 1e308),
        (("agreed", "players", 0, "face_px", 2), -1.0),
        (("agreed", "players", 0, "face_px", 3), 0.0),
        (("agreed", "players", 0, "face", 0, 1), -1e308),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else str(value),
)
def test_evidence_with_numbers_of_no_image_is_refused(
    played_games: Path, place: tuple[str | int, ...], value: object
) -> None:
    evidence = json.loads(round_folder(GameStore(played_games).find("last").folder, 1).json.read_text())
    RoundShape.model_validate(evidence)
    *way, last = place
    inner = evidence
    for each in way:
        inner = inner[each]
    inner[last] = value
    with pytest.raises(ValidationError):
        RoundShape.model_validate(evidence)


def test_a_reading_is_found_by_its_seat_and_not_by_its_place() -> None:
    third, first = (PlayerEvidence.model_construct(seat=seat) for seat in (3, 1))
    shape = RoundShape.model_construct(agreed=FrameEvidence.model_construct(players=(third, first)))
    assert [shape.reading_of(seat) for seat in (0, 1, 2, 3, 4)] == [None, first, None, third, None]
