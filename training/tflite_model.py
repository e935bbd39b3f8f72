"""TFLite file in memory: operators appended to its graph, metadata added, the same bytes on every system.

MediaPipe brings the Python classes of the file format, which nobody else publishes.
"""

from __future__ import annotations

from typing import Any

import flatbuffers
import numpy as np
from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata_format
from mediapipe.tasks.metadata import schema_py_generated as model_format


class TfliteModel:
    """TFLite model whose graph can be lengthened; tensors are known by their number in the file.

    Every tensor that the operators here touch has the shape (1, 1, 1, n): they work along its last axis.
    """

    _AXIS = 3

    def __init__(self, content: bytes) -> None:
        self._model = model_format.ModelT.InitFromObj(model_format.Model.GetRootAs(content, 0))
        self._graph = self._model.subgraphs[0]

    @property
    def outputs(self) -> list[int]:
        """Tensors that the model puts out."""
        return [int(tensor) for tensor in self._graph.outputs]

    def length(self, tensor: int) -> int:
        """Return the number of values of a tensor."""
        return int(self._graph.tensors[tensor].shape[self._AXIS])

    def gather(self, source: int, positions: list[int]) -> int:
        """Append a tensor of the values at these positions of another."""
        options = model_format.GatherOptionsT()
        options.axis = self._AXIS
        inputs = [source, self._constant(positions)]
        return self._operator("GATHER", "GatherOptions", options, inputs, len(positions))

    def mean(self, source: int) -> int:
        """Append a tensor of one value, the mean of another's."""
        options = model_format.ReducerOptionsT()
        options.keepDims = True
        return self._operator("MEAN", "ReducerOptions", options, [source, self._constant([self._AXIS])], 1)

    def concatenate(self, sources: list[int]) -> int:
        """Append a tensor of the values of others, end to end."""
        options = model_format.ConcatenationOptionsT()
        options.axis = self._AXIS
        length = sum(map(self.length, sources))
        return self._operator("CONCATENATION", "ConcatenationOptions", options, sources, length)

    def end_with(self, *tensors: int) -> None:
        """Make these the outputs; signatures name the old ones, so they go."""
        self._graph.outputs = np.array(tensors, np.int32)
        self._model.signatureDefs = None

    def add_metadata(self, name: str, content: bytes) -> None:
        """Put custom metadata into the metadata that the model carries already."""
        holder = next(entry for entry in self._model.metadata if entry.name == b"TFLITE_METADATA")
        buffer = self._model.buffers[holder.buffer]
        metadata = metadata_format.ModelMetadataT.InitFromObj(
            metadata_format.ModelMetadata.GetRootAs(bytes(bytearray(buffer.data)), 0)
        )
        custom = metadata_format.CustomMetadataT()
        custom.name, custom.data = name, _as_array(content)
        metadata.subgraphMetadata[0].customMetadata = [custom]
        buffer.data = _as_array(_packed(metadata, b"M001"))

    def to_bytes(self) -> bytes:
        """Return the model as a file's content."""
        return _packed(self._model, b"TFL3")

    def _constant(self, values: list[int]) -> int:
        buffer = model_format.BufferT()
        buffer.data = _as_array(np.array(values, "<i4").tobytes())
        self._model.buffers.append(buffer)
        return self._tensor([len(values)], model_format.TensorType.INT32, len(self._model.buffers) - 1)

    def _tensor(self, shape: list[int], kind: int, buffer: int) -> int:
        tensor = model_format.TensorT()
        tensor.name = f"bunnymoose_{len(self._graph.tensors)}".encode()
        tensor.shape, tensor.type, tensor.buffer = np.array(shape, np.int32), kind, buffer
        self._graph.tensors.append(tensor)
        return len(self._graph.tensors) - 1

    def _operator(self, name: str, options_name: str, options: Any, inputs: list[int], length: int) -> int:
        """Append an operator that puts out one tensor of this length."""
        output = self._tensor([1, 1, 1, length], model_format.TensorType.FLOAT32, 0)  # buffer 0 is the empty one
        operator = model_format.OperatorT()
        operator.opcodeIndex = self._operator_code(getattr(model_format.BuiltinOperator, name))
        operator.inputs, operator.outputs = np.array(inputs, np.int32), np.array([output], np.int32)
        operator.builtinOptionsType = getattr(model_format.BuiltinOptions, options_name)
        operator.builtinOptions = options
        self._graph.operators.append(operator)
        return output

    def _operator_code(self, builtin: int) -> int:
        """Return the index of an operator in the model's table; it is entered when new."""
        table = self._model.operatorCodes
        for index, code in enumerate(table):
            if code.builtinCode == builtin:
                return index
        code = model_format.OperatorCodeT()
        # The old field has one byte; all operators used here fit into it.
        code.builtinCode = code.deprecatedBuiltinCode = builtin
        code.version = 1
        table.append(code)
        return len(table) - 1


class StableBuilder(flatbuffers.Builder):  # type: ignore[misc] # the library has no types
    """Builder in which no two tables share their list of fields.

    Which ones may differs from one release of the library to the next, and with it the bytes and their SHA-256.
    """

    def WriteVtable(self) -> Any:  # noqa: N802 - the library's name
        """Write the list of fields of a table."""
        self.vtables: dict[Any, Any] = {}
        return super().WriteVtable()


def _packed(table: Any, identifier: bytes) -> bytes:
    """Return the bytes of a FlatBuffers table, equal for equal content."""
    builder = StableBuilder(4 << 20)
    builder.Finish(table.Pack(builder), identifier)
    return bytes(builder.Output())


def _as_array(content: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return bytes in the form that the format's classes hold."""
    return np.frombuffer(content, np.uint8)
