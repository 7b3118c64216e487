"""Reading events of Instagram conversations."""

from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256

from core.foundation.json_values import JsonObject, object_of, objects_of, text_of
from core.providers.meta.untrusted_json import id_of, moment_of, reference_of, some
from core.providers.meta.webhook.changes import PlatformChange
from core.providers.platform import InboundMessage, Notice, StatusReport

FILES = {
    "image": "image",
    "video": "video",
    "ig_reel": "video",
    "reel": "video",
    "audio": "audio",
    "file": "document",
}


def instagram_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """What an event says: a message, a tap on a button, a reaction, or that our message was read."""
    event, platform_id, sender = (
        change.value,
        change.platform_id,
        id_of(object_of(change.value, "sender"), "id"),
    )
    if platform_id is None or sender is None or sender == platform_id:
        return  # our own words come back as an echo
    at = moment_of(event.get("timestamp"), at)
    if read := reference_of(object_of(event, "read"), "mid"):
        yield StatusReport(platform_id, None, read, "read", at, address=sender)
    elif message := object_of(event, "message"):
        yield from _message(platform_id, sender, message, at)
    elif postback := object_of(event, "postback"):
        yield from _tap(platform_id, sender, postback, at)
    elif reaction := object_of(event, "reaction"):
        yield from _reaction(platform_id, sender, reaction, at)


def _message(platform_id: str, sender: str, message: JsonObject, at: datetime) -> Iterator[Notice]:
    reference = reference_of(message, "mid")
    if reference is None or message.get("is_echo") is True or message.get("is_deleted") is True:
        return
    answered = reference_of(object_of(message, "reply_to"), "mid")
    referral = object_of(message, "referral") or None
    contents = list(_contents(message)) or [
        ("interactive", {"kind": "unsupported", "type": "unknown"})
    ]
    for place, (type, payload) in enumerate(contents):
        yield InboundMessage(
            platform_id=platform_id,
            # Each of several files is a message of its own here, told apart from its siblings.
            reference=reference if place == 0 else f"{reference[:190]}#{place}",
            sender=sender,
            type=type,
            payload=payload,
            at=at,
            reply_to=answered,
            referral=referral,
        )


def _contents(message: JsonObject) -> Iterator[tuple[str, dict[str, object]]]:
    text, tapped = text_of(message, "text"), text_of(object_of(message, "quick_reply"), "payload")
    story = object_of(object_of(message, "reply_to"), "story")
    if tapped is not None:
        yield "interactive", {"kind": "button_reply", "id": tapped, **some(title=text)}
    elif text is not None:
        yield "text", {"text": text, **some(storyUrl=text_of(story, "url"))}
    for attachment in objects_of(message, "attachments"):
        type, url = (
            text_of(attachment, "type") or "unknown",
            text_of(object_of(attachment, "payload"), "url"),
        )
        if type in FILES and url is not None:
            # A file has no id on this channel: its address takes the place.
            yield "media", {"kind": FILES[type], "media": {"id": url}}
        else:
            yield "interactive", {"kind": "unsupported", "type": type[:40], **some(url=url)}


def _tap(platform_id: str, sender: str, postback: JsonObject, at: datetime) -> Iterator[Notice]:
    reference = reference_of(postback, "mid")
    if reference is not None:
        fields = some(text=text_of(postback, "title"), payload=text_of(postback, "payload"))
        referral = object_of(postback, "referral") or None
        yield InboundMessage(
            platform_id,
            reference,
            sender,
            "interactive",
            {"kind": "button", **fields},
            at,
            None,
            None,
            referral,
        )


def _reaction(
    platform_id: str, sender: str, reaction: JsonObject, at: datetime
) -> Iterator[Notice]:
    about = reference_of(reaction, "mid")
    if about is None:
        return
    emoji = text_of(reaction, "emoji") if text_of(reaction, "action") != "unreact" else None
    # It has no id of its own.
    reference = sha256(f"{about} {sender} {at.isoformat()} {emoji}".encode()).hexdigest()
    payload: dict[str, object] = {"kind": "reaction", "messageId": about, **some(emoji=emoji)}
    yield InboundMessage(platform_id, reference, sender, "interactive", payload, at, reply_to=about)
