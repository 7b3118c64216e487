"""Seeded organizations for tests."""

from datetime import UTC, datetime
from typing import Any

from core import seeding
from core.foundation.security.caller import Caller

AS_OF = datetime(2025, 7, 1, tzinfo=UTC)


async def a_seed(
    caller: Caller, *, tell: seeding.Tell = lambda *_: None, **changes: Any
) -> dict[str, Any]:
    """Seed some messages for the caller, all of them long ago; `changes` are fields of the wish, or
    counts of parts.
    """
    names = {part.name for part in seeding.PARTS}
    counts = {name: changes.pop(name) for name in names & changes.keys()} or {"messages": 2_000}
    return await seeding.seed(
        caller, seeding.Wish(counts, **{"as_of": AS_OF, **changes}), tell=tell
    )
