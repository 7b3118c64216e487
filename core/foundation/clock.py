"""The one place that knows the time: a use case asks once, and its rules take `at`."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_set_to: ContextVar[datetime | None] = ContextVar("clock_set_to", default=None)


def now() -> datetime:
    """The current instant in UTC. Call it once per use case and hand the value on."""
    return _set_to.get() or datetime.now(UTC)


@contextmanager
def clock_set_to(at: datetime) -> Iterator[None]:
    """What happens inside happens at this instant."""
    token = _set_to.set(at)
    try:
        yield
    finally:
        _set_to.reset(token)


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
