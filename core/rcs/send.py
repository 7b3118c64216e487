"""Sending one RCS message."""

from datetime import datetime
from functools import partial
from typing import cast

from core import contacts, idempotency, messaging
from core.decisions import KeepRefusals
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.messaging import (
    AcceptedSend,
    BatchedAcceptance,
    Channel,
    MessageRow,
    SendSchedule,
    UnitSends,
)
from core.providers import sandbox
from core.providers.sandbox import Ending
from core.rcs.content import leaving
from core.rcs.delivery_reports.effects import sandbox_receipt
from core.rcs.hand_over import hand_over
from core.rcs.inputs import NewRcs
from core.rcs.price import RcsPrice
from core.rcs.queries import MESSAGES
from core.rcs.queue.accept import batched_queue, queued_rcs
from core.rcs.record import RcsRecord, masked
from core.rcs.rows import KEY_ROUTE, RCS, answer_to, message_of, request_of, requests_of
from core.rcs.send_request import RcsSend
from core.sms import encode_sms


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
    accepted = await messaging.send_once(
        Channel.RCS,
        send,
        acceptance=batched_accept,
        hand_over=hand_over,
        again=MESSAGES.answer_again,
    )
    return _answer(caller, accepted)


async def _send_later(
    caller: Caller, new: NewRcs, due_at: datetime, *, idempotency_key: str
) -> RcsRecord:
    """Accept one RCS message as queued."""
    request = queued_rcs(caller, new, key=idempotency_key, later=SendSchedule(due_at))
    accepted = await messaging.send_once(
        Channel.RCS, request, acceptance=batched_queue, again=MESSAGES.answer_again
    )
    return _answer(caller, accepted)


def _answer(caller: Caller, accepted: AcceptedSend) -> RcsRecord:
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return cast("RcsRecord", record)


def _accepted_as(send: RcsSend, prices: RcsPrice | None) -> messaging.SendRequest:
    """The send as it is accepted: the message, its key, its price and what the sandbox answers."""
    ending = _ending(send.caller, send.new)
    message = message_of(send, ending, prices)
    request = request_of(send, message, prices)
    if ending is not None:
        request.answer = answer_to(message)
        if ending.refused:
            request.refused = messaging.ProviderOutOfCredit(message.id)
        if ending.status is not None:
            request.beside = {"sandbox_reports": _report(message, ending, at=send.at)}
    return request


def _ending(caller: Caller, new: NewRcs) -> Ending | None:
    """What the sandbox answers; None for a live send."""
    if caller.env != "test":
        return None
    return sandbox.rcs_ending(new.to, fallback=new.fallback is not None)


def _report(message: MessageRow, ending: Ending, *, at: datetime) -> tuple[object, ...]:
    receipt = sandbox_receipt(message.recipient, message.id, ending)
    return (Channel.RCS, ending.status, ending.reason, sandbox.next_report_at(at), receipt)


SENDS: UnitSends[RcsSend] = UnitSends(
    channel=Channel.RCS,
    requests_of=partial(requests_of, accepted_as=_accepted_as),
    write=partial(messaging.accept_batch, RCS),
    answer_to=answer_to,
)
batched_accept = BatchedAcceptance(SENDS.accept, SENDS.accept_quoted, concurrency=2)
