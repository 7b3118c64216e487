"""The row and the answer of an e-mail that is accepted."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from core import decisions, idempotency
from core.email.addresses import Sender
from core.email.errors import NoRelay
from core.email.inputs import NewEmail
from core.email.outgoing import compose
from core.email.record import send_record
from core.email.senders import CHANGED_SQL
from core.email.suppression import SUPPRESSED, SUPPRESSED_SQL, Addressee, SuppressionCheck
from core.foundation.database.rows_beside import RowsBeside
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
from core.short_links import links_beside

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
    addressee: Addressee = field(init=False)

    def __post_init__(self) -> None:
        self.addressee = Addressee.of(
            self.id,
            self.caller.organization_id,
            self.caller.env,
            self.new.to,
            contact_id=self.new.contact_id,
            marketing=self.new.is_marketing,
        )


def without_relay(caller: Caller) -> NoRelay | None:
    """Why a live e-mail cannot be carried at all."""
    return NoRelay() if caller.env == "live" and registry.for_mail() is None else None


def refused(send: EmailSend, refusal: Exception) -> SendRequest:
    """A send that is not accepted; an earlier one with its key is answered all the same."""
    request = _request_of(send, _message(send))
    request.answer, request.forbidden = {}, refusal
    return request


def _request_of(send: EmailSend, message: MessageRow) -> SendRequest:
    return SendRequest(
        caller=send.caller, use=send.use, message=message, at=send.at, quote_id=send.new.quote_id
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
    new = send.new
    if new.is_marketing and check.denied:
        return refused(send, RecipientOptedOut())
    message = _message(send)
    message.sender_address = str(sender)
    request = _request_of(send, message)
    if check.suppressed:
        message.status, message.reason = Status.FAILED, SUPPRESSED
        message.failed_at, message.settle_at = send.at, None
        request.answer = answer_to(message)
        return request
    message.coins = coins
    # Written by hand: this is done for every send.
    message.decision_facts = f'{{{VERSION},"{PRICE}":{{"unitCoins":{coins}}}}}'
    identity = send.addressee.identity
    outgoing = await compose(new, sender, id=message.id, identity=identity, at=dated)
    request.answer = answer_to(message)
    request.identity = identity if new.is_marketing else None
    request.beside = {OUTGOING_EMAILS.table: (outgoing.sealed, send.at)}
    request.also_write = links_beside(
        message.id, request.owner, Channel.EMAIL, outgoing.links, at=send.at
    )
    return request


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
        provider=sandbox.PROVIDER if caller.env == "test" else smtp.PROVIDER,
        coins=0,
        contact_id=new.contact_id,
        campaign_id=new.campaign_id,
        metadata=new.metadata,
        request_id=caller.request_id,
        created_at=at,
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
