"""Text of profiles: TOML that people can read, of bounded size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.text_file import read_toml
from bunnymoose_cv.core.value_fault import value_fault

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_Form = TypeVar("_Form", bound=BaseModel)


FORMAT: Final = 1
"""Version of the form; it rises when older programs can no longer read a profile."""


class DamagedProfileError(InputError):
    """Profile's file that cannot be read, or holds something else."""


class NoProfileError(ValueError):
    """TOML file without a profile of the wanted kind; the error's text is the reason."""


def read_form(path: Path, form: type[_Form]) -> _Form:
    """Read a profile.

    Raises:
        OSError, UnicodeDecodeError, FormError: as `read_toml`.
        DamagedProfileError: a newer version of the program wrote it.
        NoProfileError: it is none of this form.
    """
    content = read_toml(path)
    version = content.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise DamagedProfileError(
            Phrase(
                "{path} was written by a newer version of this program: update the program, then open it again.",
                path=str(path),
            )
        )
    try:
        return form.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        raise NoProfileError(f"{'.'.join(str(part) for part in first['loc'])} {value_fault(first)}") from error


def toml_of(facts: Mapping[str, Any], heading: str) -> str:
    """Write texts, numbers and lists of them as TOML."""
    lines = (f"{key} = {_value(value)}" for key, value in facts.items())
    return "\n".join([*(f"# {line}" for line in heading.splitlines()), *lines, ""])


def _value(value: object) -> str:
    """A value as TOML; JSON's texts, numbers and lists are TOML's as well."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False).replace("\x7f", "\\u007f")
