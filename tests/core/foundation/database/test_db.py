"""Raw SQL: one transaction with the models, JSON both ways."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from tortoise.connection import get_connection

from core.foundation.database import db
from core.organizations import Organization

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


async def an_organization(id: str = "org_1", name: str = "One") -> Organization:
    return await Organization.create(id=id, name=name, created_at=AT)


# One transaction


async def test_raw_sql_sees_the_models_uncommitted_rows(clean_slate: None) -> None:
    await an_organization()

    assert await db.fetchval("SELECT name FROM organizations WHERE id = $1", "org_1") == "One"


async def test_the_models_see_the_uncommitted_rows_of_raw_sql(clean_slate: None) -> None:
    await db.execute(
        "INSERT INTO organizations (id, name, status, created_at) VALUES ($1, $2, 'active', $3)",
        "org_1",
        "One",
        AT,
    )

    organization = await Organization.get(id="org_1")
    assert (organization.name, organization.created_at) == ("One", AT)


async def test_queries_side_by_side_inside_a_transaction_take_turns(clean_slate: None) -> None:
    numbers = await asyncio.gather(*(db.fetchval("SELECT $1::int", number) for number in range(20)))

    assert numbers == list(range(20))


async def test_side_by_side_outside_a_transaction_they_share_the_pool(database: None) -> None:
    seen = await asyncio.gather(
        *(db.fetchval("SELECT pg_backend_pid() FROM pg_sleep(0.01)") for _ in range(40))
    )

    pool = get_connection("default")._pool
    assert 1 < len(set(seen)) <= pool.get_max_size()


# Answers


async def test_the_answers_of_each_call(clean_slate: None) -> None:
    rows = "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (n, t) WHERE n > $1 ORDER BY n"

    assert [dict(row) for row in await db.fetch(rows, 0)] == [
        {"n": 1, "t": "a"},
        {"n": 2, "t": "b"},
    ]
    first = await db.fetchrow(rows, 1)
    assert first is not None
    assert (first["n"], first["t"]) == (2, "b")
    assert await db.fetchval(rows, 0) == 1
    assert await db.fetch(rows, 2) == []
    assert await db.fetchrow(rows, 2) is None
    assert await db.fetchval(rows, 2) is None


async def test_execute_answers_how_many_rows_it_touched(clean_slate: None) -> None:
    await an_organization("org_1")
    await an_organization("org_2")

    assert await db.execute("UPDATE organizations SET name = $1", "Same") == 2
    assert (
        await db.execute("UPDATE organizations SET name = $1 WHERE id = $2", "None", "org_3") == 0
    )
    assert await db.execute("DELETE FROM organizations") == 2
    assert await db.execute("CREATE TEMP TABLE nothing (n int) ON COMMIT DROP") == 0


def test_rows_turn_into_columns() -> None:
    assert db.columns([(1, "a"), (2, "b")], 2) == [[1, 2], ["a", "b"]]
    assert db.columns([], 3) == [[], [], []]
    with pytest.raises(ValueError, match="zip"):
        db.columns([(1, "a"), (2,)], 2)


# JSON


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": 1, "b": [1, 2.5, None, True], "c": {"d": "é \U0001f600 '\"\\ \n"}},
        {"big": 2**53 - 1, "small": -(2**53) + 1, "float": 1e-300},
        [],
        [1, "a", None],
    ],
)
async def test_json_comes_back_as_it_went(value: Any, clean_slate: None) -> None:
    assert await db.fetchval("SELECT $1::jsonb", value) == value


async def test_json_null_and_no_json_are_told_apart_by_the_column(clean_slate: None) -> None:
    row = await db.fetchrow(
        "SELECT $1::jsonb AS nothing, 'null'::jsonb AS json_null, $1::jsonb IS NULL AS is_null",
        None,
    )

    assert row is not None
    assert (row["nothing"], row["json_null"], row["is_null"]) == (None, None, True)


async def test_a_text_is_json_that_is_already_written(clean_slate: None) -> None:
    assert await db.fetchval("SELECT $1::jsonb", '{"a": 1}') == {"a": 1}
    assert await db.fetchval("SELECT to_jsonb($1::text)", "a text") == "a text"


async def test_objects_travel_in_arrays_for_bulk_inserts(clean_slate: None) -> None:
    objects = [{"n": 1, "list": [1, 2]}, None, {}, {"text": 'with "quotes", {braces} and \\'}]

    rows = await db.fetch(
        "SELECT j FROM unnest($1::jsonb[]) WITH ORDINALITY AS u (j, place) ORDER BY place", objects
    )

    assert [row["j"] for row in rows] == objects


async def test_models_and_raw_sql_read_each_others_json(clean_slate: None) -> None:
    from core.webhooks.models import WebhookEvent

    await WebhookEvent.create(
        id="evt_1",
        organization_id="org_1",
        env="test",
        type="sms.sent",
        data={"n": [1]},
        occurred_at=AT,
        created_at=AT,
    )
    await db.execute(
        "INSERT INTO webhook_events (id, organization_id, env, type, data, occurred_at, created_at) "
        "VALUES ('evt_2', 'org_1', 'test', 'sms.sent', $1, $2, $2)",
        {"n": [2]},
        AT,
    )

    assert await db.fetchval("SELECT data FROM webhook_events WHERE id = 'evt_1'") == {"n": [1]}
    assert (await WebhookEvent.get(id="evt_2")).data == {"n": [2]}
    assert [event.id for event in await WebhookEvent.filter(data__contains={"n": [2]})] == ["evt_2"]


# The pool


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("timezone", "UTC"),
        ("application_name", "svc"),
        ("plan_cache_mode", "force_custom_plan"),
        ("jit", "off"),
    ],
)
async def test_every_connection_is_set_up_alike(name: str, value: str, database: None) -> None:
    assert await db.fetchval(f"SHOW {name}") == value


async def test_a_connection_comes_back_outside_any_transaction(database: None) -> None:
    with pytest.raises(Exception, match="division by zero"):
        await db.execute("BEGIN; SELECT 1 / 0")

    pool = get_connection("default")._pool
    for _ in range(pool.get_max_size()):
        connection = await pool.acquire()
        assert not connection.is_in_transaction()
        assert await connection.fetchval("SELECT 1") == 1
        await pool.release(connection)


async def test_an_unreachable_database_is_told_apart_from_an_error_of_ours(tmp_path: Any) -> None:
    from core.foundation.database.address import read
    from core.foundation.database.availability import is_outage
    from core.foundation.database.db import _connect

    with pytest.raises(ConnectionError) as away:
        await _connect(read(f"postgresql://postgres@/svc?host={tmp_path}"))

    assert is_outage(away.value)
