"""What a record is called is one line without control characters, whichever record it is."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from pydantic import ValidationError

import core
from core.foundation.validation.inputs import Input

CALLED = {"label", "name", "nome", "rotulo", "tags", "title", "titulo"}
"""What interfaces call a name."""

CONTENT = (
    "core.conversations.sending.payloads",
    "core.push.inputs",
    "core.rcs.inputs",
    "core.flows.inputs.FlowScreen",
)
"""What people read on their phones, of several lines where they want it."""

UNFIT = ("a\x1b[31mb", "a\nb", "a\tb", "a\x7fb", "a\x9bb", "a\u2028b", "a\u2029b")


def inputs(of: type[Input] = Input) -> Iterator[type[Input]]:
    for one in of.__subclasses__():
        yield one
        yield from inputs(one)


def names() -> list[tuple[type[Input], str]]:
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if not module.name.startswith("core.migrations"):
            importlib.import_module(module.name)
    return sorted(
        {
            (model, name)
            for model in inputs()
            for name, field in model.model_fields.items()
            if (field.alias or name) in CALLED
            and not f"{model.__module__}.{model.__name__}".startswith(CONTENT)
            and model.__module__.startswith("core.")
        },
        key=str,
    )


@pytest.mark.parametrize(
    ("model", "name"), names(), ids=lambda value: getattr(value, "__name__", value)
)
def test_a_name_is_one_line(model: type[Input], name: str) -> None:
    for text in UNFIT:
        codes = refused(model, name, text) | refused(model, name, [text])
        assert codes & {"line_break", "string_pattern_mismatch"}, text


def refused(model: type[Input], name: str, value: object) -> set[str]:
    """Why the field does not take the value."""
    try:
        model.__pydantic_validator__.validate_assignment(model.model_construct(), name, value)
    except ValidationError as refusal:
        spelt = {name, model.model_fields[name].alias}
        return {error["type"] for error in refusal.errors() if error["loc"][0] in spelt}
    return set()


def test_names_of_the_best_known_records_are_among_them() -> None:
    found = {f"{model.__name__}.{name}" for model, name in names()}
    assert {
        "NewKey.name",
        "NewAccount.name",
        "NewList.name",
        "NewCompany.name",
        "NewContact.name",
        "NewContact.tags",
        "NewPipeline.name",
        "NewSegment.name",
        "NewOrganization.name",
    } <= found
