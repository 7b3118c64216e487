"""Months whose time is over leave their table, are exported where that is wanted, and are dropped."""

import io
from datetime import UTC, datetime
from typing import Any

import orjson
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from core import audit, media, partitions
from core.foundation import files, settings
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging import Channel, Status
from core.partitions import finish, keep, parquet, retention
from tests.factories.media import a_file
from tests.factories.organizations import a_caller
from tests.factories.short_links import a_link
from tests.factories.stored_messages import stored_message, stored_reply
from tests.scaling.flows import sent_by
from tests.scaling.partitioning import YEAR, partition_everything

pytestmark = pytest.mark.slow

IN_JANUARY, IN_MARCH = datetime(YEAR, 1, 15, tzinfo=UTC), datetime(YEAR, 3, 2, tzinfo=UTC)
EMPTIED = tuple(table.name for table in retention.EMPTIED)
JANUARY = f"messages_{YEAR}_01"


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    await partition_everything()
    await hours_closed(datetime(YEAR + 1, 1, 1, tzinfo=UTC))
    return await a_caller()


def choose(monkeypatch: pytest.MonkeyPatch, **chosen: Any) -> None:
    changed = settings.current().model_copy(update=chosen)
    for module in (retention, finish, keep):
        monkeypatch.setattr(module, "current", lambda: changed)


@pytest.fixture
def one_month(monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, keep_messages_months=1)


@pytest.fixture
def one_month_in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    choose(monkeypatch, keep_messages_months=1, retention_export="parquet")


async def hours_closed(until: datetime) -> None:
    await db.execute(
        "INSERT INTO closed_hours (id, closed_until) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET closed_until = $1",
        until,
    )


async def tables_like(name: str) -> list[str]:
    rows = await db.fetch(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relname LIKE $1", f"{name}%"
    )
    return sorted(row["relname"] for row in rows)


async def test_without_a_setting_nothing_goes(caller: Caller) -> None:
    await stored_message(caller, IN_JANUARY)

    detached = await partitions.detach_old_months(at=datetime(YEAR + 50, 1, 1, tzinfo=UTC))

    assert [name for name in detached if not name.startswith(EMPTIED)] == []


@pytest.mark.usefixtures("one_month")
async def test_a_month_stays_for_as_many_whole_months_as_are_kept(caller: Caller) -> None:
    id = await stored_message(caller, IN_JANUARY)
    await partitions.detach_old_months(at=datetime(YEAR, 2, 28, 23, 59, tzinfo=UTC))

    assert await sent_by(caller) == [id]


@pytest.mark.usefixtures("one_month")
async def test_older_months_are_out_of_reach_and_the_totals_exact(caller: Caller) -> None:
    await stored_message(caller, datetime(2026, 1, 1, tzinfo=UTC))
    await stored_message(caller, IN_JANUARY)
    kept = await stored_message(caller, datetime(YEAR, 2, 1, tzinfo=UTC))

    detached = [
        name
        for name in await partitions.detach_old_months(at=IN_MARCH)
        if not name.startswith(EMPTIED)
    ]

    assert sorted(detached) == [
        f"message_receipts_{YEAR}_01",
        "message_receipts_before",
        f"messages_{YEAR}_01",
        "messages_before",
    ]
    assert await sent_by(caller) == [kept]
    told = await partitions.partition_status(at=IN_MARCH)
    rows = {one["partition"]: one["rows"] for one in told["detached"]}
    assert {name: rows[name] for name in detached} == {
        **dict.fromkeys(detached, 0),
        "messages_before": 1,
        JANUARY: 1,
    }


@pytest.mark.usefixtures("one_month")
async def test_what_is_detached_is_dropped_with_what_hangs_on_it(caller: Caller) -> None:
    id, _ = await a_link(caller)
    await db.execute(
        "UPDATE messages SET created_at = $1, status = 'delivered', settle_at = NULL", IN_JANUARY
    )
    kept, _ = await a_link(caller)
    await db.execute("UPDATE messages SET created_at = $1 WHERE id = $2", IN_MARCH, kept)
    await partitions.detach_old_months(at=IN_MARCH)

    assert JANUARY in await partitions.finish_detached(at=IN_MARCH)

    assert await tables_like(JANUARY) == []
    links = [row["message_id"] for row in await db.fetch("SELECT message_id FROM short_links")]
    assert (links, id in links) == ([kept], False)
    assert await partitions.finish_detached(at=IN_MARCH) == []
    assert (
        await db.fetchval("SELECT count(*) FROM detached_partitions WHERE dropped_at IS NULL") == 0
    )


@pytest.mark.usefixtures("one_month")
@pytest.mark.parametrize(
    "state", [{"status": Status.SENDING}, {"status": Status.FAILED, "settle_at": IN_MARCH}]
)
async def test_a_month_with_money_in_the_balance_stays(
    caller: Caller, state: dict[str, Any]
) -> None:
    id = await stored_message(caller, IN_JANUARY, **state)

    assert JANUARY not in await partitions.detach_old_months(at=IN_MARCH)
    assert await sent_by(caller) == [id]


@pytest.mark.usefixtures("one_month")
async def test_a_month_whose_hours_are_not_counted_stays(caller: Caller) -> None:
    id = await stored_message(caller, IN_JANUARY)
    await hours_closed(datetime(YEAR, 1, 31, 23, tzinfo=UTC))

    assert JANUARY not in await partitions.detach_old_months(at=IN_MARCH)
    assert await sent_by(caller) == [id]


