"""The newest records first, page after page."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypedDict

import pytest

from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.errors import ValidationFailed
from core.foundation.records import Doc, Id, Page, Record, WrittenPage, newest_records
from core.foundation.security.caller import system_caller
from core.foundation.validation.inputs import SkipPage

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
NEWEST_FIRST = ["d", "c", "b", "a"]


class Thing(TypedDict):
    """A thing."""

    id: Annotated[Id, Doc("Names it")]


class NamedThing(TypedDict):
    """A thing by its name."""

    name: Annotated[str, Doc("What it is called")]


THING, NAMED_THING = Record(Thing), Record(NamedThing)
CALLER = system_caller("org_1", "test")


def ids(page: WrittenPage[Page[Thing]]) -> list[str]:
    return [item["id"] for item in page["items"]]


@pytest.fixture
async def things(clean_slate: None) -> None:
    """Four of ours, two of which were made in the same instant, and one of somebody else."""
    await db.execute(
        "CREATE TEMPORARY TABLE things (id text PRIMARY KEY, owner text, created_at timestamptz) ON COMMIT DROP"
    )
    for id, owner, age in (
        ("a", "we", 2),
        ("b", "we", 1),
        ("c", "we", 1),
        ("d", "we", 0),
        ("e", "they", 0),
    ):
        await db.execute(
            "INSERT INTO things VALUES ($1, $2, $3)", id, owner, AT - timedelta(hours=age)
        )


async def a_page(*, warns: bool = False, **asked: Any) -> WrittenPage[Page[Thing]]:
    where = Where(["we"], ["owner = $1"])
    return await newest_records(CALLER, THING, "things", where, SkipPage(**asked), warns=warns)


@pytest.mark.usefixtures("things")
async def test_a_page_holds_what_the_conditions_leave_newest_first() -> None:
    assert {**await a_page()} == {"items": [{"id": id} for id in NEWEST_FIRST], "total": 4}


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
@pytest.mark.usefixtures("things")
async def test_the_cursors_walk_over_every_record_once_and_each_page_knows_the_total(
    limit: int,
) -> None:
    page = await a_page(limit=limit)
    found, totals = ids(page), [page["total"]]
    while "nextCursor" in page and len(found) <= len(NEWEST_FIRST):
        page = await a_page(limit=limit, cursor=page["nextCursor"])
        found, totals = found + ids(page), [*totals, page["total"]]

    assert found == NEWEST_FIRST
    assert set(totals) == {4}


@pytest.mark.usefixtures("things")
async def test_skipped_records_are_left_out_on_the_first_page_and_behind_a_cursor() -> None:
    first = await a_page(skip=1, limit=1)
    second = await a_page(skip=1, cursor=first["nextCursor"])

    assert (ids(first), ids(second)) == (["c"], ["a"])


@pytest.mark.usefixtures("things")
async def test_a_list_may_show_more_than_the_columns_of_its_table() -> None:
    page: WrittenPage[Page[NamedThing]] = await newest_records(
        CALLER,
        NAMED_THING,
        "things",
        Where(["we"], ["owner = $1"]),
        SkipPage(limit=1),
        select="SELECT t.*, upper(t.id) AS name FROM things t",
    )

    assert (page["items"], page["total"]) == ([{"name": "D"}], 4)


@pytest.mark.usefixtures("things")
async def test_a_cursor_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValidationFailed) as refused:
        await a_page(cursor="nonsense")

    assert [(error.kind, error.where) for error in refused.value.errors] == [
        ("parameter", "cursor")
    ]


@pytest.mark.usefixtures("things")
async def test_a_list_that_warns_answers_an_unreadable_cursor_with_an_empty_page() -> None:
    assert {**await a_page(warns=True, cursor="nonsense")} == {
        "items": [],
        "total": 0,
        "warnings": ["cursor_invalido"],
    }


@pytest.mark.usefixtures("things")
async def test_a_list_that_warns_walks_by_readable_cursors_without_a_warning() -> None:
    first = await a_page(warns=True, limit=3)

    assert {**await a_page(warns=True, cursor=first["nextCursor"])} == {
        "items": [{"id": "a"}],
        "total": 4,
    }
