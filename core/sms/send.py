"""Sending one SMS."""

import asyncio
import re
from typing import Any

from core import idempotency
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.sms.encoding import encode_sms
from core.sms.errors import LinksNotTracked
from core.sms.inputs import NewSms
from core.sms.intake import Accepted, Draft, intake
from core.sms.record import masked

ROUTE = "sms.send"
IN_FLIGHT_SECONDS = 10.0
POLL_SECONDS = 0.1
MOST_WAITERS = 16
PRINTABLE = re.compile(r"[\x20-\x7e]{1,255}\Z")

_waiters = 0


async def send_message(caller: Caller, new: NewSms, *, idempotency_key: str) -> dict[str, Any]:
    """Price, accept and record one SMS, once per key. Answers the record with `billing` and `replayed`.

    Raises what the interface lists: PaymentRequired, Conflict, PreconditionFailed, ServiceUnavailable and the
    refusals of the key itself. (Interface: Endpoints, SMS, POST /v2/sms/messages.)
    """
    caller.require(Scope.SMS_SEND)
    if not PRINTABLE.match(idempotency_key):
        raise idempotency.InvalidKey
    if new.track_links:
        raise LinksNotTracked
    encoded = encode_sms(new.body)
    body_hash = idempotency.hash_of(new.model_dump(exclude_unset=True))
    use = idempotency.KeyUse(caller.organization_id, caller.env, ROUTE, idempotency_key, body_hash)
    accepted = await _finished(Draft(caller, new, use, encoded, new_id("msg"), now()))
    record = accepted.record if caller.sees_personal_data else masked(accepted.record)
    return {**record, "replayed": accepted.replayed}


async def _finished(draft: Draft) -> Accepted:
    """The outcome, waiting a while for another send with the same key; no connection is held meanwhile."""
    outcome = await intake.submit(draft)
    if isinstance(outcome, Accepted):
        return outcome
    global _waiters
    if _waiters >= MOST_WAITERS:
        raise idempotency.StillUnderWay
    _waiters += 1
    try:
        clock = asyncio.get_running_loop().time
        deadline = clock() + IN_FLIGHT_SECONDS
        while not isinstance(outcome, Accepted):
            if clock() >= deadline:
                raise idempotency.StillUnderWay
            if outcome.elsewhere:
                await asyncio.sleep(POLL_SECONDS)
            outcome = await intake.submit(draft)
        return outcome
    finally:
        _waiters -= 1
