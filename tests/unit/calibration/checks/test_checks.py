"""Single checks on images, heads and readers with a known fault."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import cv2
import numpy as np
import pytest

from bunnymoose_cv.calibration.checks import speed_check
from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level, main_finding
from bunnymoose_cv.calibration.checks.check_thresholds import THRESHOLDS
from bunnymoose_cv.calibration.checks.light_checks import check_backlight, check_flicker, check_noise, noise_share
from bunnymoose_cv.calibration.checks.people_checks import (
    check_distance,
    check_mirror,
    check_room,
    check_rotation,
    closer_by_cm,
)
from bunnymoose_cv.calibration.checks.picture_checks import (
    blur_of,
    check_focus,
    check_image,
    check_look,
    check_rate,
    exposure_s,
)
from bunnymoose_cv.calibration.checks.speed_check import check_speed, step_for
from bunnymoose_cv.calibration.checks.table_look import TableLook
from bunnymoose_cv.calibration.checks.voice_check import check_voice
from bunnymoose_cv.capture.camera_list import CameraStep
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.detections import FaceLandmarks, HandLandmarks
from bunnymoose_cv.vision.faces.head import LEFT_EYE, RIGHT_EYE, Head
from bunnymoose_cv.vision.hands.assignment import Player

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.reader import Reader

WIDTH, HEIGHT = 1280, 720
EYES_PX: Final = 40.0
GREY: Final = 120
RATE: Final = 16000

Value = TypeVar("Value")


def found(value: Value | None) -> Value:
    """Return a value that must not be None."""
    assert value is not None
    return value


def head_at(x: float, y: float, eyes_px: float = EYES_PX, turned_degrees: float = 0.0) -> Head:
    """Return the mean face with the middle of its eyes at a place, rotated clockwise in the image."""
    mesh = np.load(bundled("models/face_mesh.npy")).astype(np.float64)
    eyes = (mesh[LEFT_EYE].mean(0), mesh[RIGHT_EYE].mean(0))
    points = (mesh - (eyes[0] + eyes[1]) / 2) / np.linalg.norm(eyes[0] - eyes[1]) * eyes_px
    if Head(FaceLandmarks(points.astype(np.float32))).centre and points[152, 1] < points[10, 1]:
        points[:, 1:] *= -1  # the chin is below the forehead
    angle = np.radians(turned_degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points[:, :2] = points[:, :2] @ turn.T + (x, y)
    return Head(FaceLandmarks(points.astype(np.float32)))


def look_of(
    *images: Image, heads: Sequence[Head] = (), rate: float = 25.0, live: bool = False, span_s: float | None = None
) -> TableLook:
    step_s = 1 / rate if span_s is None else span_s / max(1, len(images) - 1)
    frames = tuple(Frame(image, number * step_s) for number, image in enumerate(images))
    players = tuple(Player(seat, head) for seat, head in enumerate(heads, 1))
    return TableLook(frames, tuple(number / rate for number in range(50)), players, live)


@pytest.fixture(scope="module")
def room() -> Image:
    """Return the image of a lit room with pictures, furniture and bodies, softened as by a lens."""
    random = np.random.default_rng(1)
    image = np.full((HEIGHT, WIDTH, 3), GREY, np.uint8)
    for _ in range(60):
        x, y = (int(value) for value in random.integers(0, (WIDTH, HEIGHT)))
        size = tuple(int(value) for value in random.integers(40, 160, 2))
        colour = tuple(int(value) for value in random.integers(20, 220, 3))
        cv2.rectangle(image, (x, y), (x + size[0], y + size[1]), colour, -1)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)


def noisy(image: Image, deviation: float, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, deviation, image.shape[:2])[..., None]
    return np.asarray(np.clip(image + noise, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("image", "cause"),
    [
        (np.full((HEIGHT, WIDTH, 3), 3, np.uint8), CheckCause.BLACK),
        (np.full((HEIGHT, WIDTH, 3), 90, np.uint8), CheckCause.COVERED),
    ],
)
def test_blank_image_is_reported_and_nothing_else_is_checked(image: Image, cause: CheckCause) -> None:
    (finding,) = check_look(look_of(noisy(image, 2, 1), noisy(image, 2, 2)))
    assert (finding.level, finding.cause, finding.line) == (Level.BAD, cause, CheckLine.IMAGE)
    assert finding.remedy


def test_a_live_image_that_never_changes_is_frozen(room: Image) -> None:
    assert check_image(look_of(room, room, live=True, span_s=1.0)).cause is CheckCause.FROZEN
    assert check_image(look_of(room, noisy(room, 1, 1), live=True, span_s=1.0)).cause is CheckCause.FINE
    assert check_image(look_of(room, room, live=True, span_s=0.1)).cause is CheckCause.FINE
    assert check_image(look_of(room, room, live=False, span_s=1.0)).cause is CheckCause.FINE


def test_noise_is_measured_as_a_share_of_the_contrast(room: Image) -> None:
    weak, strong = (found(noise_share(look_of(noisy(room, grain, 1), noisy(room, grain, 2)))) for grain in (2.0, 8.0))
    assert strong / weak == pytest.approx(4, rel=0.15)
    assert check_noise(look_of(room)) is None


@pytest.mark.parametrize("size", [(15, 640), (720, 9)])
def test_tiny_image_has_noise(size: tuple[int, int]) -> None:
    image = np.full((*size, 3), GREY, np.uint8)
    assert noise_share(look_of(noisy(image, 4, 1), noisy(image, 4, 2))) is not None


@pytest.mark.parametrize("light", [1.0, 0.45])
def test_light_is_not_judged_by_brightness(room: Image, light: float) -> None:
    darker = np.asarray(room * light, np.uint8)
    finding = found(check_noise(look_of(noisy(darker, 1.5, 1), noisy(darker, 1.5, 2))))
    assert finding.level is Level.GOOD
    grainy = found(check_noise(look_of(noisy(darker, 25, 1), noisy(darker, 25, 2))))
    assert (grainy.level, grainy.cause) == (Level.BAD, CheckCause.DARK)


def test_window_counts_only_if_the_rest_has_low_contrast(room: Image) -> None:
    lit = np.clip((room - 120.0) * 1.8 + 120, 0, 240).astype(np.uint8)
    dull = np.asarray(room * 0.15, np.uint8)
    for image in (lit, dull):
        image[:200, 200:1000] = 255
    assert check_backlight(look_of(lit)).cause is CheckCause.FINE
    assert check_backlight(look_of(dull)).cause is CheckCause.BACKLIT
    assert check_backlight(look_of(np.asarray(room * 0.15, np.uint8))).cause is CheckCause.FINE


@pytest.mark.parametrize(("depth", "cause"), [(0.0, CheckCause.FINE), (0.2, CheckCause.FLICKERS)])
def test_moving_bands_are_flicker(room: Image, depth: float, cause: CheckCause) -> None:
    rows = np.arange(HEIGHT)[:, None, None]
    images = [
        np.asarray(np.clip(room * (1 + depth * np.sin(rows / 60 + 2 * number)) ** (1 / 2.2), 0, 255), np.uint8)
        for number in range(5)
    ]
    finding = found(check_flicker(look_of(*images)))
    assert finding.cause is cause
    assert finding.value == pytest.approx(depth, abs=0.05)


def test_drifting_exposure_is_not_flicker(room: Image) -> None:
    images = [np.asarray(room * (0.7 + 0.03 * number), np.uint8) for number in range(5)]
    finding = found(check_flicker(look_of(*images)))
    assert finding.level is Level.GOOD


def test_blur_is_measured_in_eye_distances(room: Image) -> None:
    heads = [head_at(400, 350), head_at(900, 350)]
    blurs = [
        found(blur_of(look_of(np.asarray(cv2.GaussianBlur(room, (0, 0), pixels), np.uint8), heads=heads)))
        for pixels in (1.0, 4.0, 8.0)
    ]
    assert blurs[0] < 0.06
    assert blurs[1] == pytest.approx(4.0 / EYES_PX, rel=0.25)
    assert blurs[2] == pytest.approx(8.0 / EYES_PX, rel=0.25)
    assert blur_of(look_of(room)) is None


@pytest.mark.parametrize(
    ("pixels", "eyes_px", "least", "level"),
    [
        (1.0, EYES_PX, 0.0, Level.GOOD),
        (3.4, EYES_PX, THRESHOLDS.weak_blur, Level.WEAK),
        (8.0, EYES_PX, THRESHOLDS.bad_blur, Level.BAD),
        pytest.param(1.1, 16.0, THRESHOLDS.weak_blur, Level.GOOD, id="a head far away has few pixels"),
    ],
)
def test_focus_is_not_judged_by_distant_heads(
    room: Image, pixels: float, eyes_px: float, least: float, level: Level
) -> None:
    blurred = np.asarray(cv2.GaussianBlur(room, (0, 0), pixels), np.uint8)
    finding = found(check_focus(look_of(blurred, heads=[head_at(400, 350, eyes_px), head_at(900, 350, eyes_px)])))
    assert found(finding.value) >= least
    assert finding.level is level


@pytest.mark.parametrize("smeared_px", [0, 8, 16])
def test_exposure_is_the_ratio_of_smear_to_motion(smeared_px: int) -> None:
    """Move a bright sheet by 16 pixels between frames 40 ms apart."""
    images = []
    for number in range(4):
        way = np.zeros((HEIGHT // 2, WIDTH // 2), np.float32)
        for part in range(max(1, smeared_px)):
            left = 150 + 16 * number - part
            way[100:250, left : left + 150] += 1 / max(1, smeared_px)
        texture = 60 + 150 * way
        images.append(np.repeat(texture[..., None], 3, 2).astype(np.uint8))
    assert exposure_s(look_of(*images)) == pytest.approx(0.04 * smeared_px / 16, abs=0.012)
    assert exposure_s(look_of(*images[:1] * 3)) is None


@pytest.mark.parametrize(
    ("rate", "level"), [(29.7, Level.GOOD), (15.0, Level.GOOD), (12.0, Level.WEAK), (5.0, Level.BAD)]
)
def test_true_rate_is_reported(room: Image, rate: float, level: Level) -> None:
    finding = found(check_rate(look_of(room, rate=rate)))
    assert finding.level is level
    assert finding.value == pytest.approx(rate)
    assert check_rate(replace(look_of(room), times_s=(0.0, 0.1))) is None


def test_distance_finding_says_how_much_closer(room: Image) -> None:
    near = check_distance(look_of(room, heads=[head_at(400, 300, 45), head_at(800, 300, 30)]))
    assert near.level is Level.GOOD
    assert near.value == pytest.approx(30, abs=0.5)
    far = check_distance(look_of(room, heads=[head_at(400, 300, 45), head_at(800, 300, 10)]))
    assert (far.level, far.cause) == (Level.BAD, CheckCause.FAR)
    assert closer_by_cm(10, WIDTH) == 310
    assert "310 cm" in found(far.remedy)
    upright = np.ascontiguousarray(np.rot90(room))
    turned = check_distance(look_of(upright, heads=[head_at(400, 300, 45), head_at(800, 300, 10)]))
    assert turned.remedy == far.remedy
    assert check_distance(look_of(room)).cause is CheckCause.NOBODY


@pytest.mark.parametrize(
    ("places", "cause", "level"),
    [
        ([(400, 300), (800, 300)], CheckCause.FINE, Level.GOOD),
        ([(400, 80), (800, 300)], CheckCause.CROPPED, Level.BAD),
        ([(400, 150), (800, 300)], CheckCause.CROPPED, Level.WEAK),
        ([(60, 300), (800, 300)], CheckCause.CROPPED, Level.BAD),
        ([(400, 300), (WIDTH - 60, 300)], CheckCause.CROPPED, Level.BAD),
        ([(400, 300), (520, 300)], CheckCause.CROWDED, Level.BAD),
        ([(400, 300), (600, 300)], CheckCause.CROWDED, Level.WEAK),
    ],
)
def test_hands_need_room(room: Image, places: list[tuple[float, float]], cause: CheckCause, level: Level) -> None:
    finding = found(check_room(look_of(room, heads=[head_at(*place) for place in places])))
    assert (finding.cause, finding.level) == (cause, level)


@pytest.mark.parametrize(
    ("upright", "turned", "reported"),
    [(0.0, {}, 0.0), (180.0, {180: 0.0}, 180.0), (90.0, {90: 180.0, 270: 0.0}, 270.0), (25.0, {}, 0.0)],
)
def test_turn_that_makes_heads_upright_is_reported(
    room: Image, upright: float, turned: dict[int, float], reported: float
) -> None:
    look = look_of(room, heads=[head_at(400, 300, turned_degrees=upright)])
    look = replace(look, turned={turn: (head_at(300, 300, turned_degrees=lean),) for turn, lean in turned.items()})
    finding = found(check_rotation(look))
    assert finding.value == reported
    assert finding.cause is (CheckCause.FINE if reported == 0 else CheckCause.ROTATED)
    assert check_rotation(look_of(room)) is None


@pytest.mark.parametrize(("before", "reported"), [(0, 90), (180, 270), (270, 0)])
def test_reported_rotation_replaces_the_current_one(room: Image, before: int, reported: int) -> None:
    look = look_of(room, heads=[head_at(400, 300, turned_degrees=-90)])
    look = replace(look, view=View(before), turned={90: (head_at(300, 300),)})
    finding = found(check_rotation(look))
    assert f"rotation_degrees = {reported} below [camera] in your settings file profile.toml" in found(finding.remedy)


def raising(*sides: Side) -> tuple[Player, ...]:
    hand = HandLandmarks(np.zeros((21, 3), np.float32), np.zeros((21, 3), np.float32), Side.LEFT, 1.0)
    return (Player(1, head_at(400, 300), dict.fromkeys(sides, hand)), Player(2, head_at(800, 300)))


def test_mirroring_is_recognized_by_one_raised_hand() -> None:
    right, left = raising(Side.RIGHT), raising(Side.LEFT)
    reported = found(check_mirror([right, right, left]))
    assert reported.level is Level.GOOD
    mirrored = found(check_mirror([left, raising(), left]))
    assert mirrored.cause is CheckCause.MIRRORED
    assert "mirrored = true below [camera] in your settings file profile.toml" in found(mirrored.remedy)
    undone = found(check_mirror([left], View(mirrored=True)))
    assert "mirrored = false " in found(undone.remedy)
    sideways = found(check_mirror([left], View(90)))
    assert "mirrored = true and rotation_degrees = 270 below [camera] in your" in found(sideways.remedy)
    assert check_mirror([raising(), raising(Side.LEFT, Side.RIGHT)]) is None


@pytest.mark.parametrize("waited_s", [2, 20])
@pytest.mark.parametrize(
    ("amplitude", "cause"), [(80, CheckCause.NO_VOICE), (9000, CheckCause.FINE), (90000, CheckCause.TOO_LOUD)]
)
def test_bam_is_judged_in_recordings_of_any_length(waited_s: int, amplitude: int, cause: CheckCause) -> None:
    random = np.random.default_rng(1)
    samples = random.normal(0, 60, waited_s * RATE)
    bam = slice(len(samples) - RATE, len(samples) - RATE * 3 // 4)
    samples[bam] += amplitude * np.sin(np.arange(RATE // 4) * 2 * np.pi * 700 / RATE)
    finding = check_voice(Sound(np.clip(samples, -32768, 32767).astype(np.int16), RATE, 0.0))
    assert (finding.line, finding.cause) == (CheckLine.MICROPHONE, cause)


def test_step_follows_from_reading_time_and_frame_rate() -> None:
    assert step_for(0.4) is CameraStep.FULL
    assert step_for(1.0) is CameraStep.MIDDLE
    assert step_for(4.0) is CameraStep.SMALL
    assert step_for(0.4, keeps_up=False) is CameraStep.MIDDLE
    assert step_for(4.0, keeps_up=False) is CameraStep.SMALL
    assert "1280×720" in check_speed(1.0, CameraStep.MIDDLE).sentence
    assert check_speed(4.0, CameraStep.SMALL).level is Level.WEAK


def test_bad_precedes_weak_and_every_fault_has_a_remedy() -> None:
    weak = Finding(CheckLine.RATE, Level.WEAK, Phrase("few"), Phrase("lamp"), CheckCause.FEW_FRAMES)
    bad = Finding(CheckLine.FOCUS, Level.BAD, Phrase("blurred"), Phrase("wipe"), CheckCause.BLURRED)
    assert main_finding((weak, bad)) is bad
    assert main_finding((weak,)) is weak
    assert main_finding(()) is None
    with pytest.raises(ValueError, match="belong to a weak or bad finding"):
        Finding(CheckLine.RATE, Level.GOOD, Phrase("few"), cause=CheckCause.FEW_FRAMES)
    with pytest.raises(ValueError, match="belong to a weak or bad finding"):
        Finding(CheckLine.RATE, Level.BAD, Phrase("few"), cause=CheckCause.FEW_FRAMES)


class TimedReader:
    """Reader of five players whose readings after the first take given times on a clock of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times_s: list[float]) -> None:
        self.now_s, self.times_s = 0.0, times_s
        monkeypatch.setattr(speed_check, "time", SimpleNamespace(perf_counter=lambda: self.now_s))

    def read(self, *_: object) -> Any:
        self.now_s += 100.0
        return SimpleNamespace(players=[SimpleNamespace(player=SimpleNamespace(head=number)) for number in range(5)])

    def follow(self, _: object, heads: tuple[object, ...]) -> Any:
        self.now_s += self.times_s.pop(0)
        return SimpleNamespace(players=heads)


@pytest.mark.parametrize(
    ("budget_s", "median_s", "left"),
    [(0.0, 2.0, 3), (2.5, 1.5, 2), (3.2, 1.0, 1), (5.0, 1.5, 0)],
)
def test_readings_are_timed_until_the_budget_is_used(
    monkeypatch: pytest.MonkeyPatch, budget_s: float, median_s: float, left: int
) -> None:
    reader = TimedReader(monkeypatch, [2.0, 1.0, 0.5, 4.0])
    players, seconds = speed_check.time_five(cast("Reader", reader), budget_s)
    assert (players, seconds) == (5, median_s)
    assert len(reader.times_s) == left
