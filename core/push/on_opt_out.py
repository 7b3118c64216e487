"""The effects of an opt-out or erasure on devices: waiting deliveries are dropped."""

from collections.abc import Sequence
from typing import Any

from core import contacts
from core.contacts.models import ALL_CHANNELS
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.push.outcome_counts import count, counts_of


@contacts.on_opt_out
async def drop_waiting(caller: Caller, denied: Sequence[contacts.ConsentLogEntry]) -> None:
    """Notifications of running dispatches that wait for these contacts are not sent any more, and
    not paid for.

    Those of dispatches that have not begun are dropped when they begin.
    """
    ids = [one.row["id"] for one in denied if one.channel in ("push", ALL_CHANNELS)]
    if ids:
        at = now()
        await count(
            counts_of(await db.fetch(DROP, caller.organization_id, caller.env, ids, at)), at=at
        )


async def remove_devices_of(caller: Caller, contact_id: str) -> int:
    """Erase the devices of a contact: a token leads to the person. What was sent to them stays
    counted. Answers how many there were; belongs into the transaction of the erasure.
    """
    return await db.execute(
        "DELETE FROM push_devices WHERE organization_id = $1 AND env = $2 AND contact_id = $3",
        caller.organization_id,
        caller.env,
        contact_id,
    )


async def devices_of(caller: Caller, contact_id: str) -> list[Any]:
    """Everything that is stored of the devices of a contact, but for what opens them."""
    return await db.fetch(EXPORT, caller.organization_id, caller.env, contact_id)


DROP = """
WITH waiting AS MATERIALIZED (
    SELECT q.id FROM push_devices d
    JOIN push_deliveries q ON q.device_id = d.id AND q.organization_id = d.organization_id AND q.status = 'queued'
    JOIN push_dispatches p ON p.id = q.dispatch_id AND p.organization_id = d.organization_id
                          AND p.started_at IS NOT NULL AND p.completed_at IS NULL
    WHERE d.organization_id = $1 AND d.env = $2 AND d.contact_id = ANY ($3::text[])
    ORDER BY q.id FOR UPDATE OF q
), dropped AS (
    UPDATE push_deliveries q SET status = 'dropped', settled_at = $4, due_at = NULL
    FROM waiting w WHERE q.id = w.id AND q.status = 'queued'
    RETURNING q.dispatch_id, q.status, q.platform, q.id
)
SELECT dispatch_id, status, platform, count(*) AS rows, min(id) AS first_row, 0 AS opted_out
FROM dropped GROUP BY 1, 2, 3
"""

EXPORT = """
SELECT id, app_id AS "appId", platform AS plataforma, device_name AS aparelho, external_id AS "externalId",
       user_name AS nome, user_email AS email, user_phone AS telefone, topics AS topicos, opted_in AS "aceitaAvisos",
       opted_out_at AS "recusouEm", created_at AS "criadoEm", updated_at AS "atualizadoEm"
FROM push_devices WHERE organization_id = $1 AND env = $2 AND contact_id = $3 ORDER BY created_at, id
"""
