"""Rows as COPY reads them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from cli.seed.copy_text import copy_text
from core.foundation.database import db

pytestmark = pytest.mark.usefixtures("clean_slate")

TABLE = """
CREATE TEMP TABLE copied (place int, text text, number bigint, truth bool, at timestamptz, raw bytea, texts text[])
ON COMMIT DROP
"""


async def test_what_is_copied_in_comes_out_again() -> None:
    at = datetime(2025, 7, 1, 12, 30, 15, 123_456, tzinfo=UTC)
    texts = [
        "plain",
        "",
        "a\\b",
        "tab\tand\nlines\r",
        "ção 🎉",
        r"\N",
        "\u200d\u2028",
        'quoted " and, {braced}',
        "NULL",
    ]
    rows: list[tuple[Any, ...]] = [
        (place, text, place, True, at, text.encode(), [text]) for place, text in enumerate(texts)
    ]
    rows += [
        (len(texts), None, None, None, None, None, None),
        (len(texts) + 1, "x", -1, False, at, b"\x00\\", []),
    ]
    rows += [(len(texts) + 2, "x", 2**60, False, at, b"", texts)]
    await db.execute(TABLE)

    await db.copy_in(
        "copied", ("place", "text", "number", "truth", "at", "raw", "texts"), copy_text(rows)
    )

    assert [tuple(row) for row in await db.fetch("SELECT * FROM copied ORDER BY place")] == rows


async def test_no_rows_are_copied_in_too() -> None:
    await db.execute(TABLE)

    await db.copy_in("copied", ("place",), copy_text([]))

    assert await db.fetchval("SELECT count(*) FROM copied") == 0
