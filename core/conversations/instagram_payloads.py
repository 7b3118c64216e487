"""What Instagram carries of a message. What it would leave out is refused, so that nobody takes it for said."""

from core.conversations.payloads import ButtonsPayload, MediaPayload, Payload, TextPayload, misplaced

LONGEST_TEXT = 1_000
"""Bytes in UTF-8."""


def fit_for_instagram(payload: Payload) -> None:
    """Raises a ValidationError that names the place in the payload: texts, files and buttons fit."""
    match payload:
        case TextPayload(text=text):
            _short(text, "text")
        case MediaPayload(kind="sticker"):
            raise misplaced(("kind",), "Instagram takes images, sounds, videos and documents")
        case MediaPayload(media=file) if file.caption is not None:
            raise misplaced(("media", "caption"), "Instagram shows none; send it as a text of its own")
        case ButtonsPayload(body=body):
            for name in ("header", "footer"):
                if getattr(payload, name) is not None:
                    raise misplaced((name,), "Instagram shows none; say it in the body")
            _short(body, "body")
        case MediaPayload():
            pass
        case _:
            raise misplaced(("kind",), "Instagram takes texts, files and buttons")


def _short(text: str, name: str) -> None:
    if len(text.encode()) > LONGEST_TEXT:
        raise misplaced((name,), f"Instagram takes {LONGEST_TEXT} bytes at most", code="string_too_long")
