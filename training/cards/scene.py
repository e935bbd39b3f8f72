"""A rendered photograph of cards on a table, with the truth about every place; equal for equal seeds.

The table is painted flat, in millimetres, then seen through a tilted camera, blurred, exposed and compressed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, Mat, mat_of
from training.cards.conditions import Cloth, Conditions, Cover, Glare, sample
from training.cards.surfaces import cloth_texture, foreign_card, hand_colour, paper_sheet, phone

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardFaceId
    from training.cards.conditions import Group

FOREIGN: Final = "foreign"
"""Truth of a place on which something lies that is no card of the deck."""

EMPTY: Final = "empty"
COVERED: Final = "covered"

_BORDER_MM: Final = 55.0
_CORNER_MM: Final = 3.0
_WITHOUT_MAT_MM: Final = 300.0
"""Height of a table without a mat."""

_LONGEST_PX: Final = 2048
_SUPERSAMPLING: Final = 1.15


@dataclass(frozen=True, slots=True, eq=False)
class TruePlace:
    """A place: what lies on it and where its top card's corners are in the image, from the face's top left."""

    number: int
    shows: str
    corners_px: npt.NDArray[np.float32]
    hidden: bool = False
    """True where a finger or a reflection lies on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered photograph with its truth.

    Attributes:
        places: in the order of their numbers.
        foreign_px: corners of other rectangles of a card's size or larger, shape (n, 4, 2).
        apart_px: corners of the hunter's card where it lies apart from the row, shape (0 or 1, 4, 2).
    """

    image: Image
    conditions: Conditions
    places: tuple[TruePlace, ...]
    foreign_px: npt.NDArray[np.float32]
    apart_px: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Face:
    """A face as it is printed."""

    face: CardFaceId
    image: Image


class _Table:
    """The table from above, painted in millimetres."""

    def __init__(self, size: tuple[float, float], scale: float, cloth: Cloth, rng: np.random.Generator) -> None:
        self.scale = scale
        shape = round(size[1] * scale), round(size[0] * scale)
        self.paint = cloth_texture(cloth, shape, scale, rng)

    def lay(  # noqa: PLR0913 - where, how large, how turned, and how it lies
        self,
        image: Image,
        centre: tuple[float, float],
        size: tuple[float, float],
        turn: float,
        *,
        shadow: float = 0.35,
        corner: float = _CORNER_MM,
        bulge: tuple[float, float] = (0.0, 0.0),
    ) -> npt.NDArray[np.float32]:
        """Lay a rectangle and its shadow; return its corners in millimetres, from its own top left."""
        width, height = size
        pixels = max(1, round(width * self.scale)), max(1, round(height * self.scale))
        texture = np.asarray(cv2.resize(image, pixels, interpolation=cv2.INTER_AREA), np.uint8)
        mask = _rounded(pixels, corner * self.scale)
        if bulge[1]:
            texture, mask = _bent(texture, mask, bulge[0] * self.scale, bulge[1])
        corners = _turned(centre, size, turn)
        own = np.array([[0, 0], [pixels[0], 0], [pixels[0], pixels[1]]], np.float32)
        left, top = np.floor(corners.min(0) * self.scale - 0.12 * min(pixels) - 3).astype(int)
        right, bottom = np.ceil(corners.max(0) * self.scale + 0.12 * min(pixels) + 3).astype(int)
        left, top = max(0, left), max(0, top)
        part = self.paint[top : min(bottom, len(self.paint)), left : min(right, self.paint.shape[1])]
        if not part.size:
            return corners
        onto = cv2.getAffineTransform(own, (corners[:3] * self.scale - (left, top)).astype(np.float32))
        area = part.shape[1], part.shape[0]
        laid = cv2.warpAffine(texture, onto, area, flags=cv2.INTER_LINEAR)
        alpha = cv2.warpAffine(mask, onto, area, flags=cv2.INTER_LINEAR).astype(np.float32)[..., None] / 255
        softness = max(1.0, 1.2 * self.scale)
        beside = np.roll(alpha[..., 0], (round(softness), round(softness)), (0, 1))
        dark = np.asarray(cv2.GaussianBlur(beside, (0, 0), softness), np.float32)
        shaded = part * (1 - shadow * dark[..., None])
        part[:] = shaded * (1 - alpha) + laid * alpha
        return corners

    def draw(self, points: npt.NDArray[np.float32], colour: tuple[float, float, float], width: float) -> None:
        """Draw a finger: a thick stroke with round ends through points in millimetres."""
        pixels = np.rint(points * self.scale).astype(np.int32)
        mask = np.zeros(self.paint.shape[:2], np.uint8)
        cv2.polylines(mask, [pixels], isClosed=False, color=255, thickness=max(1, round(width * self.scale)))
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, self.scale)).astype(np.float32)[..., None] / 255
        light = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[..., None]
        shade = 0.7 + 0.3 * np.clip(light / max(1.0, width * self.scale / 2), 0, 1)
        self.paint[:] = self.paint * (1 - soft) + np.asarray(colour, np.float32) * shade * soft


@cache
def _rounded(size: tuple[int, int], radius: float) -> npt.NDArray[np.uint8]:
    mask = np.zeros((size[1], size[0]), np.uint8)
    round_px = max(1, round(radius))
    inner = (round_px, round_px), (size[0] - 1 - round_px, size[1] - 1 - round_px)
    cv2.rectangle(mask, *inner, 255, -1)
    cv2.rectangle(mask, *inner, 255, 2 * round_px)
    return mask


def _bent(
    texture: Image, mask: npt.NDArray[np.uint8], shift: float, share: float
) -> tuple[Image, npt.NDArray[np.uint8]]:
    """A card bent around its length: the middle stands higher, is seen farther up and shaded along."""
    height, width = texture.shape[:2]
    rise = np.sin(np.linspace(0, math.pi, width, dtype=np.float32))[None, :]
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    lower = (down + np.float32(shift) * rise).astype(np.float32)
    lit = 1 + 0.12 * share * np.cos(np.linspace(0, math.pi, width, dtype=np.float32))[None, :, None]
    bent = cv2.remap(texture, across, lower, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    masked = cv2.remap(mask, across, lower, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.clip(bent * lit, 0, 255).astype(np.uint8), masked.astype(np.uint8)


def _turned(centre: tuple[float, float], size: tuple[float, float], turn: float) -> npt.NDArray[np.float32]:
    width, height = size
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = math.radians(turn)
    rotation = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return (corners @ rotation.T + centre).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place on the table: its middle in millimetres, and its turn in degrees."""

    middle: tuple[float, float]
    turn: float

    @property
    def corners(self) -> npt.NDArray[np.float32]:
        """Corners of a card that lies straight on it, millimetres."""
        return _turned(self.middle, CARD_SIZE_MM, self.turn)


