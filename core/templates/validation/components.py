"""Validation of a template's components: every defect is named at once."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.foundation.json_values import value_of
from core.templates.models import HeaderFormat
from core.templates.validation.buttons import validate_buttons
from core.templates.validation.component_validator import (
    VARIABLE,
    ComponentDefect,
    ComponentValidator,
    Place,
)

MEDIA = ("IMAGE", "VIDEO", "DOCUMENT")
HEADER_FORMATS = tuple(HeaderFormat)
MAX_HEADER_LENGTH = 60
MAX_BODY_LENGTH = 1_024
MAX_FOOTER_LENGTH = 60
MAX_URL_LENGTH = 2_048


def defects_of(
    components: Sequence[Mapping[str, Any]], category: str | None
) -> list[ComponentDefect]:
    """Everything that is wrong with these components; what depends on the category only where it is
    told.
    """
    validator = ComponentValidator()
    _validate_types([one["type"] for one in components], validator)
    for index, one in enumerate(components):
        KINDS[one["type"]](one.get("payload"), (index, "payload"), validator)
    if category is not None:
        _validate_category(components, category, validator)
    return validator.defects


def _validate_types(types: list[str], validator: ComponentValidator) -> None:
    if "BODY" not in types:
        validator.wrong((), "required", "A template has a BODY")
    for type, count in Counter(types).items():
        if count > 1:
            last = len(types) - 1 - types[::-1].index(type)
            validator.wrong(
                (last, "type"),
                "too_many",
                "Each type of component stands at most once in a template",
            )


def _header(payload: Any, place: Place, validator: ComponentValidator) -> None:
    header = validator.object(payload, place)
    if header is None:
        return
    validator.only(header, ("format", "text", "example"), place)
    match header.get("format"):
        case "TEXT":
            text = validator.text(header, "text", place, most=MAX_HEADER_LENGTH)
            if text is not None:
                validator.examples(
                    header, len(validator.variables(text, (*place, "text"), most=1)), place
                )
        case "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION" as format:
            if "text" in header:
                validator.wrong(
                    (*place, "text"), "not_allowed", "Only a header of the format TEXT has a text"
                )
            _validate_media(header, format, place, validator)
        case None:
            validator.wrong((*place, "format"), "required", "This field is required")
        case _:
            validator.wrong(
                (*place, "format"),
                "not_allowed",
                f"The format is one of {', '.join(HEADER_FORMATS)}",
            )


def _validate_media(
    header: dict[str, object], format: str, place: Place, validator: ComponentValidator
) -> None:
    example = header.get("example")
    if example is None:
        return
    if format == "LOCATION":
        validator.wrong((*place, "example"), "not_allowed", "A location has no example")
    elif not isinstance(example, str):
        validator.wrong(
            (*place, "example"), "wrong_type", "The example of a file is its https address"
        )
    elif not example.startswith("https://") or len(example) > MAX_URL_LENGTH:
        validator.wrong(
            (*place, "example"), "wrong_format", "The example of a file is its https address"
        )


def _body(payload: Any, place: Place, validator: ComponentValidator) -> None:
    body = validator.object(payload, place)
    if body is None:
        return
    validator.only(body, ("text", "example"), place)
    text = validator.text(body, "text", place, most=MAX_BODY_LENGTH)
    if text is None:
        return
    count = len(validator.variables(text, (*place, "text")))
    bare = text.strip()
    if any(match.start() == 0 or match.end() == len(bare) for match in VARIABLE.finditer(bare)):
        validator.wrong(
            (*place, "text"),
            "at_the_edge",
            "A variable is neither the first nor the last in the body",
        )
    validator.examples(body, count, place)


def _footer(payload: object, place: Place, validator: ComponentValidator) -> None:
    footer = validator.object(payload, place)
    if footer is None:
        return
    validator.only(footer, ("text",), place)
    text = validator.text(footer, "text", place, most=MAX_FOOTER_LENGTH)
    if text is not None and ("{{" in text or "}}" in text):
        validator.wrong((*place, "text"), "not_allowed", "A footer has no variable")


def _as_given(payload: object, place: Place, validator: ComponentValidator) -> None:
    validator.object(payload, place)


Kind = Callable[[Any, Place, ComponentValidator], None]
KINDS: dict[str, Kind] = {
    "HEADER": _header,
    "BODY": _body,
    "FOOTER": _footer,
    "BUTTONS": validate_buttons,
    "CAROUSEL": _as_given,
    "LIMITED_TIME_OFFER": _as_given,
}


def _validate_category(
    components: Sequence[Mapping[str, object]], category: str, validator: ComponentValidator
) -> None:
    """A code for a log-in is a template of its own kind: a text with the code, and a button that
    hands it over.
    """
    codes = 0
    for index, one in enumerate(components):
        codes += _validate_otp_buttons(one, index, category, validator)
        if category == "authentication":
            _validate_authentication(one, index, validator)
        if category != "marketing" and one["type"] == "LIMITED_TIME_OFFER":
            validator.wrong(
                (index, "type"), "not_allowed", "An offer goes with the category marketing"
            )
    if category == "authentication" and codes != 1:
        validator.wrong((), "required", "An authentication template has exactly one button OTP")


def _validate_otp_buttons(
    component: Mapping[str, object], index: int, category: str, validator: ComponentValidator
) -> int:
    """Answers how many buttons hand a code over."""
    codes = 0
    for number, button in enumerate(_buttons_of(component)):
        kind = value_of(button, "type")
        codes += kind == "OTP"
        if kind is not None and (kind == "OTP") != (category == "authentication"):
            validator.wrong(
                (index, "payload", "buttons", number, "type"),
                "not_allowed",
                "A button OTP goes with the category authentication, and no other does",
            )
    return codes


def _buttons_of(component: Mapping[str, object]) -> Sequence[object]:
    if component["type"] != "BUTTONS":
        return ()
    buttons = value_of(component.get("payload"), "buttons")
    return buttons if isinstance(buttons, list) else ()


def _validate_authentication(
    component: Mapping[str, object], index: int, validator: ComponentValidator
) -> None:
    type, payload = component["type"], component.get("payload")
    if type not in ("BODY", "FOOTER", "BUTTONS"):
        validator.wrong(
            (index, "type"),
            "not_allowed",
            "An authentication template has a body, a footer and a button",
        )
    text = value_of(payload, "text") if type == "BODY" else None
    if isinstance(text, str) and len(set(VARIABLE.findall(text))) != 1:
        validator.wrong(
            (index, "payload", "text"), "wrong_format", "The body has one variable: the code"
        )
