"""Sending one SMS."""

from typing import Any

from core import idempotency, messaging
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messaging import AcceptedSend, Channel, landline_refusal
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
        accepted = await _accept(request)
    except AboveCeiling as refusal:
        note_allowance(caller, refusal.grant)
        raise
    if accepted.allowance is not None:
        note_allowance(caller, accepted.allowance)
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return {**record, "replayed": accepted.replayed}


async def _accept(request: SmsSendRequest) -> AcceptedSend:
    caller = request.caller
    if (landline := landline_refusal(caller, request.new.to)) is not None:
        messaging.count_refused_send(Channel.SMS, caller.env, landline)
        raise landline
    return await messaging.send_once(
        Channel.SMS, request, acceptance=batched_accept, hand_over=hand_over, again=answer_again
    )
