from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from core.foundation.validation.json_field import FreeObject, at_most_levels

THREE = TypeAdapter[Any](Annotated[FreeObject, at_most_levels(3)])


@pytest.mark.parametrize(
    "value", [{}, {"a": 1}, {"a": {"b": {}}}, {"a": [[1]]}, {"a": [{"b": 1}, 2]}]
)
def test_what_lies_flat_enough_is_taken(value: dict[str, Any]) -> None:
    assert THREE.validate_python(value) == value


@pytest.mark.parametrize(
    "value", [{"a": {"b": {"c": {}}}}, {"a": [[[]]]}, {"x": 1, "a": [1, {"b": [{"c": 1}]}]}]
)
def test_what_lies_deeper_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        THREE.validate_python(value)
    assert [error["type"] for error in refused.value.errors()] == ["not_allowed"]
