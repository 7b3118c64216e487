"""The variables of a template, in the order of their texts: header, body, buttons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.templates.models import ComponentType
from core.templates.validation.component_validator import numbers_in

Components = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class Variable:
    """One variable. `index` counts from 1 inside its text; `button` from 0, where the component is
    BUTTONS.
    """

    component: ComponentType
    index: int
    example: str
    button: int | None = None


def variables_of(components: Components) -> list[Variable]:
    """Every variable of a template without defects."""
    payloads = payloads_of(components)
    found: list[Variable] = []
    for part in (ComponentType.HEADER, ComponentType.BODY):
        if (payload := payloads.get(part)) and (examples := payload.get("example")):
            listed = [examples] if isinstance(examples, str) else examples
            numbers = numbers_in(payload.get("text", ""))
            found += [Variable(part, *one) for one in zip(numbers, listed, strict=False)]
    if buttons := payloads.get("BUTTONS"):
        found += _of_buttons(buttons.get("buttons", ()))
    return found


def payloads_of(components: Components) -> dict[str, dict[str, Any]]:
    """What each type of component says; each stands at most once."""
    return {one["type"]: one.get("payload") or {} for one in components}


def _of_buttons(buttons: Sequence[Mapping[str, Any]]) -> Iterator[Variable]:
    """A coupon is a variable too; the code of an OTP button is the one of the body."""
    for place, button in enumerate(buttons):
        if button["type"] == "COPY_CODE" or (button["type"] == "URL" and numbers_in(button["url"])):
            example = button["example"]
            yield Variable(
                ComponentType.BUTTONS, 1, example if isinstance(example, str) else example[0], place
            )
