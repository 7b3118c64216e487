"""Looking up what drafts name, and refusing what cannot be sent, before anything is written or charged.

Everything is looked up once for all drafts, however many they are: a batch of a thousand costs what one does.
"""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from core import flows, media, numbers, templates, wallet
from core.conversations.addresses import identity_of
from core.conversations.draft import Draft
from core.conversations.errors import NoSuchContact, NoSuchMessage, UnfitFile, WindowClosed
from core.conversations.windows import Pair, PairKey, find_pairs, is_open, open_until
from core.foundation import db
from core.foundation.caller import Caller
from core.foundation.errors import ServiceError
from core.foundation.settings import current
from core.media.models import MediaFile
from core.messages import Channel
from core.messages.sending import NoProvider, RecipientOptedOut
from core.providers import registry
from core.providers.sandbox import PROVIDER as SANDBOX
from core.templates.models import Template

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

MARKETING = "marketing"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft that may be taken in: to whom it goes, what is stored of it, and what is held for it."""

    draft: Draft
    channel: Channel
    provider: str
    recipient: str
    identity: bytes
    contact_id: str | None
    content: Mapping[str, Any]
    is_marketing: bool
    coins: int
    file: MediaFile | None


@dataclass(frozen=True, slots=True)
class _Person:
    id: str
    phone: str
    identity: bytes


async def prepare(caller: Caller, drafts: Sequence[Draft], *, at: datetime) -> list[Prepared | ServiceError]:
    """What would be taken in, or why not, for each draft; nothing is written. Opt-outs are looked at here and again
    when a message leaves. What the balance covers is for whoever writes.
    """
    if caller.env == "live" and registry.for_conversations() is None:
        return [NoProvider() for _ in drafts]
    looked_up = await _look_up(caller, drafts)
    return [_prepared(caller, draft, looked_up, at=at) for draft in drafts]


@dataclass(frozen=True, slots=True)
class _LookedUp:
    """What the drafts name, or the refusal of it."""

    provider: str
    price: int
    senders: Mapping[str, object | ServiceError]
    templates: Mapping[tuple[str, str], Template | ServiceError]
    files: Mapping[tuple[str, str], MediaFile | ServiceError]
    flows: Mapping[tuple[str, str], object | ServiceError]
    contacts: Mapping[str, _Person]
    people: Mapping[bytes, _Person]
    pairs: Mapping[PairKey, Pair]
    denied: frozenset[bytes]
    answered: Mapping[str, tuple[str, bytes]]


async def _look_up(caller: Caller, drafts: Sequence[Draft]) -> _LookedUp:
    platform = registry.for_conversations()
    contacts = await _contacts(caller, {draft.contact_id for draft in drafts if draft.contact_id is not None})
    addressed = {draft.id: _address(draft, contacts) for draft in drafts}
    identities = {
        draft.id: identity_of(_channel(draft), caller.organization_id, address, unified=caller.unifies_ninth_digit)
        for draft in drafts
        if (address := addressed[draft.id]) is not None
    }
    hashes = {*identities.values(), *(person.identity for person in contacts.values())}
    return _LookedUp(
        provider=SANDBOX if caller.env == "test" or platform is None else platform.name,
        price=await _price(caller, drafts),
        senders=await _each((draft.sender_id for draft in drafts), lambda sender: _sender(caller, sender)),
        templates=await _each(
            ((draft.template_id, draft.sender_id) for draft in drafts if draft.template_id is not None),
            lambda key: templates.template_for_sending(caller, *key),
        ),
        files=await media.files_for_sending(
            caller, {(draft.sender_id, id) for draft in drafts if (id := media_id_of(draft.payload)) is not None}
        ),
        flows=await _each(
            ((id, draft.sender_id) for draft in drafts if (id := _flow_id(draft)) is not None),
            lambda key: flows.flow_for_sending(caller, *key),
        ),
        contacts=contacts,
        people=await _people(caller, set(identities.values())),
        pairs=await find_pairs(
            caller.organization_id,
            caller.env,
            {(draft.sender_id, identities[draft.id]) for draft in drafts if draft.id in identities},
        ),
        denied=await _denied(caller, hashes) if any(draft.template_id for draft in drafts) else frozenset(),
        answered=await _answered(caller, {draft.reply_to for draft in drafts if draft.reply_to is not None}),
    )


def _prepared(caller: Caller, draft: Draft, found: _LookedUp, *, at: datetime) -> Prepared | ServiceError:
    try:
        return _allowed(caller, draft, found, at=at)
    except ServiceError as refusal:
        return refusal


def _allowed(caller: Caller, draft: Draft, found: _LookedUp, *, at: datetime) -> Prepared:
    """Raises the first refusal, in the interface's order: what the body names, then its rules."""
    _or_raise(found.senders[draft.sender_id])
    address = _address(draft, found.contacts)
    if address is None or (draft.contact_id is not None and draft.contact_id not in found.contacts):
        raise NoSuchContact
    channel = _channel(draft)
    identity = identity_of(channel, caller.organization_id, address, unified=caller.unifies_ninth_digit)
    contact = found.contacts.get(draft.contact_id or "") or found.people.get(identity)
    file_id, flow_id = media_id_of(draft.payload), _flow_id(draft)
    file = _or_raise(found.files[draft.sender_id, file_id]) if file_id is not None else None
    if file is not None:
        _refuse_unlike(draft.payload, file)
    if flow_id is not None:
        _or_raise(found.flows[flow_id, draft.sender_id])
    if draft.reply_to is not None and found.answered.get(draft.reply_to) != (draft.sender_id, identity):
        raise NoSuchMessage
    template, content = None, draft.payload
    if draft.template_id is not None:
        template = _or_raise(found.templates[draft.template_id, draft.sender_id])
        content = templates.filled(
            template, draft.template_vars, media=_header_file(draft, file), location=draft.payload.get("location")
        )
    pair = found.pairs.get((draft.sender_id, identity))
    last_inbound_at = pair.last_inbound_at if pair else None
    if template is None and not is_open(last_inbound_at, at=at):
        raise WindowClosed(open_until(last_inbound_at))
    is_marketing = template is not None and template.category == MARKETING
    if is_marketing and (identity in found.denied or (contact is not None and contact.identity in found.denied)):
        raise RecipientOptedOut
    leaves_at = max(at, draft.scheduled_at or at)
    return Prepared(
        draft=draft,
        channel=channel,
        provider=found.provider,
        recipient=address,
        identity=identity,
        contact_id=contact.id if contact else None,
        content=content,
        is_marketing=is_marketing,
        coins=0 if template is None or is_open(last_inbound_at, at=leaves_at) else found.price,
        file=file,
    )


