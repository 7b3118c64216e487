"""Rows of a batch as one parameter."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from core.foundation.database import db
from core.foundation.database.batch_rows import PLACE, WIDTHS, BatchRows
from core.foundation.database.on_node import ROWS_TYPE

RUN = UUID("00000000-0000-4000-8000-000000000001")
MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)
COLUMNS = (
    ("id", "text"),
    ("answer", "jsonb"),
    ("run", "uuid"),
    ("length", "int"),
    ("step", "smallint"),
    ("coins", "bigint"),
    ("at", "timestamptz"),
    ("identity", "bytea"),
    ("claims", "bool"),
)
FULL = ("a", {"to": ["x", None]}, RUN, 160, 3, 2**40, MOMENT, b"\0\xff", True)
EMPTY = (None,) * len(COLUMNS)


async def test_what_is_laid_into_rows_is_read_by_the_statement(clean_slate: None) -> None:
    rows = BatchRows(COLUMNS)
    given = rows.of("$1")
    names = [name for name, _ in COLUMNS]
    found = await db.fetch(
        f"SELECT {PLACE} AS place, {given.named(*names)} FROM {given.source}",
        rows.parameter([FULL, EMPTY, ("b", "[1]", *EMPTY[2:])]),
    )
    assert [tuple(row.values()) for row in found] == [
        (1, *FULL),
        (2, *EMPTY),
        (3, "b", [1], *EMPTY[2:]),
    ]


async def test_the_type_is_as_wide_as_rows_are_laid_out(clean_slate: None) -> None:
    found = await db.fetch(
        "SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute "
        "WHERE attrelid = $1::text::regclass ORDER BY attnum",
        ROWS_TYPE.removesuffix("[]"),
    )
    names = {"timestamptz": "timestamp with time zone", "bool": "boolean"}
    assert [tuple(row.values()) for row in found] == [
        (f"{carrier}_{number}", names.get(carrier, carrier))
        for carrier, width in WIDTHS.items()
        for number in range(1, width + 1)
    ]


@pytest.mark.parametrize(
    "columns",
    [
        [("id", "text"), ("id", "text")],
        [(f"number_{number}", "int") for number in range(WIDTHS["bigint"] + 1)],
        [("price", "numeric")],
    ],
)
def test_columns_that_do_not_fit_are_refused_at_once(columns: list[tuple[str, str]]) -> None:
    with pytest.raises(ValueError, match="columns of a batch"):
        BatchRows(tuple(columns))