@dataclass(frozen=True, slots=True)
class _Row:
    """The row of places on its table, and the table's size in millimetres."""

    spots: tuple[_Spot, ...]
    size: tuple[float, float]


def render(group: Group, seed: int, faces: Sequence[Face]) -> Scene:
    """Render the photograph of a group and a seed."""
    rng = np.random.default_rng((list(type(group)).index(group), seed))
    conditions = sample(group, rng)
    mat = mat_of(conditions.piles) if conditions.mat else None
    row = _row_without_mat(conditions, rng) if mat is None else _row_of(mat)
    table = _Table(row.size, conditions.height_px / CARD_SIZE_MM[1] * _SUPERSAMPLING, conditions.cloth, rng)
    if mat is not None:
        _lay_mat(table, mat)
    foreign = _lay_beside(table, row.size, conditions, rng)
    laid = _lay_cards(table, row, conditions, faces, rng)
    return _photograph(table, conditions, laid, foreign, rng)


def _row_of(mat: Mat) -> _Row:
    width, height = CARD_SIZE_MM
    spots = tuple(
        _Spot((place.x + width / 2 + _BORDER_MM, place.y + height / 2 + _BORDER_MM), 0) for place in mat.places
    )
    return _Row(spots, (mat.size[0] + 2 * _BORDER_MM, mat.size[1] + 2 * _BORDER_MM))


