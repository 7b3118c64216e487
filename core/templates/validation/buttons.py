"""Validation of a template's buttons."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from core.foundation.ids import is_id
from core.foundation.json_values import value_of
from core.foundation.validation.phones import MaskedValue, NotAPhone, parse_phone
from core.templates.models import ButtonKind, OtpKind
from core.templates.validation.component_validator import ComponentValidator, Place

MAX_BUTTONS = 10
MAX_LABEL_LENGTH = 25
MAX_URL_LENGTH = 2_000
MAX_CODE_LENGTH = 15
MAX_OF_A_KIND = {"URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1, "FLOW": 1, "OTP": 1}
BUTTON_KINDS = tuple(ButtonKind)
OTP_KINDS = tuple(OtpKind)

# One way to read each text: two runs beside each other would cost the square of its length.
_ADDRESS = re.compile(r"https?://[^\s{}/]\S*")


def validate_buttons(payload: object, place: Place, validator: ComponentValidator) -> None:
    """Note what is wrong with `{buttons: […]}`."""
    holder = validator.object(payload, place)
    if holder is None:
        return
    validator.only(holder, ("buttons",), place)
    buttons, place = holder.get("buttons"), (*place, "buttons")
    if not isinstance(buttons, list):
        validator.wrong(
            place, "required" if buttons is None else "wrong_type", "Send an array of buttons"
        )
        return
    if not buttons:
        validator.wrong(place, "too_few", "Send at least one button")
    if len(buttons) > MAX_BUTTONS:
        validator.wrong(place, "too_many", f"Send at most {MAX_BUTTONS} buttons")
    for index, one in enumerate(buttons):
        _look_at_button(one, (*place, index), validator)
    _look_at_all([value_of(one, "type") for one in buttons], place, validator)


def _look_at_button(value: object, place: Place, validator: ComponentValidator) -> None:
    button = validator.object(value, place)
    if button is None:
        return
    kind = button.get("type")
    if kind is None:
        validator.wrong((*place, "type"), "required", "This field is required")
    elif not isinstance(kind, str) or kind not in KINDS:
        validator.wrong(
            (*place, "type"), "not_allowed", f"The type is one of {', '.join(BUTTON_KINDS)}"
        )
    else:
        names, check = KINDS[kind]
        validator.only(button, ("type", *names), place)
        check(button, place, validator)


def _look_at_all(kinds: Sequence[object], place: Place, validator: ComponentValidator) -> None:
    for kind, most in MAX_OF_A_KIND.items():
        if kinds.count(kind) > most:
            validator.wrong(place, "too_many", f"At most {most} button(s) of the type {kind}")
    replies = [index for index, kind in enumerate(kinds) if kind == "QUICK_REPLY"]
    if replies and replies[-1] - replies[0] >= len(replies):
        validator.wrong(place, "wrong_order", "Buttons of the type QUICK_REPLY stand together")


def _label(button: dict[str, object], place: Place, validator: ComponentValidator) -> None:
    text = validator.text(button, "text", place, most=MAX_LABEL_LENGTH)
    if text is not None and ("{{" in text or "}}" in text):
        validator.wrong((*place, "text"), "not_allowed", "The text of a button has no variable")


def _url(button: dict[str, object], place: Place, validator: ComponentValidator) -> None:
    _label(button, place, validator)
    url = validator.text(button, "url", place, most=MAX_URL_LENGTH)
    if url is None:
        return
    place_of_url = (*place, "url")
    if not _ADDRESS.fullmatch(url):
        validator.wrong(place_of_url, "wrong_format", "Send a whole http or https address")
    variables = validator.variables(url, place_of_url, most=1)
    if variables and not (url.endswith("}}") and url.count("{{") == 1):
        validator.wrong(
            place_of_url, "wrong_format", "The variable of an address stands once, at its end"
        )
    validator.examples(button, len(variables), place)


def _phone_number(button: dict[str, object], place: Place, validator: ComponentValidator) -> None:
    _label(button, place, validator)
    phone = validator.text(button, "phoneNumber", place, most=20)
    if phone is None:
        return
    try:
        e164 = parse_phone(phone)
    except (MaskedValue, NotAPhone):
        e164 = ""
    if phone != e164:
        validator.wrong(
            (*place, "phoneNumber"),
            "invalid_phone",
            "Send the phone in E.164, such as +5511987654321",
        )


def _copy_code(button: dict[str, object], place: Place, validator: ComponentValidator) -> None:
    validator.text(button, "example", place, most=MAX_CODE_LENGTH)


def _flow(button: dict[str, object], place: Place, validator: ComponentValidator) -> None:
    _label(button, place, validator)
    flow = validator.text(button, "flowId", place, most=30)
    if flow is not None and not is_id("flw", flow):
        validator.wrong((*place, "flowId"), "wrong_format", "Send the id of a flow")
    screen = button.get("navigateScreen")
    if screen is not None and (not isinstance(screen, str) or not 1 <= len(screen) <= 80):
        validator.wrong((*place, "navigateScreen"), "wrong_type", "Send the id of a screen")


def _otp(button: dict[str, object], place: Place, validator: ComponentValidator) -> None:
    if button.get("text") is not None:
        _label(button, place, validator)
    if button.get("otpType", "COPY_CODE") not in OTP_KINDS:
        validator.wrong(
            (*place, "otpType"), "not_allowed", f"The kind is one of {', '.join(OTP_KINDS)}"
        )
    for name in ("packageName", "signatureHash"):
        if button.get("otpType", "COPY_CODE") == "COPY_CODE":
            if name in button:
                validator.wrong((*place, name), "not_allowed", "Only a tap of an app names one")
        else:
            validator.text(button, name, place, most=224)


Check = Callable[[dict[str, Any], Place, ComponentValidator], None]
KINDS: dict[str, tuple[tuple[str, ...], Check]] = {
    "QUICK_REPLY": (("text",), _label),
    "URL": (("text", "url", "example"), _url),
    "PHONE_NUMBER": (("text", "phoneNumber"), _phone_number),
    "COPY_CODE": (("example",), _copy_code),
    "FLOW": (("text", "flowId", "navigateScreen"), _flow),
    "OTP": (("text", "otpType", "packageName", "signatureHash"), _otp),
}
