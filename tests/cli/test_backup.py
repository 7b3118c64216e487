"""`svc backup` and `svc restore`: what was saved is what comes back, and nothing is overwritten by
accident.
"""

import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from cli.backups.programs import PostgresProgram, fitting
from cli.embedded.postgres import DATABASE, EmbeddedPostgres
from cli.failures import Failure
from core.foundation.files.bucket import S3Store
from tests.support.bucket_server import a_bucket_server
from tests.support.customer import Credential
from tests.support.processes import plain_environment, svc
from tests.support.service import Machines, Service, a_service

FILES = {"org_1/arq_1": b"%PDF-1.7", "org_1/deep/med_2": b"\x00" * 3_000_000, "org_2/arq_3": b""}
ROWS = "SELECT count(*), md5(string_agg(m::text, '' ORDER BY m.id)) FROM messages m"


@dataclass
class Saved:
    """A service with a backup of it."""

    service: Service
    folder: Path
    told: dict[str, Any]


async def run(
    environment: dict[str, str], *words: str | Path, fresh: bool = False
) -> dict[str, Any]:
    status, out, err = await svc([*map(str, words), "--json"], environment=environment, fresh=fresh)
    assert status == 0, err
    answer: dict[str, Any] = json.loads(out)
    return answer


async def refusal(environment: dict[str, str], *words: str | Path) -> str:
    status, out, err = await svc([*map(str, words), "--json"], environment=environment)
    assert (status, out) == (1, "")
    assert "Traceback" not in err
    return err


def fill(folder: Path) -> None:
    for key, content in FILES.items():
        (folder / "blobs" / key).parent.mkdir(parents=True, exist_ok=True)
        (folder / "blobs" / key).write_bytes(content)
    (folder / "blobs" / ".drafts").mkdir()
    (folder / "blobs" / ".drafts" / "draft-1").write_bytes(b"half")


def stored(folder: Path) -> dict[str, bytes]:
    blobs = folder / "blobs"
    return {
        path.relative_to(blobs).as_posix(): path.read_bytes()
        for path in blobs.rglob("*")
        if path.is_file() and ".drafts" not in path.parts
    }


async def rows_of(address: str) -> tuple[Any, ...]:
    connection = await asyncpg.connect(address)
    try:
        return tuple(await connection.fetchrow(ROWS) or ())
    finally:
        await connection.close()


@pytest.fixture(scope="module")
async def saved(
    machines: Machines, template: Credential, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Saved]:
    """A seeded organization with files, and a backup of all of it."""
    folder = tmp_path_factory.mktemp("saved")
    async with a_service(machines, template, folder) as service:
        service.environment["SVC_DATA_DIR"] = str(folder / "data")
        fill(folder / "data")
        of = ("--org", template.organization_id, "--env", "test")
        await service.svc("seed", *of, "--contacts", "30", "--messages", "60")
        await service.svc(
            "account",
            "create",
            "--org",
            template.organization_id,
            "--email",
            "a@b.test",
            "--name",
            "A",
        )
        told = await run(service.environment, "backup", folder / "backup", fresh=True)
        yield Saved(service, folder / "backup", told)


@contextmanager
def another(saved: Saved, machines: Machines, data: Path) -> Iterator[dict[str, str]]:
    """The settings of an empty database and an empty folder."""
    name = f"empty_{next(machines.names)}"
    address = machines.postgres.create_database(name)
    try:
        yield saved.service.environment | {"DATABASE_URL": address, "SVC_DATA_DIR": str(data)}
    finally:
        machines.postgres.drop_database(name)


async def test_a_backup_restored_elsewhere_is_the_same(
    saved: Saved, machines: Machines, tmp_path: Path
) -> None:
    with another(saved, machines, tmp_path) as environment:
        restored = await run(environment, "restore", saved.folder)

        rows = await rows_of(environment["DATABASE_URL"])
        doctor = json.loads((await svc(["doctor", "--json"], environment=environment))[1])
        taken = {check["name"]: check["ok"] for check in doctor["checks"]}

    assert rows == await rows_of(saved.service.environment["DATABASE_URL"])
    assert rows[0] > 60
    assert stored(tmp_path) == FILES
    assert restored == {**saved.told, "proven": True, "tried": False}
    assert (saved.told["files"], saved.told["fileBytes"]) == (3, 3_000_008)
    assert saved.told["rows"] > 100
    assert (taken["migrations"], taken["encryption"]) == (True, True), (
        "the schema and the keys are there"
    )


