"""Which months have a partition, and how rows of one that was not planned get there."""

from datetime import UTC, date, datetime

import pytest

from core import partitions
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.partitions.enable import is_stale, preparation
from core.partitions.months import month_of, months_later
from core.partitions.tables import AUDIT, MESSAGES
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message, stored_reply
from tests.scaling.flows import sent_by
from tests.scaling.partitioning import YEAR, partition_everything

IN_JANUARY = datetime(YEAR, 1, 15, tzinfo=UTC)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    await partition_everything()
    return await a_caller()


@pytest.mark.parametrize(
    ("count", "month"), [(1, date(2027, 1, 1)), (-12, date(2025, 12, 1)), (-11, date(2026, 1, 1))]
)
def test_months_go_over_the_turn_of_the_year(count: int, month: date) -> None:
    assert months_later(date(2026, 12, 1), count) == month


def test_a_month_is_that_of_utc() -> None:
    assert month_of(datetime.fromisoformat("2026-12-31T22:30:00-03:00")) == date(2027, 1, 1)


async def test_months_ahead_are_added_once(caller: Caller) -> None:
    added = await partitions.add_months(at=IN_JANUARY)

    assert sorted(added) == sorted(f"{table.name}_{YEAR}_04" for table in partitions.TABLES)
    assert await partitions.add_months(at=IN_JANUARY) == []


async def test_a_new_month_keeps_the_storage_of_its_table(caller: Caller) -> None:
    await partitions.add_months(at=IN_JANUARY)

    assert await db.fetchval(
        "SELECT reloptions FROM pg_class WHERE relname = $1", f"messages_{YEAR}_04"
    ) == ["fillfactor=75"]


async def test_rows_of_a_month_that_nobody_added_move_into_it_and_are_counted_once(
    caller: Caller,
) -> None:
    late = datetime(YEAR, 6, 2, tzinfo=UTC)
    ids = [await stored_message(caller, late) for _ in range(2)]
    beyond = await stored_message(caller, datetime(YEAR + 1, 6, 2, tzinfo=UTC))

    await partitions.add_months(at=late)

    rows = await db.fetch("SELECT id, tableoid::regclass::text AS place FROM messages")
    assert {row["id"]: row["place"] for row in rows} == {
        **dict.fromkeys(ids, f"messages_{YEAR}_06"),
        beyond: "messages_unplanned",
    }
    assert len(await sent_by(caller)) == 3


async def test_a_reply_that_moved_is_still_stored_once(caller: Caller) -> None:
    late = datetime(YEAR, 6, 2, tzinfo=UTC)
    await stored_reply(caller, late, provider_reference="mo_1")
    await partitions.add_months(at=late)

    assert await db.execute(AGAIN) == 0


async def test_what_there_is_to_know(caller: Caller) -> None:
    await stored_message(caller, datetime(YEAR, 6, 2, tzinfo=UTC))

    told = await partitions.partition_status(at=IN_JANUARY)

    (messages,) = [table for table in told["tables"] if table["table"] == "messages"]
    assert {**messages, "bytes": messages["bytes"] > 0} == {
        "table": "messages",
        "partitioned": True,
        "monthsAhead": 2,
        "unplannedRows": 1,
        "bytes": True,
    }
    names = [
        part["partition"]
        for part in told["partitions"]
        if part["partition"].startswith("messages_")
    ]
    assert names == [
        "messages_before",
        *(f"messages_{YEAR}_0{month}" for month in (1, 2, 3)),
        "messages_unplanned",
    ]


async def test_a_preparation_that_nobody_finished_is_taken_back_before_it_refuses_rows(
    clean_slate: None,
) -> None:
    month = date(YEAR, 1, 1)
    for table in (MESSAGES, AUDIT):
        for step in list(preparation(table, month))[1:]:
            for statement in step.statements:  # type: ignore[union-attr]
                await db.execute(statement)
    early, late = datetime(YEAR - 1, 12, 28, tzinfo=UTC), datetime(YEAR - 1, 12, 29, tzinfo=UTC)
    assert [is_stale(month, at=at) for at in (early, late)] == [False, True]

    assert await partitions.take_back_stale(at=early) == []
    assert await partitions.take_back_stale(at=late) == ["messages", "audit_entries"]
    caller = await a_caller()
    await stored_message(caller, IN_JANUARY)


AGAIN = """
INSERT INTO messages (id, organization_id, env, channel, direction, status, recipient, provider, provider_reference,
                      coins, created_at, updated_at)
SELECT 'msg_again', organization_id, env, channel, direction, status, recipient, provider, provider_reference, coins,
       created_at, updated_at FROM messages WHERE provider_reference = 'mo_1'
"""
