"""The effects of an opt-out or erasure on devices: waiting deliveries are dropped."""

from collections.abc import Sequence
from typing import Any

from core import contacts
from core.contacts.models import ALL_CHANNELS
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller
from core.push.outcome_counts import count, counts_of


@contacts.on_opt_out
async def drop_waiting(caller: Caller, denied: Sequence[contacts.ConsentLogEntry]) -> None:
    """Notifications of running dispatches that wait for these contacts are not sent any more, and
    not paid for.

    Those of dispatches that have not begun are dropped when they begin, and those to devices that
    are not linked to a contact when their turn comes.
    """
    ids = [one.row["id"] for one in denied if one.channel in ("push", ALL_CHANNELS)]
    if ids:
        at = now()
        await count(
            counts_of(await db.fetch(DROP, caller.organization_id, caller.env, ids, at)), at=at
        )


async def remove_devices_of(
    caller: Caller, contact_id: str, external_id: str | None, addresses: Sequence[str]
) -> list[str]:
    """Erase the devices of a contact: a token leads to the person. Those that were registered
    before there was a contact are found by what they tell of their user: your own id of the
    customer, and the `addresses` of the contact, e-mails in small letters. What was sent to them
    stays counted.

    Answers their ids; belongs into the transaction of the erasure, which holds the contact.
    """
    theirs = (caller.organization_id, caller.env, contact_id, external_id, list(addresses))
    return column(await db.fetch(REMOVE, *theirs), "id")


async def devices_of(
    caller: Caller, contact_id: str, external_id: str | None, addresses: Sequence[str]
) -> list[Any]:
    """Everything that is stored of the same devices, but for what opens them."""
    theirs = (caller.organization_id, caller.env, contact_id, external_id, list(addresses))
    return await db.fetch(EXPORT, *theirs)


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

# A branch per index; an OR over them would scan.
DEVICES_OF = """
    SELECT id FROM push_devices WHERE organization_id = $1 AND env = $2 AND contact_id = $3
    UNION
    SELECT id FROM push_devices
    WHERE organization_id = $1 AND env = $2 AND external_id = $4 AND contact_id IS NULL
    UNION
    SELECT id FROM push_devices
    WHERE organization_id = $1 AND env = $2 AND user_phone = ANY ($5) AND contact_id IS NULL
    UNION
    SELECT id FROM push_devices
    WHERE organization_id = $1 AND env = $2 AND lower(user_email) = ANY ($5) AND contact_id IS NULL
"""

REMOVE = f"""
DELETE FROM push_devices WHERE organization_id = $1 AND env = $2 AND id IN ({DEVICES_OF}) RETURNING id
"""

EXPORT = f"""
SELECT id, app_id AS "appId", platform AS plataforma, device_name AS aparelho, external_id AS "externalId",
       user_name AS nome, user_email AS email, user_phone AS telefone, topics AS topicos, opted_in AS "aceitaAvisos",
       opted_out_at AS "recusouEm", created_at AS "criadoEm", updated_at AS "atualizadoEm"
FROM push_devices WHERE organization_id = $1 AND env = $2 AND id IN ({DEVICES_OF}) ORDER BY created_at, id
"""
