"""Which failures mean that the database is away for a moment."""

import asyncpg
import pytest
from tortoise.exceptions import IntegrityError, OperationalError

from core.foundation.database.availability import DatabaseAway, DatabaseUnreachable, is_outage


def caused_by(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        DatabaseUnreachable(),
        asyncpg.ConnectionDoesNotExistError(),
        asyncpg.ConnectionFailureError(),
        asyncpg.AdminShutdownError(),
        asyncpg.CrashShutdownError(),
        asyncpg.CannotConnectNowError(),
        asyncpg.QueryCanceledError(),
        asyncpg.TooManyConnectionsError(),
        asyncpg.DiskFullError(),
        asyncpg.DeadlockDetectedError(),
        asyncpg.SerializationError(),
        asyncpg.LockNotAvailableError(),
        asyncpg.ReadOnlySQLTransactionError(),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.InterfaceError("pool is closing"),
        asyncpg.InterfaceError("connection has been released back to the pool"),
        asyncpg.InternalClientError(
            "cannot switch to state 15; another operation (2) is in progress"
        ),
        caused_by(OperationalError("wrapped"), asyncpg.DeadlockDetectedError()),
    ],
)
def test_these_pass_by_themselves(error: Exception) -> None:
    assert is_outage(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("connection is closed"),
        OSError("no such file"),
        ConnectionResetError(),
        TimeoutError(),
        asyncpg.UniqueViolationError(),
        asyncpg.UndefinedTableError(),
        asyncpg.PostgresSyntaxError(),
        asyncpg.DataError(),
        asyncpg.InsufficientPrivilegeError(),
        asyncpg.InterfaceError("cannot perform operation: another operation is in progress"),
        asyncpg.InternalClientError(
            "cannot switch to state 15; another operation (12) is in progress"
        ),
        caused_by(IntegrityError("wrapped"), asyncpg.UniqueViolationError()),
        caused_by(ValueError("ours"), ValueError("ours too")),
    ],
)
def test_these_are_faults_of_ours(error: Exception) -> None:
    assert not is_outage(error)


def test_the_caller_is_told_to_repeat_the_request_in_a_second() -> None:
    away = DatabaseAway()

    assert (away.code, away.retry_after) == ("SERVICE_UNAVAILABLE", 1)
    assert "repeat the request" in away.detail