def _row_without_mat(conditions: Conditions, rng: np.random.Generator) -> _Row:
    """Piles as people lay them: bent, their gaps uneven."""
    pitch = CARD_SIZE_MM[0] + conditions.gap_mm
    width = conditions.piles * pitch + 2 * _BORDER_MM
    across = _BORDER_MM + pitch * (np.arange(conditions.piles) + 0.5)
    across = across + rng.uniform(-0.15, 0.15, conditions.piles) * conditions.gap_mm
    share = 2 * across / width - 1
    down = _WITHOUT_MAT_MM / 2 + conditions.row_bend_mm * (1 - share**2)
    slope = np.degrees(np.arctan(-4 * conditions.row_bend_mm * share / width))
    spots = (_Spot((float(x), float(y)), float(turn)) for x, y, turn in zip(across, down, slope, strict=True))
    return _Row(tuple(spots), (width, _WITHOUT_MAT_MM))


def _lay_mat(table: _Table, mat: Mat) -> None:
    paper = np.full((8, 8, 3), 244, np.uint8)
    centre = (_BORDER_MM + mat.size[0] / 2, _BORDER_MM + mat.size[1] / 2)
    table.lay(paper, centre, mat.size, 0, shadow=0.2, corner=0.5)
    for place in mat.places:
        corners = np.rint((place.corners + _BORDER_MM) * table.scale).astype(np.int32)
        cv2.polylines(
            table.paint, [corners], isClosed=True, color=(170, 170, 170), thickness=max(1, round(table.scale))
        )
    for marker in mat.markers:
        square = marker.square
        cells = np.kron(marker.pattern.astype(np.uint8) * 230 + 15, np.ones((16, 16), np.uint8))
        middle = (_BORDER_MM + square.x + square.width / 2, _BORDER_MM + square.y + square.height / 2)
        table.lay(np.stack([cells] * 3, 2), middle, (square.width, square.height), 0, shadow=0, corner=0)


def _lay_beside(
    table: _Table, size: tuple[float, float], conditions: Conditions, rng: np.random.Generator
) -> list[npt.NDArray[np.float32]]:
    """Lay a phone, a poem sheet, trail cards or a cup above and below the row."""
    laid = []
    for _ in range(conditions.beside):
        kind = rng.integers(4)
        x = float(rng.uniform(0.15, 0.85)) * size[0]
        y = float(rng.choice([18.0, size[1] - 18.0]))
        turn = float(rng.uniform(0, 360))
        if kind == 0:
            laid.append(table.lay(phone(rng), (x, y), (72, 150), 90 + float(rng.normal(0, 8)), corner=8))
        elif kind == 1:
            laid.append(table.lay(paper_sheet(rng), (x, y), (105, 148), 90 + float(rng.normal(0, 8)), corner=0.3))
        elif kind == 2:
            laid.append(table.lay(foreign_card(rng), (x, y), CARD_SIZE_MM, turn))
        else:
            cup = np.full((64, 64, 3), rng.integers(30, 240, 3), np.uint8)
            table.lay(cup, (x, y), (80, 80), 0, corner=39)
    return laid


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Things on the table, corners in millimetres of shape (4, 2).

    Attributes:
        places: what each place shows, the corners of its top card, and whether something lies over a part of it.
        over: cards of another game that lie over an edge.
        apart: the hunter's card beside the row.
    """

    places: list[tuple[str, npt.NDArray[np.float32], bool]]
    over: list[npt.NDArray[np.float32]]
    apart: list[npt.NDArray[np.float32]]


def _lay_cards(
    table: _Table, row: _Row, conditions: Conditions, faces: Sequence[Face], rng: np.random.Generator
) -> _Laid:
    """Lay a pile on each place but the empty ones, something foreign at times, then cover a part of one of them."""
    laid = _Laid([], [], [])
    upside_down = 180.0 * rng.integers(2)
    covered = int(rng.integers(len(row.spots))) if conditions.cover is not Cover.NONE else -1
    for index, spot in enumerate(row.spots):
        what = rng.random()
        if what < 0.04:
            laid.places.append((EMPTY, spot.corners, False))
            continue
        if what < 0.08:
            corners = table.lay(foreign_card(rng), spot.middle, CARD_SIZE_MM, spot.turn + float(rng.normal(0, 3)))
            laid.places.append((FOREIGN, corners, False))
            continue
        face, corners = _lay_pile(table, spot, upside_down, conditions, faces, rng)
        if index == covered and conditions.cover is Cover.NEIGHBOUR:
            laid.over.append(_lay_over(table, corners, rng))
        elif index == covered:
            _lay_fingers(table, corners, conditions.cover, rng)
        laid.places.append((str(face.face), corners, index == covered))
    if rng.random() < 0.3 and conditions.beside < 2:
        hunter = next((face for face in faces if face.face == "HUNTER"), faces[0])
        middle = float(rng.uniform(0.35, 0.65)) * row.size[0], row.size[1] - 46.0
        laid.apart.append(_lay_card(table, hunter, middle, upside_down + float(rng.normal(0, 8)), conditions, rng))
    return laid


def _lay_pile(  # noqa: PLR0913, PLR0917
    table: _Table,
    spot: _Spot,
    upside_down: float,
    conditions: Conditions,
    faces: Sequence[Face],
    rng: np.random.Generator,
) -> tuple[Face, npt.NDArray[np.float32]]:
    """Lay the cards of a pile; return the top one and its corners."""
    face, corners = faces[0], spot.corners
    base = rng.uniform(-2, 2, 2)
    for _ in range(1 + int(rng.integers(conditions.pile))):
        face = faces[int(rng.integers(len(faces)))]
        shift = base + rng.uniform(-1, 1, 2) * conditions.offset_mm
        turn = spot.turn + upside_down + float(np.clip(rng.normal(0, 2.5), -7, 7))
        centre = (spot.middle[0] + float(shift[0]), spot.middle[1] + float(shift[1]))
        corners = _lay_card(table, face, centre, turn, conditions, rng)
    return face, corners


def _lay_over(table: _Table, corners: npt.NDArray[np.float32], rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Lay a card of another game over 8 to 18 mm of a card's upper or lower edge."""
    down = (corners[3] - corners[0]) * float(rng.choice([-1, 1]))
    hidden = float(rng.uniform(8, 18))
    middle = corners.mean(0) + down * (1 - hidden / CARD_SIZE_MM[1])
    turn = math.degrees(math.atan2(float(down[0]), -float(down[1])))
    return table.lay(foreign_card(rng), (float(middle[0]), float(middle[1])), CARD_SIZE_MM, turn)