async def test_a_restore_is_tried_out_beside_the_service(saved: Saved) -> None:
    tried = await run(saved.service.environment, "restore", saved.folder, "--try", fresh=True)
    books = await saved.service.books()

    assert (tried["proven"], tried["tried"], tried["rows"]) == (True, True, saved.told["rows"])
    assert not await books.fetch(
        "SELECT FROM pg_database WHERE datname LIKE 'svc\\_restore\\_try%'"
    )


async def test_what_is_there_is_replaced_only_when_asked(
    saved: Saved, machines: Machines, tmp_path: Path
) -> None:
    with another(saved, machines, tmp_path) as environment:
        (tmp_path / "blobs" / "org_9").mkdir(parents=True)
        (tmp_path / "blobs" / "org_9" / "arq_9").write_bytes(b"of another time")
        assert "store of files is not empty" in await refusal(environment, "restore", saved.folder)

        await run(environment, "migrate")
        connection = await asyncpg.connect(environment["DATABASE_URL"])
        await connection.execute(
            "CREATE TABLE of_a_newer_version (id int); CREATE TYPE colour AS ENUM ('red')"
        )
        assert "the database is not empty" in await refusal(environment, "restore", saved.folder)
        assert "1 other connections" in await refusal(
            environment, "restore", saved.folder, "--replace"
        )
        await connection.close()

        restored = await run(environment, "restore", saved.folder, "--replace")

        assert restored["proven"]
        assert await rows_of(environment["DATABASE_URL"]) == await rows_of(
            saved.service.environment["DATABASE_URL"]
        )
        assert stored(tmp_path) == FILES


async def test_the_keys_are_named_and_asked_for_but_not_kept(
    saved: Saved, machines: Machines, tmp_path: Path
) -> None:
    other = base64.b64encode(bytes(range(1, 33))).decode()
    keys = saved.told["keys"]
    texts = [
        file.read_text() for file in saved.folder.iterdir() if file.suffix in (".json", ".sha256")
    ]

    with another(saved, machines, tmp_path) as environment:
        hash_key = await refusal(
            environment | {"SVC_HASH_KEY": "another hash key"}, "restore", saved.folder
        )
        encryption = await refusal(
            environment | {"SVC_ENCRYPTION_KEYS": other}, "restore", saved.folder
        )
        assert "relation" not in hash_key

    assert keys["SVC_HASH_KEY"] in hash_key
    assert keys["SVC_ENCRYPTION_KEYS"][0] in encryption
    for secret in (
        saved.service.environment["SVC_HASH_KEY"],
        saved.service.environment["SVC_ENCRYPTION_KEYS"],
    ):
        assert not any(secret in text for text in [*texts, hash_key, encryption])


@pytest.mark.parametrize(
    "name", ["database.dump", "files.sha256", "files/org_1/arq_1", "manifest.json"]
)
async def test_a_damaged_backup_touches_nothing(
    saved: Saved, machines: Machines, tmp_path: Path, name: str
) -> None:
    file = saved.folder / name
    content = file.read_bytes()
    with another(saved, machines, tmp_path) as environment:
        try:
            file.write_bytes(content[:-1] + b"#")
            told = await refusal(environment, "restore", saved.folder)
        finally:
            file.write_bytes(content)
        connection = await asyncpg.connect(environment["DATABASE_URL"])
        assert not await connection.fetch(
            "SELECT FROM pg_tables WHERE schemaname = current_schema()"
        )
        await connection.close()

    assert file.name in told
    assert stored(tmp_path) == {}


async def test_of_several_cells_one_is_saved_and_the_files_of_others_stay(
    machines: Machines, template: Credential, tmp_path: Path
) -> None:
    async with a_service(machines, template, tmp_path) as service:
        data, own = tmp_path / "data", template.organization_id
        service.environment["SVC_DATA_DIR"] = str(data)
        fill(data)
        address = machines.postgres.create_database("south_of_backup", template=DATABASE)
        service._copies.append("south_of_backup")
        south = service.environment | {"DATABASE_URL": address}
        await service.svc("cell", "add", "south", "--database-url", address)
        connection = await asyncpg.connect(address)
        await connection.execute(LIVES_THERE, own)
        await connection.close()

        home = ["backup", str(tmp_path / "home"), "--json"]
        status, out, err = await svc(home, environment=service.environment)
        assert (status, json.loads(out)["cellsNotSaved"]) == (0, ["south"])
        assert "not saved: the databases of the cells south" in err

        await run(south, "backup", tmp_path / "south")
        for later in (f"{own}/arq_9", "org_1/arq_9"):
            (data / "blobs" / later).parent.mkdir(exist_ok=True)
            (data / "blobs" / later).write_bytes(b"of another time")
        await run(south, "restore", tmp_path / "south", "--replace")
        assert stored(data) == FILES | {"org_1/arq_9": b"of another time"}


