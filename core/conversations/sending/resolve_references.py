"""Resolving what send requests refer to: each thing is loaded once for all of them."""

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import TypeVar

from core import flows, media, numbers, templates, wallet
from core.conversations.addresses import identity_of
from core.conversations.sending.send_request import ConversationRequest
from core.conversations.windows import PairKey, PairState, find_pairs
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.foundation.turns import in_parts, in_turns
from core.media.models import MediaFile
from core.messaging import Channel
from core.messaging.opt_out import opted_out_among
from core.providers import registry
from core.providers.sandbox import PROVIDER as SANDBOX
from core.templates import TemplateForm

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

LOOK_UP_SIZE = 250
"""People of one question: while the driver turns them into parameters, nothing else goes on."""


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
    templates: Mapping[tuple[str, str], TemplateForm | ServiceError]
    files: Mapping[tuple[str, str], MediaFile | ServiceError]
    flows: Mapping[tuple[str, str], object | ServiceError]
    contacts: Mapping[str, RecipientContact]
    people: Mapping[bytes, RecipientContact]
    pairs: Mapping[PairKey, PairState]
    denied: frozenset[bytes]
    answered: Mapping[str, tuple[str, bytes]]


@dataclass(slots=True)
class NamedThings:
    """What requests name, each thing once, in the order in which it is named first."""

    addresses: dict[str, str | None] = field(default_factory=dict)
    identities: dict[str, bytes] = field(default_factory=dict)
    pairs: set[PairKey] = field(default_factory=set)
    senders: dict[tuple[Channel, str], None] = field(default_factory=dict)
    templates: dict[tuple[str, str], None] = field(default_factory=dict)
    files: set[tuple[str, str]] = field(default_factory=set)
    flows: dict[tuple[str, str], None] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)

    def add(
        self,
        caller: Caller,
        request: ConversationRequest,
        contacts: Mapping[str, RecipientContact],
    ) -> None:
        """Those of one request."""
        sender = request.sender_id
        self.addresses[request.id] = address = _address(request, contacts)
        if address is not None:
            identity = identity_of(
                request.channel,
                caller.organization_id,
                address,
                unified=caller.unifies_ninth_digit,
            )
            self.identities[request.id] = identity
            self.pairs.add((sender, identity))
        self.senders[request.channel, sender] = None
        if request.template_id is not None:
            self.templates[request.template_id, sender] = None
        if (file := request.media_id) is not None:
            self.files.add((sender, file))
        if (flow := request.flow_id) is not None:
            self.flows[flow, sender] = None
        if request.reply_to:
            self.answered.add(request.reply_to)


async def resolve_references(caller: Caller, requests: Sequence[ConversationRequest]) -> References:
    """Everything that the requests name; a refusal of one thing stands in its place."""
    contacts = await _contacts(caller, {one.contact_id for one in requests if one.contact_id})
    named = NamedThings()
    async for one in in_turns(requests):
        named.add(caller, one, contacts)
    return References(
        provider=_provider(caller),
        price=await _price(caller, named.templates),
        senders=await _each(named.senders, lambda key: _sender(caller, *key)),
        addresses=named.addresses,
        identities=named.identities,
        templates=await _each(named.templates, lambda key: _template(caller, *key)),
        files=await media.files_for_sending(caller, named.files),
        flows=await _each(named.flows, lambda key: flows.flow_for_sending(caller, *key)),
        contacts=contacts,
        people=await _people(caller, set(named.identities.values())),
        pairs=await _pairs(caller, named.pairs),
        denied=await _denied_of_templates(caller, named, contacts),
        answered=await _answered(caller, named.answered),
    )


def _provider(caller: Caller) -> str:
    platform = registry.for_conversations()
    return SANDBOX if caller.env == "test" or platform is None else platform.name


async def _template(caller: Caller, id: str, sender_id: str) -> TemplateForm:
    return TemplateForm.of(await templates.template_for_sending(caller, id, sender_id))


async def _pairs(caller: Caller, keys: Collection[PairKey]) -> dict[PairKey, PairState]:
    found: dict[PairKey, PairState] = {}
    async for part in _in_parts(keys):
        found |= await find_pairs(caller.organization_id, caller.env, part)
    return found


async def _denied_of_templates(
    caller: Caller, named: NamedThings, contacts: Mapping[str, RecipientContact]
) -> frozenset[bytes]:
    """Who opted out of the channel: only a template may be refused for that."""
    if not named.templates:
        return frozenset()
    hashes = {*named.identities.values(), *(person.identity for person in contacts.values())}
    denied: set[bytes] = set()
    async for part in _in_parts(hashes):
        denied |= await opted_out_among(caller.organization_id, caller.env, Channel.WHATSAPP, part)
    return frozenset(denied)


def _in_parts(these: Collection[Key]) -> AsyncIterator[Sequence[Key]]:
    return in_parts(list(these), LOOK_UP_SIZE, beside_light=LOOK_UP_SIZE)


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


async def _price(caller: Caller, named: Collection[object]) -> int:
    """Of a template: nothing else costs anything."""
    if not current().charges or not named:
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
    found: dict[bytes, RecipientContact] = {}
    async for part in _in_parts(identities):
        rows = await db.fetch(
            "SELECT id, phone, identity FROM contacts WHERE organization_id = $1 AND env "
            "= $2 AND identity = ANY ($3)",
            caller.organization_id,
            caller.env,
            part,
        )
        found |= {row["identity"]: RecipientContact(*row.values()) for row in rows}
    return found


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
