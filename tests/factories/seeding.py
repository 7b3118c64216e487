"""Seeded organizations for tests."""

from datetime import UTC, datetime
from typing import Any

from cli.seed.organization import SeedRequest, seed_organization
from cli.seed.parts import PARTS
from cli.seed.run import Tell
from core.foundation.security.caller import Caller

AS_OF = datetime(2025, 7, 1, tzinfo=UTC)


async def a_seed(caller: Caller, *, tell: Tell = lambda *_: None, **changes: Any) -> dict[str, Any]:
    """Seed some messages for the caller, all of them long ago; `changes` are fields of the wish, or
    counts of parts.
    """
    names = {part.name for part in PARTS}
    counts = {name: changes.pop(name) for name in names & changes.keys()} or {"messages": 2_000}
    return await seed_organization(
        caller, SeedRequest(counts, **{"as_of": AS_OF, **changes}), tell=tell
    )
