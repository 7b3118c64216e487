"""Pre-send checks: what changed since a message was accepted, and must stop it now."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, cast

from core.conversations.queue.settle import PreSendFailure
from core.conversations.reasons import CANCELED, FailureReason
from core.conversations.windows import is_open
from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.messaging.opt_out import RECIPIENT, opted_out
from core.messaging.queue.rows import QueuedMessage
from core.numbers.sender_accounts import SENDING

WITHDRAWN = PreSendFailure(FailureReason.CANCELED, CANCELED)
WINDOW_CLOSED = PreSendFailure(
    FailureReason.WINDOW_CLOSED,
    "The 24 hours after the recipient's last message were over when it was to leave.",
    "131047",
)
OPTED_OUT = PreSendFailure(
    FailureReason.OPT_OUT, "The recipient asked not to receive communication."
)
TEMPLATE_GONE = PreSendFailure(
    FailureReason.TEMPLATE_UNAVAILABLE,
    "The template was not approved any more when it was to leave.",
)
NUMBER_GONE = PreSendFailure(
    FailureReason.NUMBER_UNAVAILABLE, "The number could not send when it was to leave."
)
SERVICE_REMOVED = PreSendFailure(
    FailureReason.NUMBER_UNAVAILABLE,
    "The platform had removed the service from the number's account when it was to leave.",
)


class LeavingFacts(TypedDict):
    """What decides whether a (locked) message may leave, and how; `denied` is asked of marketing
    alone, `canceled` tells that its person was erased or its batch called off.
    """

    id: str
    type: str
    last_inbound_at: datetime | None
    platform_address: str | None
    template_status: str | None
    number_status: str | None
    partner_removed_at: datetime | None
    reply_reference: str | None
    canceled: bool
    denied: bool


async def lock_messages(due: Sequence[QueuedMessage]) -> dict[str, LeavingFacts]:
    """Lock the queued messages of these rows, and answer by id what decides whether they may leave.

    A row without its message is over already, and missing here.
    """
    rows = await db.fetch(FACTS, *db.columns([_asked(one) for one in due], 5))
    found = cast("list[LeavingFacts]", rows)
    return by_column(found, "id")


def _asked(one: QueuedMessage) -> tuple[object, ...]:
    return one.message_id, one.sender_id, one.identity, one.is_marketing, one.env


def failure_before_send(
    one: QueuedMessage, facts: LeavingFacts, *, at: datetime
) -> PreSendFailure | None:
    """Why the message must not leave any more; None: it may."""
    if facts["canceled"]:
        return WITHDRAWN
    if facts["number_status"] is not None and facts["number_status"] not in SENDING:
        return NUMBER_GONE
    if facts["partner_removed_at"] is not None:
        return SERVICE_REMOVED
    if one.is_marketing and facts["denied"]:
        return OPTED_OUT
    if facts["type"] == "template":
        return None if facts["template_status"] == "approved" else TEMPLATE_GONE
    return None if is_open(facts["last_inbound_at"], at=at) else WINDOW_CLOSED


# Messages are locked before pairs, as everywhere. A report may have moved one that waits: it is
# left alone. Whoever erased a person or called a batch off while this waited in other hands, did
# not find it.
FACTS = f"""
SELECT m.id, m.type, p.last_inbound_at, p.platform_address, t.status AS template_status, n.status AS number_status,
       n.partner_removed_at, r.provider_reference AS reply_reference,
       m.content = '{{}}' OR b.canceled_at IS NOT NULL AS canceled,
       a.marketing AND {opted_out("m", "m.channel", RECIPIENT)} AS denied
FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bool[], $5::text[]) AS a (id, sender_id, identity, marketing, env)
JOIN messages m ON m.id = a.id AND m.env = a.env AND m.status = 'queued'
LEFT JOIN conversation_pairs p
  ON p.organization_id = m.organization_id AND p.env = m.env AND p.sender_id = a.sender_id AND p.identity = a.identity
LEFT JOIN templates t ON t.id = m.template_id AND t.organization_id = m.organization_id
LEFT JOIN numbers n ON n.id = m.number_id AND n.organization_id = m.organization_id
LEFT JOIN messages r ON r.id = m.in_reply_to AND r.organization_id = m.organization_id
LEFT JOIN message_batches b ON b.id = m.batch_id AND b.organization_id = m.organization_id
ORDER BY m.id
FOR UPDATE OF m
"""
