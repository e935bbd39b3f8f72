"""Targets of the training crops of the face detector."""

import numpy as np

from bunnymoose_cv.vision.nets.face_nets import cells_of
from training.faces.detector_augmentation import CROP, LabelledCrop, moved_faces, targets_of

FACE = np.array([40, 40, 60, 80, 55, 65, 85, 65, 70, 85, 57, 100, 83, 100], np.float32)
PLACE = np.array([[180, 180, 40, 40]], np.float32)


def test_labels_overrule_the_teacher() -> None:
    cells = cells_of(CROP, CROP)
    teacher_scores = np.where(np.abs(cells[:, :2] - 150).max(1) < 8, 0.9, 0.0).astype(np.float32)
    scores, weights, faces = targets_of(
        LabelledCrop(np.zeros((CROP, CROP, 3), np.uint8), FACE[None], PLACE), teacher_scores
    )
    positive = scores > 0
    assert positive.any()
    assert (cells[positive, 2] == 16).all()  # the stride that fits a face missed by the teacher
    assert (faces[positive] == FACE).all()
    assert (weights[teacher_scores > 0] == 1).all()  # faces seen only by the teacher are not faces
    assert (weights[np.abs(cells[:, :2] - 200).max(1) < 20] == 0).all()


def test_mirroring_a_face_exchanges_its_eyes() -> None:
    matrix = np.array([[-1.0, 0, 200], [0, 1, 0]])
    (moved,) = moved_faces(FACE[None], matrix, 0.0, mirrored=True)
    assert moved[:8].tolist() == [100, 40, 60, 80, 115, 65, 145, 65]
