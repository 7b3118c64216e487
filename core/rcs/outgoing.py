"""An RCS message, and its SMS fallback, as the provider gets them."""

from core.foundation.database import db
from core.messaging import Channel
from core.providers.contracts import FALLBACK, Outgoing
from core.rcs.price import SMS_ROUTE

MARKETING_ROUTE = "easy_rcs"
"""The route on which a recipient's opt-out counts; the other one is transactional."""


def outgoing_of(row: db.Row) -> Outgoing:
    """The rich message itself."""
    return Outgoing(
        id=row["id"],
        channel=Channel.RCS,
        to=row["recipient"],
        text=None,
        content=row["content"],
        route=row["route"] or "",
        sender_id=None,
        organization_id=row["organization_id"],
    )


def stand_in_of(row: db.Row) -> Outgoing:
    """The SMS that stands in for it: a message of its own for the provider."""
    return Outgoing(
        id=row["id"] + FALLBACK,
        channel=Channel.SMS,
        to=row["recipient"],
        text=row["fallback"]["text"],
        content=None,
        route=SMS_ROUTE[row["route"]],
        sender_id=None,
        organization_id=row["organization_id"],
    )
