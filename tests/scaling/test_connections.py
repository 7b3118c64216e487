"""Connections: what docs/scaling.md tells PgBouncer, PostgreSQL and a replica to do fits what the
service asks for.
"""

import re
from typing import Any

import httpx

from core.foundation.database import db
from core.foundation.database.db import HEAVY, PLANNED, PLANNED_POOL, Heavy, tortoise_config
from core.foundation.settings import Settings
from rest_api.app import create_app
from tests.factories.organizations import a_key
from tests.scaling.page import TEXT, ini, sql

DIRECT, POOLED = "postgresql://svc@10.0.0.5/svc", "postgresql://svc@pgbouncer:6432/svc_planned"
KEPT_BY_PGBOUNCER = {"application_name", "timezone"}
"""It knows these of each client by itself."""


def connection(name: str, config: dict[str, Any] | None = None) -> dict[str, Any]:
    """The credentials of one of our two pools."""
    found: dict[str, Any] = (config or tortoise_config(DIRECT))["connections"][name]["credentials"]
    return found


def asked(name: str) -> dict[str, str]:
    """What a pool sends when it connects, and PgBouncer does not hand on."""
    settings: dict[str, str] = connection(name)["server_settings"]
    return {
        setting: value for setting, value in settings.items() if setting not in KEPT_BY_PGBOUNCER
    }


def test_pgbouncer_swallows_exactly_what_it_cannot_hand_on() -> None:
    ignored = {name.strip() for name in ini("pool_mode")["ignore_startup_parameters"].split(",")}

    assert ignored == asked("default").keys() | asked(PLANNED).keys() | asked(HEAVY).keys()


def test_what_pgbouncer_swallows_is_the_default_of_the_database() -> None:
    defaults = dict(re.findall(r"ALTER DATABASE svc SET (\w+) = (\w+);", sql("pgbouncer")))

    assert defaults == asked("default")


def test_the_address_of_kept_plans_sets_what_differs_there() -> None:
    differing = {
        name: value for name, value in asked(PLANNED).items() if asked("default").get(name) != value
    }
    first = dict(re.findall(r"SET (\w+) = (\w+)", ini("pool_mode")["svc_planned"]))

    assert first == differing


def test_the_address_of_heavy_work_sets_how_long_its_statements_may_take() -> None:
    milliseconds = round(Settings.model_fields["heavy_statement_seconds"].default * 1000)
    first = dict(re.findall(r"SET (\w+) = (\w+)", ini("pool_mode")["svc_heavy"]))

    assert first == {"statement_timeout": str(milliseconds)}
    assert asked(HEAVY) == asked("default"), "and nothing else differs"


def test_each_server_connection_knows_as_many_statements_as_ours_keep() -> None:
    assert (
        int(ini("pool_mode")["max_prepared_statements"])
        >= connection("default")["statement_cache_size"]
    )


def test_kept_plans_have_an_address_of_their_own_if_it_is_given() -> None:
    alone = tortoise_config(DIRECT)
    apart = tortoise_config(DIRECT, planned_url=POOLED)

    assert connection(PLANNED, alone)["host"] == connection("default", alone)["host"]
    assert connection("default", apart)["database"] == "svc"
    assert (connection(PLANNED, apart)["host"], connection(PLANNED, apart)["database"]) == (
        "pgbouncer",
        "svc_planned",
    )


def test_heavy_work_has_an_address_of_its_own_if_it_is_given() -> None:
    apart = tortoise_config(DIRECT, heavy=Heavy(url=POOLED))

    assert connection(HEAVY)["host"] == connection("default")["host"]
    assert connection("default", apart)["host"] == connection("default")["host"]
    assert connection(HEAVY, apart)["host"] == "pgbouncer"


def test_the_budget_counts_all_pools() -> None:
    default, heavy, places = (
        Settings.model_fields[name].default
        for name in ("database_pool", "heavy_pool", "heavy_places")
    )
    each = default + heavy + PLANNED_POOL

    assert f"(SVC_DATABASE_POOL + SVC_HEAVY_POOL + {PLANNED_POOL})" in TEXT
    for name, number in (
        ("DATABASE_POOL", default),
        ("HEAVY_POOL", heavy),
        ("HEAVY_PLACES", places),
    ):
        assert f"`SVC_{name}` (default {number})" in TEXT
    assert f"12 x {each} + 10 = {12 * each + 10}" in TEXT
    assert (Heavy().pool, Heavy().each) == (heavy, places)


async def test_the_roles_of_a_replica_can_be_made(clean_slate: None) -> None:
    """All but the slot, which a server that keeps the minimal log refuses."""
    for statement in sql("replica").split(";\n"):
        if statement.strip() and "replication_slot" not in statement:
            await db.execute(statement)

    assert (
        await db.fetchval("SELECT rolreplication FROM pg_roles WHERE rolname = 'svc_replica'")
        is True
    )
    assert await db.fetchval(sql("lag")) is None, "this server replays nothing"


async def test_on_a_replica_reads_are_answered_and_writes_are_refused(clean_slate: None) -> None:
    key = await a_key()
    await db.execute("SET LOCAL transaction_read_only = on")
    application = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": "once"}
    async with httpx.AsyncClient(
        transport=application, base_url="http://svc.test", headers=headers
    ) as rest:
        for path in ("/v2/sms/messages", "/v2/wallet", "/webhooks"):
            assert (await rest.get(path)).status_code == 200, path
        body = {"to": "+5511987650005", "body": "Hello", "route": "premium"}
        sent = await rest.post("/v2/sms/messages", json=body)

    assert sent.status_code == 503
    assert sent.headers["Retry-After"]
