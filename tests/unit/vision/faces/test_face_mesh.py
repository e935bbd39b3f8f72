"""Mesh of a detected face, beside what our face network sees."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bunnymoose_cv.vision.detections import FaceDetection, FacePose
from bunnymoose_cv.vision.faces import face_mesh
from bunnymoose_cv.vision.faces.face_mesh import HeadCandidate, read_head
from bunnymoose_cv.vision.faces.face_refiner import face_of
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from tests.unit.vision.conftest import MakeHead

BLACK = np.zeros((1, 1, 3), np.uint8)


@pytest.mark.parametrize(("detector", "ours"), [(0.9, 0.1), (0.1, 0.9)])
def test_the_surer_of_two_detectors_says_how_likely_a_face_is(
    make_head: MakeHead, detector: float, ours: float
) -> None:
    assert HeadCandidate(make_head(), detector, ours).likelihood == 0.9


@pytest.mark.parametrize(
    ("off_px", "ours", "misaligned"),
    [(0.0, 0.9, False), (60.0, 0.9, True), (60.0, 0.5, False)],
    ids=["on the eyes", "beside the eyes", "beside what is hardly seen"],
)
def test_a_mesh_beside_the_eyes_that_our_network_surely_sees_is_misaligned(
    monkeypatch: pytest.MonkeyPatch, make_head: MakeHead, off_px: float, ours: float, *, misaligned: bool
) -> None:
    head = make_head()
    face = face_of(head)
    monkeypatch.setattr(face_mesh, "head_in", lambda *_: head)
    seen_eyes = face.eyes + np.array([off_px, 0.0])
    monkeypatch.setattr(face_mesh, "refine_face", lambda *_: FacePose(seen_eyes, face.axes, ours))
    landmarkers: Any = SimpleNamespace(face_net=None)
    seen = read_head(landmarkers, BLACK, FaceDetection(Box(0, 0, 9, 9), 0.8))
    assert seen is not None
    assert seen.head.misaligned is misaligned
    assert (seen.detector_confidence, seen.face_net_confidence) == (0.8, ours)
