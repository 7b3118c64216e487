"""Checking send requests: opt-out, service window, template, files, price; nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from core import decisions, media
from core.conversations.errors import NoSuchMessage, RepeatedRecipient, UnfitFile, WindowClosed
from core.conversations.sending.resolve_references import (
    RecipientContact,
    References,
    resolve_references,
)
from core.conversations.sending.send_request import ConversationRequest
from core.conversations.windows import is_open, open_until
from core.foundation.clock import wire_time
from core.foundation.errors import ServiceError
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.foundation.turns import in_turns
from core.media.models import MediaFile
from core.messaging import NoProvider, NoSuchContact, RecipientOptedOut
from core.providers import registry
from core.templates import TemplateForm
from core.templates.models import Template

Value = TypeVar("Value")

MARKETING = "marketing"


@dataclass(frozen=True, slots=True)
class PreparedSend:
    """A request that may be accepted: to whom it goes, what is stored of it, and what is held for it.

    `prepaid`: that is held already, for its quote. `facts`: what the rules looked at, as it is
    stored.
    """

    request: ConversationRequest
    provider: str
    recipient: str
    identity: bytes
    contact_id: str | None
    content: Mapping[str, Any]
    is_marketing: bool
    coins: int
    file: MediaFile | None
    prepaid: bool = False
    facts: str | None = None


async def prepare(
    caller: Caller,
    requests: Sequence[ConversationRequest],
    *,
    at: datetime,
    once_each: bool = False,
) -> list[PreparedSend | ServiceError]:
    """What would be accepted, or why not, for each request; nothing is written. Opt-outs are looked
    at here and again when a message leaves. What the balance covers is for whoever writes.

    `once_each`: the first that a person may be sent is for them, and those behind it are
    RepeatedRecipient.
    """
    if not _has_provider(caller):
        return [NoProvider() for _ in requests]
    references = await resolve_references(caller, requests)
    prepared = [_prepared(request, references, at=at) async for request in in_turns(requests)]
    return await _once_each(requests, prepared, references) if once_each else prepared


async def refuse_template(caller: Caller, request: ConversationRequest) -> None:
    """Raise what is wrong with a template's request whoever its recipient is and whatever fills its
    variables.
    """
    if not _has_provider(caller):
        raise NoProvider
    references = await resolve_references(caller, [request])
    _or_raise(references.senders[request.channel, request.sender_id])
    file = _file(request, references)
    form = _or_raise(references.templates[request.template_id or "", request.sender_id])
    _filled(form, request, ["-"] * form.placeholders, file)


def _has_provider(caller: Caller) -> bool:
    return caller.env == "test" or registry.for_conversations() is not None


async def _once_each(
    requests: Sequence[ConversationRequest],
    prepared: Sequence[PreparedSend | ServiceError],
    references: References,
) -> list[PreparedSend | ServiceError]:
    sent_to: set[bytes] = set()
    once: list[PreparedSend | ServiceError] = []
    async for request, one in in_turns(zip(requests, prepared, strict=True)):
        if references.identities.get(request.id) in sent_to:
            once.append(RepeatedRecipient())
            continue
        if isinstance(one, PreparedSend):
            sent_to.add(one.identity)
        once.append(one)
    return once


def _prepared(
    request: ConversationRequest, references: References, *, at: datetime
) -> PreparedSend | ServiceError:
    try:
        return _allowed(request, references, at=at)
    except ServiceError as refusal:
        return refusal


def _allowed(request: ConversationRequest, references: References, *, at: datetime) -> PreparedSend:
    """Raises the first refusal, in the interface's order: what the body names, then its rules."""
    _or_raise(references.senders[request.channel, request.sender_id])
    address = _address(request, references)
    identity = references.identities[request.id]
    contact = references.contacts.get(request.contact_id or "") or references.people.get(identity)
    file = _file(request, references)
    if request.flow_id is not None:
        _or_raise(references.flows[request.flow_id, request.sender_id])
    _refuse_unknown_reply(request, identity, references)
    form = _form(request, references)
    template = None if form is None else form.template
    content = (
        request.payload if form is None else _filled(form, request, request.template_vars, file)
    )
    last_inbound_at = _last_inbound_at(request, identity, references)
    if template is None and not is_open(last_inbound_at, at=at):
        raise WindowClosed(open_until(last_inbound_at))
    is_marketing = template is not None and template.category == MARKETING
    if is_marketing and _is_denied(identity, contact, references):
        raise RecipientOptedOut
    leaves_at = max(at, request.scheduled_at or at)
    is_free = template is None or is_open(last_inbound_at, at=leaves_at)
    coins = 0 if is_free else references.price
    return PreparedSend(
        request=request,
        provider=references.provider,
        recipient=address,
        identity=identity,
        contact_id=contact.id if contact else None,
        content=content,
        is_marketing=is_marketing,
        coins=coins,
        file=file,
        facts=_facts(template, last_inbound_at, coins),
    )


def _facts(template: Template | None, last_inbound_at: datetime | None, coins: int) -> str | None:
    """What is kept of the decision: the window, which also decides whether a template is paid, and
    what kind of template it was.
    """
    until = open_until(last_inbound_at)
    window: dict[str, object] = {} if until is None else {"janelaAte": wire_time(until)}
    if template is None:
        return decisions.kept_facts({Rule.WINDOW.value: window})
    price = {"unitCoins": coins, **window}
    return decisions.kept_facts(
        {Rule.TEMPLATE.value: {"categoria": template.category}, Rule.PRICE.value: price}
    )


def _address(request: ConversationRequest, references: References) -> str:
    address = references.addresses[request.id]
    is_unknown = request.contact_id is not None and request.contact_id not in references.contacts
    if address is None or is_unknown:
        raise NoSuchContact
    return address


def _refuse_unknown_reply(
    request: ConversationRequest, identity: bytes, references: References
) -> None:
    """A message is answered only in its own conversation."""
    if request.reply_to is None:
        return
    if references.answered.get(request.reply_to) != (request.sender_id, identity):
        raise NoSuchMessage


def _form(request: ConversationRequest, references: References) -> TemplateForm | None:
    if request.template_id is None:
        return None
    return _or_raise(references.templates[request.template_id, request.sender_id])


def _last_inbound_at(
    request: ConversationRequest, identity: bytes, references: References
) -> datetime | None:
    pair = references.pairs.get((request.sender_id, identity))
    return pair.last_inbound_at if pair else None


def _is_denied(identity: bytes, contact: RecipientContact | None, references: References) -> bool:
    """Whether the address or the contact opted out."""
    if identity in references.denied:
        return True
    return contact is not None and contact.identity in references.denied


def _filled(
    form: TemplateForm, request: ConversationRequest, vars: Sequence[str], file: MediaFile | None
) -> Mapping[str, object]:
    return form.filled(
        vars, media=_header_file(request, file), location=request.payload.get("location")
    )


def _file(request: ConversationRequest, references: References) -> MediaFile | None:
    if request.media_id is None:
        return None
    file = references.files[request.sender_id, request.media_id]
    if isinstance(file, ServiceError):
        raise media.MediaNotUsable(request.media_pointer)
    _refuse_unlike(request.payload, file)
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


def _header_file(
    request: ConversationRequest, file: MediaFile | None
) -> Mapping[str, object] | None:
    if file is None:
        return None
    named = (
        {"filename": request.payload["media"].get("filename", file.filename)}
        if file.kind == "document"
        else {}
    )
    return {"id": file.id, **named}


def _or_raise(value: Value | ServiceError) -> Value:
    if isinstance(value, ServiceError):
        raise value
    return value
