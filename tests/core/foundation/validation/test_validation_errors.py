"""Checks of several fields against each other: made whatever else is wrong, and placed as the model
sees it.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Annotated

import orjson
import pytest
from pydantic import Field
from pydantic_core import PydanticCustomError

import core
from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import Input, read_body
from core.foundation.validation.validation_errors import across, faults


class Stay(Input):
    """Nights, of which the last is not before the first."""

    from_day: int = Field(alias="de")
    to_day: int | None = Field(default=None, validate_default=True, alias="ate")
    guests: Annotated[int, Field(ge=1)] = 1

    @across("from_day", "to_day")
    @staticmethod
    def _in_order(first: int, last: int | None) -> None:
        if last is None:
            raise PydanticCustomError("required", "Say {what}", {"what": "until when"})
        if last < first:
            raise faults(
                [
                    (("ate",), "too_small", "Not before it begins"),
                    (("de",), "too_large", "Not past its end"),
                ]
            )


class Booking(Input):
    """Stays, one of them the main one."""

    main: Stay | None = None
    stays: list[Stay] = []


def named(body: object, model: type[Input] = Stay) -> list[tuple[str, str, str]]:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(model, orjson.dumps(body))
    return [(error.where, error.code, error.message) for error in refusal.value.errors]


def test_a_fault_between_fields_stands_at_the_object() -> None:
    assert named({"de": 1}) == [("", "required", "Say until when")]


def test_it_may_stand_at_places_in_the_object() -> None:
    assert named({"de": 2, "ate": 1}) == [
        ("/ate", "too_small", "Not before it begins"),
        ("/de", "too_large", "Not past its end"),
    ]


def test_it_is_named_together_with_what_else_is_wrong() -> None:
    assert [fault[:2] for fault in named({"de": 1, "guests": 0, "x": 1})] == [
        ("", "required"),
        ("/guests", "too_small"),
        ("/x", "unknown_field"),
    ]


def test_fields_that_are_wrong_by_themselves_are_not_compared() -> None:
    assert [fault[:2] for fault in named({"de": "x"})] == [("/de", "wrong_type")]
    assert [fault[:2] for fault in named({"ate": 1})] == [("/de", "required")]
    assert [fault[:2] for fault in named({"de": 2, "ate": "x"})] == [("/ate", "wrong_type")]


def test_it_is_found_however_deep() -> None:
    body = {"main": {"de": 1}, "stays": [{"de": 1, "ate": 2}, {"de": 1}, {"de": 2, "ate": 1}]}

    assert [fault[:2] for fault in named(body, Booking)] == [
        ("/main", "required"),
        ("/stays/1", "required"),
        ("/stays/2/ate", "too_small"),
        ("/stays/2/de", "too_large"),
    ]


def test_a_sound_body_is_read() -> None:
    assert read_body(Stay, b'{"de": 1, "ate": 2}') == Stay(from_day=1, to_day=2)


def inputs(parent: type[Input] = Input) -> Iterator[type[Input]]:
    for model in parent.__subclasses__():
        yield model
        yield from inputs(model)


def test_every_check_names_its_fields_in_the_order_of_the_model() -> None:
    """In another order the last one is read before another, and the check is never made."""
    for module in pkgutil.walk_packages(core.__path__, "core."):
        importlib.import_module(module.name)
    checks = [
        (model, check.func.across)
        for model in inputs()
        for check in model.__pydantic_decorators__.field_validators.values()
        if hasattr(check.func, "across")
    ]

    assert len(checks) > 20
    for model, names in checks:
        assert list(names) == [name for name in model.model_fields if name in names], model
