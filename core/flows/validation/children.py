"""Validation of the children of a screen's layout, nested ones and all texts included."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.flows.validation.findings import FlowReport, Place
from core.foundation.json_values import object_of

NAMED = frozenset(
    {
        "TextInput",
        "TextArea",
        "Dropdown",
        "RadioButtonsGroup",
        "CheckboxGroup",
        "DatePicker",
        "OptIn",
        "Form",
    }
)
"""Types whose name tells what they collect."""

NEEDS: dict[str, tuple[str, ...]] = {
    "TextHeading": ("text",),
    "TextSubheading": ("text",),
    "TextBody": ("text",),
    "TextCaption": ("text",),
    "TextInput": ("label",),
    "TextArea": ("label",),
    "Dropdown": ("label", "data-source"),
    "RadioButtonsGroup": ("data-source",),
    "CheckboxGroup": ("data-source",),
    "DatePicker": ("label",),
    "OptIn": ("label",),
    "Image": ("src",),
    "EmbeddedLink": ("text", "on-click-action"),
    "Footer": ("label", "on-click-action"),
    "If": ("condition", "then"),
    "Switch": ("value", "cases"),
    "Form": ("children",),
}
"""Every known type, and what the platform does not show it without."""


@dataclass(frozen=True, slots=True)
class LayoutChild:
    """A child of a layout, with its place."""

    value: Mapping[str, Any]
    place: Place


def children_of(children: object, place: Place, report: FlowReport) -> Iterator[LayoutChild]:
    """Every child under a list of them, from top to bottom."""
    if not isinstance(children, list):
        report.wrong(place, "wrong_type", "Send an array of children")
        return
    for index, one in enumerate(children):
        here = (*place, index)
        if not isinstance(one, dict):
            report.wrong(here, "wrong_type", "A child is an object with a type")
            continue
        yield LayoutChild(one, here)
        for name in ("children", "then", "else"):
            if name in one:
                yield from children_of(one[name], (*here, name), report)
        for case, inside in object_of(one, "cases").items():
            yield from children_of(inside, (*here, "cases", case), report)


def validate_child(child: LayoutChild, report: FlowReport) -> None:
    """Its type, its name, and what the type does not go without."""
    type, place = child.value.get("type"), child.place
    if not isinstance(type, str):
        code = "required" if type is None else "wrong_type"
        report.wrong((*place, "type"), code, "A child has a type, which is a text")
        return
    if type not in NEEDS:
        report.doubt(
            (*place, "type"),
            "unknown_type",
            "This type is not known here; the platform may refuse it",
        )
        return
    name = child.value.get("name")
    if name is None and type in NAMED:
        report.wrong((*place, "name"), "required", "What collects an answer has a name")
    elif name is not None and (not isinstance(name, str) or not name):
        report.wrong((*place, "name"), "wrong_type", "A name is a text that is not empty")
    for field in NEEDS[type]:
        if field not in child.value:
            report.doubt((*place, field), "required", f"The platform shows no {type} without it")


def texts_in(value: object, place: Place) -> Iterator[tuple[str, Place]]:
    """Every text inside a value, with its place."""
    match value:
        case str():
            yield value, place
        case dict():
            for name, inside in value.items():
                yield from texts_in(inside, (*place, name))
        case list():
            for index, inside in enumerate(value):
                yield from texts_in(inside, (*place, index))
