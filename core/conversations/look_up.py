"""Looking up what drafts name: each thing once for all of them, so that a thousand drafts cost what
one does.
"""

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core import flows, media, numbers, templates, wallet
from core.conversations.addresses import identity_of
from core.conversations.draft import Draft
from core.conversations.windows import Pair, PairKey, find_pairs
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
class Person:
    """A contact, as far as a message is concerned with one."""

    id: str
    phone: str
    identity: bytes


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What the drafts name, or the refusal of it.

    `senders` are by channel and id, so that an account is no number; `addresses` and `identities`
    by the draft's id, the latter only of drafts that have an address; templates, files and flows by
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
    contacts: Mapping[str, Person]
    people: Mapping[bytes, Person]
    pairs: Mapping[PairKey, Pair]
    denied: frozenset[bytes]
    answered: Mapping[str, tuple[str, bytes]]


async def look_up(caller: Caller, drafts: Sequence[Draft]) -> LookedUp:
    """Everything that the drafts name; a refusal of one thing stands in its place."""
    platform = registry.for_conversations()
    contacts = await _contacts(
        caller, {draft.contact_id for draft in drafts if draft.contact_id is not None}
    )
    addresses = {draft.id: _address(draft, contacts) for draft in drafts}
    identities = {
        draft.id: identity_of(
            draft.channel, caller.organization_id, address, unified=caller.unifies_ninth_digit
        )
        for draft in drafts
        if (address := addresses[draft.id]) is not None
    }
    hashes = {*identities.values(), *(person.identity for person in contacts.values())}
    return LookedUp(
        provider=SANDBOX if caller.env == "test" or platform is None else platform.name,
        price=await _price(caller, drafts),
        senders=await _each(
            ((draft.channel, draft.sender_id) for draft in drafts),
            lambda key: _sender(caller, *key),
        ),
        addresses=addresses,
        identities=identities,
        templates=await _each(
            (
                (draft.template_id, draft.sender_id)
                for draft in drafts
                if draft.template_id is not None
            ),
            lambda key: templates.template_for_sending(caller, *key),
        ),
        files=await media.files_for_sending(
            caller,
            {(draft.sender_id, id) for draft in drafts if (id := draft.media_id) is not None},
        ),
        flows=await _each(
            ((id, draft.sender_id) for draft in drafts if (id := draft.flow_id) is not None),
            lambda key: flows.flow_for_sending(caller, *key),
        ),
        contacts=contacts,
        people=await _people(caller, set(identities.values())),
        pairs=await find_pairs(
            caller.organization_id,
            caller.env,
            {(draft.sender_id, identities[draft.id]) for draft in drafts if draft.id in identities},
        ),
        denied=await _denied(caller, hashes)
        if any(draft.template_id for draft in drafts)
        else frozenset(),
        answered=await _answered(
            caller, {draft.reply_to for draft in drafts if draft.reply_to is not None}
        ),
    )


def _address(draft: Draft, contacts: Mapping[str, Person]) -> str | None:
    """An Instagram scoped id is known to nobody but the account, so a contact does not stand for
    one.
    """
    if draft.to is not None:
        return draft.to
    person = contacts.get(draft.contact_id or "")
    return person.phone if person is not None and draft.number_id is not None else None


async def _sender(caller: Caller, channel: Channel, id: str) -> object:
    if channel is Channel.INSTAGRAM:
        return await numbers.instagram_for_sending(caller, id)
    return await numbers.number_for_sending(caller, id)


async def _price(caller: Caller, drafts: Sequence[Draft]) -> int:
    if not current().charges or all(draft.template_id is None for draft in drafts):
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


async def _contacts(caller: Caller, ids: set[str]) -> dict[str, Person]:
    if not ids:
        return {}
    rows = await db.fetch(
        "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)",
        caller.organization_id,
        caller.env,
        sorted(ids),
    )
    return {row["id"]: Person(*row.values()) for row in rows}


async def _people(caller: Caller, identities: set[bytes]) -> dict[bytes, Person]:
    if not identities:
        return {}
    rows = await db.fetch(
        "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env = $2 AND identity = ANY ($3)",
        caller.organization_id,
        caller.env,
        sorted(identities),
    )
    return {row["identity"]: Person(*row.values()) for row in rows}


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