def _lay_card(  # noqa: PLR0913, PLR0917
    table: _Table,
    face: Face,
    centre: tuple[float, float],
    turn: float,
    conditions: Conditions,
    rng: np.random.Generator,
) -> npt.NDArray[np.float32]:
    width, height = CARD_SIZE_MM
    if conditions.sleeves:
        sleeve = np.full((16, 16, 3), rng.integers(150, 215), np.uint8)
        table.lay(sleeve, centre, (width + 3, height + 5), turn, shadow=0.3, corner=1)
    bend = conditions.bend_mm * float(rng.uniform(-1, 1))
    bulge = bend * math.tan(math.radians(conditions.tilt_deg))
    return table.lay(face.image, centre, CARD_SIZE_MM, turn, bulge=(bulge, bend / 6))


def _lay_fingers(table: _Table, corners: npt.NDArray[np.float32], cover: Cover, rng: np.random.Generator) -> None:
    colour = hand_colour(rng)
    side = corners[rng.integers(4)]
    middle = corners.mean(0)
    outside = middle + (side - middle) * 2.2
    if cover is Cover.CORNER:
        table.draw(np.stack([outside, middle + (side - middle) * 0.72]), colour, 16)
        return
    across = np.array([-(side - middle)[1], (side - middle)[0]]) * 0.35
    for finger in (-1, 0, 1):
        tip = middle - (side - middle) * 0.2 + across * finger
        table.draw(np.stack([outside + across * finger, tip]).astype(np.float32), colour, 17)


