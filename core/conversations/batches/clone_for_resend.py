"""Cloning a stored message into the send request that replaces it."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.conversations.models import ConversationType
from core.conversations.sending.send_request import ConversationRequest
from core.messaging import MessagePriority, StoredMessage

FILES = ("image", "video", "document")


def clone_for_resend(row: StoredMessage, batch_id: str) -> ConversationRequest:
    """The same message for the same recipient, of a batch of its own. What was forced is not forced
    again.
    """
    content: Mapping[str, Any] = row["content"] or {}
    assert row["type"] is not None, "every message of a conversation has one"
    return ConversationRequest(
        number_id=row["number_id"],
        instagram_account_id=row["instagram_account_id"],
        type=ConversationType(row["type"]),
        payload=_header(content) if row["template_id"] is not None else content,
        template_id=row["template_id"],
        template_vars=tuple(row["template_vars"] or ()),
        reply_to=row["in_reply_to"],
        **_kept(row, batch_id),
    )


def template_for_resend(
    row: StoredMessage, batch_id: str, template_id: str, vars: Sequence[str]
) -> ConversationRequest:
    """A template for the same recipient."""
    return ConversationRequest(
        number_id=row["number_id"],
        type=ConversationType.TEMPLATE,
        payload={},
        template_id=template_id,
        template_vars=tuple(vars),
        **_kept(row, batch_id),
    )


def _kept(row: StoredMessage, batch_id: str) -> dict[str, Any]:
    """What follows a message through all its tries; the first reason why it failed above all."""
    return {
        "to": row["recipient"],
        "contact_id": row["contact_id"],
        "priority": row["priority"] or MessagePriority.NORMAL,
        "campaign_id": row["campaign_id"],
        "metadata": row["metadata"],
        "batch_id": batch_id,
        "reprocessed": True,
        "original_error": row["original_error"] or row["last_error"],
    }


def _header(filled: Mapping[str, Any]) -> dict[str, Any]:
    """What a template takes besides its variables: our file or the place in its header, where there
    is one.
    """
    for component in filled.get("components", ()):
        for parameter in component["parameters"]:
            if parameter["type"] == "location":
                return {"location": parameter["location"]}
            file = parameter.get(parameter["type"]) if parameter["type"] in FILES else None
            if file is not None and "id" in file:
                return {"media": dict(file)}
    return {}
