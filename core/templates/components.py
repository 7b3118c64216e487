"""What the parts of a template may be. One look names every defect there is."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.templates.buttons import look_at_buttons
from core.templates.reading import VARIABLE, Defect, Look, Place

MEDIA = ("IMAGE", "VIDEO", "DOCUMENT")
HEADER_FORMATS = ("TEXT", *MEDIA, "LOCATION")
LONGEST_HEADER = 60
LONGEST_BODY = 1_024
LONGEST_FOOTER = 60
LONGEST_URL = 2_048


def defects_of(components: Sequence[Mapping[str, Any]], category: str | None) -> list[Defect]:
    """Everything that is wrong with these components; what depends on the category only where it is
    told.
    """
    look = Look()
    _look_at_types([one["type"] for one in components], look)
    for index, one in enumerate(components):
        KINDS[one["type"]](one.get("payload"), (index, "payload"), look)
    if category is not None:
        _look_at_category(components, category, look)
    return look.defects


def _look_at_types(types: list[str], look: Look) -> None:
    if "BODY" not in types:
        look.wrong((), "required", "A template has a BODY")
    for type, count in Counter(types).items():
        if count > 1:
            last = len(types) - 1 - types[::-1].index(type)
            look.wrong(
                (last, "type"),
                "too_many",
                "Each type of component stands at most once in a template",
            )


def _header(payload: Any, place: Place, look: Look) -> None:
    header = look.object(payload, place)
    if header is None:
        return
    look.only(header, ("format", "text", "example"), place)
    match header.get("format"):
        case "TEXT":
            text = look.text(header, "text", place, most=LONGEST_HEADER)
            if text is not None:
                look.examples(header, len(look.variables(text, (*place, "text"), most=1)), place)
        case "IMAGE" | "VIDEO" | "DOCUMENT" | "LOCATION" as format:
            if "text" in header:
                look.wrong(
                    (*place, "text"), "not_allowed", "Only a header of the format TEXT has a text"
                )
            _look_at_media(header, format, place, look)
        case None:
            look.wrong((*place, "format"), "required", "This field is required")
        case _:
            look.wrong(
                (*place, "format"),
                "not_allowed",
                f"The format is one of {', '.join(HEADER_FORMATS)}",
            )


def _look_at_media(header: dict[str, Any], format: str, place: Place, look: Look) -> None:
    example = header.get("example")
    if example is None:
        return
    if format == "LOCATION":
        look.wrong((*place, "example"), "not_allowed", "A location has no example")
    elif not isinstance(example, str):
        look.wrong((*place, "example"), "wrong_type", "The example of a file is its https address")
    elif not example.startswith("https://") or len(example) > LONGEST_URL:
        look.wrong(
            (*place, "example"), "wrong_format", "The example of a file is its https address"
        )


def _body(payload: Any, place: Place, look: Look) -> None:
    body = look.object(payload, place)
    if body is None:
        return
    look.only(body, ("text", "example"), place)
    text = look.text(body, "text", place, most=LONGEST_BODY)
    if text is None:
        return
    count = len(look.variables(text, (*place, "text")))
    bare = text.strip()
    if any(match.start() == 0 or match.end() == len(bare) for match in VARIABLE.finditer(bare)):
        look.wrong(
            (*place, "text"),
            "at_the_edge",
            "A variable is neither the first nor the last in the body",
        )
    look.examples(body, count, place)


def _footer(payload: Any, place: Place, look: Look) -> None:
    footer = look.object(payload, place)
    if footer is None:
        return
    look.only(footer, ("text",), place)
    text = look.text(footer, "text", place, most=LONGEST_FOOTER)
    if text is not None and ("{{" in text or "}}" in text):
        look.wrong((*place, "text"), "not_allowed", "A footer has no variable")


def _as_given(payload: Any, place: Place, look: Look) -> None:
    look.object(payload, place)


Kind = Callable[[Any, Place, Look], None]
KINDS: dict[str, Kind] = {
    "HEADER": _header,
    "BODY": _body,
    "FOOTER": _footer,
    "BUTTONS": look_at_buttons,
    "CAROUSEL": _as_given,
    "LIMITED_TIME_OFFER": _as_given,
}


def _look_at_category(components: Sequence[Mapping[str, Any]], category: str, look: Look) -> None:
    """A code for a log-in is a template of its own kind: a text with the code, and a button that
    hands it over.
    """
    codes = 0
    for index, one in enumerate(components):
        codes += _look_at_otp_buttons(one, index, category, look)
        if category == "authentication":
            _look_at_authentication(one, index, look)
        if category != "marketing" and one["type"] == "LIMITED_TIME_OFFER":
            look.wrong((index, "type"), "not_allowed", "An offer goes with the category marketing")
    if category == "authentication" and codes != 1:
        look.wrong((), "required", "An authentication template has exactly one button OTP")


def _look_at_otp_buttons(
    component: Mapping[str, Any], index: int, category: str, look: Look
) -> int:
    """Answers how many buttons hand a code over."""
    codes = 0
    for number, button in enumerate(_buttons_of(component)):
        kind = button.get("type") if isinstance(button, dict) else None
        codes += kind == "OTP"
        if kind is not None and (kind == "OTP") != (category == "authentication"):
            look.wrong(
                (index, "payload", "buttons", number, "type"),
                "not_allowed",
                "A button OTP goes with the category authentication, and no other does",
            )
    return codes


def _buttons_of(component: Mapping[str, Any]) -> Sequence[Any]:
    payload = component.get("payload")
    if component["type"] != "BUTTONS" or not isinstance(payload, dict):
        return ()
    buttons = payload.get("buttons")
    return buttons if isinstance(buttons, list) else ()


def _look_at_authentication(component: Mapping[str, Any], index: int, look: Look) -> None:
    type, payload = component["type"], component.get("payload")
    if type not in ("BODY", "FOOTER", "BUTTONS"):
        look.wrong(
            (index, "type"),
            "not_allowed",
            "An authentication template has a body, a footer and a button",
        )
    text = payload.get("text") if type == "BODY" and isinstance(payload, dict) else None
    if isinstance(text, str) and len(set(VARIABLE.findall(text))) != 1:
        look.wrong(
            (index, "payload", "text"), "wrong_format", "The body has one variable: the code"
        )
