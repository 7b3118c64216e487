"""Sending one RCS message."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NoReturn, cast

from core import contacts, idempotency, messaging
from core.decisions import KeepRefusals
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import AcceptedSend, AcceptOutcome, Channel, MessageRow
from core.providers import sandbox
from core.providers.sandbox import Ending
from core.rcs.content import leaving
from core.rcs.delivery_reports.effects import sandbox_receipt
from core.rcs.hand_over import hand_over
from core.rcs.inputs import NewRcs
from core.rcs.outgoing import MARKETING_ROUTE
from core.rcs.price import RcsPrice, quotes_of
from core.rcs.queries import MESSAGES
from core.rcs.queue.accept import QueuedRcs, batched_queue, batched_quoted_queue, queued_rcs
from core.rcs.record import RcsRecord, masked
from core.rcs.rows import KEY_ROUTE, RCS, answer_to, forbidden, links_of, message_of
from core.rcs.send_request import RcsSend
from core.sms import encode_sms


async def accept_batch(sends: Sequence[RcsSend]) -> list[AcceptOutcome | Exception]:
    """Record what can be sent, in one statement; what cannot may be a repeat, which is answered
    again.
    """
    return await _write(await _requests_of(sends))


async def accept_quoted_batch(sends: Sequence[RcsSend]) -> list[AcceptOutcome | Exception]:
    """Accept sends that each name a quote, at no more than it promises."""
    return await messaging.accept_by_quote(
        Channel.RCS, await _requests_of(sends), write=_write, answer_to=answer_to
    )


async def _write(requests: Sequence[messaging.SendRequest]) -> list[AcceptOutcome | Exception]:
    return await messaging.accept_batch(RCS, requests)


batched_accept: Combiner[RcsSend, AcceptOutcome] = Combiner(accept_batch, concurrency=2)
batched_quoted_accept: Combiner[RcsSend, AcceptOutcome] = Combiner(accept_quoted_batch)
"""Apart from the others, which wait for no quote."""


async def send_message(caller: Caller, new: NewRcs, *, idempotency_key: str) -> RcsRecord:
    """Price, accept and record one RCS message, once per key. Answers the record. One with a time
    is queued until then.

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
    stands_in = encode_sms(new.fallback.text) if new.fallback else None
    send = RcsSend(caller, new, use, leaving(new), stands_in, new_id("msg"), now())
    acceptance = batched_accept if new.quote_id is None else batched_quoted_accept
    accepted = await messaging.send_once(
        Channel.RCS, send, acceptance=acceptance, hand_over=hand_over, again=MESSAGES.answer_again
    )
    return _answer(caller, accepted)


async def _send_later(
    caller: Caller, new: NewRcs, due_at: datetime, *, idempotency_key: str
) -> RcsRecord:
    """Accept one RCS message as queued."""
    request = queued_rcs(caller, new, key=idempotency_key, due_at=due_at)
    acceptance = batched_queue if new.quote_id is None else batched_quoted_queue
    accepted = await messaging.send_once(
        Channel.RCS, request, acceptance=acceptance, hand_over=_never, again=MESSAGES.answer_again
    )
    return _answer(caller, accepted)


async def _never(request: QueuedRcs) -> NoReturn:
    raise AssertionError("the answer to a message that waits is known when it is accepted")


def _answer(caller: Caller, accepted: AcceptedSend) -> RcsRecord:
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return cast("RcsRecord", record)


async def _requests_of(sends: Sequence[RcsSend]) -> list[messaging.SendRequest]:
    at = max(send.at for send in sends)
    prices = await quotes_of([send.priced_by for send in sends], at=at)
    return [_request_of(send, price) for send, price in zip(sends, prices, strict=True)]


def _request_of(send: RcsSend, prices: RcsPrice | None) -> messaging.SendRequest:
    caller, new, at = send.caller, send.new, send.at
    ending = _ending(caller, new)
    message = message_of(
        caller,
        new,
        ending,
        id=send.id,
        at=at,
        left=send.left,
        stands_in=send.stands_in,
        prices=prices,
    )
    return messaging.SendRequest(
        caller=caller,
        use=send.use,
        message=message,
        at=at,
        answer=answer_to(message) if ending is not None else None,
        identity=contacts.phone_identity(caller, new.to) if new.route == MARKETING_ROUTE else None,
        forbidden=forbidden(caller, new, prices),
        refused=messaging.ProviderOutOfCredit(message.id) if _is_refused(ending) else None,
        beside={"sandbox_reports": _report(message, ending, at=at)}
        if ending is not None and ending.status is not None
        else None,
        also_write=links_of(message, send.left.links, at=at),
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
