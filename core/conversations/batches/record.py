"""The record of a batch, as the interface spells it."""

from collections.abc import Mapping
from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row

STATUSES = ("queued", "sending", "sent", "delivered", "read", "failed", "archived")


def batch_record(row: Row, by_status: Mapping[str, int]) -> dict[str, Any]:
    """The record; `by_status` counts the batch's messages as they are now. Fields without a value
    are absent.
    """
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "env": row["env"],
        "kind": row["kind"],
        "numberId": row["number_id"],
        "templateId": row["template_id"],
        "campaignId": row["campaign_id"],
        "aceitas": row["accepted"],
        "recusadas": row["refused"],
        "coinsEstimados": row["coins_estimated"],
        "porStatus": {status: by_status.get(status, 0) for status in STATUSES},
        "canceledAt": None if row["canceled_at"] is None else wire_time(row["canceled_at"]),
        "createdAt": wire_time(row["created_at"]),
    }
    return {name: value for name, value in record.items() if value is not None}
