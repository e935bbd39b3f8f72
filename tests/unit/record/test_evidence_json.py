"""Shapes of a round's evidence: images beside it alone, and readings by their seats."""

from __future__ import annotations

import pytest

from bunnymoose_cv.record.evidence_json import FrameEvidence, PlayerEvidence, RoundShape


@pytest.mark.parametrize("file", ["/home/anna/frame_1.jpg", "../../frame_1.jpg", "C:\\\\pictures\\\\frame_1.jpg"])
def test_evidence_names_images_beside_it_alone(file: str) -> None:
    shape = FrameEvidence.model_validate_json(f'{{"file": "{file}", "time_s": 1.0, "players": []}}')
    assert shape.file == "frame_1.jpg"


def test_a_reading_is_found_by_its_seat_and_not_by_its_place() -> None:
    third, first = (PlayerEvidence.model_construct(seat=seat) for seat in (3, 1))
    shape = RoundShape.model_construct(agreed=FrameEvidence.model_construct(players=(third, first)))
    assert [shape.reading_of(seat) for seat in (0, 1, 2, 3, 4)] == [None, first, None, third, None]
