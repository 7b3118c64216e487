"""Failing over: a second provider is asked after the first has clearly refused a message.

A clear refusal says that nothing left: throttled, out of credit, failed. After an unknown outcome
nobody else is ever asked. Before the second one is handed the message, the message is made its own,
so that look-ups and reports after a crash are the second one's; a message whose outcome was settled
meanwhile, or that was handed over again, stays with the first.
"""

from collections.abc import Sequence

import structlog

from core.foundation.database import db
from core.foundation.observability.metrics import Counter
from core.messaging.models import Status
from core.providers.contracts import Answer, Failed, Outgoing, OutOfCredit, SmsProvider, Throttled

FAILED_OVER = Counter(
    "svc_messages_failed_over_total",
    "Messages that a second provider was handed, because the first clearly refused them.",
    ("first", "second", "refusal"),
)

log = structlog.get_logger()


async def hand_over_in_turn(
    carriers: Sequence[SmsProvider], outgoing: Outgoing, *, open: Status
) -> Answer:
    """The answer of the first provider, or of the second where the first clearly refused. `open`:
    the status of a message whose outcome is not known.
    """
    first, second = carriers[0], carriers[1] if len(carriers) > 1 else None
    answer = await first.send(outgoing)
    if second is None or not isinstance(answer, Failed | Throttled | OutOfCredit):
        return answer
    if await db.fetchval(CHANGE, outgoing.id, first.name, second.name, open) is None:
        return answer
    refusal = type(answer).__name__
    FAILED_OVER.labels(first.name, second.name, refusal).add()
    log.info(
        "message_failed_over",
        message_id=outgoing.id,
        first=first.name,
        second=second.name,
        refusal=refusal,
    )
    return await second.send(outgoing)


CHANGE = """
UPDATE messages SET provider = $3
WHERE id = $1 AND provider = $2 AND status = $4 AND coalesce(attempts, 0) = 0
RETURNING id
"""
