"""Export of trained networks to ONNX files that OpenCV reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from torch import nn


def export(  # noqa: PLR0913 - what is written, under which names, how
    net: nn.Module,
    example: torch.Tensor,
    path: Path,
    inputs: str,
    outputs: Sequence[str] = ("answers",),
    *,
    halved: bool = True,
) -> None:
    """Write a network that takes and returns any number of rows. If halved, the file takes half of the bytes."""
    torch.onnx.export(
        net.eval(),
        (example,),
        str(path),
        input_names=[inputs],
        output_names=list(outputs),
        dynamic_axes={tensor: {0: "n"} for tensor in (inputs, *outputs)},
        opset_version=17,
        dynamo=False,
    )
    if halved:
        _halve(path)
    print("wrote", path.name, path.stat().st_size // 1024, "KB")


WORTH_HALVING: Final = 256
"""Minimum number of weights for half precision; smaller tensors, such as a layer's offsets, keep their precision."""


def _halve(path: Path) -> None:
    """Store the weights in half precision; the network still calculates in single precision."""
    model = onnx.load(str(path))
    graph, widened = model.graph, []
    for weights in [*graph.initializer]:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size >= WORTH_HALVING:
            graph.initializer.remove(weights)
            graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), f"{weights.name}.half"))
            widened.append(
                helper.make_node("Cast", [f"{weights.name}.half"], [weights.name], to=onnx.TensorProto.FLOAT)
            )
    for place, node in enumerate(widened):
        graph.node.insert(place, node)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
