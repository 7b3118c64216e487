"""Batches of conversational messages, read field by field."""

from core.conversations.batches.record import STATUSES
from core.foundation.security.caller import Scope
from core.read_models.query_compiler import Entity, Field, column, time

BY_STATUS = """(
    SELECT json_object_agg(n.status, n.messages) FROM (
        SELECT m.status, count(*) AS messages FROM messages m
        WHERE m.organization_id = $1 AND m.env = $2 AND m.batch_id = {t}.id GROUP BY m.status
    ) n
)"""


def _counted(by_status: dict[str, int]) -> dict[str, int]:
    return {status: by_status.get(status, 0) for status in STATUSES}


MESSAGE_BATCH = Entity(
    name="MessageBatch",
    table="message_batches",
    alias="mb",
    scope=Scope.MESSAGES_READ,
    prefix="btc",
    fields={
        "id": column("id"),
        "organizationId": column("organization_id"),
        "env": column("env"),
        "kind": column("kind"),
        "numberId": column("number_id"),
        "templateId": column("template_id"),
        "campaignId": column("campaign_id"),
        "aceitas": column("accepted"),
        "recusadas": column("refused"),
        "coinsEstimados": column("coins_estimated"),
        "porStatus": Field(f"coalesce({BY_STATUS}, '{{{{}}}}'::json)", make=_counted),
        "canceledAt": time("canceled_at"),
        "createdAt": time("created_at"),
    },
)
