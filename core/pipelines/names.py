"""The database decides who had a name first, and which stage closes deals."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
from tortoise.exceptions import IntegrityError

from core.pipelines.errors import NameTaken, OutcomeTaken

REFUSALS: dict[str, type[NameTaken | OutcomeTaken]] = {
    "pipelines_name_key": NameTaken,
    "pipeline_stages_name_key": NameTaken,
    "pipeline_stages_one_won": OutcomeTaken,
    "pipeline_stages_one_lost": OutcomeTaken,
}


@contextmanager
def one_of_each() -> Iterator[None]:
    """Refuse what is there already. Raises NameTaken and OutcomeTaken."""
    try:
        yield
    except IntegrityError as clash:
        cause = clash.__cause__
        refusal = REFUSALS.get(str(cause.constraint_name)) if isinstance(cause, asyncpg.UniqueViolationError) else None
        if refusal is None:
            raise
        raise refusal from None
