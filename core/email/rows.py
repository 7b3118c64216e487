"""The row, the short links and the answer of an e-mail that is accepted."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Self

from core import decisions, idempotency
from core.email.addresses import Sender
from core.email.errors import NoRelay
from core.email.inputs import NewEmail
from core.email.outgoing import compose
from core.email.record import send_record
from core.email.senders import CHANGED_SQL
from core.email.suppression import SUPPRESSED, SUPPRESSED_SQL, Addressee, SuppressionCheck
from core.foundation.database.rows_beside import RowsBeside
from core.foundation.ids import new_id
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.messaging import (
    OWN_COLUMNS,
    Channel,
    Direction,
    MessageRow,
    Obstacle,
    RecipientOptedOut,
    Record,
    SendChannel,
    SendRequest,
    Status,
)
from core.providers import registry, sandbox, smtp
from core.short_links import LinksOfMessage, PlannedLink, store_links

VERSION = f'"{decisions.VERSION}":{decisions.RULES_VERSION}'
PRICE = Rule.PRICE.value

KEY_ROUTE = "email.send"
"""Where the Idempotency-Keys of sends are kept apart from those of other operations."""

OUTGOING_EMAILS = RowsBeside("email_letters", (("letter", "text"), ("created_at", "timestamptz")))

EMAIL = SendChannel(
    Channel.EMAIL,
    key_route=KEY_ROUTE,
    columns=(*OWN_COLUMNS, "sender_address", "subject", "body_bytes", "reason"),
    beside=(OUTGOING_EMAILS,),
)


class LookAnew(Exception):
    """What was taken for granted of a send is not so: it has to be looked up."""


EMAIL_AS_REMEMBERED = replace(
    EMAIL,
    asked=(
        ("address_asked", "bytea"),
        ("sender_asked", "text"),
        ("sender_domain", "text"),
        ("no_sender", "bool"),
    ),
    obstacles=(
        Obstacle(
            "suppressed", SUPPRESSED_SQL.format(row="r", identity="r.address_asked"), LookAnew
        ),
        Obstacle("other_sender", CHANGED_SQL, LookAnew),
    ),
)
"""The channel where nothing is looked up before: what the sender was is remembered, and all that may
have changed is asked by the statement that accepts.
"""


@dataclass(slots=True)
class EmailSend:
    """A send whose input is valid, before sender, suppression and price are looked at.

    Not frozen, as the row: one is made of each send.
    """

    caller: Caller
    new: NewEmail
    use: idempotency.KeyUse
    id: str
    at: datetime
    addressee: Addressee

    @classmethod
    def of(cls, caller: Caller, new: NewEmail, use: idempotency.KeyUse, *, at: datetime) -> Self:
        """A new one."""
        id = new_id("msg")
        addressee = Addressee.of(
            id,
            caller.organization_id,
            caller.env,
            new.to,
            contact_id=new.contact_id,
            marketing=new.is_marketing,
        )
        return cls(caller, new, use, id, at, addressee)


def without_relay(caller: Caller) -> NoRelay | None:
    """Why a live e-mail cannot be carried at all."""
    return NoRelay() if caller.env == "live" and registry.for_mail() is None else None


def refused(send: EmailSend, refusal: Exception) -> SendRequest:
    """A send that is not accepted; an earlier one with its key is answered all the same."""
    return SendRequest(
        caller=send.caller,
        use=send.use,
        message=_message(send),
        at=send.at,
        answer={},
        forbidden=refusal,
        quote_id=send.new.quote_id,
    )


async def accepted_as(
    send: EmailSend,
    sender: Sender,
    check: SuppressionCheck,
    *,
    coins: int,
    dated: datetime,
) -> SendRequest:
    """The send as it is accepted: the message, its key, its price and its e-mail, which bears the
    date `dated`. One whose address is known not to work fails at once, uncharged.
    """
    caller, new = send.caller, send.new
    if new.is_marketing and check.denied:
        return refused(send, RecipientOptedOut())
    message = _message(send)
    message.sender_address = str(sender)
    if check.suppressed:
        message.status, message.reason = Status.FAILED, SUPPRESSED
        message.failed_at, message.settle_at = send.at, None
        return SendRequest(
            caller=caller,
            use=send.use,
            message=message,
            at=send.at,
            answer=answer_to(message),
            quote_id=new.quote_id,
        )
    message.coins = coins
    # Written by hand: this is done for every send.
    message.decision_facts = f'{{{VERSION},"{PRICE}":{{"unitCoins":{coins}}}}}'
    identity = send.addressee.identity
    outgoing = await compose(new, sender, id=message.id, identity=identity, at=dated)
    return SendRequest(
        caller=caller,
        use=send.use,
        message=message,
        at=send.at,
        answer=answer_to(message),
        identity=identity if new.is_marketing else None,
        beside={OUTGOING_EMAILS.table: (outgoing.sealed, send.at)},
        also_write=_links_of(message, outgoing.links),
        quote_id=new.quote_id,
    )


def _message(send: EmailSend) -> MessageRow:
    return message_of(send.caller, send.new, id=send.id, at=send.at)


def message_of(caller: Caller, new: NewEmail, *, id: str, at: datetime) -> MessageRow:
    """The row of an e-mail that may leave now."""
    return MessageRow(
        id=id,
        organization_id=caller.organization_id,
        env=caller.env,
        channel=Channel.EMAIL,
        direction=Direction.OUTBOUND,
        status=Status.QUEUED,
        route=new.category,
        recipient=new.to,
        region=None,
        sender_id=None,
        provider=sandbox.PROVIDER if caller.env == "test" else smtp.PROVIDER,
        provider_reference=None,
        encoding=None,
        length=None,
        segments=None,
        coins=0,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=at,
        sent_at=None,
        failed_at=None,
        updated_at=at,
        settle_at=at,
        subject=new.subject,
        quote_id=new.quote_id,
        body_bytes=len((new.html or "").encode()) + len((new.text or "").encode()),
    )


def answer_to(message: MessageRow) -> Record:
    """The unmasked answer to the send; what only reports bring is not there yet."""
    nothing: dict[str, Any] = dict.fromkeys(("scheduled_at", "delivered_at", "journey_run"))
    return send_record({**nothing, **message.as_row()})


def _links_of(
    message: MessageRow, links: tuple[PlannedLink, ...]
) -> Callable[[], Awaitable[None]] | None:
    if not links:
        return None
    owner = (message.organization_id, message.env)
    of_message = LinksOfMessage(message.id, *owner, Channel.EMAIL, links)
    return partial(store_links, [of_message], at=message.created_at)
