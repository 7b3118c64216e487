"""Looking into the books from inside a test: rows, movements, balances, events."""

from typing import Any, NamedTuple

from core.foundation.database import db
from core.foundation.security.caller import Caller


class Balances(NamedTuple):
    """A wallet."""

    available: int
    held: int
    revenue: int
    owed: int


async def the_message(id: str) -> db.Row:
    """The row of a message."""
    row = await db.fetchrow("SELECT * FROM messages WHERE id = $1", id)
    assert row is not None
    return row


async def moved_for(origin: str) -> list[tuple[str, int]]:
    """The movements that a message or a reply caused, in order: kind and coins."""
    rows = await db.fetch(
        "SELECT kind, coins FROM wallet_transfers WHERE origin = $1 ORDER BY id", origin
    )
    return [(row["kind"], row["coins"]) for row in rows]


async def balances_of(caller: Caller) -> Balances:
    """The caller's wallet."""
    row = await db.fetchrow(
        "SELECT available, held, revenue, owed FROM wallets WHERE organization_id = $1 AND env = $2",
        caller.organization_id,
        caller.env,
    )
    assert row is not None
    return Balances(*row.values())


async def told(caller: Caller) -> list[tuple[str, dict[str, Any]]]:
    """The sms.* events of the organization, in order: type and data."""
    rows = await db.fetch(
        "SELECT type, data, env FROM webhook_events WHERE organization_id = $1 AND type LIKE 'sms.%' "
        "ORDER BY occurred_at, id",
        caller.organization_id,
    )
    assert {row["env"] for row in rows} <= {caller.env}
    return [(row["type"], row["data"]) for row in rows]


async def volume_of(caller: Caller, route: str = "premium") -> int:
    """The live segments that the organization's volume counts on the route, over all months."""
    counted: int = await db.fetchval(
        "SELECT coalesce(sum(accepted), 0)::bigint FROM sms_volumes WHERE organization_id = $1 AND route = $2",
        caller.organization_id,
        route,
    )
    return counted


async def keys_of(caller: Caller) -> dict[str, str]:
    """The idempotency keys that are taken, and the message of each."""
    rows = await db.fetch(
        "SELECT key, subject_id FROM idempotency_keys WHERE organization_id = $1",
        caller.organization_id,
    )
    return {row["key"]: row["subject_id"] for row in rows}
