"""What is told of a received message."""

from typing import Any

import orjson

from core import webhooks
from core.foundation.clock import wire_time
from core.foundation.db import Row

LARGEST = 20_000
"""Bytes of `data`; a longer text in it is cut."""

CUT_AT = (2_000, 200, 0)


def received_event(row: Row) -> webhooks.Event:
    """message.received, or instagram.message.received, of a new row; unmasked, as events are stored."""
    name = "instagram.message.received" if row["channel"] == "instagram" else "message.received"
    return webhooks.Event(row["organization_id"], row["env"], name, _data(row), row["delivered_at"], row["request_id"])


def _data(row: Row) -> dict[str, Any]:
    data = {
        "id": row["id"],
        "env": row["env"],
        "channel": row["channel"],
        "numberId": row["number_id"],
        "instagramAccountId": row["instagram_account_id"],
        "from": row["recipient"],
        "type": row["type"],
        "payload": row["content"],
        "contactId": row["contact_id"],
        "origemDoLink": row["link_origin"],
        "receivedAt": wire_time(row["delivered_at"]),
    }
    shown = {name: value for name, value in data.items() if value is not None}
    for length in CUT_AT:
        if len(orjson.dumps(shown)) <= LARGEST:
            break
        shown |= {"payload": _cut(shown["payload"], length), "truncated": True}
    return shown


def _cut(value: Any, length: int) -> Any:
    """The value with its texts cut; at length 0 nothing is left of it but an empty object."""
    if not length:
        return {}
    match value:
        case str():
            return value[:length]
        case dict():
            return {name: _cut(inner, length) for name, inner in value.items()}
        case list():
            return [_cut(inner, length) for inner in value]
    return value
