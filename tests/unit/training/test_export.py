"""Networks written for OpenCV."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="trainings need the extra “train”")
pytest.importorskip("onnx", reason="trainings need the extra “train”")

import onnx
import torch
from torch import nn

from bunnymoose_cv.vision.nets.onnx_net import OnnxNet
from training.export import export
from training.training_loop import seeded
from training.trunk import Block, BlockShape

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")  # from torch's exporter


@pytest.mark.parametrize(("halved", "tolerance"), [(False, 1e-5), (True, 1e-2)])
def test_fused_network_gives_the_same_results(tmp_path: Path, *, halved: bool, tolerance: float) -> None:
    seeded(3)
    blocks = [Block(BlockShape(3, 8, 3, 2, wider=6)), Block(BlockShape(8, 8, 5, 2, wider=6))]
    net = nn.Sequential(*blocks, nn.ReLU6(), nn.Flatten(), nn.Linear(8 * 4 * 4, 2))
    images = 40 * torch.rand(5, 3, 16, 16)  # so large that ReLU6 clips its inputs
    export(net, images[:2], tmp_path / "net.onnx", "images", halved=halved)

    answers = OnnxNet(tmp_path / "net.onnx").run(images.numpy())

    with torch.no_grad():
        np.testing.assert_allclose(answers, net(images).numpy(), rtol=tolerance, atol=tolerance)


def test_only_a_relu6_that_no_convolution_follows_stays(tmp_path: Path) -> None:
    net = nn.Sequential(Block(BlockShape(3, 8, 3, 2, wider=6)), nn.ReLU6(), nn.Flatten())
    export(net, torch.zeros(2, 3, 16, 16), tmp_path / "net.onnx", "images")
    nodes = [node.op_type for node in onnx.load(str(tmp_path / "net.onnx")).graph.node]
    assert nodes.count("Clip") == 1
    assert nodes.count("HardSigmoid") == 2
    assert "Pad" not in nodes
