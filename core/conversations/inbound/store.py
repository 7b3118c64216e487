"""Storing the platform's notices before they are acknowledged."""

from collections.abc import Sequence
from datetime import datetime

from core.cells import HOME, Cell, KeyKind, cells_of_keys, hash_of, use_cell
from core.foundation.database import db
from core.foundation.jobs import Job, wake
from core.foundation.observability.metrics import Counter
from core.providers.meta.webhook import PlatformChange

UNKNOWN_SENDERS = Counter(
    "svc_platform_notices_strange_total", "Notices about lines that nobody here has, dropped.", ()
)


async def store_notices(changes: Sequence[PlatformChange], *, at: datetime) -> None:
    """Write changes down as they came, in one statement for each cell; a worker applies them.

    Each belongs to whoever has the number or account that it is about. What is about nobody's is
    dropped: it could never be applied, and nobody here may keep it.
    """
    away: Exception | None = None
    for cell, some in (await _by_cell(changes)).items():
        try:
            with use_cell(cell):
                await _store(some, at)
        except Exception as error:  # it is told again; those of other cells need not wait for that
            away = error
    if away is not None:
        raise away


async def _by_cell(changes: Sequence[PlatformChange]) -> dict[Cell, list[PlatformChange]]:
    """Where those live whose lines they are about."""
    named = [hash_of(KeyKind.PLATFORM_ID, one.platform_id or one.account or "") for one in changes]
    elsewhere = await cells_of_keys(KeyKind.PLATFORM_ID, named)
    found: dict[Cell, list[PlatformChange]] = {}
    for change, line in zip(changes, named, strict=True):
        found.setdefault(elsewhere.get(line, HOME), []).append(change)
    return found


async def _store(changes: Sequence[PlatformChange], at: datetime) -> None:
    stored = await db.execute(
        STORE,
        [change.field for change in changes],
        [change.platform_id for change in changes],
        [change.account for change in changes],
        [{"account": change.account, "value": change.value} for change in changes],
        at,
    )
    UNKNOWN_SENDERS.labels().add(len(changes) - stored)
    if stored:
        await wake(Job.APPLY_NOTICES)


# A change without a sender is about an account, which may have several numbers; they are all of one
# owner.
STORE = """
INSERT INTO platform_notices (organization_id, env, field, line, body, received_at, due_at)
SELECT o.organization_id, o.env, c.field, c.line, c.body, $5, $5
FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[]) WITH ORDINALITY
    AS c (field, line, account, body, place)
CROSS JOIN LATERAL (
    SELECT organization_id, env FROM numbers WHERE phone_number_id = c.line
    UNION ALL
    SELECT organization_id, env FROM instagram_accounts WHERE instagram_id = c.line
    UNION ALL
    (SELECT organization_id, env FROM numbers WHERE c.line IS NULL AND waba_id = c.account
     ORDER BY created_at, id LIMIT 1)
) o
ORDER BY c.place
"""
