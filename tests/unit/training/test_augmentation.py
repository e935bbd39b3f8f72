"""Augmentation: joints and eyes follow the image, and points are rotated.

Mouths are assigned to folds by person, and the folds of a view cover all persons in it.
"""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from bunnymoose_cv.vision.headgear.side_net import SIZE
from bunnymoose_cv.vision.nets.face_nets import SIZE as FACE_SIZE
from bunnymoose_cv.vision.tongue import SIZE as MOUTH_SIZE
from training.augmentation import moved
from training.faces.face_augmentation import CurriculumStage, show
from training.faces.faces import SIZE as STORED_FACE
from training.faces.faces import Faces
from training.geometry import Array, rotated, rotation, similarity
from training.headgear.composites import augmented, central_crops
from training.headgear.gather import STORED_SIZE
from training.players import MESH_NODS, axes_of
from training.tongue.mouth_crops import EYE, MASKED, PEOPLE, WHOLE, WIDE_SIZE, Mouth, _by_mask
from training.tongue.mouth_draw import DrawnView, MouthDraw, PhotographedDraw
from training.tongue.sources import NOBODY, PEOPLE_FOLDS, Labelled, _dealt

DARK, LIGHT = 30, 225


def with_dot(size: int, across: float, down: float) -> npt.NDArray[np.uint8]:
    """Return a dark image with one light dot."""
    image = np.full((size, size, 3), DARK, np.uint8)
    cv2.circle(image, (round(across), round(down)), 7, (LIGHT, LIGHT, LIGHT), -1)
    return image


