"""Maps unique violations, by constraint name, to the refusal that a caller gets."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import asyncpg
from tortoise.exceptions import IntegrityError

from core.foundation.errors import ServiceError

NAMED = re.compile(r'constraint "([^"]+)"')
SHARD = re.compile(r"_\d{6,}$")


def constraint_of(clash: asyncpg.IntegrityConstraintViolationError) -> str:
    """The name of the constraint that is broken. Citus tells it in the message alone, and there it
    ends in the number of the shard.
    """
    if clash.constraint_name:
        return str(clash.constraint_name)
    named = NAMED.search(str(clash))
    return SHARD.sub("", named[1]) if named else ""


@contextmanager
def conflict_as(refusals: Mapping[str, Callable[[], ServiceError]]) -> Iterator[None]:
    """Refuse what a unique constraint keeps out. `refusals` are by the constraint's name; what
    breaks another one is a fault of ours and passes.
    """
    try:
        yield
    except (IntegrityError, asyncpg.UniqueViolationError) as clash:
        refusal = refusals.get(_broken(clash))
        if refusal is None:
            raise
        raise refusal() from None


def _broken(clash: Exception) -> str:
    """The unique constraint that Tortoise or asyncpg tells of; nothing where it is another kind."""
    cause = clash.__cause__ if isinstance(clash, IntegrityError) else clash
    return constraint_of(cause) if isinstance(cause, asyncpg.UniqueViolationError) else ""
