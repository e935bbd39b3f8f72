"""Files of the models, MediaPipe's and ours, which travel with the program, checked against models/manifest.toml."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.core.version import __version__

if TYPE_CHECKING:
    from pathlib import Path


class ModelError(InputError):
    """Missing or damaged model; only a new installation helps."""


class ModelFile(Enum):
    """Files that a reader loads: two of MediaPipe, then ours."""

    HAND_LANDMARKER = "hand_landmarker_full.task"
    FACE_LANDMARKER = "face_landmarker_attention_full_range.task"
    FACE_DETECTOR = "face_detector.onnx"
    FACE_POSE = "face.onnx"
    MEAN_MESH = "face_mesh.npy"
    HAND_SHAPE = "hand_shape.onnx"
    HEADGEAR = "headgear.onnx"
    SIDE = "side.onnx"
    LOGIT_SCALING = "logit_scaling.toml"
    TONGUE = "tongue.onnx"


class ModelState(Enum):
    """State of a model's file."""

    READY = "ready"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Origin:
    """Package that a model comes from.

    Attributes:
        package: the package's name; our own for what was trained here.
        version: its exact release.
        licence: the licence of what is in it (SPDX).
    """

    package: str
    version: str
    licence: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """Entry of one model in the manifest.

    Attributes:
        finds: what it finds in an image, in words.
        sha256: what its file must hash to.
    """

    model: ModelFile
    origin: Origin
    finds: str
    size_bytes: int
    sha256: str


@cache
def manifest() -> tuple[ModelEntry, ...]:
    """Read the manifest that travels with the program: every model, MediaPipe's first.

    Raises:
        ModelError: it is missing or damaged.
    """
    path = bundled("models/manifest.toml")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        mediapipe, own = Origin(**content["wheel"]), Origin("bunnymoose-cv", __version__, "Apache-2.0")
        return tuple(
            ModelEntry(ModelFile(entry["file"]), origin, entry["finds"], entry["size_bytes"], entry["sha256"])
            for origin, entries in ((mediapipe, content["model"]), (own, content["trained"]))
            for entry in entries
        )
    except FileNotFoundError:
        raise missing_model(path) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged_model(path) from error


def models_folder() -> Path:
    """Folder of the models that travel with the program."""
    return bundled("models")


def model_state(entry: ModelEntry) -> ModelState:
    """Compare the model's file with the manifest."""
    path = models_folder() / entry.model.value
    try:
        with path.open("rb") as file:
            whole = hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256
    except FileNotFoundError:
        return ModelState.MISSING
    except OSError:
        return ModelState.DAMAGED
    return ModelState.READY if whole else ModelState.DAMAGED


def model_path(model: ModelFile) -> Path:
    """Path of a model's file, checked.

    Raises:
        ModelError: the file is missing or damaged.
    """
    entry = next(entry for entry in manifest() if entry.model is model)
    folder = models_folder()
    match model_state(entry):
        case ModelState.READY:
            return folder / model.value
        case ModelState.MISSING:
            raise missing_model(folder / model.value)
        case ModelState.DAMAGED:
            raise damaged_model(folder / model.value)


def missing_model(path: Path) -> ModelError:
    """Error of a model that is not where it travels with the program."""
    return ModelError(
        Phrase("The model {file} is missing in {folder}: install bunnymoose again", file=path.name, folder=path.parent)
    )


def damaged_model(path: Path) -> ModelError:
    """Error of a model that is no longer what it was."""
    return ModelError(
        Phrase("The model {file} in {folder} is damaged: install bunnymoose again", file=path.name, folder=path.parent)
    )


def check_models() -> None:
    """Check every model.

    Raises:
        ModelError: one is missing or damaged.
    """
    for entry in manifest():
        model_path(entry.model)
