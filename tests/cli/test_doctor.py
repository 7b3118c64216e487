"""`svc doctor` names what is missing and what to do; `svc settings` shows what holds."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli import checks
from cli.checks import Warned
from cli.checks.exposure import is_public
from cli.checks.machines import redis_line
from cli.failures import Failure
from core import operations
from core.foundation.settings import Settings, SettingsError
from tests.fakes.gateway import SECRET, a_gateway
from tests.support.processes import plain_environment, svc
from tests.support.receiver import Receiver
from tests.support.service import TEMPLATE, Service
from tests.support.waiting import eventually
from tests.support.wire import through_a_wire

CHECKS = (
    "settings",
    "database",
    "clock",
    "connections",
    "bounds",
    "migrations",
    "cells",
    "moves",
    "encryption",
    "hash_key",
    "phone_hash",
    "redis",
    "files",
    "open_files",
    "worker",
    "queues",
    "event_feed",
    "partitions",
    "webhooks",
    "live_sms",
    "mail",
    "base_url",
    "metrics",
)


async def examined(environment: dict[str, str]) -> tuple[int, dict[str, Any]]:
    status, out, _ = await svc(["doctor", "--json"], environment=environment)
    return status, json.loads(out)


def found(record: dict[str, Any]) -> dict[str, bool | None]:
    return {check["name"]: check["ok"] for check in record["checks"]}


def detail(record: dict[str, Any], name: str) -> str:
    (line,) = [check["detail"] for check in record["checks"] if check["name"] == name]
    assert isinstance(line, str)
    return line


def warnings(record: dict[str, Any]) -> dict[str, str]:
    return {check["name"]: check["detail"] for check in record["checks"] if check["warning"]}


async def test_a_service_that_has_everything_is_well(service: Service) -> None:
    await service.worker()
    await eventually(lambda: service.redis.keys("svc:alive:*"), "the worker's heart beats")

    status, out, err = await svc(["doctor"], environment=service.environment)

    assert (status, err) == (0, "")
    lines = [line.split(maxsplit=2) for line in out.splitlines()]
    assert [line[:2] for line in lines] == [["ok", name] for name in CHECKS]


@pytest.mark.parametrize(
    ("mode", "says"), [("interface", "SVC_PHONE_HASH=keyed"), ("keyed", "does not undo")]
)
async def test_it_says_what_a_phone_hash_gives_away(mode: str, says: str) -> None:
    assert says in await checks.phone_hash(cast(Settings, SimpleNamespace(phone_hash=mode)))


async def test_without_a_worker_it_says_how_to_start_one(service: Service) -> None:
    status, record = await examined(service.environment)

    assert status == 1
    assert found(record) == dict.fromkeys(CHECKS, True) | {"worker": False}
    assert "svc worker" in detail(record, "worker")
    assert record["ok"] is False


async def test_a_worker_of_another_database_that_shares_the_redis_is_not_counted(
    service: Service,
) -> None:
    name = f"another_{next(service.machines.names)}"
    address = service.machines.postgres.create_database(name, template=TEMPLATE)
    try:
        # The heart of a worker that another test has killed may stand there for a while.
        before = set(await service.redis.keys("svc:alive:*"))

        async def beats() -> bool:
            return bool(set(await service.redis.keys("svc:alive:*")) - before)

        worker = await service.worker(settings={"DATABASE_URL": address})
        await eventually(beats, "the worker's heart beats")
        _, here = await examined(service.environment)
        _, there = await examined(service.environment | {"DATABASE_URL": address})
        await worker.kill()
    finally:
        service.machines.postgres.drop_database(name)

    assert not found(here)["worker"]
    assert "of another database share this Redis" in detail(here, "worker")
    assert detail(there, "worker") == "1 is running"


async def test_an_empty_database_lacks_migrations(service: Service) -> None:
    address = service.machines.postgres.create_database("empty")
    try:
        status, record = await examined(service.environment | {"DATABASE_URL": address})
    finally:
        service.machines.postgres.drop_database("empty")

    assert status == 1
    assert found(record)["database"]
    assert not found(record)["migrations"]
    assert "svc migrate" in detail(record, "migrations")
    assert detail(record, "queues") == "not checked: first mend migrations"


async def test_servers_that_do_not_answer_are_named_each(service: Service, tmp_path: Path) -> None:
    nowhere = {
        "DATABASE_URL": f"postgresql://postgres:hush@/svc?host={tmp_path}",
        "REDIS_URL": f"unix://{tmp_path}/redis.sock",
    }
    status, record = await examined(service.environment | nowhere)

    assert status == 1
    assert found(record) == dict.fromkeys(CHECKS) | {
        "settings": True,
        "database": False,
        "phone_hash": True,
        "redis": False,
        "files": True,
        "open_files": True,
        "live_sms": True,
        "mail": True,
        "base_url": True,
        "metrics": True,
    }
    assert "hush" not in json.dumps(record)


async def test_without_settings_nothing_else_is_checked(tmp_path: Path) -> None:
    status, record = await examined(plain_environment() | {"SVC_DATA_DIR": str(tmp_path)})

    assert status == 1
    assert found(record) == dict.fromkeys(CHECKS) | {"settings": False}
    assert "DATABASE_URL" in detail(record, "settings")


async def test_a_slip_of_the_pen_in_a_setting_is_noticed(service: Service) -> None:
    await service.worker()
    await eventually(lambda: service.redis.keys("svc:alive:*"), "the worker's heart beats")

    status, record = await examined(service.environment | {"SVC_LOGLEVEL": "debug"})

    assert status == 0, "it is no fault, only something to look at"
    assert warnings(record) == {
        "settings": "SVC_LOGLEVEL is no setting; did you mean SVC_LOG_LEVEL?"
    }


async def test_rows_that_nobody_takes_are_named_with_their_age(service: Service) -> None:
    running = await service.up(workers=0)
    await running.customer.send("0005", idempotency_key="k")
    books = await service.books()

    await books.execute("UPDATE sandbox_reports SET due_at = now() - interval '2 minutes'")
    _, record = await examined(service.environment)
    assert found(record)["queues"]
    assert "sandbox_reports: 1 due, the oldest for 12" in warnings(record)["queues"]

    await books.execute("UPDATE sandbox_reports SET due_at = now() - interval '2 hours'")
    status, record = await examined(service.environment)
    assert (status, found(record)["queues"]) == (1, False)
    assert "start more workers" in detail(record, "queues")


async def test_a_lost_encryption_key_is_noticed_before_it_is_missed(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)
    old, new = (
        service.environment["SVC_ENCRYPTION_KEYS"],
        base64.b64encode(bytes(range(1, 33))).decode(),
    )

    rotating = service.environment | {"SVC_ENCRYPTION_KEYS": f"{new},{old}"}
    _, both = await examined(rotating)
    status, lost = await examined(service.environment | {"SVC_ENCRYPTION_KEYS": new})

    assert "1 values still need an older one until `svc encryption renew`" in detail(
        both, "encryption"
    )
    assert (status, found(lost)["encryption"]) == (1, False)
    assert "add the old key" in detail(lost, "encryption")

    alone = service.environment | {"SVC_ENCRYPTION_KEYS": new}
    status, _, told = await svc(["encryption", "renew", "--json"], environment=alone)
    assert (status, "1 need a key" in told) == (1, True)
    status, done, _ = await svc(["encryption", "renew", "--json"], environment=rotating)
    assert (status, json.loads(done)) == (0, {"renewed": 1})
    _, without = await examined(alone)
    assert detail(without, "encryption") == "the newest key is used"


async def test_another_hash_key_is_noticed(service: Service) -> None:
    running = await service.up(workers=0)
    created = await running.customer.call("POST", "/contacts", {"phone": "+5511987654321"})
    assert created.status == 201

    _, right = await examined(service.environment)
    other = {"SVC_HASH_KEY": "one that was copied wrongly"}
    status, wrong = await examined(service.environment | other)
    misled = [await service.worker(settings=other), await service.api(settings=other)]

    assert detail(right, "hash_key") == "it is the one of what is stored"
    assert (status, found(wrong)["hash_key"]) == (1, False)
    assert detail(wrong, "hash_key").startswith("1 of 1 contacts are stored under another")
    assert all(process.logged("hash_key_differs") for process in misled)
    assert not running.apis[0].logged("hash_key_differs")


MOVE = """
INSERT INTO organization_moves (id, organization_id, source, target, step, began_at, changed_at)
VALUES (1, 'org_1', 'main', 'south', $1, now(), now() - interval '20 minutes')
ON CONFLICT (id) DO UPDATE SET step = excluded.step
"""
TAKE = "SELECT pg_advisory_lock(hashtextextended('move of org_1', 0))"


async def test_a_move_that_was_broken_off_is_named_with_what_ends_it(service: Service) -> None:
    books = await service.books()
    for step, ok, ways in (
        ("catching_up", True, ("org_1 south` goes on", "--undo` leaves it in main")),
        ("undoing", True, ("--undo` leaves it in main",)),
        ("switching", False, ("org_1 south` goes on", "answered 503")),
    ):
        await books.execute(MOVE, step)
        _, record = await examined(service.environment)
        told = detail(record, "moves")
        assert found(record)["moves"] is ok
        assert all(way in told for way in (f"stopped 20 min ago at {step}", *ways)), told
        assert ("--undo" in told) is ("--undo` leaves it in main" in ways)

    await books.execute(TAKE)
    _, record = await examined(service.environment)
    assert detail(record, "moves") == "none between cells was broken off"


async def test_a_pool_that_does_not_fit_is_noticed(service: Service) -> None:
    _, record = await examined(service.environment | {"SVC_DATABASE_POOL": "200"})

    assert not found(record)["connections"]
    assert "SVC_DATABASE_POOL" in detail(record, "connections")


async def test_times_that_a_pooler_swallows_are_noticed(service: Service) -> None:
    """As behind PgBouncer: what a connection asks for when it begins does not come to hold."""
    async with through_a_wire(service.environment["DATABASE_URL"]) as (url, _):
        _, well = await examined(service.environment | {"DATABASE_URL": url})
    assert found(well)["bounds"]
    assert "ALTER" not in detail(well, "bounds")

    swallowed = {"statement_timeout": "0", "lock_timeout": "15000"}
    settings = Settings.model_validate(service.environment)
    told = await told_of_bounds(settings, swallowed)

    assert isinstance(told, Warned)
    assert "ALTER DATABASE … SET statement_timeout = 30000 (it is 0)" in told
    assert "lock_timeout" not in told


async def told_of_bounds(settings: Settings, held: dict[str, str]) -> str:
    class Pooled:
        async def fetch(self, *_: Any) -> list[tuple[str, str]]:
            return list(held.items())

    @asynccontextmanager
    async def connected(*_: Any, **__: Any) -> AsyncIterator[Pooled]:
        yield Pooled()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.foundation.database.db.connected_apart", connected)
        return await checks.bounds(settings)


async def test_webhooks_that_reach_nobody_are_noticed(service: Service, receiver: Receiver) -> None:
    running = await service.up()
    await running.customer.subscribe(receiver)
    receiver.answer = lambda _: 500
    await running.customer.send("0005", idempotency_key="k")
    books = await service.books()

    async def failed() -> bool:
        return bool(
            await books.fetchval("SELECT count(last_failure_at) FROM webhook_subscriptions")
        )

    await eventually(failed, "an attempt fails")
    _, record = await examined(service.environment)

    assert found(record)["webhooks"]
    assert "none of 1 subscriptions was reached" in warnings(record)["webhooks"]
    assert receiver.url not in json.dumps(record)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("http://127.0.0.1:8000", False),
        ("http://localhost:8000", False),
        ("http://10.1.2.3", False),
        ("http://[::1]:8000", False),
        ("http://[fe80::1]", False),
        ("http://svc:8000", False),
        ("http://svc.prod.internal", False),
        ("http://nas.local.", False),
        ("https://api.example.com.br", True),
        ("https://api.example.com.", True),
        ("https://8.8.8.8", True),
        ("https://[2606:4700::1111]:8443/svc", True),
    ],
)
def test_a_public_address_is_told_from_one_of_this_network(address: str, public: bool) -> None:
    assert is_public(address) is public


async def looked_at(**settings: Any) -> tuple[str, str]:
    given = {
        "gateway_url": None,
        "smtp_url": None,
        "meta_app_secrets": (),
        "metrics_token": None,
        **settings,
    }
    known = cast(Settings, SimpleNamespace(**given))
    return await checks.base_url(known), await checks.metrics(known)


async def test_open_figures_at_a_public_address_are_warned_of() -> None:
    _, figures = await looked_at(base_url="https://api.example.com")
    assert isinstance(figures, Warned)
    assert "SVC_METRICS_TOKEN" in figures

    for closed in (
        {"metrics_token": "x" * 16, "base_url": "https://api.example.com"},
        {"base_url": "http://10.0.0.1"},
    ):
        assert not isinstance((await looked_at(**closed))[1], Warned)


async def test_an_address_in_clear_or_of_this_network_alone_is_told() -> None:
    with pytest.raises(Failure, match="write https"):
        await looked_at(base_url="http://api.example.com")
    line, _ = await looked_at(
        base_url="http://127.0.0.1:8000", gateway_url="https://gw.example.com"
    )
    assert isinstance(line, Warned)
    assert "SVC_GATEWAY_URL" in line
    for fine in ("https://api.example.com", "http://127.0.0.1:8000"):
        assert not isinstance((await looked_at(base_url=fine))[0], Warned)


async def test_a_gateway_is_asked_and_its_silence_is_told(service: Service) -> None:
    async with a_gateway() as gateway:
        there = {"SVC_GATEWAY_URL": gateway.url, "SVC_GATEWAY_SECRET": SECRET}
        _, answers = await examined(service.environment | there)
    _, silent = await examined(service.environment | there)

    told = "premium, otp, la_dedicada: gateway answers a signed look-up; callbacks signed by v1 are taken until 20"
    assert detail(answers, "live_sms").startswith(told)
    assert not found(silent)["live_sms"]
    assert "SVC_GATEWAY_URL" in detail(silent, "live_sms")


class TestLines:
    """What single checks make of what they find."""

    @pytest.mark.parametrize(
        ("skew", "line"),
        [
            (0.2, "this machine and the database agree"),
            (2.0, "this machine is 2.0 s ahead of the database: synchronise both with NTP"),
            (-2.0, "this machine is 2.0 s behind the database: synchronise both with NTP"),
        ],
    )
    async def test_clocks_that_differ_are_told(
        self, monkeypatch: pytest.MonkeyPatch, skew: float, line: str
    ) -> None:
        monkeypatch.setattr(operations, "clock_skew", returning(skew))

        told = await checks.clock(cast(Settings, None))

        assert told == line
        assert isinstance(told, Warned) == (abs(skew) > 1)

    async def test_clocks_that_differ_much_are_a_failure(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(operations, "clock_skew", returning(60.0))

        with pytest.raises(Failure, match=r"60\.0 s ahead"):
            await checks.clock(cast(Settings, None))

    async def test_a_pool_that_just_does_not_fit_is_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            operations, "connections", returning(operations.Connections(most=97, in_use=90))
        )

        pools = SimpleNamespace(database_pool=10, heavy_pool=6, heavy_places=3)
        assert isinstance(await checks.connections(cast(Settings, pools)), Warned)

    async def test_heavy_connections_that_one_organization_may_all_have_are_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            operations, "connections", returning(operations.Connections(most=97, in_use=1))
        )

        for places, warned in ((5, False), (6, True)):
            pools = SimpleNamespace(database_pool=10, heavy_pool=6, heavy_places=places)
            assert isinstance(await checks.connections(cast(Settings, pools)), Warned) is warned

    @pytest.mark.parametrize(
        ("info", "warned"),
        [
            ({"maxmemory": 0, "maxmemory_policy": "noeviction"}, False),
            ({"maxmemory": 100, "used_memory": 95, "maxmemory_policy": "noeviction"}, True),
            ({"maxmemory": 100, "maxmemory_policy": "allkeys-lru"}, True),
            ({"maxmemory": 100, "maxmemory_policy": "volatile-ttl"}, False),
        ],
    )
    def test_a_redis_that_forgets_is_told(self, info: dict[str, Any], warned: bool) -> None:
        told = redis_line({"redis_version": "7", "role": "master", "used_memory": 10, **info})

        assert isinstance(told, Warned) == warned

    async def test_a_folder_that_can_be_made_is_fine(self, tmp_path: Path) -> None:
        settings = SimpleNamespace(s3_bucket=None, data_dir=tmp_path / "not" / "yet")

        assert not isinstance(await checks.files(cast(Settings, settings)), Warned)
        assert not (tmp_path / "not").exists(), "a look changes nothing"

    async def test_a_folder_that_cannot_be_written_is_a_failure(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "cli.checks.machines.os.access", lambda *_: False
        )  # root may write everywhere

        with pytest.raises(Failure, match="SVC_DATA_DIR"):
            await checks.files(cast(Settings, SimpleNamespace(s3_bucket=None, data_dir=Path())))

    async def test_the_folder_that_takes_the_files_is_looked_at(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "blobs").mkdir()
        monkeypatch.setattr(
            "cli.checks.machines.os.access", lambda place, _: place != tmp_path / "blobs"
        )

        with pytest.raises(Failure, match="SVC_DATA_DIR"):
            await checks.files(cast(Settings, SimpleNamespace(s3_bucket=None, data_dir=tmp_path)))

    async def test_an_address_that_is_no_redis_is_told(self) -> None:
        with pytest.raises(SettingsError, match="REDIS_URL: expected"):
            await checks.redis(cast(Settings, SimpleNamespace(redis_url="http://cache")))

    async def test_a_disk_that_is_nearly_full_is_told(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(
            "cli.checks.machines.shutil.disk_usage", lambda _: SimpleNamespace(free=3, total=100)
        )

        told = await checks.files(
            cast(Settings, SimpleNamespace(s3_bucket=None, data_dir=tmp_path))
        )

        assert isinstance(told, Warned)
        assert "3%" in told

    async def test_a_system_that_allows_few_connections_is_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("core.foundation.open_files.resource.getrlimit", lambda _: (256, 1024))

        told = await checks.open_files(cast(Settings, None))

        assert isinstance(told, Warned)
        assert told.startswith(
            "a process may have 1024 files and connections open and wants 4096: "
        )

    def test_a_replica_is_a_failure(self) -> None:
        with pytest.raises(Failure, match="primary"):
            redis_line({"redis_version": "7", "role": "slave"})


def returning(value: Any) -> Any:
    """A look that finds this."""

    async def look() -> Any:
        return value

    return look


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


async def test_every_setting_is_listed_with_meaning_default_and_value(
    listed: dict[str, Any], tmp_path: Path
) -> None:
    entries = {entry["name"]: entry for entry in listed["settings"]}
    assert {
        "DATABASE_URL",
        "SVC_ENCRYPTION_KEYS",
        "SVC_SANDBOX_DELAY_SECONDS",
        "SVC_LOG_LEVEL",
    } <= set(entries)
    assert all(entry["meaning"] for entry in entries.values())
    assert entries["SVC_SANDBOX_DELAY_SECONDS"] == {
        "name": "SVC_SANDBOX_DELAY_SECONDS",
        "meaning": "Seconds between a sandbox acceptance and its delivery report",
        "required": False,
        "default": "3.0",
        "value": "3.0",
        "isSet": False,
        "make": None,
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


async def test_a_name_that_is_no_setting_is_told(tmp_path: Path) -> None:
    environment = plain_environment() | {
        "SVC_DATA_DIR": str(tmp_path),
        "SVC_WEBHOOK_ALLOW_NETWORK": "10.0.0.0/8",
    }
    _, out, _ = await svc(["settings", "--json"], environment=environment)

    assert json.loads(out)["unknown"] == [
        "SVC_WEBHOOK_ALLOW_NETWORK is no setting; did you mean SVC_WEBHOOK_ALLOW_NETWORKS?"
    ]


async def test_both_are_something_to_read_without_json(tmp_path: Path) -> None:
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path)}
    (_, shown, _), (_, checked, _) = await asyncio.gather(
        svc(["settings"], environment=environment), svc(["doctor"], environment=environment)
    )
    assert "SVC_SANDBOX_DELAY_SECONDS" in shown
    assert checked.startswith("FAILS")
