"""The events of webhooks, without a webhook."""

from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial

from core import webhooks
from core.foundation import pubsub
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.security.caller import Caller, Scope
from core.read_models.live.stream import stream
from core.read_models.query_compiler.record_factory import SelectedRecord


async def events_published(
    caller: Caller, types: Collection[str] | None, *, cut_off: pubsub.OnCutOff
) -> AsyncIterator[SelectedRecord]:
    """Every event of these types, or of all, as `{id, type, createdAt, env, data}`. Its data are
    masked as for a webhook, unless the caller sees personal data. Raises Forbidden.
    """
    caller.require(Scope.WEBHOOKS_READ)

    def wanted(notice: pubsub.ReceivedNotice) -> bool:
        return notice.topic == pubsub.Topic.EVENT and (
            types is None or notice.facts.get("type") in types
        )

    return stream(caller, wanted, partial(_read, caller), cut_off=cut_off)


async def _read(caller: Caller, ids: Sequence[str]) -> list[SelectedRecord]:
    rows = await db.fetch(BY_IDS, caller.organization_id, caller.env, ids)
    return [
        {
            "id": row["id"],
            "type": row["type"],
            "createdAt": wire_time(row["occurred_at"]),
            "env": caller.env,
            "data": row["data"] if caller.sees_personal_data else webhooks.masked_data(row["data"]),
        }
        for row in rows
    ]


BY_IDS = """
SELECT id, type, data, occurred_at FROM webhook_events
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[]) ORDER BY array_position($3::text[], id::text)
"""
