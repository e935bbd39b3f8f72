"""ONNX network, run by OpenCV."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.model_files import ModelError
from bunnymoose_cv.vision.nets.onnx_net import OnnxNet, blob

if TYPE_CHECKING:
    from pathlib import Path

MODEL = bundled("models/side.onnx")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.99999])
def test_a_damaged_network_is_refused_in_a_sentence(tmp_path: Path, share: float) -> None:
    content = MODEL.read_bytes()
    damaged = tmp_path / "side.onnx"
    damaged.write_bytes(content[: int(share * len(content))])
    with pytest.raises(ModelError) as refusal:
        OnnxNet(damaged)
    assert str(refusal.value) == f"The model side.onnx in {tmp_path} is damaged: install bunnymoose again"


def test_a_missing_network_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as refusal:
        OnnxNet(tmp_path / "side.onnx")
    assert str(refusal.value) == f"The model side.onnx is missing in {tmp_path}: install bunnymoose again"


def test_a_batch_holds_images_from_0_to_1() -> None:
    image = np.full((4, 6, 3), (0, 51, 255), np.uint8)
    batch = blob([image, image])
    assert batch.shape == (2, 3, 4, 6)
    np.testing.assert_allclose(batch[1, :, 0, 0], (0.0, 0.2, 1.0))
