"""Sending one SMS."""

from dataclasses import replace
from typing import Any

from core import idempotency, messages
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.settings import current
from core.messages import Channel
from core.messages.sending import landline_refusal
from core.short_links import plan_links
from core.sms.ceiling import note_allowance
from core.sms.draft import KEY_ROUTE, Draft, Held, Taken, UnderWay, Unsettled
from core.sms.encoding import encode_sms
from core.sms.errors import AboveCeiling
from core.sms.hand_over import hand_over
from core.sms.inputs import NewSms
from core.sms.intake import intake
from core.sms.queries import answer_again
from core.sms.record import masked


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
    draft = Draft(caller, new, use, encode_sms(text), new_id("msg"), now(), links)
    try:
        if (landline := landline_refusal(caller, new.to)) is not None:
            raise landline
        taken = await _finished(draft)
    except Exception as refusal:
        if isinstance(refusal, AboveCeiling):
            note_allowance(caller, refusal.grant)
        messages.count_refused_send(Channel.SMS, caller.env, refusal)
        raise
    if taken.replayed:
        idempotency.note_replay()
    messages.count_send(
        Channel.SMS, caller.env, "replayed" if taken.replayed else taken.record["status"]
    )
    if taken.allowance is not None:
        note_allowance(caller, taken.allowance)
    record = taken.record if caller.sees_personal_data else masked(taken.record)
    return {**record, "replayed": taken.replayed}


async def _finished(draft: Draft) -> Taken:
    """The outcome, waiting a while for another send with the same key; no connection is held
    meanwhile.
    """
    outcome = await intake.submit(draft)
    if isinstance(outcome, UnderWay):
        outcome = await _after_the_other(draft, outcome)
    match outcome:
        case Taken():
            return outcome
        case Held(price=price, allowance=allowance):
            return Taken(await hand_over(draft, price), replayed=False, allowance=allowance)
        case Unsettled(message_id=message_id):
            return Taken(await answer_again(draft.caller, message_id), replayed=True)


async def _after_the_other(draft: Draft, outcome: UnderWay) -> Taken | Held | Unsettled:
    async def ask() -> Taken | Held | Unsettled | None:
        nonlocal outcome
        if outcome.elsewhere:
            await idempotency.pause()
        # It asks as of now: the lease of the other one may have ended meanwhile.
        again = await intake.submit(replace(draft, at=now()))
        if isinstance(again, UnderWay):
            outcome = again
            return None
        return again

    return await idempotency.after_the_twin(ask)
