"""The address of the database: every form of libpq that asyncpg follows, and nothing dropped
without a word.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from cli.embedded.postgres import EmbeddedPostgres
from cli.embedded.redis import EmbeddedRedis
from core.foundation.database import address as database_address
from core.foundation.database.address import DatabaseAddress, connect, credentials_of, read
from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.settings import SettingsError

ONE = [("db", 5432)]


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("postgresql://u:p@db:6543/svc", ([("db", 6543)], "u", "p", "svc")),
        ("postgres://u@db/svc\n", (ONE, "u", None, "svc")),
        ("postgresql:///svc", ([("localhost", 5432)], "postgres", None, "svc")),
        ("postgresql://[::1]:6543/svc", ([("::1", 6543)], "postgres", None, "svc")),
        ("postgresql://a%40b:p%40%2F%3A@db/s%20vc", (ONE, "a@b", "p@/:", "s vc")),
        ("postgresql://u:p@ss:word@db/svc", (ONE, "u", "p@ss:word", "svc")),
        ("postgresql://postgres@/svc?host=/run/sockets", ([("/run/sockets", 5432)], "postgres", None, "svc")),
        ("postgresql://u@/svc?host=%2Frun%2Fmy%20pg&port=6543", ([("/run/my pg", 6543)], "u", None, "svc")),
        ("postgresql://u@%2Frun%2Fpg:6543/svc", ([("/run/pg", 6543)], "u", None, "svc")),
        ("postgresql:///svc?host=/run&user=u&password=p", ([("/run", 5432)], "u", "p", "svc")),
        ("postgresql://u@db?dbname=svc", (ONE, "u", None, "svc")),
        ("postgresql://u@db/?database=svc", (ONE, "u", None, "svc")),
        ("postgresql://u@a:1,b,[::1]:3/svc", ([("a", 1), ("b", 5432), ("::1", 3)], "u", None, "svc")),
        ("postgresql:///svc?host=a,/b,::1&port=1,2,3&user=u", ([("a", 1), ("/b", 2), ("::1", 3)], "u", None, "svc")),
        ("postgresql://u@a,b/svc?port=7", ([("a", 7), ("b", 7)], "u", None, "svc")),
    ],
)  # fmt: skip
def test_an_address_is_read(url: str, parts: tuple[Any, ...]) -> None:
    found = read(url)

    assert (list(found.hosts), found.user, found.password, found.database) == parts


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("postgresql://db/svc", None),
        ("postgresql://a,b/svc", "read-write"),
        ("postgresql://a,b/svc?target_session_attrs=any", "any"),
        ("postgresql://db/svc?target_session_attrs=primary", "primary"),
    ],
)
def test_of_several_servers_the_one_that_takes_writes_is_wanted(
    url: str, wanted: str | None
) -> None:
    assert credentials_of(url).get("target_session_attrs") == wanted


def test_every_option_reaches_asyncpg_or_the_server() -> None:
    handed_on = {
        "sslmode": "verify-full", "sslnegotiation": "direct", "sslrootcert": "/ca.pem", "sslcert": "/c.pem",
        "sslkey": "/k.pem", "sslcrl": "/crl.pem", "sslpassword": "k&y", "ssl_min_protocol_version": "TLSv1.2",
        "ssl_max_protocol_version": "TLSv1.3", "passfile": "/pass", "krbsrvname": "pg", "gsslib": "gssapi",
    }  # fmt: skip
    session = {"application_name": "blue", "options": "-c geqo=off"}
    query = "&".join(
        f"{name}={value.replace('&', '%26')}" for name, value in {**handed_on, **session}.items()
    )
    found = read(f"postgresql://db/svc?{query}&connect_timeout=7")

    assert {
        name: value for name, (value,) in parse_qs(urlsplit(found.credentials["dsn"]).query).items()
    } == handed_on
    assert found.server_settings == session
    assert found.seconds == 7


def test_an_address_without_options_leaves_asyncpgs_own_empty() -> None:
    assert "dsn" not in credentials_of("postgresql://u:p@a,b/svc?connect_timeout=3")


def test_postgresqls_programs_get_the_same_address_by_their_variables() -> None:
    url = "postgresql://u:p@a:1,b:2/svc?sslmode=require&sslrootcert=/ca.pem&application_name=blue&sslpassword=x"

    assert read(url).environment == {
        "PGHOST": "a,b", "PGPORT": "1,2", "PGUSER": "u", "PGPASSWORD": "p", "PGDATABASE": "svc",
        "PGSSLMODE": "require", "PGSSLROOTCERT": "/ca.pem", "PGAPPNAME": "blue", "PGTARGETSESSIONATTRS": "read-write",
    }  # fmt: skip


def test_a_service_is_read_from_its_file_and_the_address_goes_first(tmp_path: Path) -> None:
    file = tmp_path / "services"
    file.write_text(
        "[live]\nhost=a,b\nport=6432\ndbname=svc\nuser=u\npassword=100%s\nsslmode=require\n"
    )
    found = read(f"postgresql://?service=live&servicefile={file}&user=me")

    assert found.hosts == (("a", 6432), ("b", 6432))
    assert (found.user, found.password, found.database) == ("me", "100%s", "svc")
    assert found.options == {"sslmode": "require", "target_session_attrs": "read-write"}


@pytest.mark.parametrize("text", [None, "[other]\nhost=a\n", "host=a\n"])
def test_a_service_that_is_nowhere_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    file = tmp_path / "services"
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    with pytest.raises(SettingsError, match=r"^DATABASE_URL: its service is not in .*/services$"):
        read("postgresql://u:p@db/svc?service=live")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "s3cr3t",
        "mysql://u:s3cr3t@db/svc",
        "postgresql://u:s3cr3t@db",
        "postgresql://u:s3cr3t@db/",
        "postgresql://u:s3c/r3t@db/svc",
        "postgresql://u:s3c#r3t@db/svc",
        "postgresql://u:s3c?r3t=@db/svc",
        "postgresql://u:1/x?s3cr3t=y@db/svc",
        "postgresql://u:s3cr3t@db/svc#x",
        "postgresql://u:s3cr3t@db:none/svc",
        "postgresql://u:s3cr3t@db:65536/svc",
        "postgresql://u:s3cr3t@db:0/svc",
        "postgresql://u:s3cr3t@a:1,:2/svc",
        "postgresql://u:s3cr3t@a,/svc",
        "postgresql://u:s3cr3t@[::1/svc",
        "postgresql://u:s3cr3t@db/svc?port=none",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(url)

    assert str(refused.value) == "DATABASE_URL: expected postgresql://user:password@host:port/name"
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("keepalives=1&sslmod=x", "unknown options: keepalives, sslmod; known are host, port,"),
        ("sslmode=on", "sslmode is one of disable, allow, prefer, require, verify-ca, verify-full"),
        ("target_session_attrs=master", "target_session_attrs is one of any, read-write,"),
        ("connect_timeout=soon", "connect_timeout is a whole number of seconds, 1 to 3600"),
        ("connect_timeout=0", "connect_timeout is a whole number of seconds, 1 to 3600"),
        ("host=a,b,c&port=1,2", "2 ports do not fit 3 servers"),
    ],
)
def test_an_option_that_cannot_be_followed_is_named(query: str, reason: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(f"postgresql://u:s3cr3t@db/svc?{query}", "SVC_PLANNED_DATABASE_URL")

    assert str(refused.value).startswith(f"SVC_PLANNED_DATABASE_URL: {reason}")
    assert "s3cr3t" not in str(refused.value)


def test_an_address_does_not_show_its_password() -> None:
    assert "s3cr3t" not in repr(read("postgresql://u:s3cr3t@db/svc?sslpassword=s3cr3t"))


# Several servers


@pytest.fixture
def socket(servers: tuple[EmbeddedPostgres, EmbeddedRedis]) -> str:
    """The folder of the socket of a server that is there."""
    return str(servers[0].sockets)


@pytest.fixture
async def silent() -> AsyncIterator[str]:
    """Address and port of a server that takes connections and says nothing."""
    writers: list[asyncio.StreamWriter] = []

    async def say_nothing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)

    async with await asyncio.start_server(say_nothing, "127.0.0.1") as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        for writer in writers:
            writer.close()


def at(*hosts: str, options: str = "") -> DatabaseAddress:
    places = ",".join(host.replace("/", "%2F") for host in hosts)
    return read(f"postgresql://postgres@{places}/svc?{options}")


async def test_a_server_that_is_gone_is_passed_over(socket: str, tmp_path: Path) -> None:
    connection = await connect(at(str(tmp_path), "127.0.0.1:1", socket), seconds=5)

    assert await connection.fetchval("SELECT 1") == 1
    await connection.close()


@pytest.mark.parametrize("first", [True, False])
async def test_a_silent_server_does_not_hold_up_the_next(
    socket: str, silent: str, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    monkeypatch.setattr(database_address, "HOST_SECONDS", 3600)
    hosts = (silent, socket) if first else (socket, silent)
    async with asyncio.timeout(60):
        connection = await connect(at(*hosts), seconds=3600)

    assert await connection.fetchval("SELECT 1") == 1
    await connection.close()


async def test_only_silent_servers_are_a_time_out(silent: str) -> None:
    with pytest.raises(TimeoutError):
        await connect(at(silent, silent, options="connect_timeout=1"), seconds=5)


async def test_a_refusal_is_told_before_silence(silent: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await connect(at(str(tmp_path), silent, options="connect_timeout=1"), seconds=5)


async def test_what_a_server_says_is_told_before_all(socket: str, tmp_path: Path) -> None:
    unknown = read(f"postgresql://postgres@/nobody_made_it?host={socket},{tmp_path}")
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await connect(unknown, seconds=5)


@pytest.mark.parametrize("several", [True, False])
async def test_a_server_that_takes_no_writes_is_not_taken(
    socket: str, servers: tuple[EmbeddedPostgres, EmbeddedRedis], several: bool
) -> None:
    name = f"read_only_{os.getpid()}"
    url = servers[0].create_database(name)
    opened = await connect(read(url), seconds=5)
    await opened.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await opened.close()
    try:
        hosts = f"{socket},{socket}" if several else socket
        with pytest.raises(DatabaseUnreachable, match="no server answers that is read-write"):
            await connect(
                read(f"postgresql://postgres@/{name}?host={hosts}&target_session_attrs=read-write"),
                seconds=5,
            )
        reader = await connect(
            read(f"postgresql://postgres@/{name}?host={hosts}&target_session_attrs=prefer-standby"),
            seconds=5,
        )
        assert await reader.fetchval("SHOW default_transaction_read_only") == "on"
        await reader.close()
    finally:
        servers[0].drop_database(name)


async def test_the_address_names_the_session_and_ours_are_kept(socket: str) -> None:
    connection = await connect(
        at(socket, options="application_name=blue"),
        seconds=5,
        server_settings={"application_name": "svc", "jit": "off"},
    )

    assert await connection.fetchval("SHOW application_name") == "blue"
    assert await connection.fetchval("SHOW jit") == "off"
    await connection.close()
