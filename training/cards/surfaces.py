"""Painted surfaces: five cloths, and the things that lie beside the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.cards.conditions import Cloth

if TYPE_CHECKING:
    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image


def cloth_texture(
    cloth: Cloth, shape: tuple[int, int], scale: float, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """A table's surface, shape (height, width, 3), blue-green-red; `scale` is pixels for one millimetre."""
    if cloth is Cloth.CHECKED:
        return _checked(shape, scale, rng)
    if cloth is Cloth.WOOD:
        return _wood(shape, scale, rng)
    base = {
        Cloth.DARK: rng.uniform(25, 65, 3),
        Cloth.WHITE: rng.uniform(205, 240) + rng.uniform(-6, 6, 3),
        Cloth.GLASS: np.array([120, 110, 90]) * rng.uniform(0.6, 1.3),
    }[cloth]
    grain = _noise(shape, 1.2 * scale, rng) * (9 if cloth is Cloth.GLASS else 5)
    if cloth is Cloth.GLASS:
        grain = grain + _noise(shape, 40 * scale, rng) * 35
    return (base.astype(np.float32) + grain[..., None]).astype(np.float32)


def _noise(shape: tuple[int, int], size: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Smooth noise of unit spread whose blobs are so many pixels wide."""
    small = (max(2, int(shape[0] / size)), max(2, int(shape[1] / size)))
    coarse = rng.standard_normal(small, np.float32)
    return cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR).astype(np.float32)


def _wood(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Boards with grain along them."""
    grain = np.zeros(shape, np.float32)
    for width, strength in ((1.5, 8.0), (5.0, 12.0), (18.0, 14.0)):
        rows = max(2, int(shape[0] / (width * scale)))
        coarse = rng.standard_normal((rows, max(2, rows // 12)), np.float32) * strength
        grain += cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    board = np.arange(shape[0]) % max(4, round(95 * scale)) < max(1, scale * 1.5)
    grain[board] -= 45
    base = np.array([70, 115, 160], np.float32) * np.float32(rng.uniform(0.6, 1.25))
    return (base + grain[..., None] * np.array([0.8, 1, 1.1], np.float32)).astype(np.float32)


def _checked(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """A checked table cloth: two colours that mix where stripes cross."""
    side = max(2, round(float(rng.uniform(15, 40)) * scale))
    down = (np.arange(shape[0]) // side) % 2
    across = (np.arange(shape[1]) // side) % 2
    mix = (down[:, None] + across[None, :]).astype(np.float32)[..., None] / 2
    colour = rng.uniform(30, 200, 3).astype(np.float32)
    painted = 235 * (1 - mix) + colour * mix + _noise(shape, 1.2 * scale, rng)[..., None] * 4
    return painted.astype(np.float32)


def foreign_card(rng: np.random.Generator) -> Image:
    """A card of another game: coloured ground, a frame, discs and strokes."""
    card = np.full((352, 252, 3), rng.integers(60, 250, 3), np.uint8)
    cv2.rectangle(card, (14, 14), (238, 338), rng.integers(0, 255, 3).tolist(), int(rng.integers(2, 14)))
    for _ in range(int(rng.integers(2, 7))):
        centre = (int(rng.integers(40, 212)), int(rng.integers(40, 312)))
        cv2.circle(card, centre, int(rng.integers(10, 60)), rng.integers(0, 255, 3).tolist(), -1)
        other = (int(rng.integers(20, 232)), int(rng.integers(20, 332)))
        cv2.line(card, centre, other, rng.integers(0, 255, 3).tolist(), int(rng.integers(3, 12)))
    word = "".join(chr(65 + int(letter)) for letter in rng.integers(0, 26, 5))
    cv2.putText(card, word, (40, int(rng.integers(60, 300))), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 20), 4)
    return card


def paper_sheet(rng: np.random.Generator) -> Image:
    """The sheet with the poem: lines of words on paper."""
    sheet = np.full((444, 315, 3), 245, np.uint8)
    for line in range(8):
        words = " ".join("".join(chr(97 + int(c)) for c in rng.integers(0, 26, rng.integers(2, 7))) for _ in range(4))
        cv2.putText(sheet, words, (20, 60 + line * 46), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (40, 40, 40), 2)
    return sheet


def phone(rng: np.random.Generator) -> Image:
    """A phone that lies on the table."""
    body = np.full((300, 144, 3), rng.integers(10, 45), np.uint8)
    cv2.rectangle(body, (8, 12), (136, 288), rng.integers(5, 90, 3).tolist(), -1)
    return body


def hand_colour(rng: np.random.Generator) -> tuple[float, float, float]:
    """A skin colour between dark and light, blue-green-red."""
    share = rng.uniform(0, 1)
    dark, light = np.array([45, 65, 95.0]), np.array([170, 195, 235.0])
    colour = dark + (light - dark) * share
    return float(colour[0]), float(colour[1]), float(colour[2])
