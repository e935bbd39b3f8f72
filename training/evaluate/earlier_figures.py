"""Figures of an earlier evaluation, to stand beside today's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, PositiveInt, ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class _Right(BaseModel):
    n: PositiveInt
    right: int


class _Counted(BaseModel):
    n: PositiveInt
    count: int


class _Figures(BaseModel):
    """The part of an `ImageFiguresShape` that every version of the program has printed."""

    fields: dict[str, _Right]
    shares: dict[str, _Counted]


def earlier_figures(path: Path) -> Mapping[str, Share]:
    """The share of each measure, and of `sure_wrong`, `unclear` and `unclear_between`.

    Args:
        path: what `python -m training.evaluate --json` printed; its last line alone counts.

    Raises:
        InputError: it is not there or is something else.
    """
    try:
        last = _Figures.model_validate_json(read_text(path).splitlines()[-1])
    except FileNotFoundError as error:
        raise InputError(f"There is no {path}: check the name") from error
    except (OSError, UnicodeDecodeError, IndexError, ValidationError) as error:
        raise InputError(
            f"{path} holds no earlier figures: name what `python -m training.evaluate --json` printed"
        ) from error
    fields = {name: Share(share.n, share.right) for name, share in last.fields.items()}
    return fields | {name: Share(share.n, share.count) for name, share in last.shares.items()}
