"""Timelines as what hangs on contacts that are read ahead."""

from collections.abc import Sequence
from typing import Any

from core.dashboards.reading import Child
from core.dashboards.timeline.count_timelines import count_timelines
from core.dashboards.timeline.read_timelines import read_timelines, visible_sources
from core.foundation.security.caller import Caller, Scope

PAGE = ("first", "after", "last", "before")


async def hang_timelines(
    caller: Caller, contact_ids: Sequence[str], child: Child
) -> dict[str, Any]:
    """The connection of each contact, with `totalCount` where it is asked for. The filter knows
    `kinds`.

    Raises Forbidden and ValidationFailed.
    """
    caller.require(Scope.CONTACTS_READ)
    kinds = (child.arguments.get("filter") or {}).get("kinds")
    wants = child.parts
    if wants.nodes or wants.edges or wants.cursors:
        page = {name: child.arguments.get(name) for name in PAGE}
        hung: dict[str, Any] = dict(await read_timelines(caller, contact_ids, **page, kinds=kinds))
    else:
        _, warnings = visible_sources(caller, kinds)
        hung = {id: {"warnings": warnings} for id in contact_ids}
    if wants.total:
        for id, total in (await count_timelines(caller, contact_ids, kinds=kinds)).items():
            hung[id]["totalCount"] = total
    return hung