def dot_of(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Return the middle of the light dot, blurred to suppress noise and haze."""
    grey = cv2.GaussianBlur(image.astype(np.float32).mean(2), (0, 0), 3)
    down, across = np.unravel_index(int(grey.argmax()), grey.shape)
    return np.array([across, down], float)


@pytest.mark.parametrize("seed", range(12))
def test_joints_follow_the_augmented_crop(seed: int) -> None:
    dot = np.array([95.0, 80.0])
    other = np.full((STORED_SIZE, STORED_SIZE, 3), DARK, np.uint8)
    joints = np.tile(dot, (21, 1)).astype(np.float16)
    cut, shown = augmented(with_dot(STORED_SIZE, *dot), joints, other, np.random.default_rng(seed))
    assert cut.shape == (SIZE, SIZE, 3)
    assert np.linalg.norm(dot_of(cut) - shown[0]) < 4


def test_centre_of_a_stored_crop_stays_centred() -> None:
    (cut,) = central_crops(with_dot(STORED_SIZE, STORED_SIZE / 2, STORED_SIZE / 2)[None])
    assert np.abs(dot_of(cut) - SIZE / 2).max() < 2


@pytest.mark.parametrize(("across", "down"), [(3, 0), (0, 3), (-2, 2), (0, 0)])
def test_motion_blur_follows_the_movement_and_keeps_brightness(across: int, down: int) -> None:
    image = np.zeros((21, 21, 3), np.uint8)
    image[10, 10] = 210
    smeared = moved(image, across, down)
    rows, columns = np.nonzero(smeared[..., 0])
    assert (int(np.ptp(columns)), int(np.ptp(rows))) == (2 * abs(across), 2 * abs(down))
    assert abs(int(smeared[..., 0].sum()) - 210) <= 2 * len(rows)


@pytest.mark.parametrize(
    "stage", [CurriculumStage(1, 0.0, 0.0, 1.0), CurriculumStage(1, 1.0, 0.0, 1.0)], ids=["anywhere", "closely"]
)
def test_eyes_follow_the_augmented_face(stage: CurriculumStage) -> None:
    middle, half = STORED_FACE / 2, STORED_FACE / 24
    eyes = np.array([[[middle + half, middle], [middle - half, middle]]], np.float32)
    image = with_dot(STORED_FACE, *eyes[0, 0].tolist())
    faces = Faces([b""], eyes, np.zeros((1, 2, 2), np.float32), np.array(["Ann"]), np.array(["a"]))
    cuts, shown, _ = show(faces, [image], np.zeros(0, np.intp), stage, np.random.default_rng(1))
    apart = np.linalg.norm(shown[:, 0] - shown[:, 1], axis=1)
    inside = (shown.min((1, 2)) > 6) & (shown.max((1, 2)) < FACE_SIZE - 6) & (apart > 16)
    assert inside.sum() >= 5
    for cut, (left, right) in zip(cuts[inside], shown[inside], strict=True):
        # Mirroring turns the dot, the person's left eye, into the right eye.
        assert min(np.linalg.norm(dot_of(cut) - eye) for eye in (left, right)) < 0.35 * np.linalg.norm(left - right)


@pytest.mark.parametrize("mirrored", [False, True])
def test_similarity_recovers_the_transformation_of_a_hand(*, mirrored: bool) -> None:
    draw = np.random.default_rng(0)
    points, weights = draw.normal(size=(21, 2)), draw.uniform(0.3, 1.5, 21)
    axes = 1.8 * rotation(0.7) @ np.diag([-1.0 if mirrored else 1.0, 1.0])
    found, error = similarity(points, points @ axes.T + (5, -3), weights, mirrored=mirrored)
    assert np.allclose(found, axes)
    assert error < 1e-9
    assert similarity(points, points @ axes.T, weights, mirrored=not mirrored)[1] > 0.3


X, Y, Z = np.eye(3)


@pytest.mark.parametrize(
    ("point", "plane", "wanted"),
    [(X, (0, 1), Y), (Y, (0, 1), -X), (Z, (0, 1), Z), (Z, (2, 0), X), (X, (2, 0), -Z), (Y, (1, 2), Z)],
)
def test_quarter_turn_maps_the_first_axis_to_the_second(point: Array, plane: tuple[int, int], wanted: Array) -> None:
    assert np.allclose(rotated(point[None], plane, np.pi / 2), wanted[None])


def test_rotation_takes_an_angle_per_set_and_keeps_its_input() -> None:
    points = np.tile(np.stack([X, Y]), (2, 1, 1)).astype(np.float32)
    turned = rotated(points, (0, 1), np.array([0.0, np.pi]))
    assert np.allclose(turned, [[X, Y], [-X, -Y]], atol=1e-6)
    assert turned.dtype == np.float32
    assert np.array_equal(points[1], [X, Y])


@pytest.mark.parametrize(
    ("camera", "head", "wanted"),
    [
        ((0, 0), (0, 0, 0), [[0, 0], [0, -1]]),
        ((0, 0), (0, 90, 0), [[1, 0], [0, -1]]),
        ((90, 0), (0, 90, 0), [[0, 0], [0, -1]]),
        ((0, 0), (0, 0, 90), [[0, 0], [-1, 0]]),
        ((0, 0), (90, 0, 0), [[0, 1], [0, 0]]),
        ((0, 90), (0, 0, 0), [[0, 1], [0, 0]]),
    ],
    ids=["straight", "turned aside", "camera aside, too", "tilted", "nodding", "camera above"],
)
def test_head_axes_follow_from_camera_and_head_turn(camera: Array, head: Array, wanted: Array) -> None:
    truth = dict(zip(("azimuth", "elevation"), camera, strict=True))
    assert np.allclose(axes_of({"camera": truth, "head_turn_deg": np.subtract(head, (MESH_NODS, 0, 0))}), wanted)


VIEWS = 60
IMAGES = np.random.default_rng(0).integers(0, 255, (32, WIDE_SIZE, WIDE_SIZE, 3), np.uint8)
TONGUE = np.zeros((WIDE_SIZE, WIDE_SIZE), np.uint8)
TONGUE[60:90, 55:75] = 255
PHOTOGRAPHED = 2


def labelled(subject: str, *, out: bool = False) -> Labelled:
    return Labelled(Path("x"), out, "real faces", subject=subject)


def test_photographs_of_possibly_one_person_share_a_fold() -> None:
    fold_of = _dealt(map(labelled, ("fan_100", "fan_109", "fan_118", "fan_200", "isl_A", "isl_A2", "isl_B")))
    assert fold_of["fan_100"] == fold_of["fan_109"] == fold_of["fan_118"] != fold_of["fan_200"]
    assert fold_of["isl_A"] == fold_of["isl_A2"] != fold_of["isl_B"]


def test_tongues_are_distributed_evenly_over_the_folds() -> None:
    shown = [labelled(f"fan_{number * 100}", out=number % 3 == 0) for number in range(24)]
    fold_of = _dealt(shown)
    tongues = [fold_of[sample.subject] for sample in shown if sample.out]
    assert [tongues.count(fold) for fold in range(PEOPLE_FOLDS)] == [2] * PEOPLE_FOLDS
    assert {*fold_of.values()} == {*range(PEOPLE_FOLDS)}


def cuts() -> list[Mouth]:
    """Return crops of every sort: each third one is photographed and has its own fold; rendered tongues have masks."""
    mouths = []
    for number, shown in enumerate(IMAGES):
        out, photograph = bool(number % 2), number // 2 % 3 == PHOTOGRAPHED
        group, fold = ("real faces", number % 4) if photograph else ("rendered mouths", NOBODY)
        mouths.append(Mouth(shown, out, fold, group, TONGUE if out and not photograph else 0 * TONGUE))
    return mouths


def drawn(*, holding: bool) -> list[DrawnView]:
    draw = MouthDraw(cuts(), holding=holding)
    return [draw.view(np.random.default_rng(seed)) for seed in range(VIEWS)]


@pytest.mark.parametrize("holding", [False, True])
def test_view_has_the_folds_of_mouth_and_face(*, holding: bool) -> None:
    views, mouths = drawn(holding=holding), cuts()
    assert {view.out for view in views} == {False, True}
    assert {fold for view in views for fold in view.folds} == {NOBODY, 0, 1, 2, 3}
    unchanged = [(view, row) for view in views for row in range(len(IMAGES)) if np.array_equal(view.scene, IMAGES[row])]
    assert unchanged
    for view, row in unchanged:
        assert (view.folds, view.out) == ((mouths[row].fold, NOBODY), mouths[row].out)


def test_holding_things_changes_some_views_only() -> None:
    plain, holding = drawn(holding=False), drawn(holding=True)
    assert [(view.out, view.folds) for view in plain] == [(view.out, view.folds) for view in holding]
    differ = sum(not np.array_equal(one.scene, other.scene) for one, other in zip(plain, holding, strict=True))
    assert 0 < differ < VIEWS / 2


def test_photographed_views_fit_the_net_and_have_both_folds() -> None:
    mouths = [
        *(Mouth(IMAGES[row], True, row % 4, MASKED, TONGUE) for row in range(4)),
        *(Mouth(IMAGES[row], bool(row % 2), row % 4, WHOLE) for row in range(4, 12)),
        *(Mouth(IMAGES[row], False, row % 4, PEOPLE) for row in range(12, 16)),
    ]
    renders = [Mouth(IMAGES[row], bool(row % 2), NOBODY, "rendered mouths") for row in range(16, 24)]
    draw = PhotographedDraw(mouths, renders)
    views = [draw.view() for _ in range(VIEWS)]
    assert {image.shape for image, _, _ in views} == {(MOUTH_SIZE, MOUTH_SIZE, 3)}
    assert {out for _, out, _ in views} == {False, True}
    assert {fold for _, _, folds in views for fold in folds} <= {NOBODY, 0, 1, 2, 3}
    assert {len(folds) for _, _, folds in views} == {2}


def test_masked_tongue_is_cropped_to_standard_size_and_position() -> None:
    image, mask = np.zeros((400, 300, 3), np.uint8), np.zeros((400, 300), np.uint8)
    mask[200:260, 100:160] = 255
    mouth = _by_mask(image, mask, 2)
    rows, columns = np.nonzero(mouth.cover > 127)
    assert abs(np.ptp(columns) / EYE - 0.6) < 0.06
    assert abs(columns.mean() - WIDE_SIZE / 2) < 2
    assert abs(rows.min() - (WIDE_SIZE / 2 - 0.2 * EYE)) < 2
    assert (mouth.out, mouth.fold) == (True, 2)