@pytest.mark.usefixtures("one_month")
async def test_files_go_with_the_last_message_that_they_were_sent_in(caller: Caller) -> None:
    old, shared, received = await a_file(caller), await a_file(caller), "in/msg_1/abc"
    await db.execute(
        "UPDATE media_files SET created_at = $1, expires_at = $2",
        IN_JANUARY,
        media.models.NEVER_EXPIRES,
    )
    for at, file in ((IN_JANUARY, old), (IN_JANUARY, shared), (IN_MARCH, shared)):
        await stored_message(
            caller,
            at,
            channel=Channel.WHATSAPP,
            number_id=file.number_id,
            media={"key": file.blob_key},
        )
    await stored_reply(caller, IN_JANUARY, channel=Channel.WHATSAPP, media={"key": received})
    await partitions.detach_old_months(at=IN_MARCH)
    await partitions.finish_detached(at=IN_MARCH)

    await media.expire_files(at=IN_MARCH)

    left = await db.fetch("SELECT id FROM media_files WHERE blob_key IS NOT NULL")
    assert [row["id"] for row in left] == [shared.id]
    await files.remove_due(at=IN_MARCH)
    assert shared.blob_key in {key async for key in files.blob_store().stored_keys()}
    assert old.blob_key not in {key async for key in files.blob_store().stored_keys()}


@pytest.mark.usefixtures("one_month")
async def test_a_reply_whose_month_is_gone_leaves_no_key(caller: Caller) -> None:
    await stored_reply(caller, IN_JANUARY)
    await stored_reply(caller, IN_MARCH)
    await partitions.detach_old_months(at=IN_MARCH)
    await partitions.finish_detached(at=IN_MARCH)

    assert await db.fetchval("SELECT array_agg(created_at) FROM inbound_message_keys") == [IN_MARCH]


@pytest.mark.usefixtures("one_month_in_files")
async def test_a_month_is_in_the_store_of_files_before_it_is_dropped(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finish, "PAGES_A_FILE", 1)
    metadata = {"pedido": "ção", "n": [1, None]}
    ids = {await stored_message(caller, IN_JANUARY, metadata=metadata) for _ in range(60)}
    await partitions.detach_old_months(at=IN_MARCH)

    await partitions.finish_detached(at=IN_MARCH)

    keys = sorted(
        [
            key
            async for key in files.blob_store().stored_keys()
            if key.startswith(f"archive/messages/{JANUARY}")
        ]
    )
    assert len(keys) > 1
    assert keys == [partitions.export_key("messages", JANUARY, n) for n in range(1, len(keys) + 1)]
    rows = [row for key in keys for row in await read_rows(key)]
    assert {row["id"] for row in rows} == ids
    assert rows[0]["created_at"] == IN_JANUARY
    assert orjson.loads(rows[0]["metadata"]) == metadata
    assert (rows[0]["coins"], rows[0]["read_at"]) == (800, None)
    await files.blob_store().delete(keys)


@pytest.mark.usefixtures("one_month_in_files")
async def test_an_export_goes_on_where_it_was_cut_off(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finish, "PAGES_A_FILE", 1)
    for _ in range(60):
        await stored_message(caller, IN_JANUARY)
    await partitions.detach_old_months(at=IN_MARCH)
    stored: list[str] = []

    class Store:
        async def put(self, key: str, _: bytes) -> None:
            if len(stored) == 1:
                stored.append("cut off")
                raise files.StoreAway
            stored.append(key)

    monkeypatch.setattr(files, "blob_store", Store)
    await partitions.keep_in_order(at=IN_MARCH)
    assert JANUARY in await tables_like(JANUARY)
    await partitions.keep_in_order(at=IN_MARCH)

    exported = [key for key in stored if key.startswith(f"archive/messages/{JANUARY}")]
    assert exported == [
        partitions.export_key("messages", JANUARY, n) for n in range(1, len(exported) + 1)
    ]
    assert await tables_like(JANUARY) == []


@pytest.mark.usefixtures("one_month_in_files")
async def test_nothing_leaves_where_no_file_can_be_written(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await stored_message(caller, IN_JANUARY)
    monkeypatch.setattr(parquet, "find_spec", lambda _: None)

    await partitions.keep_in_order(at=IN_MARCH)

    assert await sent_by(caller) == [id]


async def test_the_trail_is_kept_for_its_own_time(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(monkeypatch, keep_audit_months=1)
    for at in (IN_JANUARY, IN_MARCH):
        await audit.write_entry(caller, "thing.done", at=at)
    await stored_message(caller, IN_JANUARY)

    detached = await partitions.detach_old_months(at=IN_MARCH)

    kept_by_months = [name for name in detached if not name.startswith(EMPTIED)]
    assert sorted(kept_by_months) == [f"audit_entries_{YEAR}_01", "audit_entries_before"]
    assert await db.fetchval("SELECT array_agg(at) FROM audit_entries") == [IN_MARCH]


async def test_a_month_of_events_goes_once_it_is_empty(caller: Caller) -> None:
    at = datetime(YEAR, 6, 1, tzinfo=UTC)
    await partitions.add_months(at=IN_JANUARY)
    await db.execute(EVENT, IN_JANUARY)
    gone = await partitions.detach_old_months(at=at)
    assert (f"webhook_events_{YEAR}_01" in gone, f"webhook_events_{YEAR}_02" in gone) == (
        False,
        True,
    )

    await db.execute("DELETE FROM webhook_events")

    assert f"webhook_events_{YEAR}_01" in await partitions.detach_old_months(at=at)


async def read_rows(key: str) -> list[dict[str, Any]]:
    async with files.blob_store().read(key) as pieces:
        content = b"".join([piece async for piece in pieces])
    rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(content)).to_pylist()
    return rows


EVENT = """
INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at)
VALUES ('evt_1', 'org_1', 'test', 'sms.sent', '{}', $1, $1)
"""
