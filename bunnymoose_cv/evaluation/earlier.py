"""Figures of an earlier evaluation, to stand beside today's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text
from bunnymoose_cv.evaluation.figures import Share

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def earlier_figures(path: Path) -> Mapping[str, Share]:
    """The share of each measure, and of `sure_wrong`, `unclear` and `unclear_between`.

    Args:
        path: what `bunnymoose evaluate --json` printed; its last line alone counts.

    Raises:
        InputError: it is not there or is something else.
    """
    try:
        last = json.loads(read_text(path).splitlines()[-1])
        fields = {name: Share(share["n"], share["right"]) for name, share in last["fields"].items()}
        return fields | {name: Share(share["n"], share["count"]) for name, share in last["shares"].items()}
    except FileNotFoundError as error:
        raise InputError(f"There is no {path}: check the name") from error
    except (OSError, ValueError, LookupError, RecursionError, TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no earlier figures: name what `bunnymoose evaluate --json` printed") from error
