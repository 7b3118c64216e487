"""The one place that knows the time: a use case asks once, and its rules take `at`."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime


class _Setting:
    """An instant that holds inside a block; a task that outlives the block is in real time again."""

    __slots__ = ("at", "is_over")

    def __init__(self, at: datetime) -> None:
        self.at = at
        self.is_over = False


_set_to: ContextVar[_Setting | None] = ContextVar("clock_set_to", default=None)


def now() -> datetime:
    """The current instant in UTC. Call it once per use case and hand the value on."""
    setting = _set_to.get()
    return datetime.now(UTC) if setting is None or setting.is_over else setting.at


def real_now() -> datetime:
    """The instant of the world outside, whatever the clock is set to: for credentials, signatures,
    the life of idempotency keys, and whatever else a moved clock must not reach.
    """
    return datetime.now(UTC)


def real_time(at: datetime) -> datetime:
    """The real instant of what happens at `at`: another one only where the clock is set."""
    return datetime.now(UTC) if is_set() else at


def is_set() -> bool:
    """Whether the clock of what happens now is set, and not the real one."""
    setting = _set_to.get()
    return setting is not None and not setting.is_over


@contextmanager
def clock_set_to(at: datetime) -> Iterator[None]:
    """What happens inside happens at this instant."""
    setting = _Setting(at)
    token = _set_to.set(setting)
    try:
        yield
    finally:
        setting.is_over = True
        _set_to.reset(token)


def at_the_clock(sql: str) -> str:
    """A statement that asks the database for the time, as of a clock that is set."""
    if not is_set():
        return sql
    return sql.replace("statement_timestamp()", f"'{now().isoformat()}'::timestamptz")


def wire_time(at: datetime) -> str:
    """An instant as the interface spells it: ISO 8601 in UTC with milliseconds and `Z`."""
    return at.isoformat(timespec="milliseconds")[:23] + "Z"


def as_shown(until: datetime) -> datetime:
    """The last instant that is spelled like this one: who sends back a time that was shown means
    all of it.
    """
    return until.replace(microsecond=until.microsecond // 1_000 * 1_000 + 999)


def moment_of(value: datetime | str) -> datetime:
    """An instant of a row, or as PostgreSQL writes it in JSON."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value
