"""Which errors mean that the database is unavailable for a moment, and their refusals."""

import asyncpg

from core.foundation.errors import ServiceUnavailable


class DatabaseUnreachable(ConnectionError):
    """No connection to PostgreSQL could be made."""


class DatabaseSilent(DatabaseUnreachable):
    """The server did not answer in time, on a connection that was open. That is closed."""


class NoConnectionFree(DatabaseUnreachable):
    """All connections of this process were in use for too long."""


class DatabaseAway(ServiceUnavailable):
    """The database cannot serve right now. Whether a commit that was under way took effect, a
    repeat tells.
    """

    default_detail = (
        "The database cannot be reached right now; repeat the request in a moment, with the same "
        "Idempotency-Key if it had one."
    )

    def __init__(self) -> None:
        super().__init__(retry_after=1)


class TookTooLong(ServiceUnavailable):
    """The time of a request is over. What it had begun is undone; what others wait for as well goes
    on without it.
    """

    default_detail = (
        "This took too long and was broken off; repeat the request in a moment, with "
        "the same Idempotency-Key if it "
        "had one."
    )

    def __init__(self) -> None:
        super().__init__(retry_after=5)


PASSING = (
    DatabaseUnreachable,
    asyncpg.PostgresConnectionError,  # cut off, also in the middle of a statement
    asyncpg.OperatorInterventionError,  # shut down, starting up, statement cancelled
    asyncpg.InsufficientResourcesError,  # too many connections, out of memory, disk full
    asyncpg.TransactionRollbackError,  # deadlock, serialization
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # a fail-over: this server is a standby now
    asyncpg.PostgresSystemError,
)

# asyncpg has no class of its own for the use of a connection that ended between two statements.
ENDED = ("closed", "closing", "released back to the pool")

# The server's goodbye was read between two statements; the connection is about to be closed.
GOODBYE = "another operation (2) is in progress"


GONE = (
    DatabaseUnreachable,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
)


def is_gone(error: BaseException) -> bool:
    """Whether the server itself went away, which it then did for everybody; a deadlock or a timeout
    is one's own.
    """
    return isinstance(error, GONE)


def is_outage(error: BaseException) -> bool:
    """Whether the same work can succeed in a moment, with nothing of ours changed."""
    if isinstance(error, PASSING):
        return True
    if type(error) is asyncpg.InterfaceError:
        return any(word in str(error) for word in ENDED)
    if isinstance(error, asyncpg.InternalClientError):
        return GOODBYE in str(error)
    # Tortoise wraps some of them.
    return isinstance(error.__cause__, asyncpg.PostgresError) and is_outage(error.__cause__)
