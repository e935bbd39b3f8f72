"""Degradations of a square picture by cameras and rooms: light, focus, motion, size, noise, compression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture


def photographed(cut: Picture, draw: np.random.Generator) -> Picture:
    """A square picture as another camera might have given it in another light, down to 3 of 10 of its pixels."""
    if draw.random() < 0.9:
        cut = _coloured(cut, draw)
    if draw.random() < 0.3:
        cut = _blurred(cut, draw)
    return _seen_at(round(len(cut) * (draw.uniform(0.3, 0.95) if draw.random() < 0.6 else 1.0)), cut, draw)


def _coloured(cut: Picture, draw: np.random.Generator) -> Picture:
    """Another light: white balance, brightness, contrast, gamma, less or more colour."""
    picture = cut.astype(np.float32) / 255
    picture *= np.exp(draw.normal(0, 0.12, 3)).astype(np.float32)
    grey = picture.mean(2, keepdims=True)
    picture = grey + (picture - grey) * np.float32(draw.uniform(0.3, 1.4))
    picture = np.clip(picture, 0, 1) ** np.float32(np.exp(draw.normal(0, 0.25)))
    picture = (picture - 0.5) * np.float32(np.exp(draw.normal(0, 0.2))) + 0.5 + np.float32(draw.normal(0, 0.06))
    if draw.random() < 0.3:  # light from one side
        slope = np.linspace(-1, 1, len(cut), dtype=np.float32) * np.float32(draw.normal(0, 0.25))
        picture *= 1 + (slope[:, None, None] if draw.random() < 0.5 else slope[None, :, None])
    return np.asarray(np.clip(picture, 0, 1) * 255, np.uint8)


def _seen_at(size: int, cut: Picture, draw: np.random.Generator) -> Picture:
    """Resample a crop as a camera gives it that has so many pixels a side for it."""
    small = np.asarray(cv2.resize(cut, (size, size), interpolation=cv2.INTER_AREA), np.uint8)
    for change in (_noisy, _compressed):
        if draw.random() < 0.5:
            small = change(small, draw)
    return np.asarray(cv2.resize(small, (len(cut), len(cut)), interpolation=cv2.INTER_LINEAR), np.uint8)


def _blurred(cut: Picture, draw: np.random.Generator) -> Picture:
    """Out of focus, or moving."""
    if draw.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(cut, (0, 0), draw.uniform(0.4, 1.6)), np.uint8)
    length = int(draw.integers(2, 6))
    angle = draw.uniform(0, np.pi)
    across, down = (int(step) for step in np.round(3 + length / 2 * np.array([np.cos(angle), np.sin(angle)])) - 3)
    return moved(cut, across, down)


def moved(picture: Picture, across: int, down: int) -> Picture:
    """A picture blurred by a movement of up to three pixels either way: to the right, downward."""
    kernel = np.zeros((7, 7), np.float32)
    cv2.line(kernel, (3 - across, 3 - down), (3 + across, 3 + down), 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _noisy(cut: Picture, draw: np.random.Generator) -> Picture:
    """A webcam's noise."""
    noise = draw.normal(0, draw.uniform(1, 12), cut.shape)
    return np.asarray(np.clip(cut + noise, 0, 255), np.uint8)


def _compressed(cut: Picture, draw: np.random.Generator) -> Picture:
    """A camera's or a film's compression."""
    jpeg = cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, int(draw.integers(25, 90))])[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
