"""JSON objects that other programs read, one a line."""

from __future__ import annotations

import json

import pytest
from pydantic import Field, ValidationError

from training.evaluate.json_shape import AnyText, JsonShape


class Shape(JsonShape):
    first: AnyText
    second: int | None = None
    third: int | None = Field(default=None, alias="the third")


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        (Shape(first="é"), '{"first": "\\u00e9"}'),
        (Shape(second=None, first="a"), '{"first": "a", "second": null}'),
        (Shape.model_validate({"the third": 3, "first": "a"}), '{"first": "a", "the third": 3}'),
    ],
)
def test_keys_stand_in_order_and_what_is_not_given_is_left_out(shape: Shape, line: str) -> None:
    assert shape.line() == line


def test_a_line_may_keep_its_letters() -> None:
    assert Shape(first="é").line(ascii_only=False) == '{"first": "é"}'


def test_a_name_of_a_file_that_is_no_text_comes_back_as_it_was() -> None:
    name = b"ant\xffler.jpg".decode("utf-8", "surrogateescape")
    assert json.loads(Shape(first=name).line())["first"] == name


def test_a_field_that_a_shape_lacks_is_refused() -> None:
    with pytest.raises(ValidationError):
        Shape.model_validate({"first": "a", "fourth": 4})