def _photograph(
    table: _Table,
    conditions: Conditions,
    laid: _Laid,
    foreign: list[npt.NDArray[np.float32]],
    rng: np.random.Generator,
) -> Scene:
    lit = _lit(table, conditions, laid, rng)
    seen, size = _camera(table, conditions, rng)
    sharp = np.asarray(cv2.warpPerspective(lit, seen, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
    image = _developed(_blurred(sharp, conditions, rng), conditions, rng)

    def projected(corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        points = (corners * table.scale).reshape(-1, 1, 2).astype(np.float32)
        return np.asarray(cv2.perspectiveTransform(points, seen), np.float32).reshape(-1, 2)

    def stacked(several: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        return np.array([projected(corners) for corners in several], np.float32).reshape(-1, 4, 2)

    truth = tuple(
        TruePlace(
            number, COVERED if hidden and conditions.cover is Cover.FINGERS else shows, projected(corners), hidden
        )
        for number, (shows, corners, hidden) in enumerate(laid.places, 1)
    )
    return Scene(image, conditions, truth, stacked(foreign + laid.over), stacked(laid.apart))


def _lit(table: _Table, conditions: Conditions, laid: _Laid, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """The table under a lamp to one side, with its reflection."""
    height, width = table.paint.shape[:2]
    across, down = np.meshgrid(np.linspace(-1, 1, 64, dtype=np.float32), np.linspace(-1, 1, 32, dtype=np.float32))
    slope = rng.uniform(-0.2, 0.2, 2)
    light = 1 + slope[0] * across + slope[1] * down
    shine = np.zeros_like(light)
    x, y = rng.uniform(-0.75, 0.75), rng.uniform(-0.25, 0.25)
    if conditions.glare is Glare.DIGIT:
        corners = laid.places[int(rng.integers(len(laid.places)))][1]
        across_card, down_card = rng.choice([0.25, 0.75]), 0.8
        digit = corners[0] + (corners[1] - corners[0]) * across_card + (corners[3] - corners[0]) * down_card
        x, y = (2 * digit * table.scale / (width, height) - 1).tolist()
    if conditions.glare in (Glare.BLOB, Glare.DIGIT):
        shine = 200 * np.exp(-(((across - x) / 0.07) ** 2) - ((down - y) / 0.13) ** 2)
    elif conditions.glare is Glare.STRIPE:
        shine = 130 * np.exp(-(((across - x - 0.4 * down) / 0.05) ** 2))
    if conditions.sleeves:
        shine = shine + 18 * np.exp(-(((across - y) / 0.5) ** 2))
    size = (width, height)
    return table.paint * cv2.resize(light, size)[..., None] + cv2.resize(shine.astype(np.float32), size)[..., None]


def _camera(
    table: _Table, conditions: Conditions, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], tuple[int, int]]:
    """The homography from the painted table to the image, and the image's size."""
    height, width = table.paint.shape[:2]
    distance = 1.6 * width
    yaw, tilt, roll = (math.radians(angle) for angle in (conditions.yaw_deg, conditions.tilt_deg, rng.normal(0, 2)))
    turn = _rotation(2, roll) @ _rotation(0, tilt) @ _rotation(2, yaw)
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    plane = np.column_stack([turn[:, 0], turn[:, 1], (0, 0, distance)])
    lens = np.diag([distance / _SUPERSAMPLING, distance / _SUPERSAMPLING, 1])
    seen = lens @ plane @ to_middle
    edge = table.scale * 22
    corners = np.array([[edge, edge], [width - edge, edge], [width - edge, height - edge], [edge, height - edge]])
    projected = cv2.perspectiveTransform(corners.reshape(-1, 1, 2).astype(np.float32), seen).reshape(-1, 2)
    low, high = projected.min(0), projected.max(0)
    shrink = min(1.0, _LONGEST_PX / float((high - low).max()))
    move = np.array([[shrink, 0, -low[0] * shrink], [0, shrink, -low[1] * shrink], [0, 0, 1]])
    size = (high - low) * shrink
    return move @ seen, (round(float(size[0])), round(float(size[1])))


def _rotation(axis: int, angle: float) -> npt.NDArray[np.float64]:
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)


def _blurred(
    image: npt.NDArray[np.float32], conditions: Conditions, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    if conditions.defocus_px > 0.2:
        image = cv2.GaussianBlur(image, (0, 0), conditions.defocus_px).astype(np.float32)
    if conditions.motion_px:
        length = conditions.motion_px
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), float(rng.uniform(0, 180)), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length)).astype(np.float32)
        image = cv2.filter2D(image, -1, kernel / kernel.sum()).astype(np.float32)
    return image


def _developed(image: npt.NDArray[np.float32], conditions: Conditions, rng: np.random.Generator) -> Image:
    """Exposure, white balance, noise and compression."""
    red = math.sqrt(conditions.warmth)
    gains = np.array([1 / red, conditions.tint, red], np.float32) * np.float32(conditions.exposure)
    noise = rng.standard_normal(image.shape, np.float32)
    developed = np.clip(image * gains + noise * np.float32(conditions.noise), 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", developed, [cv2.IMWRITE_JPEG_QUALITY, conditions.jpeg])
    decoded = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return np.asarray(decoded, np.uint8)
