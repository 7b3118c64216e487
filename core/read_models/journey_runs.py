"""Runs of journeys, read field by field, with their trails."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.foundation.database.where import Where
from core.foundation.run_id import PREFIX, key_of_run
from core.foundation.security.caller import Caller, Scope
from core.journeys.runs.conditions import are_in_line, narrow_runs
from core.journeys.runs.queries import STEP_ID, TRAIL, places_of
from core.journeys.runs.record import RUN, step_shown, trail_of
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Order,
    OrderKey,
    SelectedRelation,
    fields_of,
    read_pages,
)

NEWEST = Order("newest", (OrderKey("{t}.id", "uuid"),), descending=True)
IN_LINE = Order(
    "inLine",
    (
        OrderKey("{t}.step", "bigint"),
        OrderKey("{t}.due_at", "timestamptz"),
        OrderKey("{t}.id", "uuid"),
    ),
)
"""In which they go on, step by step."""

FIELDS = {
    **fields_of(RUN),
    "passo": Field(STEP_ID.replace("{r}", "{t}"), make=step_shown),
    "trilha": Field(TRAIL.replace("{r}", "{t}"), make=trail_of),
}


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_runs(
        where,
        version_id=filter.get("versionId"),
        status=filter.get("estado"),
        step=filter.get("place"),
    )
    return ()


def _order(filter: Arguments) -> str:
    """`versionId` and `place` are put into the filter below, of a journey that is known."""
    in_line = "versionId" in filter and are_in_line(
        status=filter.get("estado"), step=filter.get("place"), contact_id=None
    )
    return "inLine" if in_line else ""


JOURNEY_RUN = Entity(
    name="JourneyRun",
    table="journey_runs",
    alias="r",
    scope=Scope.CAMPAIGNS_READ,
    prefix=PREFIX,
    key=key_of_run,
    key_type="uuid",
    fields=FIELDS,
    orders={"": NEWEST, "inLine": IN_LINE},
    order_for=_order,
    narrow=_narrow,
)


async def runs_of_journeys(
    caller: Caller, ids: Sequence[str], selected: SelectedRelation
) -> Mapping[str, Any]:
    """A page of the runs of each journey, by its id. Not a condition on the row of the journey: who
    stands on a step is looked up by the place that the step has in the journey's program.
    """
    filter = selected.arguments.get("filter") or {}
    step = filter.get("passo")
    places = {} if step is None else await places_of(caller, ids, step)
    pages = {
        id: {**selected.arguments, "filter": {**filter, "versionId": id, "place": places.get(id)}}
        for id in ids
    }
    return await read_pages(caller, JOURNEY_RUN, pages, selected.selection, selected.parts)
