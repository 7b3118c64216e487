"""Reading messages that people write to a number, as the interface's four types.

A file becomes `media`; whatever is no text and no file becomes `interactive`, whose `kind` says
what it is.
"""

from collections.abc import Callable
from datetime import datetime

import orjson

from core.foundation.json_values import JsonObject, object_of, objects_of, text_of
from core.providers.meta.untrusted_json import (
    TooDeep,
    id_of,
    moment_of,
    phone_of,
    reference_of,
    some,
    storable,
)
from core.providers.platform import InboundMessage

FILES = ("image", "audio", "video", "document", "sticker")

# Nobody wrote these: somebody's number changed, or open_platform the conversation without a word.
SILENT = ("system", "request_welcome", "ephemeral")

Content = tuple[str, dict[str, object]]


def inbound_of(
    platform_id: str, message: JsonObject, names: dict[str, str], arrived: datetime
) -> InboundMessage | None:
    """One of `messages`; None for what nobody wrote or nobody can be answered about. `names`:
    profiles by wa_id.
    """
    reference, sender = reference_of(message, "id"), phone_of(message, "from")
    type = text_of(message, "type") or ""
    if reference is None or sender is None or type in SILENT:
        return None
    kind, payload = _content(type, message)
    return InboundMessage(
        platform_id=platform_id,
        reference=reference,
        sender=sender,
        type=kind,
        payload=payload,
        at=moment_of(message.get("timestamp"), arrived),
        profile_name=names.get(sender),
        reply_to=reference_of(object_of(message, "context"), "id")
        or reference_of(object_of(message, "reaction"), "message_id"),
        referral=object_of(message, "referral") or None,
    )


def names_of(value: JsonObject) -> dict[str, str]:
    """The profile names in a notice, by the sender's phone."""
    found = {}
    for contact in objects_of(value, "contacts"):
        phone, name = phone_of(contact, "wa_id"), text_of(object_of(contact, "profile"), "name")
        if phone is not None and name is not None:
            found[phone] = name
    return found


def _content(type: str, message: JsonObject) -> Content:
    if type == "contacts":
        return "interactive", {"kind": "contacts", "contacts": objects_of(message, "contacts")}
    inner = object_of(message, type)
    if type in FILES and text_of(inner, "id"):
        return "media", file_of(type, inner)
    read = _READERS.get(type)
    content = read(inner) if read is not None and inner else None
    return content or ("interactive", {"kind": "unsupported", "type": type[:40] or "unknown"})


def file_of(kind: str, inner: JsonObject) -> dict[str, object]:
    """The payload of a file: `media.id` is the platform's, and lives there for some days only."""
    media: JsonObject = some(
        id=text_of(inner, "id"),
        mime_type=text_of(inner, "mime_type"),
        sha256=text_of(inner, "sha256"),
        caption=text_of(inner, "caption"),
        filename=text_of(inner, "filename"),
    )
    for mark in ("voice", "animated"):
        if inner.get(mark) is True:
            media[mark] = True
    return {"kind": kind, "media": media}


def _text(inner: JsonObject) -> Content | None:
    body = text_of(inner, "body")
    return None if body is None else ("text", {"text": body})


def _interactive(inner: JsonObject) -> Content | None:
    kind = text_of(inner, "type")
    reply = object_of(inner, kind or "")
    if kind in ("button_reply", "list_reply"):
        fields = some(
            id=text_of(reply, "id"),
            title=text_of(reply, "title"),
            description=text_of(reply, "description"),
        )
        return "interactive", {"kind": kind, **fields}
    if kind == "nfm_reply":
        fields = some(name=text_of(reply, "name"), body=text_of(reply, "body"))
        return "interactive", {"kind": "flow_reply", **fields, **some(response=_response(reply))}
    return None


def _response(reply: JsonObject) -> JsonObject | None:
    """What was filled into a flow: the platform sends it as JSON inside a text."""
    try:
        answers = storable(orjson.loads(text_of(reply, "response_json") or "null"))
    except (orjson.JSONDecodeError, TooDeep):
        return None
    return answers if isinstance(answers, dict) else None


def _button(inner: JsonObject) -> Content:
    return "interactive", {
        "kind": "button",
        **some(text=text_of(inner, "text"), payload=text_of(inner, "payload")),
    }


def _reaction(inner: JsonObject) -> Content | None:
    about = reference_of(inner, "message_id")
    if about is None:
        return None
    # Without an emoji the reaction is taken back.
    return "interactive", {
        "kind": "reaction",
        "messageId": about,
        **some(emoji=text_of(inner, "emoji")),
    }


def _location(inner: JsonObject) -> Content | None:
    latitude, longitude = inner.get("latitude"), inner.get("longitude")
    if not {type(latitude), type(longitude)} <= {int, float}:
        return None
    words = some(
        name=text_of(inner, "name"), address=text_of(inner, "address"), url=text_of(inner, "url")
    )
    return "interactive", {
        "kind": "location",
        "latitude": latitude,
        "longitude": longitude,
        **words,
    }


def _order(inner: JsonObject) -> Content:
    items = objects_of(inner, "product_items")
    fields = some(catalogId=id_of(inner, "catalog_id"), text=text_of(inner, "text"))
    return "interactive", {"kind": "order", **fields, "items": items}


_READERS: dict[str, Callable[[JsonObject], Content | None]] = {
    "text": _text,
    "interactive": _interactive,
    "button": _button,
    "reaction": _reaction,
    "location": _location,
    "order": _order,
}
