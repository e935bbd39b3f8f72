"""Truth of the training crops of the face detector."""

import numpy as np

from bunnymoose_cv.vision.nets.face_nets import cells_of
from training.faces.detector_augmentation import CROP, Shown, moved_faces, truth_of

FACE = np.array([40, 40, 60, 80, 55, 65, 85, 65, 70, 85, 57, 100, 83, 100], np.float32)
PLACE = np.array([[180, 180, 40, 40]], np.float32)


def test_labels_overrule_the_teacher() -> None:
    cells = cells_of(CROP, CROP)
    said = np.where(np.abs(cells[:, :2] - 150).max(1) < 8, 0.9, 0.0).astype(np.float32)
    scores, weights, faces = truth_of(Shown(np.zeros((CROP, CROP, 3), np.uint8), FACE[None], PLACE), said)
    right = scores > 0
    assert right.any()
    assert (cells[right, 2] == 16).all()  # cells of the size that fits a face missed by the teacher
    assert (faces[right] == FACE).all()
    assert (weights[said > 0] == 1).all()  # faces seen only by the teacher are not faces
    assert (weights[np.abs(cells[:, :2] - 200).max(1) < 20] == 0).all()


def test_mirroring_a_face_exchanges_its_eyes() -> None:
    matrix = np.array([[-1.0, 0, 200], [0, 1, 0]])
    (moved,) = moved_faces(FACE[None], matrix, 0.0, mirrored=True)
    assert moved[:8].tolist() == [100, 40, 60, 80, 115, 65, 145, 65]
