"""What the buttons of a template may be."""

import re
from collections.abc import Callable
from typing import Any

from core.foundation.ids import is_id
from core.foundation.validation.phones import MaskedValue, NotAPhone, parse_phone
from core.templates.reading import Look, Place

MOST_BUTTONS = 10
LONGEST_LABEL = 25
LONGEST_URL = 2_000
LONGEST_CODE = 15
MOST_OF_A_KIND = {"URL": 2, "PHONE_NUMBER": 1, "COPY_CODE": 1, "FLOW": 1, "OTP": 1}
BUTTON_KINDS = ("QUICK_REPLY", "URL", "PHONE_NUMBER", "COPY_CODE", "FLOW", "OTP")
OTP_KINDS = ("COPY_CODE", "ONE_TAP", "ZERO_TAP")

# One way to read each text: two runs beside each other would cost the square of its length.
_ADDRESS = re.compile(r"https?://[^\s{}/]\S*")


def look_at_buttons(payload: Any, place: Place, look: Look) -> None:
    """Note what is wrong with `{buttons: […]}`."""
    holder = look.object(payload, place)
    if holder is None:
        return
    look.only(holder, ("buttons",), place)
    buttons, place = holder.get("buttons"), (*place, "buttons")
    if not isinstance(buttons, list):
        look.wrong(
            place, "required" if buttons is None else "wrong_type", "Send an array of buttons"
        )
        return
    if not buttons:
        look.wrong(place, "too_few", "Send at least one button")
    if len(buttons) > MOST_BUTTONS:
        look.wrong(place, "too_many", f"Send at most {MOST_BUTTONS} buttons")
    for index, one in enumerate(buttons):
        _look_at_button(one, (*place, index), look)
    _look_at_all(
        [one.get("type") if isinstance(one, dict) else None for one in buttons], place, look
    )


def _look_at_button(value: Any, place: Place, look: Look) -> None:
    button = look.object(value, place)
    if button is None:
        return
    kind = button.get("type")
    if kind is None:
        look.wrong((*place, "type"), "required", "This field is required")
    elif not isinstance(kind, str) or kind not in KINDS:
        look.wrong((*place, "type"), "not_allowed", f"The type is one of {', '.join(BUTTON_KINDS)}")
    else:
        names, check = KINDS[kind]
        look.only(button, ("type", *names), place)
        check(button, place, look)


def _look_at_all(kinds: list[Any], place: Place, look: Look) -> None:
    for kind, most in MOST_OF_A_KIND.items():
        if kinds.count(kind) > most:
            look.wrong(place, "too_many", f"At most {most} button(s) of the type {kind}")
    replies = [index for index, kind in enumerate(kinds) if kind == "QUICK_REPLY"]
    if replies and replies[-1] - replies[0] >= len(replies):
        look.wrong(place, "wrong_order", "Buttons of the type QUICK_REPLY stand together")


def _label(button: dict[str, Any], place: Place, look: Look) -> None:
    text = look.text(button, "text", place, most=LONGEST_LABEL)
    if text is not None and ("{{" in text or "}}" in text):
        look.wrong((*place, "text"), "not_allowed", "The text of a button has no variable")


def _url(button: dict[str, Any], place: Place, look: Look) -> None:
    _label(button, place, look)
    url = look.text(button, "url", place, most=LONGEST_URL)
    if url is None:
        return
    place_of_url = (*place, "url")
    if not _ADDRESS.fullmatch(url):
        look.wrong(place_of_url, "wrong_format", "Send a whole http or https address")
    variables = look.variables(url, place_of_url, most=1)
    if variables and not (url.endswith("}}") and url.count("{{") == 1):
        look.wrong(
            place_of_url, "wrong_format", "The variable of an address stands once, at its end"
        )
    look.examples(button, len(variables), place)


def _phone_number(button: dict[str, Any], place: Place, look: Look) -> None:
    _label(button, place, look)
    phone = look.text(button, "phoneNumber", place, most=20)
    if phone is None:
        return
    try:
        e164 = parse_phone(phone)
    except (MaskedValue, NotAPhone):
        e164 = ""
    if phone != e164:
        look.wrong(
            (*place, "phoneNumber"),
            "invalid_phone",
            "Send the phone in E.164, such as +5511987654321",
        )


def _copy_code(button: dict[str, Any], place: Place, look: Look) -> None:
    look.text(button, "example", place, most=LONGEST_CODE)


def _flow(button: dict[str, Any], place: Place, look: Look) -> None:
    _label(button, place, look)
    flow = look.text(button, "flowId", place, most=30)
    if flow is not None and not is_id("flw", flow):
        look.wrong((*place, "flowId"), "wrong_format", "Send the id of a flow")
    screen = button.get("navigateScreen")
    if screen is not None and (not isinstance(screen, str) or not 1 <= len(screen) <= 80):
        look.wrong((*place, "navigateScreen"), "wrong_type", "Send the id of a screen")


def _otp(button: dict[str, Any], place: Place, look: Look) -> None:
    if button.get("text") is not None:
        _label(button, place, look)
    if button.get("otpType", "COPY_CODE") not in OTP_KINDS:
        look.wrong((*place, "otpType"), "not_allowed", f"The kind is one of {', '.join(OTP_KINDS)}")
    for name in ("packageName", "signatureHash"):
        if button.get("otpType", "COPY_CODE") == "COPY_CODE":
            if name in button:
                look.wrong((*place, name), "not_allowed", "Only a tap of an app names one")
        else:
            look.text(button, name, place, most=224)


Check = Callable[[dict[str, Any], Place, Look], None]
KINDS: dict[str, tuple[tuple[str, ...], Check]] = {
    "QUICK_REPLY": (("text",), _label),
    "URL": (("text", "url", "example"), _url),
    "PHONE_NUMBER": (("text", "phoneNumber"), _phone_number),
    "COPY_CODE": (("example",), _copy_code),
    "FLOW": (("text", "flowId", "navigateScreen"), _flow),
    "OTP": (("text", "otpType", "packageName", "signatureHash"), _otp),
}
