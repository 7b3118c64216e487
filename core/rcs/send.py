"""Sending one RCS message."""

from datetime import datetime, timedelta
from functools import partial
from typing import NoReturn, cast

from core import contacts, idempotency, messaging
from core.decisions import KeepRefusals
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import AcceptedSend, Channel, MessageRow
from core.providers import sandbox
from core.providers.sandbox import Ending
from core.rcs.content import Leaving, leaving
from core.rcs.delivery_reports.effects import sandbox_receipt
from core.rcs.hand_over import hand_over
from core.rcs.inputs import NewRcs
from core.rcs.outgoing import MARKETING_ROUTE
from core.rcs.price import AskedPrice, RcsPrice, quotes_now
from core.rcs.queries import answer_again
from core.rcs.queue.accept import QueuedRcs, batched_queue, batched_quoted_queue, queued_rcs
from core.rcs.record import RcsRecord, masked
from core.rcs.rows import KEY_ROUTE, RCS, answer_to, forbidden, links_of, message_of
from core.sms import Encoded, encode_sms

batched_accept: Combiner[messaging.SendRequest, messaging.AcceptOutcome] = Combiner(
    partial(messaging.accept_batch, RCS), concurrency=2
)
batched_quoted_accept: Combiner[messaging.SendRequest, messaging.AcceptOutcome] = Combiner(
    partial(
        messaging.accept_by_quote,
        Channel.RCS,
        write=partial(messaging.accept_batch, RCS),
        answer_to=answer_to,
    )
)
"""Apart from the others, which wait for no quote."""

_prices: Combiner[AskedPrice, RcsPrice | None] = Combiner(quotes_now)


async def send_message(caller: Caller, new: NewRcs, *, idempotency_key: str) -> RcsRecord:
    """Price, accept and record one RCS message, once per key. Answers the record. One with a time is
    queued until then.

    Raises what the interface lists: PaymentRequired, Conflict, PreconditionFailed,
    ValidationFailed, DependencyFailed, ServiceUnavailable, and the refusals of the key itself.
    (Interface: Endpoints, RCS, POST /v2/rcs/messages.)
    """
    async with KeepRefusals(
        caller,
        Channel.RCS,
        contact_id=new.contact_id,
        identity=partial(contacts.phone_identity, caller, new.to),
    ):
        caller.require(Scope.RCS_SEND)
        if new.scheduled_at is not None:
            return await _send_later(caller, new, new.scheduled_at, idempotency_key=idempotency_key)
        return await _send_now(caller, new, idempotency_key=idempotency_key)


async def _send_now(caller: Caller, new: NewRcs, *, idempotency_key: str) -> RcsRecord:
    """Accept one RCS message, and hand it over."""
    use = idempotency.key_use(
        caller, KEY_ROUTE, idempotency_key, new.model_dump(exclude_unset=True)
    )
    at = now()
    stands_in = encode_sms(new.fallback.text) if new.fallback else None
    segments = stands_in.segments if stands_in else 0
    prices = await _prices.submit((caller.organization_id, new.route, segments))
    request = _request_of(
        caller, new, use, at=at, left=leaving(new), stands_in=stands_in, prices=prices
    )
    acceptance = batched_accept if new.quote_id is None else batched_quoted_accept
    accepted = await messaging.send_once(
        Channel.RCS, request, acceptance=acceptance, hand_over=hand_over, again=answer_again
    )
    return _answer(caller, accepted)


async def _send_later(
    caller: Caller, new: NewRcs, due_at: datetime, *, idempotency_key: str
) -> RcsRecord:
    """Accept one RCS message as queued."""
    request = queued_rcs(caller, new, key=idempotency_key, due_at=due_at)
    acceptance = batched_queue if new.quote_id is None else batched_quoted_queue
    accepted = await messaging.send_once(
        Channel.RCS, request, acceptance=acceptance, hand_over=_never, again=answer_again
    )
    return _answer(caller, accepted)


async def _never(request: QueuedRcs) -> NoReturn:
    raise AssertionError("the answer to a message that waits is known when it is accepted")


def _answer(caller: Caller, accepted: AcceptedSend) -> RcsRecord:
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return cast("RcsRecord", record)


def _request_of(
    caller: Caller,
    new: NewRcs,
    use: idempotency.KeyUse,
    *,
    at: datetime,
    left: Leaving,
    stands_in: Encoded | None,
    prices: RcsPrice | None,
) -> messaging.SendRequest:
    ending = _ending(caller, new)
    message = message_of(caller, new, ending, at=at, left=left, stands_in=stands_in, prices=prices)
    return messaging.SendRequest(
        caller=caller,
        use=use,
        message=message,
        at=at,
        answer=answer_to(message) if ending is not None else None,
        identity=contacts.phone_identity(caller, new.to) if new.route == MARKETING_ROUTE else None,
        forbidden=forbidden(caller, new, prices),
        refused=messaging.ProviderOutOfCredit(message.id) if _is_refused(ending) else None,
        beside={"sandbox_reports": _report(message, ending, at=at)}
        if ending is not None and ending.status is not None
        else None,
        also_write=links_of(message, left.links, at=at),
        quote_id=new.quote_id,
    )


def _ending(caller: Caller, new: NewRcs) -> Ending | None:
    """What the sandbox answers; None for a live send."""
    if caller.env != "test":
        return None
    return sandbox.rcs_ending(new.to, fallback=new.fallback is not None)


def _is_refused(ending: Ending | None) -> bool:
    return ending is not None and ending.refused


def _report(message: MessageRow, ending: Ending, *, at: datetime) -> tuple[object, ...]:
    due_at = at + timedelta(seconds=current().sandbox_delay_seconds)
    receipt = sandbox_receipt(message.recipient, message.id, ending)
    return (Channel.RCS, ending.status, ending.reason, due_at, receipt)
