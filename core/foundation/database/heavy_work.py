"""A bulkhead for expensive work: dashboards, filtered lists, exports and imports have own slots.

Else the dashboards of one organization hold every connection, and everybody's sends wait. Inside
`heavy_work` every statement and transaction, whoever wrote it, uses the heavy pool; an organization
has a few places there (`SVC_HEAVY_PLACES`), and others pass.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tortoise.backends.base.client import TransactionalDBClient
from tortoise.connection import get_connection, get_connections

from core.foundation.database import cell
from core.foundation.database.bounded_pool import BoundedClient, owner
from core.foundation.database.db import HEAVY
from core.foundation.errors import ServiceUnavailable
from core.foundation.fair_limiter import NoSlotFree
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import LIMITED


class TooMuchAtOnce(ServiceUnavailable):
    default_detail = (
        "Your organization has as many large reads and writes under way as it may "
        "have at once; repeat the request in "
        "a moment, with the same Idempotency-Key if it had one."
    )

    def __init__(self) -> None:
        super().__init__(retry_after=1)


@asynccontextmanager
async def heavy_work(caller: Caller) -> AsyncIterator[None]:
    """A place for heavy work of the caller's organization, for as long as the block lasts.

    Inside a transaction, or inside other heavy work, the block is a part of that. Raises
    TooMuchAtOnce when no place of the organization becomes free within `SVC_POOL_WAIT_SECONDS`, or
    when very many wait for one.
    """
    if owner.get() or isinstance(get_connection("default"), TransactionalDBClient):
        yield
        return
    heavy = cell.client(HEAVY)
    assert isinstance(heavy, BoundedClient)
    try:
        await heavy.work.take(caller.organization_id, within=heavy.place_seconds)
    except NoSlotFree:
        LIMITED.labels("heavy").add(1)
        raise TooMuchAtOnce from None
    connections, owned = get_connections(), owner.set(caller.organization_id)
    usual = connections.set("default", heavy)
    try:
        yield
    finally:
        connections.reset(usual)
        owner.reset(owned)
        heavy.work.give_back(caller.organization_id)
