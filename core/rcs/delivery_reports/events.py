"""The webhook events of an RCS message that changed its status."""

from collections.abc import Sequence
from datetime import datetime

from core import webhooks
from core.foundation.database.db import Row
from core.rcs.record import event_data


async def publish_status_events(rows: Sequence[Row], at: datetime) -> None:
    """Publish rcs.delivered, rcs.read or rcs.failed for messages that have just reached that
    status.
    """
    await webhooks.publish_many(
        [webhooks.NewEvent.about(row, f"rcs.{row['status']}", event_data(row), at) for row in rows],
        at=at,
    )
