"""The webhook events of an SMS that reached its final status."""

from collections.abc import Sequence
from datetime import datetime

from core import smpp, webhooks
from core.foundation.database.db import Row
from core.sms.record import event_data


async def publish_status_events(rows: Sequence[Row], *, at: datetime) -> None:
    """Publish sms.delivered, sms.failed or sms.undelivered for messages that have just reached that
    status, and let their receipts over SMPP be delivered.
    """
    await smpp.note_ends(rows, at=at)
    await webhooks.publish_many(
        [webhooks.NewEvent.about(row, f"sms.{row['status']}", event_data(row), at) for row in rows],
        at=at,
    )
