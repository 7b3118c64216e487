"""Maps unique violations, by constraint name, to the refusal that a caller gets."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import asyncpg
from tortoise.exceptions import IntegrityError

from core.foundation.errors import ServiceError


@contextmanager
def first_come(refusals: Mapping[str, Callable[[], ServiceError]]) -> Iterator[None]:
    """Refuse what a unique constraint keeps out. `refusals` are by the constraint's name; what
    breaks another one is a fault of ours and passes.
    """
    try:
        yield
    except IntegrityError as clash:
        cause = clash.__cause__
        refusal = (
            refusals.get(cause.constraint_name or "")
            if isinstance(cause, asyncpg.UniqueViolationError)
            else None
        )
        if refusal is None:
            raise
        raise refusal() from None
