"""Bundled model files, MediaPipe's and ours, checked against models/manifest.toml."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.version import __version__

if TYPE_CHECKING:
    from pathlib import Path


class ModelError(InputError):
    """Missing or damaged model. Only a new installation helps."""


class ModelFile(Enum):
    """Model files that a reader loads: two of MediaPipe, then ours."""

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
    """Package that a model comes from, our own one for models trained here, and its licence (SPDX)."""

    package: str
    version: str
    licence: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """Entry of one model in the manifest; `finds` describes the things that it finds in an image."""

    model: ModelFile
    origin: Origin
    finds: str
    size_bytes: int
    sha256: str


@cache
def manifest() -> tuple[ModelEntry, ...]:
    """Read the bundled manifest: every model, MediaPipe's first. Raise a `ModelError` if it is missing or damaged."""
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
    """Return the folder of the bundled models."""
    return bundled("models")


def model_state(entry: ModelEntry) -> ModelState:
    """Return the state of a model's file, compared with the manifest."""
    try:
        with (models_folder() / entry.model.value).open("rb") as file:
            is_whole = hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256
    except FileNotFoundError:
        return ModelState.MISSING
    except OSError:
        is_whole = False
    return ModelState.READY if is_whole else ModelState.DAMAGED


def model_path(model: ModelFile) -> Path:
    """Return the path of a model's file, or raise a `ModelError` if it is missing or damaged."""
    state = model_state(next(entry for entry in manifest() if entry.model is model))
    path = models_folder() / model.value
    if state is ModelState.READY:
        return path
    raise missing_model(path) if state is ModelState.MISSING else damaged_model(path)


def missing_model(path: Path) -> ModelError:
    """Return the error for a model that is missing from the bundled files."""
    return ModelError(
        Phrase("The model {file} is missing in {folder}: install bunnymoose again", file=path.name, folder=path.parent)
    )


def damaged_model(path: Path) -> ModelError:
    """Return the error for a model whose file has changed."""
    return ModelError(
        Phrase("The model {file} in {folder} is damaged: install bunnymoose again", file=path.name, folder=path.parent)
    )


def check_models() -> None:
    """Raise a `ModelError` if any model is missing or damaged."""
    for entry in manifest():
        model_path(entry.model)
