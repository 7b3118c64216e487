"""Resolving what send requests refer to: each thing is loaded once for all of them."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core import flows, media, numbers, templates, wallet
from core.conversations.addresses import identity_of
from core.conversations.sending.send_request import SendRequest
from core.conversations.windows import PairKey, PairState, find_pairs
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.media.models import MediaFile
from core.messages import Channel
from core.providers import registry
from core.providers.sandbox import PROVIDER as SANDBOX
from core.templates.models import Template

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RecipientContact:
    """A contact, as far as a message is concerned with one."""

    id: str
    phone: str
    identity: bytes


@dataclass(frozen=True, slots=True)
class References:
    """What the requests name, or the refusal of it.

    `senders` are by channel and id, so that an account is no number; `addresses` and `identities`
    by the request's id, the latter only of requests that have an address; templates, files and flows by
    their id and the sender's; `answered`: the sender and the person of a message that is replied
    to.
    """

    provider: str
    price: int
    senders: Mapping[tuple[Channel, str], object | ServiceError]
    addresses: Mapping[str, str | None]
    identities: Mapping[str, bytes]
    templates: Mapping[tuple[str, str], Template | ServiceError]
    files: Mapping[tuple[str, str], MediaFile | ServiceError]
    flows: Mapping[tuple[str, str], object | ServiceError]
    contacts: Mapping[str, RecipientContact]
    people: Mapping[bytes, RecipientContact]
    pairs: Mapping[PairKey, PairState]
    denied: frozenset[bytes]
    answered: Mapping[str, tuple[str, bytes]]


async def resolve_references(caller: Caller, requests: Sequence[SendRequest]) -> References:
    """Everything that the requests name; a refusal of one thing stands in its place."""
    platform = registry.for_conversations()
    contacts = await _contacts(
        caller, {request.contact_id for request in requests if request.contact_id is not None}
    )
    addresses = {request.id: _address(request, contacts) for request in requests}
    identities = {
        request.id: identity_of(
            request.channel, caller.organization_id, address, unified=caller.unifies_ninth_digit
        )
        for request in requests
        if (address := addresses[request.id]) is not None
    }
    hashes = {*identities.values(), *(person.identity for person in contacts.values())}
    return References(
        provider=SANDBOX if caller.env == "test" or platform is None else platform.name,
        price=await _price(caller, requests),
        senders=await _each(
            ((request.channel, request.sender_id) for request in requests),
            lambda key: _sender(caller, *key),
        ),
        addresses=addresses,
        identities=identities,
        templates=await _each(
            (
                (request.template_id, request.sender_id)
                for request in requests
                if request.template_id is not None
            ),
            lambda key: templates.template_for_sending(caller, *key),
        ),
        files=await media.files_for_sending(
            caller,
            {
                (request.sender_id, id)
                for request in requests
                if (id := request.media_id) is not None
            },
        ),
        flows=await _each(
            (
                (id, request.sender_id)
                for request in requests
                if (id := request.flow_id) is not None
            ),
            lambda key: flows.flow_for_sending(caller, *key),
        ),
        contacts=contacts,
        people=await _people(caller, set(identities.values())),
        pairs=await find_pairs(
            caller.organization_id,
            caller.env,
            {
                (request.sender_id, identities[request.id])
                for request in requests
                if request.id in identities
            },
        ),
        denied=await _denied(caller, hashes)
        if any(request.template_id for request in requests)
        else frozenset(),
        answered=await _answered(
            caller, {request.reply_to for request in requests if request.reply_to is not None}
        ),
    )


def _address(request: SendRequest, contacts: Mapping[str, RecipientContact]) -> str | None:
    """An Instagram scoped id is known to nobody but the account, so a contact does not stand for
    one.
    """
    if request.to is not None:
        return request.to
    person = contacts.get(request.contact_id or "")
    return person.phone if person is not None and request.number_id is not None else None


async def _sender(caller: Caller, channel: Channel, id: str) -> object:
    if channel is Channel.INSTAGRAM:
        return await numbers.instagram_for_sending(caller, id)
    return await numbers.number_for_sending(caller, id)


async def _price(caller: Caller, requests: Sequence[SendRequest]) -> int:
    if not current().charges or all(request.template_id is None for request in requests):
        return 0
    return await wallet.conversation_price(caller.organization_id)


async def _each(
    keys: Iterable[Key], load: Callable[[Key], Awaitable[Value]]
) -> dict[Key, Value | ServiceError]:
    """Each thing once, or the refusal of it."""
    found: dict[Key, Value | ServiceError] = {}
    for key in dict.fromkeys(keys):
        try:
            found[key] = await load(key)
        except ServiceError as refusal:
            found[key] = refusal
    return found


async def _contacts(caller: Caller, ids: set[str]) -> dict[str, RecipientContact]:
    if not ids:
        return {}
    rows = await db.fetch(
        "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)",
        caller.organization_id,
        caller.env,
        sorted(ids),
    )
    return {row["id"]: RecipientContact(*row.values()) for row in rows}


async def _people(caller: Caller, identities: set[bytes]) -> dict[bytes, RecipientContact]:
    if not identities:
        return {}
    rows = await db.fetch(
        "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3)",
        caller.organization_id,
        caller.env,
        sorted(identities),
    )
    return {row["identity"]: RecipientContact(*row.values()) for row in rows}


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
