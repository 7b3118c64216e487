"""Resolving what send requests refer to: each thing is loaded once for all of them."""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core import flows, media, numbers, templates, wallet
from core.conversations.addresses import identity_of
from core.conversations.sending.send_request import ConversationRequest
from core.conversations.windows import PairKey, PairState, find_pairs
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.foundation.turns import in_turns
from core.media.models import MediaFile
from core.messaging import Channel
from core.messaging.opt_out import opted_out_among
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


async def resolve_references(caller: Caller, requests: Sequence[ConversationRequest]) -> References:
    """Everything that the requests name; a refusal of one thing stands in its place."""
    contacts = await _contacts(caller, {one.contact_id for one in requests if one.contact_id})
    addresses = {one.id: _address(one, contacts) for one in requests}
    identities = await _identities(caller, requests, addresses)
    pairs = {(one.sender_id, identities[one.id]) for one in requests if one.id in identities}
    return References(
        provider=_provider(caller),
        price=await _price(caller, requests),
        senders=await _senders(caller, requests),
        addresses=addresses,
        identities=identities,
        templates=await _templates(caller, requests),
        files=await _files(caller, requests),
        flows=await _flows(caller, requests),
        contacts=contacts,
        people=await _people(caller, set(identities.values())),
        pairs=await find_pairs(caller.organization_id, caller.env, pairs),
        denied=await _denied_of_templates(caller, requests, identities, contacts),
        answered=await _answered(caller, {one.reply_to for one in requests if one.reply_to}),
    )


def _provider(caller: Caller) -> str:
    platform = registry.for_conversations()
    return SANDBOX if caller.env == "test" or platform is None else platform.name


async def _identities(
    caller: Caller, requests: Sequence[ConversationRequest], addresses: Mapping[str, str | None]
) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    async for one in in_turns(requests):
        if (address := addresses[one.id]) is not None:
            found[one.id] = identity_of(
                one.channel, caller.organization_id, address, unified=caller.unifies_ninth_digit
            )
    return found


async def _senders(
    caller: Caller, requests: Sequence[ConversationRequest]
) -> dict[tuple[Channel, str], object | ServiceError]:
    keys = [(one.channel, one.sender_id) for one in requests]
    return await _each(keys, lambda key: _sender(caller, *key))


async def _templates(
    caller: Caller, requests: Sequence[ConversationRequest]
) -> dict[tuple[str, str], Template | ServiceError]:
    keys = [(id, one.sender_id) for one in requests if (id := one.template_id) is not None]
    return await _each(keys, lambda key: templates.template_for_sending(caller, *key))


async def _files(
    caller: Caller, requests: Sequence[ConversationRequest]
) -> Mapping[tuple[str, str], MediaFile | ServiceError]:
    keys = {(one.sender_id, id) for one in requests if (id := one.media_id) is not None}
    return await media.files_for_sending(caller, keys)


async def _flows(
    caller: Caller, requests: Sequence[ConversationRequest]
) -> Mapping[tuple[str, str], object | ServiceError]:
    keys = [(id, one.sender_id) for one in requests if (id := one.flow_id) is not None]
    return await _each(keys, lambda key: flows.flow_for_sending(caller, *key))


async def _denied_of_templates(
    caller: Caller,
    requests: Sequence[ConversationRequest],
    identities: Mapping[str, bytes],
    contacts: Mapping[str, RecipientContact],
) -> frozenset[bytes]:
    """Who opted out of the channel: only a template may be refused for that."""
    if all(one.template_id is None for one in requests):
        return frozenset()
    hashes = {*identities.values(), *(person.identity for person in contacts.values())}
    return await opted_out_among(caller.organization_id, caller.env, Channel.WHATSAPP, hashes)


def _address(request: ConversationRequest, contacts: Mapping[str, RecipientContact]) -> str | None:
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


async def _price(caller: Caller, requests: Sequence[ConversationRequest]) -> int:
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
    rows = await db.fetch_for(
        ids,
        (
            "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env "
            "= $2 AND id = ANY ($3)"
        ),
        caller.organization_id,
        caller.env,
        sorted(ids),
    )
    return {row["id"]: RecipientContact(*row.values()) for row in rows}


async def _people(caller: Caller, identities: set[bytes]) -> dict[bytes, RecipientContact]:
    rows = await db.fetch_for(
        identities,
        (
            "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env "
            "= $2 AND identity = ANY ($3)"
        ),
        caller.organization_id,
        caller.env,
        sorted(identities),
    )
    return {row["identity"]: RecipientContact(*row.values()) for row in rows}


async def _answered(caller: Caller, ids: set[str]) -> dict[str, tuple[str, bytes]]:
    """Sender and person of the messages that are answered, where the platform knows the message.

    The person, and not its address: the platform writes some phones without their ninth digit.
    """
    rows = await db.fetch_for(
        ids,
        "SELECT id, channel, coalesce(number_id, instagram_account_id) AS sender_id, "
        "recipient FROM messages "
        "WHERE organization_id = $1 AND env = $2 AND id = ANY ($3) AND "
        "provider_reference IS NOT NULL "
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
