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
    if not db.is_distributed() and await db.fetchval(MAY_LOG):
        await db.fetchval(LOG_AND_FLUSH)


MAY_LOG = """
SELECT has_function_privilege(to_regprocedure('pg_logical_emit_message(boolean, text, text, boolean)'), 'EXECUTE')
"""

LOG_AND_FLUSH = "SELECT pg_logical_emit_message(false, 'svc', ''::text, true)"
