"""Where contacts come into a journey from, in SQL over `contacts c`."""

from datetime import datetime
from typing import Any

from core import segments
from core.foundation.security.caller import Caller
from core.journeys.inputs import Trigger
from core.journeys.models import TriggerMove
from core.journeys.runs.enrol import may_enter_again
from core.journeys.runs.program import Program

MAY_ENTER = "c.opt_in_status <> 'denied'"
"""Whoever asked to hear nothing at all comes into no journey."""

ON_LIST = """c.id IN (
    SELECT m.contact_id FROM contact_list_members m
    WHERE m.organization_id = $1 AND m.env = $2 AND m.list_id = {list})"""

NEVER_INSIDE = """NOT EXISTS (
    SELECT FROM journey_runs o
    WHERE o.contact_id = c.id AND o.organization_id = c.organization_id AND o.lineage_id = {lineage} AND o.entry_key = ''
      AND (o.state = 1 OR {since}::timestamptz IS NULL OR o.ended_at > {since}))"""


def takes_those_present(trigger: Trigger) -> bool:
    """Whether somebody may be there already: in its segment, or on its list."""
    return trigger.event is None and trigger.move is not TriggerMove.OUT


async def would_enter(
    caller: Caller, trigger: Trigger, program: Program, *, at: datetime
) -> tuple[str, list[Any]]:
    """The condition for contacts that are there already and may enter, and the values of its
    statement; the first two are organization and environment.
    """
    values: list[Any] = [caller.organization_id, caller.env]
    there = await _there(caller, trigger, values, at=at)
    values += [program.lineage_id, may_enter_again(program, at=at)]
    new = NEVER_INSIDE.format(lineage=f"${len(values) - 1}", since=f"${len(values)}")
    return f"({there}) AND {MAY_ENTER} AND {new}", values


async def _there(caller: Caller, trigger: Trigger, values: list[Any], *, at: datetime) -> str:
    if trigger.segment_id is not None:
        found = await segments.members_condition(caller, trigger.segment_id, values, at=at)
        return "false" if found is None else found
    values.append(trigger.list_id)
    return ON_LIST.format(list=f"${len(values)}")
