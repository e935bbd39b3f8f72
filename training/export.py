"""Export of trained networks to ONNX files that OpenCV reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnx
import onnx_ir
import torch
from onnx import helper, numpy_helper
from onnxscript import optimizer, rewriter
from onnxscript.rewriter.pattern import RewriteRule
from onnxscript.rewriter.rules.common import fuse_pad_into_conv_rule

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
    fuse(path)
    if halved:
        _halve(path)
    print("wrote", path.name, path.stat().st_size // 1024, "KB")


def fuse(path: Path) -> None:
    """Write a network such that OpenCV runs it in four fifths of the time. Its results do not change.

    OpenCV merges a convolution with the `HardSigmoid` that follows it, but neither with the `Clip` of a ReLU6 nor with
    the `Pad` before it.
    """
    model = onnx_ir.load(path)
    optimizer.fold_constants(model, onnx_shape_inference=True, should_fold=lambda _: True)
    for rule in (fuse_pad_into_conv_rule, RewriteRule(_relu6_and_conv, _hard_sigmoid_and_conv)):
        rewriter.rewrite(model, [rule])
    onnx_ir.save(model, path)


def _relu6_and_conv(op: Any, maps: Any, weights: Any, bias: Any) -> Any:
    return op.Conv(op.Clip(maps, 0.0, 6.0), weights, bias, _outputs=["convolved"])


def _hard_sigmoid_and_conv(op: Any, maps: Any, weights: Any, bias: Any, convolved: Any) -> Any:
    """Return the same with a sixth of the ReLU6, and six times the weights, which OpenCV multiplies when it loads."""
    sixth, six = op.HardSigmoid(maps, alpha=1 / 6, beta=0.0), op.Constant(value_float=6.0)
    return op.Conv(sixth, op.Mul(weights, six), bias, **convolved.producer().attributes)


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
