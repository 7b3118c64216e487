"""Dry runs: a write inside a transaction that is always rolled back.

Effects that wait for the commit are dropped with it, so no job, notice or metric of it leaves;
batches of many callers are passed by; limits are asked, and nothing is taken from them. Locks are
waited for only for a moment, so that a dry run holds up no real write.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

import asyncpg

from core.foundation.database import db
from core.foundation.database.heavy_work import heavy_work
from core.foundation.database.transactions import statements_within, transaction
from core.foundation.dry_run import is_dry_run, taken_back
from core.foundation.errors import Conflict, RateLimited
from core.foundation.ids import noted_ids
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import Take

MAX_PER_SECOND = 5
"""Dry runs of one organization."""
STATEMENT_SECONDS = 3.0
MAX_SECONDS = 5.0
"""Of a whole dry run: as long it holds what it locked, and real writes wait for that."""
LOCK_MILLISECONDS = 500
SUFFIX = b"_simulado"
"""Behind each id that a dry run made up."""

_ID = re.compile(rb"[a-z]{2,8}_[0-9A-Za-z]{21}(?![0-9A-Za-z])")


class TooManyDryRuns(RateLimited):
    default_detail = "An organization has 5 dry runs a second; wait for the seconds in Retry-After."

    def __init__(self, retry_after: int) -> None:
        super().__init__(meta={"limitePorSegundo": MAX_PER_SECOND}, retry_after=retry_after)


class DryRunBusy(Conflict):
    default_detail = (
        "What this would change is in use at the moment, or is too much for a dry run; repeat it, "
        "or try it with less."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "SIMULACAO_OCUPADA"})


class _TakenBack(Exception):
    """Ends the transaction of a dry run."""


@asynccontextmanager
async def dry_run(caller: Caller, *, counted: bool = True) -> AsyncIterator[Collection[str]]:
    """What happens inside is taken back. Yields the ids that it makes up, as it makes them.

    `counted`: it is one of the few that an organization has in a second. Raises TooManyDryRuns,
    DryRunBusy, and what the block raises.
    """
    if counted:
        await _take_turn(caller)
    with noted_ids() as ids:
        try:
            async with (
                heavy_work(caller),
                asyncio.timeout(MAX_SECONDS),
                statements_within(STATEMENT_SECONDS),
            ):
                await db.execute(f"SET LOCAL lock_timeout = {LOCK_MILLISECONDS}")
                with taken_back():
                    yield ids
                raise _TakenBack
        except _TakenBack:
            pass
        except BUSY:
            raise DryRunBusy from None


@asynccontextmanager
async def dry_step() -> AsyncIterator[None]:
    """A step of a dry run that has several: one that fails takes none of the others with it.

    Outside a dry run it is nothing. Raises DryRunBusy.
    """
    if not is_dry_run():
        yield
        return
    try:
        async with transaction():
            yield
    except BUSY:
        raise DryRunBusy from None


def with_suffix(encoded: bytes, ids: Collection[str]) -> bytes:
    """An answer in which each id that a dry run made up says so."""
    if not ids:
        return encoded
    made_up = {id.encode() for id in ids}

    def marked(found: re.Match[bytes]) -> bytes:
        return found[0] + SUFFIX if found[0] in made_up else found[0]

    return _ID.sub(marked, encoded)


async def _take_turn(caller: Caller) -> None:
    bucket = Take(f"dry_run:{caller.organization_id}", MAX_PER_SECOND, 1)
    (grant,) = await rate_limit.take([bucket])
    if not grant.granted:
        raise TooManyDryRuns(grant.wait)


BUSY = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
    TimeoutError,
)
