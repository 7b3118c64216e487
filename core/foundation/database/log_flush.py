"""Writing the log of a long transaction to disk before it commits.

A commit writes all that PostgreSQL has logged until then and has not written yet, whoever logged it,
and every other commit waits for that: one that brings megabytes holds up everybody's.
"""

from core.foundation.database import db


async def flush_log() -> None:
    """Have PostgreSQL write down what has been logged so far; nothing is committed by that.

    The log gets an empty message of the prefix `svc` for it, which is part of no transaction. Nothing
    happens before PostgreSQL 17, without the right to log messages (everybody's, unless it was
    revoked), and where Citus has placed the schema, whose rows another machine logs.
    """
    if not db.is_distributed():
        await db.execute(LOG_AND_FLUSH)


LOG_AND_FLUSH = """
DO $$ BEGIN
    IF has_function_privilege(
        to_regprocedure('pg_logical_emit_message(boolean, text, text, boolean)'), 'EXECUTE') THEN
        PERFORM pg_logical_emit_message(false, 'svc', ''::text, true);
    END IF;
END $$
"""
"""In one round trip: PL/pgSQL reads what it calls only when it comes to it, so that the function may
be forbidden, or not there.
"""
