"""Evaluating a filter now: count the contacts, sample them, or give the condition in SQL."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import asyncpg
import orjson
from pydantic_core import ValidationError

from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import statements_within
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.security.caller import Caller, Scope
from core.segments.compile import OF_A_SET, Compiler, TooManyConditions, cost
from core.segments.errors import TooLarge, UnusableReference
from core.segments.inputs import Filter, node_of
from core.segments.record import SegmentPreview
from core.segments.references import Broken, segments_behind
from core.segments.tree import Joined, Node, read_filters, read_tree

Condition = Callable[[list[Any]], str]
"""Adds to a statement a condition over `contacts c`.

Whoever calls it gives the statement's values, organization and environment first; the condition
appends its own. Raises TooLarge.
"""

EVALUATION_TIMEOUT = 3.0
SAMPLE = 10


async def preview(caller: Caller, filter: Filter) -> SegmentPreview:
    """Who matches; after 3 seconds the count is PostgreSQL's estimate and partial true.

    Raises ValidationFailed for a segment that cannot be referred to.
    """
    caller.require(Scope.CONTACTS_READ)
    at = now()
    condition, values = await matching(caller, filter.node, at=at, strict=True)
    asked = SAMPLED if cost(filter.node) < OF_A_SET else SAMPLED_AT_ONCE
    count, sample, partial = await _count(condition, values, asked)
    return {"count": count, "sample": sample, "evaluatedAt": wire_time(at), "partial": partial}


async def size_of(caller: Caller, node: Node, *, at: datetime) -> int | None:
    """How many contacts match; None when that takes longer than a preview may."""
    condition, values = await matching(caller, node, at=at)
    count, _, partial = await _count(condition, values)
    return None if partial else count


async def members_condition(
    caller: Caller, id: str, values: list[object], *, at: datetime
) -> str | None:
    """The SQL condition over `contacts c` that a stored segment stands for; None when there is no
    such segment.

    `values` are those of the statement so far, organization and environment first; the condition
    adds its own.
    """
    row = await db.fetchrow(
        (
            "SELECT filters, filter_tree FROM segments WHERE organization_id = $1 AND "
            "env = $2 AND id = $3"
        ),
        caller.organization_id,
        caller.env,
        id if is_id("seg", id) else None,
    )
    if row is None:
        return None
    node = node_of(row["filters"], row["filter_tree"])
    condition, _ = await matching(caller, node, at=at, values=values)
    return condition


async def tree_condition(
    caller: Caller, tree: Mapping[str, Any], values: list[Any], *, at: datetime
) -> str:
    """The SQL condition over `contacts c` that a stored tree stands for.

    `values` are those of the statement so far, organization and environment first; the condition
    adds its own. Raises UnusableReference for a segment that it names and that is gone, and
    TooLarge.
    """
    condition, _ = await matching(caller, read_tree(tree), at=at, values=values, strict=True)
    return condition


async def condition_of(caller: Caller, leaves: list[dict[str, Any]]) -> Condition:
    """The condition that all leaves make. Raises ValidationFailed."""
    try:
        node = read_filters(leaves)
    except ValidationError as invalid:
        raise ValidationFailed(
            errors=[
                FieldError(
                    "pointer", "/" + "/".join(map(str, wrong["loc"])), wrong["type"], wrong["msg"]
                )
                for wrong in invalid.errors(
                    include_url=False, include_input=False, include_context=False
                )
            ]
        ) from None
    try:
        behind = await segments_behind(caller.organization_id, caller.env, node)
    except Broken:
        raise UnusableReference from None
    return _compiled(node, behind)


async def conditions_of(caller: Caller, ids: Sequence[str]) -> dict[str, Condition | ServiceError]:
    """The conditions that stored segments stand for, by their ids; a refusal for one that cannot be
    used.
    """
    rows = await db.fetch(
        (
            "SELECT id, filters, filter_tree FROM segments WHERE organization_id = $1 "
            "AND env = $2 AND id = ANY ($3)"
        ),
        caller.organization_id,
        caller.env,
        list(ids),
    )
    nodes = {row["id"]: node_of(row["filters"], row["filter_tree"]) for row in rows}
    try:
        behind = await segments_behind(
            caller.organization_id, caller.env, Joined("or", tuple(nodes.values()))
        )
    except Broken:
        if len(nodes) == 1:
            return dict.fromkeys(nodes, UnusableReference())
        # One of them; the others are not to suffer for it.
        alone = [await conditions_of(caller, [id]) for id in nodes]
        return {id: condition for one in alone for id, condition in one.items()}
    return {id: _compiled(node, behind) for id, node in nodes.items()}


def _compiled(node: Node, behind: Mapping[str, Node]) -> Condition:
    at = now()

    def condition(values: list[object]) -> str:
        try:
            return Compiler(at, values, behind).condition(node)
        except TooManyConditions:
            raise TooLarge from None

    return condition


async def matching(
    caller: Caller,
    node: Node,
    *,
    at: datetime,
    values: list[Any] | None = None,
    of: str | None = None,
    strict: bool = False,
) -> tuple[str, list[object]]:
    """The condition over `contacts c` and the values of its statement. Raises ValidationFailed."""
    try:
        behind = await segments_behind(
            caller.organization_id, caller.env, node, of=of, strict=strict
        )
        values = [caller.organization_id, caller.env] if values is None else values
        return Compiler(at, values, behind).condition(node), values
    except Broken:
        raise UnusableReference from None
    except TooManyConditions:
        raise TooLarge from None


async def count_matching(condition: str, values: list[Any]) -> int:
    """How many contacts match a condition; an estimate where that takes longer than a preview may."""
    count, _, _ = await _count(condition, values)
    return count


async def _count(
    condition: str,
    values: list[Any],
    asked: str = "SELECT count(*) AS count, NULL AS sample {found}",
) -> tuple[int, list[str], bool]:
    found = f"FROM contacts c WHERE c.organization_id = $1 AND c.env = $2 AND {condition}"
    try:
        async with statements_within(EVALUATION_TIMEOUT):
            row = await db.fetch_one(asked.format(found=found), *values)
    except asyncpg.QueryCanceledError:
        plan = await db.fetchval(f"EXPLAIN (FORMAT JSON) SELECT 1 {found}", *values)
        estimate = orjson.loads(plan) if isinstance(plan, str | bytes) else plan
        return int(estimate[0]["Plan"]["Plan Rows"]), [], True
    return row["count"], row["sample"] or [], False


SAMPLED = f"""
SELECT n.count, CASE WHEN n.count > 0 THEN ARRAY(SELECT c.id {{found}} LIMIT {SAMPLE}) END AS sample
FROM (SELECT count(*) AS count {{found}} OFFSET 0) AS n
"""
"""What one contact tells is tried again until there are some."""

SAMPLED_AT_ONCE = f"""
SELECT count(*) AS count, array_agg(id) FILTER (WHERE place <= {SAMPLE}) AS sample
FROM (SELECT c.id, row_number() OVER () AS place {{found}}) AS f
"""
"""Sets of other tables are not found twice."""
