"""MediaPipe's hand net out of its bundle → `models/hand.onnx`, as OpenCV runs it best. Owns no look and no training.

Run from a checkout: `python models/training/headgear/close_eye.py`. OpenCV reads MediaPipe's own file, too, but then
takes twice as long and names what it has made of the pixels by the inner names of one release. What changes is the
form alone: channels stand before rows and columns, a layer's bounds are a layer of their own. Last both are asked about
the same pixels, and how far apart they are is printed.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import onnx
from mediapipe.tasks.metadata import schema_py_generated as schema
from onnx import helper, numpy_helper

from bunnymoose_cv.vision.headgear.hand_refiner import INPUT, OUTPUTS
from bunnymoose_cv.vision.model_files import MediaPipeModel, model_path

sys.path.append(str(Path(__file__).parents[1]))
from export import MODELS, halve

if TYPE_CHECKING:
    from collections.abc import Sequence

Weights: TypeAlias = npt.NDArray[np.float32]

FILE = "hand_landmarks_detector.tflite"
"""The net in the bundle: model card "Hands" (full)."""

THEIR_NAMES = ("Identity", "Identity_1", "Identity_2", "model_1/model/global_average_pooling2d/Mean")
"""What the file calls our `OUTPUTS`."""

OPERATION = schema.BuiltinOperator
BOUNDS = {"zero": 0.0, "six": 6.0}
"""Of what a layer lets through, where it has any."""


class Conversion:
    """The nodes of a net, one after the other.

    Args:
        model: the net, as its file tells it.
    """

    def __init__(self, model: Any) -> None:
        self._model, self._net = model, model.subgraphs[0]
        self._weights: dict[int, Weights] = {}
        self._nodes: list[onnx.NodeProto] = []
        self._constants = [numpy_helper.from_array(np.array(value, np.float32), name) for name, value in BOUNDS.items()]
        for operation in self._net.operators:
            self._add(operation)

    def whole(self) -> onnx.ModelProto:
        """The net, whose outputs are named as ours."""
        numbers = {tensor.name.decode(): number for number, tensor in enumerate(self._net.tensors)}
        outputs = []
        for ours, theirs in zip(OUTPUTS, THEIR_NAMES, strict=True):
            number = numbers[theirs]
            self._node("Identity", [_name(number)], ours)
            outputs.append(_value(ours, [*map(int, self._net.tensors[number].shape)]))
        pixels = _value(_name(int(self._net.inputs[0])), [1, 3, INPUT, INPUT])
        graph = helper.make_graph(self._nodes, "hand", [pixels], outputs, self._constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def _add(self, operation: Any) -> None:
        """One operation, and its bounds after it where it has any."""
        code = self._model.operatorCodes[operation.opcodeIndex]
        kind = max(code.builtinCode, code.deprecatedBuiltinCode)
        inputs, (output,) = [*map(int, operation.inputs)], map(int, operation.outputs)
        how = operation.builtinOptions
        if kind == OPERATION.DEQUANTIZE:
            self._weights[output] = self._stored(inputs[0])
        elif getattr(how, "fusedActivationFunction", 0) == schema.ActivationFunctionType.RELU6:
            self._operate(kind, inputs, output, how, f"{_name(output)}.unbounded")
            self._node("Clip", [f"{_name(output)}.unbounded", *BOUNDS], _name(output))
        else:
            self._operate(kind, inputs, output, how, _name(output))

    def _operate(self, kind: int, inputs: Sequence[int], output: int, how: Any, result: str) -> None:
        if kind in {OPERATION.CONV_2D, OPERATION.DEPTHWISE_CONV_2D}:
            self._convolve(inputs, output, how, result, depthwise=kind == OPERATION.DEPTHWISE_CONV_2D)
        elif kind == OPERATION.FULLY_CONNECTED:
            weights, offsets = (self._constant(number, self._weights[number]) for number in inputs[1:])
            self._node("Gemm", [_name(inputs[0]), weights, offsets], result, transB=1)
        elif kind == OPERATION.MEAN:
            self._node("GlobalAveragePool", [_name(inputs[0])], f"{result}.square")
            self._node("Flatten", [f"{result}.square"], result)
        else:
            self._node({OPERATION.ADD: "Add", OPERATION.LOGISTIC: "Sigmoid"}[kind], [*map(_name, inputs)], result)

    def _convolve(self, inputs: Sequence[int], output: int, how: Any, result: str, *, depthwise: bool) -> None:
        """A convolution, with as many pixels around the picture as its sizes before and after it ask for."""
        weights = self._weights[inputs[1]].transpose((3, 0, 1, 2) if depthwise else (0, 3, 1, 2))
        side, stride = weights.shape[2], how.strideW
        before, after = (int(self._net.tensors[number].shape[1]) for number in (inputs[0], output))
        around = max(0, (after - 1) * stride + side - before)
        first = around // 2
        self._node(
            "Conv",
            [_name(inputs[0]), self._constant(inputs[1], weights), self._constant(inputs[2], self._weights[inputs[2]])],
            result,
            kernel_shape=[side, side],
            strides=[stride, stride],
            pads=[first, first, around - first, around - first],
            group=len(weights) if depthwise else 1,
        )

    def _node(self, kind: str, inputs: Sequence[str], output: str, **how: Any) -> None:
        self._nodes.append(helper.make_node(kind, [*inputs], [output], **how))

    def _constant(self, number: int, values: Weights) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), _name(number)))
        return _name(number)

    def _stored(self, number: int) -> Weights:
        """Weights, which lie in the file at half precision."""
        tensor = self._net.tensors[number]
        stored = self._model.buffers[tensor.buffer].data
        return np.frombuffer(stored.tobytes(), np.float16).reshape(tensor.shape).astype(np.float32)


def _value(name: str, shape: Sequence[int]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)


def _name(number: int) -> str:
    return f"tensor{number}"


def compare(theirs: Path, ours: Path) -> None:
    """Ask both about the same pixels, and print how far apart they are."""
    before = cv2.dnn.readNetFromTFLite(str(theirs), cv2.dnn.ENGINE_CLASSIC)  # only this engine tells of inner layers
    after = cv2.dnn.readNetFromONNX(str(ours))
    pixels = np.random.default_rng(0).random((1, 3, INPUT, INPUT), np.float32)
    for net in (before, after):
        net.setInput(pixels)
    for name, said, says in zip(OUTPUTS, before.forward([*THEIR_NAMES]), after.forward([*OUTPUTS]), strict=True):
        print(f"{name}: {np.abs(said - says).max():.2g} apart at most, of {np.abs(said).max():.2g}")


def main() -> None:
    """Convert the net of the bundle in the cache folder, and compare."""
    path = MODELS / "hand.onnx"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(model_path(MediaPipeModel.HAND_LANDMARKER)) as bundle:
        theirs = Path(bundle.extract(FILE, folder))
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(theirs.read_bytes(), 0))
        onnx.save(Conversion(model).whole(), str(path))
        halve(path)
        compare(theirs, path)


if __name__ == "__main__":
    main()
