"""What an operation may cost: a point for every record that it may answer, from a bucket of the credential.

A record in a list counts as often as the lists above it are long; an object without an id of its own (a page, an
opt-in, counts) is part of its record. Statistics cost what reading many rows does. The bucket is held by the process
and settled with the one in Redis from time to time, so that no query waits for Redis; several processes may together
grant what they did not know of each other for that moment.
"""

import asyncio
import math
import time
from dataclasses import dataclass
from typing import Any

from graphql import (
    FieldNode,
    FragmentSpreadNode,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    IntValueNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_leaf_type,
)
from graphql.execution import Executor
from graphql.execution.collect_fields import collect_fields

from core.foundation import rate_limit
from core.foundation.caller import Caller
from core.foundation.errors import FieldError, RateLimited, ValidationFailed

MOST_NODES = 10_000
ASSUMED = 10
"""Records of a list whose length nobody asks for."""

FLAT = {
    "messageStats": 500,
    "contactStats": 500,
    "campaignStats": 500,
    "segmentPreview": 500,
    "__schema": 500,
    "__type": 50,
}
"""Points of fields that are more work than their records are many."""

SETTLE_SECONDS = 0.2
MOST_REMEMBERED = 10_000


def requested_by(executor: Executor[Any]) -> int:
    """The most that an operation can cost, at least a point. Raises ValidationFailed above 10,000 nodes."""
    operation = executor.operation
    root = executor.schema.get_root_type(operation.operation)
    points = _Points(executor).of(operation.selection_set, root)
    if points > MOST_NODES:
        message = f"The operation may answer {points:,} nodes, {MOST_NODES:,} are allowed; ask for shorter pages"
        raise ValidationFailed(errors=[FieldError("parameter", "query", "too_many", message)])
    return max(1, points)


def actual_of(executor: Executor[Any], records: int, *, requested: int) -> int:
    """What an operation did cost, from the number of records that were read for it."""
    return max(1, records + (_flat(executor) if requested >= min(FLAT.values()) else 0))


def _flat(executor: Executor[Any]) -> int:
    root = executor.schema.get_root_type(executor.operation.operation)
    assert root is not None
    fields = collect_fields(
        executor.schema, executor.fragments, executor.variable_values, root, executor.operation
    ).grouped_field_set
    return sum(FLAT.get(group[0].node.name.value, 0) for group in fields.values())


class _Points:
    """Points of a selection for one record of its type; fragments are counted once."""

    def __init__(self, executor: Executor[Any]) -> None:
        self._schema: GraphQLSchema = executor.schema
        self._fragments = executor.fragment_definitions
        self._variables = executor.variable_values.coerced
        self._known: dict[str, int] = {}

    def of(self, selections: SelectionSetNode, type: Any, size: int = 1) -> int:
        """Points of a selection. `size`: how many records a page has, where the selection is of a connection."""
        points = 0
        for selection in selections.selections:
            if isinstance(selection, FragmentSpreadNode):
                points += self._fragment(selection.name.value, size)
            elif isinstance(selection, FieldNode):
                points += self._field(selection, type, size)
            else:
                condition = selection.type_condition  # type: ignore[attr-defined]
                inner = type if condition is None else self._schema.get_type(condition.name.value)
                points += self.of(selection.selection_set, inner, size)  # type: ignore[attr-defined]
        return points

    def _field(self, node: FieldNode, type: Any, size: int) -> int:
        name = node.name.value
        if name in FLAT:
            return FLAT[name]
        field = getattr(type, "fields", {}).get(name)
        if field is None or node.selection_set is None:
            return 0
        inner = get_named_type(field.type)
        if is_leaf_type(inner):
            return 0
        fields = getattr(inner, "fields", {})
        if "pageInfo" in fields:
            return self.of(node.selection_set, inner, self._page_size(node))
        if name == "edges" and "cursor" in fields:  # of a connection: its nodes count
            return self.of(node.selection_set, inner, size)
        many = size if name in ("nodes", "node") else ASSUMED if _is_list(field.type) else 1
        return many * (("id" in fields) + self.of(node.selection_set, inner))

    def _page_size(self, node: FieldNode) -> int:
        for argument in node.arguments or ():
            if argument.name.value in ("first", "last"):
                value: Any = argument.value
                if isinstance(value, VariableNode):
                    size = self._variables.get(value.name.value)
                else:
                    size = int(value.value) if isinstance(value, IntValueNode) else None
                if isinstance(size, int):
                    return max(size, 0)
        return 1

    def _fragment(self, name: str, size: int) -> int:
        key = f"{name}:{size}"
        if key not in self._known:
            fragment = self._fragments[name]
            of = self._schema.get_type(fragment.type_condition.name.value)
            self._known[key] = self.of(fragment.selection_set, of, size)
        return self._known[key]


