"""Faults of values in words: what a value has to be, and what it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bunnymoose_cv.core.value_fault import value_fault


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sides: int = Field(default=3)


class Named(BaseModel):
    name: str


def refuse(value: int) -> int:
    raise ValueError(f"{value} is the seat of nobody.")


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        (int, "x", "has to be a whole number, not “x”"),
        (int, 6.5, "has to be a whole number, not 6.5"),
        (int, "9" * 5000, "has to be a whole number"),
        (str, 9**500, "has to be a text"),
        (str, 1234567, "has to be a text, not 1234567"),
        (float, "", "has to be a number, not “”"),
        (Annotated[float, Field(allow_inf_nan=False)], float("inf"), "has to be a finite number, not inf"),
        (bool, "perhaps", "has to be true or false, not “perhaps”"),
        (str, True, "has to be a text, not true"),
        (list[int], 3, "has to be a list, not 3"),
        (dict[str, int], [1], "has to be a table"),
        (Shape, "x", "has to be a table, not “x”"),
        (Shape, {"corners": 3}, "is nothing that belongs there"),
        (Named, {}, "is missing"),
        (Colour, "green", "has to be 'red' or 'blue', not “green”"),
        (Literal["first", "second"], "third", "has to be 'first' or 'second', not “third”"),
        (Annotated[int, Field(ge=3)], 2, "has to be at least 3, not 2"),
        (Annotated[int, Field(gt=3)], 3, "has to be more than 3, not 3"),
        (Annotated[float, Field(le=0.5)], 0.75, "has to be at most 0.5, not 0.75"),
        (Annotated[float, Field(le=0.5)], 0.50000001, "has to be at most 0.5, not 0.50000001"),
        (Annotated[float, Field(lt=1)], 1.0, "has to be less than 1, not 1"),
        (Annotated[list[int], Field(min_length=2)], [1], "has to hold at least 2"),
        (Annotated[list[int], Field(max_length=1)], [1, 2], "has to hold at most 1"),
        (Annotated[str, Field(min_length=2)], "x", "has to have at least 2 characters"),
        (Annotated[str, Field(max_length=2)], "xyz", "has to have at most 2 characters"),
        (Annotated[int, AfterValidator(refuse)], 7, "7 is the seat of nobody"),
    ],
)
def test_a_fault_is_said_in_plain_words(kind: Any, value: object, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    assert value_fault(caught.value.errors()[0]) == words
