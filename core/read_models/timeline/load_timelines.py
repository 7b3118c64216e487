"""Timelines as a batch-loaded relation of contacts."""

from collections.abc import Sequence
from typing import Any

from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import SelectedRelation
from core.read_models.timeline.count_timelines import count_timelines
from core.read_models.timeline.read_timelines import read_timelines, visible_sources

PAGE = ("first", "after", "last", "before")


async def load_timelines(
    caller: Caller, contact_ids: Sequence[str], selected: SelectedRelation
) -> dict[str, Any]:
    """The connection of each contact, with `totalCount` where it is asked for. The filter knows
    `kinds`.

    Raises Forbidden and ValidationFailed.
    """
    caller.require(Scope.CONTACTS_READ)
    kinds = (selected.arguments.get("filter") or {}).get("kinds")
    wants = selected.parts
    if wants.nodes or wants.edges or wants.cursors:
        page = {name: selected.arguments.get(name) for name in PAGE}
        loaded: dict[str, Any] = dict(
            await read_timelines(caller, contact_ids, **page, kinds=kinds)
        )
    else:
        _, warnings = visible_sources(caller, kinds)
        loaded = {id: {"warnings": warnings} for id in contact_ids}
    if wants.total:
        for id, total in (await count_timelines(caller, contact_ids, kinds=kinds)).items():
            loaded[id]["totalCount"] = total
    return loaded
