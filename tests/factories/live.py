"""Live callers with money, and what a live provider says of their messages."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.ids import new_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Limits, Scope
from core.providers.contracts import DeliveryReport, InboundReply
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.fakes.provider import reference_of

NO_CEILING = Limits(sms_per_second=10**6)


async def a_live_caller(coins: int = 100_000, *, scopes: frozenset[Scope] = KEY_SCOPES) -> Caller:
    """A live caller of a new organization with this much money."""
    caller = await a_caller("live", scopes=scopes, coins=coins)
    return replace(caller, limits=NO_CEILING)


async def refused_send(caller: Caller, *, key: str | None = None, **changes: Any) -> ServiceError:
    """The refusal that a send meets."""
    try:
        sent = await a_send(caller, key=key, **changes)
    except ServiceError as refusal:
        return refusal
    raise AssertionError(f"not refused: {sent}")


def a_delivery_report(
    message_id: str | None,
    status: str | None = "delivered",
    reason: str | None = None,
    *,
    reference: str | None = None,
    at: datetime | None = None,
) -> DeliveryReport:
    """A report on a message, by our id and, unless told otherwise, by nothing else."""
    words = {"delivered": "DELIVRD", "undelivered": "UNDELIV", "failed": "REJECTD", None: "ENROUTE"}
    receipt = {
        "id": reference or (reference_of(message_id) if message_id else "gw_1"),
        "type": "api_message",
        "to": "+5511987650005",
        "status": words[status],
        "statusDescription": "In the words of the carrier",
        "channel": "SMS",
    }
    return DeliveryReport(message_id, reference, status, reason, at or now(), receipt)  # type: ignore[arg-type]


def a_reply(
    message_id: str | None, body: str = "SIM", *, id: str | None = None, **changes: Any
) -> InboundReply:
    """A recipient's answer to a message, by our id; `id` is the provider's own of the reply."""
    fields = {
        "provider_id": id or new_id("mo"),
        "message_id": message_id,
        "reference": None,
        "sender": "+5511987650005",
        "body": body,
        "received_at": now(),
    }
    return InboundReply(**(fields | changes))
