"""Cascade: a first stage for every input, a second one where the first is uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Input = TypeVar("Input")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Cascade(Generic[Input, Result]):
    """Two stages of a classifier.

    Attributes:
        first: cheap, for every input.
        is_uncertain: tells if a result of the first stage needs the second.
        second: refines a result of the first stage.
    """

    first: Callable[[Input], Result]
    is_uncertain: Callable[[Result], bool]
    second: Callable[[Input, Result], Result]

    def run(self, item: Input, *, second_stage: bool = True) -> Result:
        """Result for an input; of the first stage alone where the second is left out."""
        result = self.first(item)
        return self.second(item, result) if second_stage and self.is_uncertain(result) else result
