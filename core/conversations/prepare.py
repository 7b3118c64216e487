"""Refusing what cannot be sent, before anything is written or charged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from core import media, templates
from core.conversations.draft import Draft
from core.conversations.errors import NoSuchMessage, RepeatedRecipient, UnfitFile, WindowClosed
from core.conversations.look_up import LookedUp, look_up
from core.conversations.windows import is_open, open_until
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.foundation.turns import in_turns
from core.media.models import MediaFile
from core.messages.sending import NoProvider, NoSuchContact, RecipientOptedOut
from core.providers import registry
from core.templates.models import Template

Value = TypeVar("Value")

MARKETING = "marketing"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft that may be taken in: to whom it goes, what is stored of it, and what is held for it."""

    draft: Draft
    provider: str
    recipient: str
    identity: bytes
    contact_id: str | None
    content: Mapping[str, Any]
    is_marketing: bool
    coins: int
    file: MediaFile | None


async def prepare(
    caller: Caller, drafts: Sequence[Draft], *, at: datetime, once_each: bool = False
) -> list[Prepared | ServiceError]:
    """What would be taken in, or why not, for each draft; nothing is written. Opt-outs are looked
    at here and again when a message leaves. What the balance covers is for whoever writes.

    `once_each`: the first that a person may be sent is for them, and those behind it are
    RepeatedRecipient.
    """
    if not _has_provider(caller):
        return [NoProvider() for _ in drafts]
    looked_up = await look_up(caller, drafts)
    prepared = [_prepared(draft, looked_up, at=at) async for draft in in_turns(drafts)]
    return _once_each(drafts, prepared, looked_up) if once_each else prepared


async def refuse_template(caller: Caller, draft: Draft) -> None:
    """Raise what is wrong with a template's draft whoever its recipient is and whatever fills its
    variables.
    """
    if not _has_provider(caller):
        raise NoProvider
    found = await look_up(caller, [draft])
    _or_raise(found.senders[draft.channel, draft.sender_id])
    file = _file(draft, found)
    template = _or_raise(found.templates[draft.template_id or "", draft.sender_id])
    _filled(template, draft, ["-"] * templates.placeholders(template), file)


def _has_provider(caller: Caller) -> bool:
    return caller.env == "test" or registry.for_conversations() is not None


def _once_each(
    drafts: Sequence[Draft], prepared: Sequence[Prepared | ServiceError], found: LookedUp
) -> list[Prepared | ServiceError]:
    sent_to: set[bytes] = set()
    once: list[Prepared | ServiceError] = []
    for draft, one in zip(drafts, prepared, strict=True):
        if found.identities.get(draft.id) in sent_to:
            once.append(RepeatedRecipient())
            continue
        if isinstance(one, Prepared):
            sent_to.add(one.identity)
        once.append(one)
    return once


def _prepared(draft: Draft, found: LookedUp, *, at: datetime) -> Prepared | ServiceError:
    try:
        return _allowed(draft, found, at=at)
    except ServiceError as refusal:
        return refusal


def _allowed(draft: Draft, found: LookedUp, *, at: datetime) -> Prepared:
    """Raises the first refusal, in the interface's order: what the body names, then its rules."""
    _or_raise(found.senders[draft.channel, draft.sender_id])
    address = found.addresses[draft.id]
    if address is None or (draft.contact_id is not None and draft.contact_id not in found.contacts):
        raise NoSuchContact
    identity = found.identities[draft.id]
    contact = found.contacts.get(draft.contact_id or "") or found.people.get(identity)
    file = _file(draft, found)
    if draft.flow_id is not None:
        _or_raise(found.flows[draft.flow_id, draft.sender_id])
    if draft.reply_to is not None and found.answered.get(draft.reply_to) != (
        draft.sender_id,
        identity,
    ):
        raise NoSuchMessage
    template, content = None, draft.payload
    if draft.template_id is not None:
        template = _or_raise(found.templates[draft.template_id, draft.sender_id])
        content = _filled(template, draft, draft.template_vars, file)
    pair = found.pairs.get((draft.sender_id, identity))
    last_inbound_at = pair.last_inbound_at if pair else None
    if template is None and not is_open(last_inbound_at, at=at):
        raise WindowClosed(open_until(last_inbound_at))
    is_marketing = template is not None and template.category == MARKETING
    if is_marketing and (
        identity in found.denied or (contact is not None and contact.identity in found.denied)
    ):
        raise RecipientOptedOut
    leaves_at = max(at, draft.scheduled_at or at)
    return Prepared(
        draft=draft,
        provider=found.provider,
        recipient=address,
        identity=identity,
        contact_id=contact.id if contact else None,
        content=content,
        is_marketing=is_marketing,
        coins=0 if template is None or is_open(last_inbound_at, at=leaves_at) else found.price,
        file=file,
    )


def _filled(
    template: Template, draft: Draft, vars: Sequence[str], file: MediaFile | None
) -> Mapping[str, Any]:
    return templates.filled(
        template, vars, media=_header_file(draft, file), location=draft.payload.get("location")
    )


def _file(draft: Draft, found: LookedUp) -> MediaFile | None:
    if draft.media_id is None:
        return None
    file = found.files[draft.sender_id, draft.media_id]
    if isinstance(file, ServiceError):
        raise media.MediaNotUsable(draft.media_pointer)
    _refuse_unlike(draft.payload, file)
    return file


def _refuse_unlike(payload: Mapping[str, Any], file: MediaFile) -> None:
    """Anything may be sent as a document; else the file is what the payload calls it."""
    header = payload.get("header")
    place, kind = (
        ("/payload/header/kind", header["kind"])
        if header
        else ("/payload/kind", payload.get("kind"))
    )
    if kind not in (None, "document", file.kind):
        raise UnfitFile(place)
    if payload.get("media", {}).get("voice") and not file.voice:
        raise UnfitFile("/payload/media/voice")


def _header_file(draft: Draft, file: MediaFile | None) -> Mapping[str, Any] | None:
    if file is None:
        return None
    named = (
        {"filename": draft.payload["media"].get("filename", file.filename)}
        if file.kind == "document"
        else {}
    )
    return {"id": file.id, **named}


def _or_raise(value: Value | ServiceError) -> Value:
    if isinstance(value, ServiceError):
        raise value
    return value
