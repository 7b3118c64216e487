"""The log of a long transaction is written to disk before its commit."""

from core.foundation.database import db
from core.foundation.database.log_flush import flush_log
from core.foundation.database.transactions import transaction

LOGGED = "SELECT pg_current_wal_insert_lsn()::text"
IS_WRITTEN = "SELECT pg_current_wal_flush_lsn() >= $1::text::pg_lsn"
REVOKED = """
CREATE ROLE plain_one;
REVOKE EXECUTE ON FUNCTION pg_logical_emit_message(boolean, text, text, boolean) FROM PUBLIC;
SET LOCAL ROLE plain_one
"""


async def test_what_is_logged_is_written(clean_slate: None) -> None:
    async with transaction():
        await db.execute(
            "CREATE TABLE much AS SELECT repeat('x', 900) FROM generate_series(1, 900)"
        )
        logged = await db.fetchval(LOGGED)
        await flush_log()
        assert await db.fetchval(IS_WRITTEN, logged)


async def test_who_may_not_log_messages_works_on(clean_slate: None) -> None:
    async with transaction():
        for statement in REVOKED.split(";"):
            await db.execute(statement)
        await flush_log()
        assert await db.fetchval("SELECT current_user::text") == "plain_one"
        await db.execute("RESET ROLE")
