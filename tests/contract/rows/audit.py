"""Decisions: the audit trail."""

from core import audit
from core.foundation.clock import now
from tests.contract.table import Endpoint, Page
from tests.contract.world import World

ENDPOINTS = [
    Endpoint(
        address="GET /v2/audit",
        scope="audit:read",
        errors="401 403 422",
        parameters="action subjectId actorId from* to* limit* cursor",
    )
]


async def entries(world: World, count: int) -> None:
    """So many entries."""
    await audit.write_entries(world.caller, "key.listed", [(None, {})] * count, at=now())


PAGES = [Page(address="GET /v2/audit", skips=False, fill=entries)]
