"""What PostgreSQL does for a question: the plans of the statements that a use case asks."""

from collections.abc import Awaitable, Iterator
from typing import Any

import orjson
import pytest

from core.foundation.database import db


async def forget_statistics(table: str) -> None:
    """PostgreSQL plans as if nobody had counted the table yet, until the transaction ends. Counting is
    not undone with a test: what an earlier one, or the server by itself, counted would stay.
    """
    await db.execute("DELETE FROM pg_statistic WHERE starelid = $1::text::regclass", table)
    await db.execute(
        "UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid = $1::text::regclass", table
    )


async def rows_read(use_case: Awaitable[Any], table: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many rows of a table all statements of a use case read, by any scan; one that reads it whole
    fails the test.
    """
    heard: list[tuple[str, tuple[Any, ...]]] = []

    def hearing(original: Any) -> Any:
        async def ask(sql: str, *values: Any) -> Any:
            heard.append((sql, values))
            return await original(sql, *values)

        return ask

    with monkeypatch.context() as patch:
        for name in ("fetch", "fetchrow", "fetchval"):
            patch.setattr(db, name, hearing(getattr(db, name)))
        await use_case
    read = 0
    for sql, values in heard:
        plan = await db.fetchval(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", *values)
        for node in _nodes(orjson.loads(plan)[0]["Plan"]):
            if node.get("Relation Name") == table:
                assert node["Node Type"] != "Seq Scan", f"reads all of {table}: {sql}"
                read += round(
                    (node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
                    * node["Actual Loops"]
                )
            elif node["Node Type"] == "Bitmap Index Scan" and node["Index Name"].startswith(table):
                read += round(node["Actual Rows"] * node["Actual Loops"])
    return read


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)
