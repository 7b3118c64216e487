"""Validation of payloads for Instagram: what it would leave out is refused."""

from collections.abc import Iterator

from core.conversations.sending.payloads import ButtonsPayload, MediaPayload, Payload, TextPayload
from core.foundation.validation.validation_errors import Fault, faults

MAX_TEXT_BYTES = 1_000
"""Bytes in UTF-8."""


def fit_for_instagram(payload: Payload) -> None:
    """Raises a ValidationError that names the places in the payload: texts, files and buttons fit."""
    if unfit := list(_unfit(payload)):
        raise faults(unfit)


def _unfit(payload: Payload) -> Iterator[Fault]:
    match payload:
        case TextPayload(text=text):
            yield from _long(text, "text")
        case MediaPayload(kind=kind, media=file):
            if kind == "sticker":
                yield (
                    ("kind",),
                    "not_allowed",
                    "Instagram takes images, sounds, videos and documents",
                )
            if file.caption is not None:
                yield (
                    ("media", "caption"),
                    "not_allowed",
                    "Instagram shows none; send it as a text of its own",
                )
        case ButtonsPayload(body=body):
            for name in ("header", "footer"):
                if getattr(payload, name) is not None:
                    yield (name,), "not_allowed", "Instagram shows none; say it in the body"
            yield from _long(body, "body")
        case _:
            yield ("kind",), "not_allowed", "Instagram takes texts, files and buttons"


def _long(text: str, name: str) -> Iterator[Fault]:
    if len(text.encode()) > MAX_TEXT_BYTES:
        yield (name,), "too_long", f"Instagram takes {MAX_TEXT_BYTES} bytes at most"
