"""The variables of a template, in the order of their texts: header, body, buttons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.templates.validation.component_validator import numbers_in

Components = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable. `index` counts from 1 inside its text; `button` from 0, where the component is
    BUTTONS.
    """

    component: str
    index: int
    example: str
    button: int | None = None


def variables_of(components: Components) -> list[Variable]:
    """Every variable of a template without defects."""
    payloads = payloads_of(components)
    return [
        *_of_text("HEADER", payloads.get("HEADER", {})),
        *_of_text("BODY", payloads.get("BODY", {})),
        *_of_buttons(payloads.get("BUTTONS", {}).get("buttons", ())),
    ]


def payloads_of(components: Components) -> dict[str, dict[str, Any]]:
    """What each type of component says; each stands at most once."""
    return {one["type"]: one.get("payload") or {} for one in components}


def _of_text(component: str, payload: Mapping[str, Any]) -> Iterator[Variable]:
    examples = payload.get("example")
    listed = [examples] if isinstance(examples, str) else examples or []
    for number, example in zip(numbers_in(payload.get("text", "")), listed, strict=False):
        yield Variable(component, number, example)


def _of_buttons(buttons: Sequence[Mapping[str, Any]]) -> Iterator[Variable]:
    """A coupon is a variable too; the code of an OTP button is the one of the body."""
    for place, button in enumerate(buttons):
        if button["type"] == "COPY_CODE" or (button["type"] == "URL" and numbers_in(button["url"])):
            example = button["example"]
            yield Variable("BUTTONS", 1, example if isinstance(example, str) else example[0], place)
