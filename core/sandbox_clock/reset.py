"""Emptying a sandbox: its records go, and its clock with them; credentials, limits, books and the audit
trail stay.
"""

from core import audit, journeys, organizations, wallet
from core.foundation import files
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.bounded_pool import LONG_SECONDS
from core.foundation.database.rows import column
from core.foundation.database.transactions import statements_within, transaction
from core.foundation.security.caller import Caller, system_caller
from core.foundation.settings import current
from core.sandbox_clock.announce import announce
from core.sandbox_clock.errors import ClockAdvancing
from core.sandbox_clock.models import SandboxClock

KEPT = frozenset(
    {
        "api_keys",
        "audit_entries",
        "organization_limits",
        "sandbox_clocks",
        "sessions",
        "smpp_accounts",
        "unheld_blobs",
        "wallet_days",
        "wallet_sums",
        "wallet_transfers",
        "wallets",
        "webhook_feed_heads",
    }
)
"""What a sandbox has besides its records. The feed goes on where it was: no position comes twice."""

FIRST, LAST = ("messages",), ("message_counts", "message_hours")
"""Whoever deletes messages counts them off."""

WITH_FILES = frozenset({"media_files", "card_files"})


async def reset_sandbox(organization_id: str) -> dict[str, int]:
    """Empty the organization's test environment and bring it back into real time. Answers how many
    rows went, by table; those that had none are left out.

    A table at a time: who is cut off begins anew. Raises ClockAdvancing.
    """
    caller = system_caller(organization_id, "test")
    clock = await SandboxClock.visible_to(caller).get_or_none()
    if clock is not None and clock.target is not None:
        raise ClockAdvancing
    await journeys.forget_test_trail(organization_id)
    gone = {table: await _empty(caller, table) for table in await _tables()}
    at = real_now()
    async with transaction():
        if current().charges:
            await wallet.refill_sandbox(organization_id, at=at)
        await SandboxClock.visible_to(caller).delete()
        await organizations.note_sandbox_clock(organization_id, moved=False)
        facts = {"rows": sum(gone.values())}
        await audit.write_entry(caller, "sandbox.reset", organization_id, facts, at=at)
        await announce(organization_id)
    organizations.clear_credential_cache()
    return {table: rows for table, rows in gone.items() if rows}


async def _tables() -> list[str]:
    """Those that have rows of owners, in the order in which they are emptied."""
    found = set(column(await db.fetch(OWNED), "name")) - KEPT
    between = sorted(found - {*FIRST, *LAST})
    return [*FIRST, *between, *LAST]


async def _empty(caller: Caller, table: str) -> int:
    async with statements_within(LONG_SECONDS):
        if table in WITH_FILES:
            keys = await db.fetch(FILES.format(table=table), caller.organization_id)
            await files.discard(caller, sorted(set(column(keys, "blob_key"))))
        return await db.execute(DELETE.format(table=table), caller.organization_id)


OWNED = """
SELECT c.relname AS name FROM pg_class c
WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('organization_id', 'env')) = 2
"""

FILES = "SELECT blob_key FROM {table} WHERE organization_id = $1 AND env = 'test' AND blob_key IS NOT NULL"

DELETE = "DELETE FROM {table} WHERE organization_id = $1 AND env = 'test'"
