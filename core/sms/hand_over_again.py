"""Handing live SMS over again that their provider does not know, where it is idempotent."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import structlog

from core import contacts, messaging
from core.foundation.database import db
from core.foundation.security.secrets import CannotDecrypt
from core.messaging import Channel, Status
from core.providers.contracts import Answer, Outgoing, Unknown
from core.sms.rows import MARKETING_ROUTE
from core.sms.sealed_text import unseal

log = structlog.get_logger()


async def hand_over_again(rows: Sequence[db.Row], *, at: datetime) -> dict[str, Answer]:
    """Hand over what may be handed over again. Answers what the provider said, by message id."""
    due = await messaging.claim_again([_candidate(row) for row in rows], open=Status.SENDING, at=at)
    answers = await asyncio.gather(*(_hand_over(row) for row in due))
    return {row["id"]: answer for row, answer in zip(due, answers, strict=True)}


def _candidate(row: db.Row) -> messaging.Candidate:
    marketing = row["route"] == MARKETING_ROUTE
    identities = (
        contacts.identities_of_phone(row["organization_id"], row["recipient"]) if marketing else ()
    )
    return messaging.Candidate(row, row["created_at"], identities)


async def _hand_over(row: db.Row) -> Answer:
    provider, text = messaging.may_repeat(row["provider"]), _text_of(row)
    if provider is None or text is None:
        return Unknown()
    answer = await provider.send(
        Outgoing(
            id=row["id"],
            channel=Channel.SMS,
            to=row["recipient"],
            text=text,
            content=None,
            route=row["route"],
            sender_id=row["sender_id"],
            organization_id=row["organization_id"],
            segments=row["segments"],
        )
    )
    messaging.count_again(Channel.SMS, answer)
    return answer


def _text_of(row: db.Row) -> str | None:
    """None where none was kept, or its key is gone."""
    try:
        return unseal(row["id"], row["sealed_text"]) if row["sealed_text"] is not None else None
    except CannotDecrypt:
        log.warning("text_unreadable", message_id=row["id"])
        return None
