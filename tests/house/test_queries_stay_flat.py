"""Ten thousand different queries leave no more behind than the first thousands did."""

import resource
import sys
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from graphql import ExecutionResult

from core.foundation.bounded_cache import BoundedCache
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import read
from graphql_api.context import Context
from graphql_api.documents import forget_documents, read_document
from graphql_api.executor import RecordExecutor
from graphql_api.schema import graphql_schema
from tests.support.bytes_held import bytes_together, caches

QUERIES = 10_000
HELD = 2_000_000
"""As many bytes as every cache is allowed here."""

HOLDERS = ("graphql_api.", "core.read_models.")
"""Where documents, selections and statements are remembered."""

FIELDS = ("name", "email", "tags", "createdAt", "updatedAt")
VALUES: dict[str, Any] = {
    "id": "cnt_1",
    "tags": ["vip"],
    "createdAt": "2026-11-21T12:00:00.123456+00:00",
    "updatedAt": "2026-11-21T12:00:00.123456+00:00",
}


class Rows:
    """PostgreSQL's answer to a page of one contact with the fields of the query."""

    def __init__(self) -> None:
        self.fields: list[str] = []

    async def fetchval(self, _: str, *__: object) -> str:
        row = [VALUES.get(field, "a text") for field in self.fields]
        return orjson.dumps([None, [row]]).decode()


@pytest.fixture
def small_caches(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, BoundedCache[Any, Any]]]:
    forget_documents()
    known = caches()
    for cache in known.values():
        monkeypatch.setattr(cache, "max_bytes", HELD)
    yield known
    for cache in known.values():
        cache.clear()


@pytest.mark.usefixtures("database")
async def test_ten_thousand_different_queries_leave_caches_and_memory_flat(
    small_caches: dict[str, BoundedCache[Any, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Rows()
    monkeypatch.setattr(read, "db", rows)
    caller = Caller("org_1", "test", frozenset(Scope))
    half = 0
    for number in range(1, QUERIES + 1):
        more = [field for place, field in enumerate(FIELDS) if number >> place & 1]
        rows.fields = ["id", *more[:1]]
        text = f"{{contacts(first:1){{nodes{{a{number}:id {' '.join(more[:1])}}}}}}}"
        assert await nodes_of(caller, text) == 1
        if number == QUERIES // 2:
            half = peak_memory()

    assert all(cache.bytes_held <= HELD for cache in small_caches.values())
    # What is remembered of a document is counted with it: its nodes are in three caches.
    known = [cache for name, cache in small_caches.items() if name.startswith(HOLDERS)]
    assert bytes_together(known) <= sum(cache.bytes_held for cache in known)
    assert peak_memory() - half < 30_000_000


async def nodes_of(caller: Caller, text: str) -> int:
    """How many contacts a query answers."""
    node = read_document(text).node
    assert node is not None
    executor = RecordExecutor.build(graphql_schema, node, context_value=Context(caller))
    assert isinstance(executor, RecordExecutor)
    result = executor.execute_operation()
    if not isinstance(result, ExecutionResult):
        result = await result  # type: ignore[misc]
    assert result.errors is None, result.errors
    assert result.data is not None
    return len(result.data["contacts"]["nodes"])


def peak_memory() -> int:
    """The most bytes that this process ever had in memory."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
