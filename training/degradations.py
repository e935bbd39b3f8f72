"""Degradations of a square image by cameras and rooms: light, focus, motion, size, noise, compression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Image


def photographed(cut: Image, draw: np.random.Generator) -> Image:
    """A square image as another camera might have given it in another light, down to 3 of 10 of its pixels."""
    if draw.random() < 0.9:
        cut = _coloured(cut, draw)
    if draw.random() < 0.3:
        cut = _blurred(cut, draw)
    return _seen_at(round(len(cut) * (draw.uniform(0.3, 0.95) if draw.random() < 0.6 else 1.0)), cut, draw)


def _coloured(cut: Image, draw: np.random.Generator) -> Image:
    """Another light: white balance, brightness, contrast, gamma, less or more colour."""
    image = cut.astype(np.float32) / 255
    image *= np.exp(draw.normal(0, 0.12, 3)).astype(np.float32)
    grey = image.mean(2, keepdims=True)
    image = grey + (image - grey) * np.float32(draw.uniform(0.3, 1.4))
    image = np.clip(image, 0, 1) ** np.float32(np.exp(draw.normal(0, 0.25)))
    image = (image - 0.5) * np.float32(np.exp(draw.normal(0, 0.2))) + 0.5 + np.float32(draw.normal(0, 0.06))
    if draw.random() < 0.3:  # light from one side
        slope = np.linspace(-1, 1, len(cut), dtype=np.float32) * np.float32(draw.normal(0, 0.25))
        image *= 1 + (slope[:, None, None] if draw.random() < 0.5 else slope[None, :, None])
    return np.asarray(np.clip(image, 0, 1) * 255, np.uint8)


def _seen_at(size: int, cut: Image, draw: np.random.Generator) -> Image:
    """Resample a crop as a camera gives it that has so many pixels a side for it."""
    small = np.asarray(cv2.resize(cut, (size, size), interpolation=cv2.INTER_AREA), np.uint8)
    for change in (_noisy, _compressed):
        if draw.random() < 0.5:
            small = change(small, draw)
    return np.asarray(cv2.resize(small, (len(cut), len(cut)), interpolation=cv2.INTER_LINEAR), np.uint8)


def _blurred(cut: Image, draw: np.random.Generator) -> Image:
    """Out of focus, or moving."""
    if draw.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(cut, (0, 0), draw.uniform(0.4, 1.6)), np.uint8)
    length = int(draw.integers(2, 6))
    angle = draw.uniform(0, np.pi)
    across, down = (int(step) for step in np.round(3 + length / 2 * np.array([np.cos(angle), np.sin(angle)])) - 3)
    return moved(cut, across, down)


def moved(image: Image, across: int, down: int) -> Image:
    """An image blurred by a movement of up to three pixels either way: to the right, downward."""
    kernel = np.zeros((7, 7), np.float32)
    cv2.line(kernel, (3 - across, 3 - down), (3 + across, 3 + down), 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _noisy(cut: Image, draw: np.random.Generator) -> Image:
    """A webcam's noise."""
    noise = draw.normal(0, draw.uniform(1, 12), cut.shape)
    return np.asarray(np.clip(cut + noise, 0, 255), np.uint8)


def _compressed(cut: Image, draw: np.random.Generator) -> Image:
    """A camera's or a film's compression."""
    jpeg = cv2.imencode(".jpg", cut, [cv2.IMWRITE_JPEG_QUALITY, int(draw.integers(25, 90))])[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
