"""Sending one SMS."""

from dataclasses import replace
from typing import Any

from core import idempotency, messaging
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import (
    AcceptedSend,
    AwaitingProvider,
    Channel,
    InProgress,
    OutcomePending,
    landline_refusal,
)
from core.short_links import plan_links
from core.sms.accept import batched_accept
from core.sms.ceiling import note_allowance
from core.sms.encoding import encode_sms
from core.sms.errors import AboveCeiling
from core.sms.hand_over import hand_over
from core.sms.inputs import NewSms
from core.sms.queries import answer_again
from core.sms.record import masked
from core.sms.send_request import KEY_ROUTE, SmsSendRequest


async def send_message(caller: Caller, new: NewSms, *, idempotency_key: str) -> dict[str, Any]:
    """Price, accept and record one SMS, once per key. Answers the record with `billing` and
    `replayed`.

    Raises what the interface lists: PaymentRequired, Conflict, PreconditionFailed, RateLimited,
    DependencyFailed, ServiceUnavailable, and the refusals of the key itself. (Interface: Endpoints,
    SMS, POST /v2/sms/messages.)
    """
    caller.require(Scope.SMS_SEND)
    use = idempotency.key_use(
        caller, KEY_ROUTE, idempotency_key, new.model_dump(exclude_unset=True)
    )
    text, links = plan_links(new.body, current().base_url) if new.track_links else (new.body, ())
    request = SmsSendRequest(caller, new, use, encode_sms(text), new_id("msg"), now(), links)
    try:
        if (landline := landline_refusal(caller, new.to)) is not None:
            raise landline
        accepted = await _finish(request)
    except Exception as refusal:
        if isinstance(refusal, AboveCeiling):
            note_allowance(caller, refusal.grant)
        messaging.count_refused_send(Channel.SMS, caller.env, refusal)
        raise
    if accepted.replayed:
        idempotency.note_replay()
    messaging.count_send(
        Channel.SMS, caller.env, "replayed" if accepted.replayed else accepted.record["status"]
    )
    if accepted.allowance is not None:
        note_allowance(caller, accepted.allowance)
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return {**record, "replayed": accepted.replayed}


async def _finish(request: SmsSendRequest) -> AcceptedSend:
    """The outcome, waiting a while for another send with the same key; no connection is held
    meanwhile.
    """
    outcome = await batched_accept.submit(request)
    if isinstance(outcome, InProgress):
        outcome = await _wait_for_first(request, outcome)
    match outcome:
        case AcceptedSend():
            return outcome
        case AwaitingProvider(allowance=allowance):
            return AcceptedSend(await hand_over(request), replayed=False, allowance=allowance)
        case OutcomePending(message_id=message_id):
            return AcceptedSend(await answer_again(request.caller, message_id), replayed=True)


async def _wait_for_first(
    request: SmsSendRequest, outcome: InProgress
) -> AcceptedSend | AwaitingProvider | OutcomePending:
    async def ask() -> AcceptedSend | AwaitingProvider | OutcomePending | None:
        nonlocal outcome
        if outcome.elsewhere:
            await idempotency.pause()
        # It asks as of now: the lease of the other one may have ended meanwhile.
        again = await batched_accept.submit(replace(request, at=now()))
        if isinstance(again, InProgress):
            outcome = again
            return None
        return again

    return await idempotency.wait_for_first(ask)
