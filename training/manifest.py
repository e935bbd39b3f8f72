"""Entries of our models in models/manifest.toml: `python -m training.manifest` writes their sizes and hashes.

A reader refuses a model that differs from the manifest, so every training that writes one calls `record_models`.
"""

from __future__ import annotations

import hashlib
import tomllib
from typing import TYPE_CHECKING

from training.paths import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FIRST = "[[trained]]"
_MANIFEST = MODELS / "manifest.toml"


def record_models() -> None:
    """Write size and SHA-256 of each of our models; MediaPipe's entries are kept."""
    text = _MANIFEST.read_text(encoding="utf-8")
    blocks = []
    for entry in tomllib.loads(text)["trained"]:
        content = (MODELS / entry["file"]).read_bytes()
        blocks.append(
            f'{_FIRST}\nfile = "{entry["file"]}"\nfinds = "{entry["finds"]}"\nsize_bytes = {len(content)}\n'
            f'sha256 = "{hashlib.sha256(content).hexdigest()}"\n'
        )
    _MANIFEST.write_text(text[: text.index(_FIRST)] + "\n".join(blocks), encoding="utf-8")


def write_unseen(name: str, heading: str, unseen: Mapping[str, Iterable[str]]) -> None:
    """Write a list in `models/left_out` of the persons whom a network has not seen.

    Args:
        name: name of the file.
        heading: lines of comment, each with its end.
        unseen: names of persons by the network or the source.
    """
    blocks = [
        f"\n[{key}]\nunseen = [\n" + "".join(f'    "{person}",\n' for person in sorted(names)) + "]\n"
        for key, names in unseen.items()
    ]
    (MODELS / "left_out" / name).write_text(heading + "".join(blocks), encoding="utf-8")


if __name__ == "__main__":
    record_models()
