"""Writing rows of a table as Parquet; needs the extra `parquet` (pyarrow)."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from core.foundation.database import db
from core.foundation.database.rows import pairs_of

PAGES_A_GROUP = 1_024
"""Pages of the table (8 KB each) that are read at once and become a group of rows of the file."""


class MissingLibrary(Exception):
    """No Parquet can be written here."""

    def __init__(self) -> None:
        super().__init__(
            "SVC_RETENTION_EXPORT=parquet needs pyarrow: install the extra `parquet` of "
            "this package"
        )


def is_available() -> bool:
    """Whether Parquet can be written here."""
    return find_spec("pyarrow") is not None


def require() -> None:
    """Raise MissingLibrary where no Parquet can be written."""
    if not is_available():
        raise MissingLibrary


async def rows_as_parquet(table: str, *, first_page: int, end_page: int) -> bytes | None:
    """The rows that lie in these pages of a table that nobody writes to; None where none do.

    Columns keep their names; times are UTC with microseconds, JSON is text. Rows are read in
    groups, so only the compressed file is ever in memory whole.
    """
    # Libraries of an extra of their own, and slow to import.
    import pyarrow as pa  # type: ignore[import-untyped] # noqa: PLC0415
    import pyarrow.parquet as pq  # type: ignore[import-untyped] # noqa: PLC0415

    columns = pairs_of(await db.fetch(COLUMNS, table), "name", "type")
    selected = ", ".join(
        name if type in PLAIN else f"{name}::text" for name, type in columns.items()
    )
    schema = pa.schema(
        [
            (name, PLAIN[type](pa) if type in PLAIN else pa.string())
            for name, type in columns.items()
        ]
    )
    sink = pa.BufferOutputStream()
    count = 0
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        for page in range(first_page, end_page, PAGES_A_GROUP):
            rows = await db.fetch(
                f"SELECT {selected} FROM {table} WHERE ctid >= $1::tid AND ctid < $2::tid",
                (page, 0),
                (min(page + PAGES_A_GROUP, end_page), 0),
            )
            if rows:
                count += len(rows)
                await asyncio.to_thread(_write, writer, pa, schema, rows)
    return sink.getvalue().to_pybytes() if count else None


def _write(writer: Any, pa: Any, schema: Any, rows: Sequence[Any]) -> None:
    arrays = [
        pa.array([row[place] for row in rows], type=field.type, from_pandas=False)
        for place, field in enumerate(schema)
    ]
    writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=len(rows))


PLAIN: Mapping[str, Callable[[Any], Any]] = {
    "bigint": lambda pa: pa.int64(),
    "integer": lambda pa: pa.int32(),
    "smallint": lambda pa: pa.int16(),
    "boolean": lambda pa: pa.bool_(),
    "double precision": lambda pa: pa.float64(),
    "timestamp with time zone": lambda pa: pa.timestamp("us", tz="UTC"),
    "bytea": lambda pa: pa.binary(),
}
"""Types of PostgreSQL that Parquet has too. Any other, JSON above all, is written as its text."""

COLUMNS = """
SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
