"""Segments, read field by field, and the contacts that match each of them now."""

from collections.abc import Mapping, Sequence

import core.journeys  # noqa: F401 - journeys and pushes say how they use segments
from core import segments
from core.foundation.database.where import Where
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, Scope
from core.foundation.slices import slices
from core.read_models.contacts import CONTACT
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    SelectedRelation,
    fields_of,
    read_pages,
)
from core.segments import conditions_of
from core.segments.conditions import narrow_segments

TOGETHER = 15
"""Segments of a statement: PostgreSQL takes 32,767 values, and a segment may come to some 2,000."""

FIELDS = {**fields_of(segments.SEGMENT), "inUse": Field(segments.in_use("{t}"))}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_segments(where, q=filter.get("q"))
    return ()


async def contacts_of_segments(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> Mapping[str, object]:
    """A page of the contacts of each segment, by its id."""
    found: dict[str, object] = {}
    for together in slices(ids, TOGETHER):
        pages = {}
        for id, condition in (await conditions_of(caller, together)).items():
            if isinstance(condition, ServiceError):
                found[id] = condition
            else:
                pages[id] = {**selected.arguments, "filter": {"matching": condition}}
        found |= await read_pages(caller, CONTACT, pages, selected.selection, selected.parts)
    return found


SEGMENT = Entity(
    name="Segment",
    table="segments",
    alias="s",
    scope=Scope.CONTACTS_READ,
    prefix="seg",
    fields=FIELDS,
    narrow=_narrow,
)