def _refuse_unlike(payload: Mapping[str, Any], file: MediaFile) -> None:
    """Anything may be sent as a document; else the file is what the payload calls it."""
    header = payload.get("header")
    place, kind = ("/payload/header/kind", header["kind"]) if header else ("/payload/kind", payload.get("kind"))
    if kind not in (None, "document", file.kind):
        raise UnfitFile(place)
    if payload.get("media", {}).get("voice") and not file.voice:
        raise UnfitFile("/payload/media/voice")


def _header_file(draft: Draft, file: MediaFile | None) -> Mapping[str, Any] | None:
    if file is None:
        return None
    named = {"filename": draft.payload["media"].get("filename", file.filename)} if file.kind == "document" else {}
    return {"id": file.id, **named}


def media_id_of(payload: Mapping[str, Any]) -> str | None:
    """The file of ours that a payload names: of a media message, or of the header of a template or of an interactive
    one.
    """
    for place in (payload, payload.get("header") or {}):
        if isinstance(place, Mapping) and isinstance(named := place.get("media"), Mapping):
            id: str | None = named.get("id")
            return id
    return None


def _flow_id(draft: Draft) -> str | None:
    id: str | None = draft.payload.get("flowId") if draft.payload.get("kind") == "flow" else None
    return id


def _channel(draft: Draft) -> Channel:
    return Channel.WHATSAPP if draft.number_id is not None else Channel.INSTAGRAM


def _address(draft: Draft, contacts: Mapping[str, _Person]) -> str | None:
    """An Instagram scoped id is known to nobody but the account, so a contact does not stand for one."""
    if draft.to is not None:
        return draft.to
    person = contacts.get(draft.contact_id or "")
    return person.phone if person is not None and draft.number_id is not None else None


async def _sender(caller: Caller, id: str) -> object:
    if id.startswith("iga_"):
        return await numbers.instagram_for_sending(caller, id)
    return await numbers.number_for_sending(caller, id)


async def _price(caller: Caller, drafts: Sequence[Draft]) -> int:
    if not current().charges or all(draft.template_id is None for draft in drafts):
        return 0
    return await wallet.conversation_price(caller.organization_id)


async def _each(keys: Iterable[Key], load: Callable[[Key], Awaitable[Value]]) -> dict[Key, Value | ServiceError]:
    """Each thing once, or the refusal of it."""
    found: dict[Key, Value | ServiceError] = {}
    for key in dict.fromkeys(keys):
        try:
            found[key] = await load(key)
        except ServiceError as refusal:
            found[key] = refusal
    return found


def _or_raise(value: Value | ServiceError) -> Value:
    if isinstance(value, ServiceError):
        raise value
    return value


async def _contacts(caller: Caller, ids: set[str]) -> dict[str, _Person]:
    if not ids:
        return {}
    rows = await db.fetch(
        "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)",
        caller.organization_id,
        caller.env,
        sorted(ids),
    )
    return {row["id"]: _Person(*row.values()) for row in rows}


async def _people(caller: Caller, identities: set[bytes]) -> dict[bytes, _Person]:
    if not identities:
        return {}
    rows = await db.fetch(
        "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3)",
        caller.organization_id,
        caller.env,
        sorted(identities),
    )
    return {row["identity"]: _Person(*row.values()) for row in rows}


async def _denied(caller: Caller, identities: set[bytes]) -> frozenset[bytes]:
    rows = await db.fetch(
        "SELECT identity FROM contact_denials WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3) "
        "AND channel IN ('whatsapp', 'todos')",
        caller.organization_id,
        caller.env,
        sorted(identities),
    )
    return frozenset(row["identity"] for row in rows)


async def _answered(caller: Caller, ids: set[str]) -> dict[str, tuple[str, bytes]]:
    """Sender and person of the messages that are answered, where the platform knows the message.

    The person, and not its address: the platform writes some phones without their ninth digit.
    """
    if not ids:
        return {}
    rows = await db.fetch(
        "SELECT id, channel, coalesce(number_id, instagram_account_id) AS sender_id, recipient FROM messages "
        "WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND provider_reference IS NOT NULL "
        "AND channel IN ('whatsapp', 'instagram')",
        caller.organization_id,
        caller.env,
        sorted(ids),
    )
    unified = caller.unifies_ninth_digit
    return {
        row["id"]: (
            row["sender_id"],
            identity_of(row["channel"], caller.organization_id, row["recipient"], unified=unified),
        )
        for row in rows
    }
