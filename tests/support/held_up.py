"""Requests that are held up in the middle: they wait for a lock that the test lets go of."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.support import citus
from tests.support.books import Connection

A_WALLET = "SELECT 1 FROM wallets FOR UPDATE"
"""What every send has to wait for."""

OURS = """
SELECT * FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user AND application_name = 'svc'
"""

GATE = 4711
"""The advisory lock that a commit of ours is made to wait for."""

WAIT_AT_THE_GATE = f"""
CREATE OR REPLACE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_advisory_xact_lock({GATE}); RETURN NULL; END $$
"""

AT_COMMIT = """
CREATE CONSTRAINT TRIGGER gate AFTER {when} ON {table} DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate()
"""


async def hold_back_commits(
    books: Connection, table: str = "messages", *, when: str = "INSERT"
) -> None:
    """From now on whoever has written a row of the table waits for the gate when it commits."""
    await books.execute(WAIT_AT_THE_GATE)
    await books.execute(AT_COMMIT.format(table=table, when=when))


@asynccontextmanager
async def locked(connection: Connection, statement: str = A_WALLET) -> AsyncIterator[None]:
    """The statement's locks are held while the block runs."""
    async with connection.transaction():
        await connection.execute(statement)
        yield


WAITING = """
FROM {view} WHERE datname = current_database() AND usename = current_user AND wait_event_type = 'Lock'
AND (application_name = 'svc' OR application_name LIKE 'citus_internal%')
"""


async def waiting_for_locks(books: Connection, *, activity: str | None = None) -> int:
    """How many connections of the service wait for a lock. `activity`: the view of a PostgreSQL that is not the
    one of the tests.
    """
    count: int = await books.fetchval(
        "SELECT count(*)" + WAITING.format(view=activity or citus.activity())
    )
    return count


async def cut_off_who_waits(rows: Connection) -> None:
    """End the connections of the service that wait for a lock. `rows`: a look into the server that holds the rows."""
    ended = "SELECT pg_terminate_backend(pid, 5000)" + WAITING.format(view="pg_stat_activity")
    assert await rows.fetch(ended), "nobody waits"


async def refuses(url: str) -> bool:
    """Whether nobody listens at the address any more."""
    host, port = url.removeprefix("http://").split(":")
    try:
        _, writer = await asyncio.open_connection(host, int(port))
    except ConnectionError:
        return True
    writer.close()
    return False