def _is_list(type: Any) -> bool:
    return isinstance(type.of_type if isinstance(type, GraphQLNonNull) else type, GraphQLList)


@dataclass(slots=True)
class _Purse:
    """What this process knows of a credential's bucket. `spent`: points that Redis has not been told of."""

    left: float
    at: float
    settled_at: float
    spent: int = 0


_purses: dict[str, _Purse] = {}
_settling: set[asyncio.Task[None]] = set()


async def take(caller: Caller, points: int) -> None:
    """Take points before an operation runs. Raises RateLimited, with the seconds after which they are there,
    and ValidationFailed where they never will be.
    """
    if points > caller.limits.graphql_cost:
        message = f"The operation may cost {points:,} points, of which the credential never has more than "
        message += f"{caller.limits.graphql_cost:,}; ask for shorter pages"
        raise ValidationFailed(errors=[FieldError("parameter", "query", "too_many", message)])
    purse = _purse_of(caller)
    if purse.left < points and purse.spent:
        await _settle(caller, purse)
    if purse.left < points:
        wait = math.ceil((points - purse.left) / _restored(caller))
        raise RateLimited(retry_after=max(1, wait))
    _spend(caller, purse, points)


def settle_for(caller: Caller, *, requested: int, actual: int) -> dict[str, int]:
    """Give back what an operation did not use. Answers `extensions.cost`."""
    purse = _purse_of(caller)
    _spend(caller, purse, actual - requested)
    return {
        "requested": requested,
        "actual": actual,
        "available": max(0, int(purse.left)),
        "restoreRate": _restored(caller),
    }


def forget_costs() -> None:
    """Drop what this process remembers of buckets."""
    _purses.clear()


def _restored(caller: Caller) -> int:
    return max(1, caller.limits.graphql_cost // 5)


def _purse_of(caller: Caller) -> _Purse:
    at = time.monotonic()
    holds = caller.limits.graphql_cost
    purse = _purses.get(str(caller.credential_id))
    if purse is None:
        if len(_purses) >= MOST_REMEMBERED:
            _purses.clear()
        purse = _purses[str(caller.credential_id)] = _Purse(holds, at, at)
    purse.left = min(holds, purse.left + (at - purse.at) * _restored(caller))
    purse.at = at
    return purse


def _spend(caller: Caller, purse: _Purse, points: int) -> None:
    purse.left = min(caller.limits.graphql_cost, purse.left - points)
    purse.spent += points
    if purse.at - purse.settled_at >= SETTLE_SECONDS and purse.spent > 0:
        task = asyncio.create_task(_settle(caller, purse))
        _settling.add(task)
        task.add_done_callback(_settling.discard)


async def _settle(caller: Caller, purse: _Purse) -> None:
    """Tell the bucket that all processes share, and learn what the others left in it."""
    spent, purse.spent = purse.spent, 0
    purse.settled_at = time.monotonic()
    name = f"graphql:{caller.credential_id}"
    [grant] = await rate_limit.take([rate_limit.Take(name, _restored(caller), spent, caller.limits.graphql_cost)])
    purse.left = min(purse.left, grant.left - purse.spent)
