"""Handing RCS messages over again that their idempotent provider does not know."""

from datetime import datetime

from core import contacts, messaging
from core.foundation.database import db
from core.messaging import Channel, Status
from core.providers.contracts import Answer, Outgoing, Unknown
from core.rcs.outgoing import outgoing_of, stand_in_of

MARKETING_ROUTE = "easy_rcs"
"""The route on which a recipient's opt-out counts; the other one is transactional."""


async def hand_over_again(row: db.Row, *, at: datetime) -> Answer | None:
    """Hand the message over where it may be handed over again. None where it was not."""
    due = await _claim(row, since=row["created_at"], open=Status.QUEUED, at=at)
    return await _hand_over(due, outgoing_of(due)) if due is not None else None


async def hand_stand_in_over_again(row: db.Row, *, since: datetime, at: datetime) -> Answer | None:
    """The same of the SMS that stands in, which was first handed over at `since`."""
    due = await _claim(row, since=since, open=Status.SENT, at=at)
    return await _hand_over(due, stand_in_of(due)) if due is not None else None


async def _claim(row: db.Row, *, since: datetime, open: Status, at: datetime) -> db.Row | None:
    marketing = row["route"] == MARKETING_ROUTE
    identities = (
        contacts.identities_of_phone(row["organization_id"], row["recipient"]) if marketing else ()
    )
    candidate = messaging.Candidate(row, since, identities)
    return next(iter(await messaging.claim_again([candidate], open=open, at=at)), None)


async def _hand_over(row: db.Row, outgoing: Outgoing) -> Answer:
    provider = messaging.may_repeat(row["provider"])
    if provider is None:
        return Unknown()
    answer = await provider.send(outgoing)
    messaging.count_again(Channel.RCS, answer)
    return answer
