"""A device as the interface spells it."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database import db

TOKEN_END_LENGTH = 6
"""Characters of a token that are shown: enough to know one's own by, and nothing to send with."""


def device_record(row: db.Row) -> dict[str, Any]:
    """The record of a row. Neither the token nor who uses the device is told."""
    record = {
        "id": row["id"],
        "appId": row["app_id"],
        "platform": row["platform"],
        "tokenEnd": token_end(row["token"]),
        "active": row["opted_in"] and row["deactivated_at"] is None,
        "optedIn": row["opted_in"],
        "optedOutAt": _time(row["opted_out_at"]),
        "deactivatedAt": _time(row["deactivated_at"]),
        "env": row["env"],
        "contactId": row["contact_id"],
        "externalId": row["external_id"],
        "topics": row["topics"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}


def token_end(token: str) -> str:
    """The last characters of a token, at most half of it."""
    return token[len(token) - min(TOKEN_END_LENGTH, len(token) // 2) :]


def _time(at: Any) -> str | None:
    return None if at is None else wire_time(at)
