"""A trained net → a file in `models/` that OpenCV reads. Owns no net."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import nn

MODELS = Path(__file__).parents[1]


def export(
    net: nn.Module, example: torch.Tensor, name: str, inputs: str, outputs: Sequence[str] = ("answers",)
) -> None:
    """Write a net in the form that OpenCV reads: any number of rows in and out."""
    path = MODELS / name
    torch.onnx.export(
        net.eval(),
        (example,),
        str(path),
        input_names=[inputs],
        output_names=list(outputs),
        dynamic_axes={each: {0: "n"} for each in (inputs, *outputs)},
        opset_version=17,
        dynamo=False,
    )
    print("wrote", path.name, path.stat().st_size // 1024, "KB")
