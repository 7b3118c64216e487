"""Sending one SMS."""

from datetime import datetime
from functools import partial
from typing import cast

from core import contacts, idempotency, messaging
from core.decisions import keep_refusal
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import AcceptedSend, Channel, SendSchedule, landline_refusal
from core.short_links import plan_links
from core.smpp import SentBySmpp
from core.sms.accept import batched_accept
from core.sms.ceiling import note_allowance
from core.sms.encoding import encode_sms
from core.sms.errors import AboveCeiling
from core.sms.hand_over import hand_over
from core.sms.inputs import NewSms
from core.sms.queries import MESSAGES
from core.sms.queue.accept import batched_queue, queued_sms
from core.sms.record import SentSms, masked
from core.sms.send_request import KEY_ROUTE, SmsSendRequest


async def send_message(
    caller: Caller,
    new: NewSms,
    *,
    idempotency_key: str,
    by: SentBySmpp | None = None,
) -> SentSms:
    """Price, accept and record one SMS, once per key. Answers the record with `billing` and
    `replayed`. One with a time is queued until then. `by`: the account of SMPP that sends it.

    Raises what the interface lists: PaymentRequired, Conflict, PreconditionFailed, RateLimited,
    DependencyFailed, ServiceUnavailable, and the refusals of the key itself. (Interface: Endpoints,
    SMS, POST /v2/sms/messages.)
    """
    try:
        caller.require(Scope.SMS_SEND)
        if new.scheduled_at is not None:
            return await _send_later(
                caller, new, new.scheduled_at, idempotency_key=idempotency_key, by=by
            )
        return await _send_now(caller, new, idempotency_key=idempotency_key, by=by)
    except ServiceError as refusal:
        await keep_refusal(
            caller,
            Channel.SMS,
            refusal,
            contact_id=new.contact_id,
            identity=partial(contacts.phone_identity, caller, new.to),
        )
        raise


async def _send_now(
    caller: Caller, new: NewSms, *, idempotency_key: str, by: SentBySmpp | None
) -> SentSms:
    """Accept one SMS, and hand it over."""
    use = idempotency.key_use(caller, KEY_ROUTE, idempotency_key, new.as_sent())
    text, links = plan_links(new.body, current().base_url) if new.track_links else (new.body, ())
    request = SmsSendRequest(caller, new, use, encode_sms(text), new_id("msg"), now(), links, by)
    try:
        accepted = await _accept(request)
    except AboveCeiling as refusal:
        note_allowance(caller, refusal.grant)
        raise
    if accepted.allowance is not None:
        note_allowance(caller, accepted.allowance)
    return cast("SentSms", accepted.answer_for(caller, masked))


async def _send_later(
    caller: Caller,
    new: NewSms,
    due_at: datetime,
    *,
    idempotency_key: str,
    by: SentBySmpp | None,
) -> SentSms:
    """Accept one SMS as queued; the ceiling counts when it leaves."""
    request = queued_sms(
        caller,
        new,
        key=idempotency_key,
        later=SendSchedule(due_at, by.valid_until if by else None),
        smpp=by,
    )
    accepted = await messaging.send_once(
        Channel.SMS, request, acceptance=batched_queue, again=MESSAGES.answer_again
    )
    return cast("SentSms", accepted.answer_for(caller, masked))


async def _accept(request: SmsSendRequest) -> AcceptedSend:
    caller = request.caller
    if (landline := landline_refusal(caller, request.new.to)) is not None:
        messaging.count_refused_send(Channel.SMS, caller.env, landline)
        raise landline
    return await messaging.send_once(
        Channel.SMS,
        request,
        acceptance=batched_accept,
        hand_over=hand_over,
        again=MESSAGES.answer_again,
    )
