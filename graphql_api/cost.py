"""What an operation may cost: a point for each record that it may answer, from the points of its
organization.

A record in a list counts as often as the lists above it are long; an object without an id of its
own (a page, an opt-in, counts) is part of its record. Statistics cost what reading many rows does.
A credential has a bucket too, as large, that refills more slowly: it cannot keep the organization's
empty, and log-ins more or less change nothing. Both are held by the process and settled with those
in Redis from time to time, so that no query waits for Redis; several processes may together grant
what they did not know of each other for that moment.
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

from core.foundation.errors import FieldError, RateLimited, ValidationFailed
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller

MAX_NODES = 10_000
ASSUMED_LIST_SIZE = 10
"""Records of a list whose length nobody asks for."""

FLAT = {
    "messageStats": 500,
    "contactStats": 500,
    "decisionStats": 500,
    "campaignStats": 500,
    "providerCosts": 500,
    "segmentPreview": 500,
    "numberUsage": 500,
    "numberUsageSeries": 500,
    "podeReceber": 100,
    "personalData": 500,
    "__schema": 500,
    "__type": 50,
}
"""Points of fields that are more work than their records are many."""

OF_ALL, OF_A_CREDENTIAL = 4, 5
"""Seconds in which an empty bucket is full again, of an organization in an environment and of a
credential: one has four fifths of what comes back, and the others the rest, however much it asks.
"""

SETTLE_INTERVAL_SECONDS = 0.2
MAX_ACCOUNTS = 10_000


def requested_by(executor: Executor[Any]) -> int:
    """The most that an operation can cost, at least a point. Raises ValidationFailed above 10,000
    nodes.
    """
    operation = executor.operation
    root = executor.schema.get_root_type(operation.operation)
    points = _Points(executor).of(operation.selection_set, root)
    if points > MAX_NODES:
        message = f"The operation may answer {points:,} nodes, {MAX_NODES:,} are allowed; ask for shorter pages"
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
        """Points of a selection. `size`: how many records a page has, where the selection is of a
        connection.
        """
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
        many = (
            size if name in ("nodes", "node") else ASSUMED_LIST_SIZE if _is_list(field.type) else 1
        )
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
class _PointsBucket:
    """What this process knows of a shared bucket. `spent`: points that Redis has not been told of."""

    name: str
    holds: int
    per_second: int
    left: float
    at: float
    spent: int = 0

    def refill(self, at: float) -> None:
        """Points come back with time."""
        self.left = min(self.holds, self.left + (at - self.at) * self.per_second)
        self.at = at

    def spend(self, points: int) -> None:
        """Take points, or give back a negative number of them."""
        self.left = min(self.holds, self.left - points)
        self.spent += points


@dataclass(slots=True)
class _Account:
    """The two buckets that an operation of a credential is paid from."""

    buckets: tuple[_PointsBucket, _PointsBucket]
    settled_at: float

    @property
    def left(self) -> float:
        """What both hold."""
        return min(bucket.left for bucket in self.buckets)

    @property
    def spent(self) -> bool:
        """Whether Redis has to be told of something."""
        return any(bucket.spent > 0 for bucket in self.buckets)

    def wait_for(self, points: int) -> int:
        """Whole seconds until both hold so many."""
        return max(
            1, *(math.ceil((points - bucket.left) / bucket.per_second) for bucket in self.buckets)
        )


_buckets: dict[str, _PointsBucket] = {}
_accounts: dict[str, _Account] = {}
_settling: set[asyncio.Task[None]] = set()


async def take(caller: Caller, points: int) -> None:
    """Take points before an operation runs. Raises RateLimited, with the seconds after which they
    are there, and ValidationFailed where they never will be.
    """
    if points > caller.limits.graphql_cost:
        most = caller.limits.graphql_cost
        message = f"The operation may cost {points:,} points, and there are never more than {most:,}; ask for less"
        raise ValidationFailed(errors=[FieldError("parameter", "query", "too_many", message)])
    account = _account_of(caller)
    if account.left < points and account.spent:
        await _settle(account)
    if account.left < points:
        raise RateLimited(retry_after=account.wait_for(points))
    _spend(account, points)


def settle_for(caller: Caller, *, requested: int, actual: int) -> dict[str, int]:
    """Give back what an operation did not use. Answers `extensions.cost`."""
    account = _account_of(caller)
    _spend(account, actual - requested)
    return {
        "requested": requested,
        "actual": actual,
        "available": max(0, int(account.left)),
        "restoreRate": _restored(caller, OF_A_CREDENTIAL),
    }


def forget_costs() -> None:
    """Drop what this process remembers of buckets."""
    _buckets.clear()
    _accounts.clear()


def _restored(caller: Caller, seconds: int) -> int:
    return max(1, caller.limits.graphql_cost // seconds)


def _account_of(caller: Caller) -> _Account:
    at = time.monotonic()
    own = str(caller.credential_id)
    account = _accounts.get(own)
    if account is None:
        _make_room()
        shared = _bucket(f"graphql:{caller.organization_id}:{caller.env}", at)
        account = _accounts[own] = _Account((shared, _bucket(f"graphql:{own}", at)), at)
    for bucket, seconds in zip(account.buckets, (OF_ALL, OF_A_CREDENTIAL), strict=True):
        bucket.holds, bucket.per_second = caller.limits.graphql_cost, _restored(caller, seconds)
        bucket.refill(at)
    return account


def _bucket(name: str, at: float) -> _PointsBucket:
    """The process's own view of it; full where it is new, whatever a full one holds."""
    return _buckets.setdefault(name, _PointsBucket(name, 0, 0, math.inf, at))


def _make_room() -> None:
    if len(_accounts) >= MAX_ACCOUNTS:
        forget_costs()


def _spend(account: _Account, points: int) -> None:
    for bucket in account.buckets:
        bucket.spend(points)
    if account.spent and account.buckets[0].at - account.settled_at >= SETTLE_INTERVAL_SECONDS:
        task = asyncio.create_task(_settle(account))
        _settling.add(task)
        task.add_done_callback(_settling.discard)


async def _settle(account: _Account) -> None:
    """Tell the buckets that all processes share, and learn what the others left in them."""
    account.settled_at = time.monotonic()
    takes = [
        rate_limit.Take(one.name, one.per_second, max(0, one.spent), one.holds)
        for one in account.buckets
    ]
    for bucket, told in zip(account.buckets, takes, strict=True):
        bucket.spent -= told.count
    for bucket, grant in zip(account.buckets, await rate_limit.take(takes), strict=True):
        bucket.left = min(bucket.left, grant.left - bucket.spent)
