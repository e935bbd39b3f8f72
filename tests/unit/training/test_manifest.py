"""The manifest of our models: written anew from the files, nothing else touched."""

from __future__ import annotations

import shutil
import tomllib
from typing import TYPE_CHECKING

from bunnymoose_cv.core.resources import bundled
from training import manifest

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_model_that_was_written_anew_is_vouched_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = bundled("models/manifest.toml").read_text(encoding="utf-8")
    for entry in tomllib.loads(before)["trained"]:
        shutil.copy(bundled(f"models/{entry['file']}"), tmp_path)
    (tmp_path / "manifest.toml").write_text(before, encoding="utf-8")
    monkeypatch.setattr(manifest, "MODELS", tmp_path)
    monkeypatch.setattr(manifest, "_MANIFEST", tmp_path / "manifest.toml")
    manifest.record_models()
    assert (tmp_path / "manifest.toml").read_text(encoding="utf-8") == before
    (tmp_path / "side.onnx").write_bytes(b"abc")
    manifest.record_models()
    was, now = (tomllib.loads(text) for text in (before, (tmp_path / "manifest.toml").read_text(encoding="utf-8")))
    changed = [entry for entry in now["trained"] if entry not in was["trained"]]
    assert [(entry["file"], entry["size_bytes"], entry["sha256"][:8]) for entry in changed] == [
        ("side.onnx", 3, "ba7816bf")
    ]
    assert (now["wheel"], now["model"]) == (was["wheel"], was["model"])
