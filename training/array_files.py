"""Named arrays in a file, all or nothing, so that work that was broken off can go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bunnymoose_cv.core.atomic_files import whole_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt


def save_arrays(file: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write arrays, compressed, under their names."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as part, part.open("wb") as written:
        np.savez_compressed(written, **arrays)  # type: ignore[arg-type]  # numpy types its own options only
