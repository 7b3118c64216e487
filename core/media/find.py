"""Finding the file in a message, and the sender account to fetch it with."""

from dataclasses import dataclass
from typing import Any

from core.foundation.database import db
from core.foundation.ids import is_id
from core.foundation.json_values import JsonObject, object_of, text_of
from core.foundation.security.caller import Caller
from core.media.models import MediaFile
from core.media.record import StoredCopy, stored_copy
from core.messaging.models import CONVERSATIONS
from core.numbers import InstagramAccount, Number, usable_sender_account
from core.providers.platform import SenderAccount

FIND = """
SELECT content, media, number_id, instagram_account_id FROM messages
WHERE organization_id = $1 AND env = $2 AND id = $3 AND channel = ANY ($4)
"""


@dataclass(frozen=True, slots=True)
class MessageMedia:
    """The file of a message: our copy where there is one (as in `messages.media`), and what the
    payload tells.

    `uploaded`: the customer's own upload, so that nobody else has it when our copy is gone.
    """

    copy: StoredCopy | None
    media_id: str | None
    declared_type: str
    filename: str | None
    uploaded: bool
    sender_id: str | None


async def find_media(caller: Caller, message_id: str) -> MessageMedia | None:
    """The file of a conversational message of the caller's; None where there is no such message, or
    no file in it.
    """
    row = await _message_row(caller, message_id)
    if row is None:
        return None
    told, copy = _told(row["content"]), row["media"]
    media_id = text_of(told, "id")
    if copy is None and media_id is None:
        return None
    uploaded = media_id is not None and is_id("med", media_id)
    if copy is None and uploaded:
        copy = await _copy_of_upload(caller, media_id)
    declared, name = told_of_file(row["content"])
    return MessageMedia(
        copy=copy,
        media_id=media_id,
        declared_type=declared,
        filename=name or (copy or {}).get("filename"),
        uploaded=uploaded,
        sender_id=row["number_id"] or row["instagram_account_id"],
    )


def told_of_file(content: object) -> tuple[str, str | None]:
    """The type and the name that a payload tells of its file."""
    told = _told(content)
    declared = text_of(told, "mime_type") or text_of(told, "mimeType") or ""
    return declared, text_of(told, "filename")


async def _message_row(caller: Caller, message_id: str) -> db.Row | None:
    if not is_id("msg", message_id):
        return None
    channels = [channel.value for channel in CONVERSATIONS]
    return await db.fetchrow(FIND, caller.organization_id, caller.env, message_id, channels)


async def _copy_of_upload(caller: Caller, media_id: str | None) -> StoredCopy | None:
    file = await MediaFile.visible_to(caller).get_or_none(id=media_id)
    return stored_copy(file) if file is not None else None


async def sender_account_for(caller: Caller, sender_id: str | None) -> SenderAccount | None:
    """What a message left or came by; None when the caller has it no more. Raises UpstreamError."""
    if sender_id is None:
        return None
    kind: type[Number] | type[InstagramAccount] = (
        Number if sender_id.startswith("num_") else InstagramAccount
    )
    found = await kind.visible_to(caller).get_or_none(id=sender_id)
    return usable_sender_account(found) if found is not None else None


def _told(content: Any) -> JsonObject:
    """What a payload says of its file; the header of an interactive message can hold one too."""
    content = content or {}
    return object_of(content, "media") or object_of(content.get("header"), "media")