LIVES_THERE = (
    "INSERT INTO organizations (id, name, created_at, status) VALUES ($1, 'A', now(), 'active')"
)


async def test_rows_that_differ_are_found(saved: Saved, machines: Machines, tmp_path: Path) -> None:
    file = saved.folder / "manifest.json"
    content = file.read_text()
    manifest = json.loads(content)
    manifest["database"]["tables"]["messages"]["checksum"] = "1"
    try:
        file.write_text(json.dumps(manifest))
        with another(saved, machines, tmp_path) as environment:
            told = await refusal(environment, "restore", saved.folder)
    finally:
        file.write_text(content)

    assert "not what was saved: messages." in told


async def test_a_folder_is_written_once(saved: Saved) -> None:
    assert "is not empty" in await refusal(saved.service.environment, "backup", saved.folder)
    assert "no whole backup" in await refusal(
        saved.service.environment, "restore", saved.folder / "files"
    )
    assert saved.folder.stat().st_mode & 0o077 == 0
    assert (saved.folder / "database.dump").stat().st_mode & 0o077 == 0


async def test_the_embedded_server_of_a_folder_is_started_for_it(
    saved: Saved, tmp_path: Path
) -> None:
    own = ("DATABASE_URL", "REDIS_URL", "SVC_HASH_KEY", "SVC_ENCRYPTION_KEYS")
    secrets = {name: saved.service.environment[name] for name in own[2:]}
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path / "data")}
    assert not environment.keys() & set(own)
    assert "there is no database" in await refusal(environment, "backup", tmp_path / "again")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secrets.json").write_text(json.dumps(secrets))

    restored = await run(environment, "restore", saved.folder)
    again = await run(environment, "backup", tmp_path / "again")

    assert restored["proven"]
    same = ("tables", "rows", "files", "fileBytes", "keys")
    assert {name: again[name] for name in same} == {name: saved.told[name] for name in same}
    with EmbeddedPostgres(tmp_path / "data" / "postgres") as postgres:
        assert await rows_of(postgres.address) == await rows_of(
            saved.service.environment["DATABASE_URL"]
        )


async def test_files_come_from_a_bucket_and_go_back_to_one(
    saved: Saved, machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    credentials = {"AWS_ACCESS_KEY_ID": "of-the-test", "AWS_SECRET_ACCESS_KEY": "of-the-test"}
    for name, value in credentials.items():
        monkeypatch.setenv(name, value)
    with a_bucket_server("old", "new") as address, another(saved, machines, tmp_path) as empty:
        store = S3Store("old", endpoint=address, region="us-east-1")
        for key, content in FILES.items():
            await store.put(key, content)
        await store.close()
        bucket = {**credentials, "SVC_S3_ENDPOINT": address}
        old = saved.service.environment | bucket | {"SVC_MEDIA_STORE": "s3://old"}

        await run(old, "backup", tmp_path / "backup")
        await run(empty | bucket | {"SVC_MEDIA_STORE": "s3://new"}, "restore", tmp_path / "backup")

        store = S3Store("new", endpoint=address, region="us-east-1")
        found = {key: await read(store, key) async for key in store.stored_keys()}
        await store.close()
    assert found == FILES


async def read(store: S3Store, key: str) -> bytes:
    async with store.read(key) as pieces:
        return b"".join([piece async for piece in pieces])


@pytest.mark.parametrize(
    ("name", "there", "asked", "taken"),
    [
        ("pg_dump", (15, 18), {"server": 18}, 18),
        ("pg_dump", (18, 15, 16), {"server": 15}, 15),
        ("pg_dump", (18, 17), {"server": 16}, 17),
        ("pg_restore", (15, 16, 18), {"server": 16, "reads": 15}, 16),
        ("pg_restore", (15, 17, 18), {"server": 15, "reads": 17}, 17),
    ],
)
def test_the_program_nearest_to_the_server_is_taken(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    there: tuple[int, ...],
    asked: dict[str, int],
    taken: int,
) -> None:
    found = [PostgresProgram(Path(f"/{major}"), major) for major in there]
    monkeypatch.setattr("cli.backups.programs._all", lambda _: iter(found))

    assert fitting(name, **asked).major == taken


def test_no_program_that_is_new_enough_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cli.backups.programs._all", lambda _: iter([PostgresProgram(Path("/15"), 15)])
    )

    with pytest.raises(Failure, match="no pg_dump of PostgreSQL 18 or newer was found"):
        fitting("pg_dump", server=18)
