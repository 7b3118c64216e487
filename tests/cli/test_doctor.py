"""`svc doctor` names what is missing and what to do; `svc settings` shows what holds."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import plain_environment, svc
from tests.support.service import Service
from tests.support.waiting import eventually


async def examined(environment: dict[str, str]) -> tuple[int, dict[str, Any]]:
    status, out, _ = await svc(["doctor", "--json"], environment=environment)
    return status, json.loads(out)


def found(record: dict[str, Any]) -> dict[str, bool | None]:
    return {check["name"]: check["ok"] for check in record["checks"]}


async def test_a_service_that_has_everything_is_well(service: Service) -> None:
    await service.worker()
    await eventually(lambda: service.redis.keys("svc:alive:*"), "the worker's heart beats")

    status, out, err = await svc(["doctor"], environment=service.environment)

    assert (status, err) == (0, "")
    lines = [line.split(maxsplit=2) for line in out.splitlines()]
    assert [line[:2] for line in lines] == [
        ["ok", "settings"],
        ["ok", "database"],
        ["ok", "migrations"],
        ["ok", "redis"],
        ["ok", "worker"],
    ]


async def test_without_a_worker_it_says_how_to_start_one(service: Service) -> None:
    status, record = await examined(service.environment)

    assert status == 1
    assert found(record) == {"settings": True, "database": True, "migrations": True, "redis": True, "worker": False}
    assert "svc worker" in record["checks"][-1]["detail"]
    assert record["ok"] is False


async def test_an_empty_database_lacks_migrations(service: Service) -> None:
    address = service.machines.postgres.create_database("empty")
    try:
        status, record = await examined(service.environment | {"DATABASE_URL": address})
    finally:
        service.machines.postgres.drop_database("empty")

    assert status == 1
    assert found(record)["database"]
    assert not found(record)["migrations"]
    assert "svc migrate" in record["checks"][2]["detail"]


async def test_servers_that_do_not_answer_are_named_each(service: Service, tmp_path: Path) -> None:
    nowhere = {
        "DATABASE_URL": f"postgresql://postgres:hush@/svc?host={tmp_path}",
        "REDIS_URL": f"unix://{tmp_path}/redis.sock",
    }
    status, record = await examined(service.environment | nowhere)

    assert status == 1
    assert found(record) == {
        "settings": True,
        "database": False,
        "migrations": False,
        "redis": False,
        "worker": False,
    }
    assert "hush" not in json.dumps(record)


async def test_without_settings_nothing_else_is_checked(tmp_path: Path) -> None:
    status, record = await examined(plain_environment() | {"SVC_DATA_DIR": str(tmp_path)})

    assert status == 1
    assert found(record) == {"settings": False, "database": None, "migrations": None, "redis": None, "worker": None}
    assert "DATABASE_URL" in record["checks"][0]["detail"]


@pytest.fixture
async def listed(tmp_path: Path) -> dict[str, Any]:
    """What `svc settings` says where some are set."""
    some = {
        "DATABASE_URL": "postgresql://svc:p4ss@db:5432/svc?sslmode=require",
        "REDIS_URL": "redis://:s3cret@cache:6379/0",
        "SVC_HASH_KEY": "never to be shown",
        "SVC_DATA_DIR": str(tmp_path),
        "SVC_BILLING": "perhaps",
    }
    status, out, _ = await svc(["settings", "--json"], environment=plain_environment() | some)
    assert status == 0
    record: dict[str, Any] = json.loads(out)
    return record


async def test_every_setting_is_listed_with_meaning_default_and_value(listed: dict[str, Any], tmp_path: Path) -> None:
    entries = {entry["name"]: entry for entry in listed["settings"]}
    assert {"DATABASE_URL", "SVC_ENCRYPTION_KEYS", "SVC_SANDBOX_DELAY_SECONDS", "SVC_LOG_LEVEL"} <= set(entries)
    assert all(entry["meaning"] for entry in entries.values())
    assert entries["SVC_SANDBOX_DELAY_SECONDS"] == {
        "name": "SVC_SANDBOX_DELAY_SECONDS",
        "meaning": "Seconds between a sandbox acceptance and its delivery report",
        "required": False,
        "default": "3.0",
        "value": "3.0",
        "isSet": False,
    }
    assert entries["DATABASE_URL"]["required"]
    assert (entries["SVC_DATA_DIR"]["default"], entries["SVC_DATA_DIR"]["isSet"]) == (".svc", True)
    assert entries["SVC_DATA_DIR"]["value"] == str(tmp_path)


async def test_secrets_and_passwords_are_hidden(listed: dict[str, Any]) -> None:
    entries = {entry["name"]: entry["value"] for entry in listed["settings"]}
    assert entries["SVC_HASH_KEY"] == "***"
    assert entries["DATABASE_URL"] == "postgresql://svc:***@db:5432/svc?sslmode=require"
    assert entries["REDIS_URL"] == "redis://:***@cache:6379/0"


async def test_what_is_wrong_with_the_settings_is_told_beside_them(listed: dict[str, Any]) -> None:
    assert "SVC_BILLING" in listed["problem"]
    assert "SVC_ENCRYPTION_KEYS" in listed["problem"]


async def test_both_are_something_to_read_without_json(tmp_path: Path) -> None:
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path)}
    (_, shown, _), (_, checked, _) = await asyncio.gather(
        svc(["settings"], environment=environment), svc(["doctor"], environment=environment)
    )
    assert "SVC_SANDBOX_DELAY_SECONDS" in shown
    assert checked.startswith("FAILS")
