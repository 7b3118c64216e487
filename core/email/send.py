"""Sending one e-mail: accepted at once, handed to the relay by a worker."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from core import idempotency, wallet
from core.email.errors import NoRelay, NoVerifiedSender
from core.email.inputs import NewEmail
from core.email.outgoing import compose
from core.email.queries import answer_again
from core.email.record import masked, send_record
from core.email.senders import sender_for
from core.email.suppression import SUPPRESSED, Addressee, check_suppression
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.database.rows_beside import RowsBeside
from core.foundation.ids import new_id
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import (
    OWN_COLUMNS,
    AcceptOutcome,
    Channel,
    Direction,
    MessageRow,
    RecipientOptedOut,
    Record,
    SendChannel,
    SendRequest,
    Status,
    accept_batch,
    send_once,
)
from core.providers import registry, sandbox, smtp
from core.short_links import LinksOfMessage, PlannedLink, store_links

KEY_ROUTE = "email.send"

EMAIL = SendChannel(
    Channel.EMAIL,
    key_route=KEY_ROUTE,
    columns=(*OWN_COLUMNS, "sender_address", "subject", "body_bytes", "reason"),
    beside=(RowsBeside("email_letters", (("letter", "text"), ("created_at", "timestamptz"))),),
)


async def _accept(requests: Sequence[SendRequest]) -> list[AcceptOutcome | Exception]:
    outcomes = await accept_batch(EMAIL, requests)
    await wake(Job.HAND_OVER_EMAILS)
    return outcomes


batched_accept: Combiner[SendRequest, AcceptOutcome] = Combiner(_accept, lanes=2)


async def send_message(caller: Caller, new: NewEmail, *, idempotency_key: str) -> dict[str, Any]:
    """Accept one e-mail, once per key, with its price held. Answers the record with `billing` and
    `replayed`.

    It leaves afterwards: `queued` here, or `failed` as `suppressed`, uncharged, where its address
    is known not to work or has complained. Raises PaymentRequired, Conflict, ServiceUnavailable,
    NoVerifiedSender, RecipientOptedOut and the refusals of the key itself. (Decisions: Email send.)
    """
    caller.require(Scope.EMAIL_SEND)
    use = idempotency.key_use(
        caller, KEY_ROUTE, idempotency_key, new.model_dump(exclude_unset=True)
    )
    request = await _request_of(caller, new, use)
    accepted = await send_once(
        Channel.EMAIL, request, acceptance=batched_accept, hand_over=_never, again=answer_again
    )
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return {**record, "replayed": accepted.replayed}


async def _request_of(caller: Caller, new: NewEmail, use: idempotency.KeyUse) -> SendRequest:
    id, at = new_id("msg"), now()
    addressee = Addressee(
        id, caller.organization_id, caller.env, new.to, new.contact_id, new.is_marketing
    )
    message = message_of(caller, new, id=id, at=at)
    check = (await check_suppression([addressee]))[id]
    try:
        if caller.env == "live" and registry.for_mail() is None:
            raise NoRelay
        sender = await sender_for(caller, new.from_)
        if new.is_marketing and check.denied:
            raise RecipientOptedOut
    except (NoRelay, NoVerifiedSender, RecipientOptedOut) as refusal:
        # An earlier send with this key is answered all the same.
        return SendRequest(
            caller=caller, use=use, message=message, at=at, answer={}, forbidden=refusal
        )
    message = replace(message, sender_address=str(sender))
    if check.suppressed:
        message = replace(
            message, status=Status.FAILED, reason=SUPPRESSED, failed_at=at, settle_at=None
        )
        return SendRequest(
            caller=caller, use=use, message=message, at=at, answer=send_record_of(message)
        )
    price = await wallet.email_price(caller.organization_id) if current().charges else 0
    message = replace(message, coins=price)
    outgoing = await compose(
        new, sender, id=message.id, identity=addressee.identity, at=message.created_at
    )

    return SendRequest(
        caller=caller,
        use=use,
        message=message,
        at=at,
        answer=send_record_of(message),
        identity=addressee.identity if new.is_marketing else None,
        beside={"email_letters": (outgoing.sealed, at)},
        also_write=_links_of(message, outgoing.links),
    )


def _links_of(
    message: MessageRow, links: tuple[PlannedLink, ...]
) -> Callable[[], Awaitable[None]] | None:
    if not links:
        return None
    owner = (message.organization_id, message.env)
    of_message = LinksOfMessage(message.id, *owner, Channel.EMAIL, links)
    return partial(store_links, [of_message], at=message.created_at)


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
        body_bytes=len((new.html or "").encode()) + len((new.text or "").encode()),
    )


def send_record_of(message: MessageRow) -> Record:
    """What the send answers."""
    return send_record({**message.as_row(), "delivered_at": None})


async def _never(request: SendRequest) -> Record:
    raise AssertionError("the answer to an e-mail is known when it is accepted")
