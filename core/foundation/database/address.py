"""Database URLs as libpq writes them: several hosts, service files, TLS; and connecting to them."""

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as UnreadableService
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, unquote, urlencode

import asyncpg

from core.foundation.database.availability import DatabaseUnreachable
from core.foundation.database.server_list import port_of, servers_of
from core.foundation.settings import SettingsError

Connection: TypeAlias = "asyncpg.Connection[Any]"

DEFAULT_PORT = 5432

HOST_SECONDS = 2.0
"""What each of several servers has to answer; the next one is asked long before, see
`HEAD_START_SECONDS`.
"""

HEAD_START_SECONDS = 0.3
"""How long one of several servers is alone in being asked: one that is silent holds up nobody for
longer.
"""

PLACE = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
}
SESSION = {"target_session_attrs": "PGTARGETSESSIONATTRS", "connect_timeout": "PGCONNECT_TIMEOUT"}
SERVER_SETTINGS = {"application_name": "PGAPPNAME", "options": "PGOPTIONS"}
HANDED_ON = {
    "sslmode": "PGSSLMODE",
    "sslnegotiation": "PGSSLNEGOTIATION",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "sslcrl": "PGSSLCRL",
    "ssl_min_protocol_version": "PGSSLMINPROTOCOLVERSION",
    "ssl_max_protocol_version": "PGSSLMAXPROTOCOLVERSION",
    "passfile": "PGPASSFILE",
    "krbsrvname": "PGKRBSRVNAME",
    "gsslib": "PGGSSLIB",
}
"""asyncpg reads these from its address, and PostgreSQL's programs from these variables."""

OPTIONS = {**PLACE, **SESSION, **SERVER_SETTINGS, **HANDED_ON, "sslpassword": None}
"""Every option of an address, and the variable by which PostgreSQL's own programs take it."""

CHOICES = {
    "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
    "sslnegotiation": ("postgres", "direct"),
    "target_session_attrs": (
        "any",
        "read-write",
        "read-only",
        "primary",
        "standby",
        "prefer-standby",
    ),
    "gsslib": ("gssapi", "sspi"),
}

URL = re.compile(r"(?:postgresql|postgres|asyncpg)://([^/?#]*)(?:/([^?#@]*))?(?:\?([^#]*))?")


class InvalidDatabaseUrl(SettingsError):
    """The address of the database cannot be read."""

    def __init__(
        self, setting: str, reason: str = "expected postgresql://user:password@host:port/name"
    ) -> None:
        super().__init__(f"{setting}: {reason}")


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """One database: on one server, or on several of which one is asked for."""

    hosts: tuple[tuple[str, int], ...]
    """Name, address or socket folder, and port of each server, in the order in which they are
    asked.
    """
    user: str
    password: str | None = field(repr=False)
    database: str
    options: Mapping[str, str] = field(repr=False)
    """What else is said, by libpq's names."""

    @property
    def credentials(self) -> dict[str, Any]:
        """The arguments of `asyncpg.connect`, its time and the settings of the server apart."""
        handed_on = {
            name: value
            for name, value in self.options.items()
            if name in HANDED_ON or name == "sslpassword"
        }
        attribute = self.options.get("target_session_attrs")
        return {
            "host": [host for host, _ in self.hosts],
            "port": [port for _, port in self.hosts],
            "user": self.user,
            "password": self.password,
            "database": self.database,
            **({"target_session_attrs": attribute} if attribute else {}),
            # Only its address can name certificates.
            **({"dsn": f"postgresql://?{urlencode(handed_on)}"} if handed_on else {}),
        }

    @property
    def server_settings(self) -> dict[str, str]:
        """What the address asks the server to set for the session."""
        return {name: self.options[name] for name in SERVER_SETTINGS if name in self.options}

    @property
    def seconds(self) -> float | None:
        """How long each server may take, if the address says so."""
        return float(self.options["connect_timeout"]) if "connect_timeout" in self.options else None

    @property
    def environment(self) -> dict[str, str]:
        """The same address for PostgreSQL's own programs, whose arguments others could read."""
        said = {
            **self.options,
            "host": ",".join(host for host, _ in self.hosts),
            "port": ",".join(str(port) for _, port in self.hosts),
            "user": self.user,
            "dbname": self.database,
            **({"password": self.password} if self.password is not None else {}),
        }
        return {
            variable: said[name] for name, variable in OPTIONS.items() if variable and name in said
        }


def read(url: str, setting: str = "DATABASE_URL") -> DatabaseAddress:
    """Read an address. Raises InvalidDatabaseUrl, which names the setting and no value of it."""
    whole = URL.fullmatch(url.strip())
    if whole is None:
        raise InvalidDatabaseUrl(setting)
    login, _, servers = whole[1].rpartition("@")
    user, _, password = login.partition(":")
    query = whole[3] or ""
    said = dict(parse_qsl(query))
    if "database" in said:  # asyncpg's other name for it
        said.setdefault("dbname", said.pop("database"))
    said = {**_service(said, setting), **said}
    hosts = _hosts(said.get("host") or servers or "localhost", said.get("port", ""), setting)
    database = unquote(whole[2] or "") or said.get("dbname", "")
    if not database:
        raise InvalidDatabaseUrl(setting)
    _must_be_known(said, query, setting)
    if len(hosts) > 1:
        said.setdefault("target_session_attrs", "read-write")
    return DatabaseAddress(
        hosts=hosts,
        user=unquote(user) or said.get("user", "postgres"),
        password=unquote(password) or said.get("password"),
        database=database,
        options={name: value for name, value in said.items() if name not in PLACE},
    )


def credentials_of(url: str, setting: str = "DATABASE_URL") -> dict[str, Any]:
    """The arguments of `asyncpg.connect` for an address."""
    return read(url, setting).credentials


def _hosts(servers: str, ports: str, setting: str) -> tuple[tuple[str, int], ...]:
    """The servers, and their ports where these are given apart: one for all, or one for each."""
    try:
        found = servers_of(servers, default_port=DEFAULT_PORT)
        apart = [port_of(port) for port in ports.split(",")] if ports else []
    except ValueError:
        raise InvalidDatabaseUrl(setting) from None
    if len(apart) not in (0, 1, len(found)):
        raise InvalidDatabaseUrl(setting, f"{len(apart)} ports do not fit {len(found)} servers")
    if not apart:
        return found
    return tuple((host, apart[place % len(apart)]) for place, (host, _) in enumerate(found))


def _service(said: dict[str, str], setting: str) -> dict[str, str]:
    """What the file of services says about the one that is named; nothing if none is."""
    given = said.pop("servicefile", None) or os.environ.get("PGSERVICEFILE")
    name = said.pop("service", None)
    if name is None:
        return {}
    file, services = (
        Path(given) if given else Path.home() / ".pg_service.conf",
        ConfigParser(interpolation=None),
    )
    with suppress(OSError, UnreadableService, UnicodeDecodeError):
        services.read_string(file.read_text())
    if not services.has_section(name):
        raise InvalidDatabaseUrl(setting, f"its service is not in {file}")
    return dict(services[name])


def _must_be_known(said: Mapping[str, str], query: str, setting: str) -> None:
    if unknown := sorted(said.keys() - OPTIONS):
        if "@" in query:  # perhaps the rest of a password that should have been encoded
            raise InvalidDatabaseUrl(setting)
        raise InvalidDatabaseUrl(
            setting, f"unknown options: {', '.join(unknown)}; known are {', '.join(OPTIONS)}"
        )
    for name, choices in CHOICES.items():
        if said.get(name, choices[0]) not in choices:
            raise InvalidDatabaseUrl(setting, f"{name} is one of {', '.join(choices)}")
    seconds = said.get("connect_timeout", "1")
    if not (seconds.isascii() and seconds.isdigit() and 0 < int(seconds[:9]) <= 3600):
        raise InvalidDatabaseUrl(setting, "connect_timeout is a whole number of seconds, 1 to 3600")


async def connect(address: DatabaseAddress, *, seconds: float, **options: Any) -> Connection:
    """A connection to the first server that is what the address asks for.

    Each has `seconds` to answer, unless the address says otherwise. Raises what the last one failed
    with: an OSError, or what PostgreSQL says.
    """
    credentials = {**options, **address.credentials}
    credentials["server_settings"] = {
        **(options.get("server_settings") or {}),
        **address.server_settings,
    }
    several = len(address.hosts) > 1
    credentials["timeout"] = address.seconds or (min(seconds, HOST_SECONDS) if several else seconds)
    wanted = credentials.get("target_session_attrs")
    if wanted == "prefer-standby" and several:
        with suppress(OSError, asyncpg.CannotConnectNowError, asyncpg.PostgresConnectionError):
            return await _first_of(
                address.hosts, {**credentials, "target_session_attrs": "standby"}
            )
        credentials["target_session_attrs"] = "any"
    return await _first_of(address.hosts, credentials)


async def _first_of(hosts: Sequence[tuple[str, int]], credentials: Mapping[str, Any]) -> Connection:
    """Ask one after the other; the next one as soon as one has refused, or has been silent for a
    moment.
    """
    if len(hosts) == 1:
        return await _one(*hosts[0], credentials)
    attempts: list[asyncio.Task[Connection]] = []
    found = None
    try:
        for host, port in hosts:
            attempts.append(asyncio.create_task(_one(host, port, credentials)))
            found = await _success(attempts, may_wait=len(attempts) == len(hosts))
            if found is not None:
                return found
        raise _worth_telling(
            [error for attempt in attempts if isinstance(error := attempt.exception(), Exception)]
        )
    finally:
        await _give_up(attempts, found)


async def _success(
    attempts: Sequence["asyncio.Task[Connection]"], *, may_wait: bool
) -> "Connection | None":
    """What the first one opened; None: all have failed, or, unless it `may_wait`, one has, or time
    has passed.
    """
    waiting = {attempt for attempt in attempts if not attempt.done()}
    while waiting:
        done, waiting = await asyncio.wait(
            waiting,
            timeout=None if may_wait else HEAD_START_SECONDS,
            return_when=asyncio.FIRST_COMPLETED,
        )
        for attempt in done:
            if attempt.exception() is None:
                return attempt.result()
        if not may_wait:
            break
    return None


async def _give_up(
    attempts: Sequence["asyncio.Task[Connection]"], found: "Connection | None"
) -> None:
    """End what is under way, and close what was opened beside the one that was `found`."""
    for attempt in attempts:
        attempt.cancel()
    for opened in await asyncio.gather(*attempts, return_exceptions=True):
        if isinstance(opened, asyncpg.Connection) and opened is not found:
            opened.terminate()


async def _one(host: str, port: int, credentials: Mapping[str, Any]) -> Connection:
    try:
        connection: Connection = await asyncpg.connect(
            **{**credentials, "host": host, "port": port}
        )
    except asyncpg.TargetServerAttributeNotMatched:
        wanted = credentials["target_session_attrs"]
        raise DatabaseUnreachable(f"no server answers that is {wanted}") from None
    return connection


def _worth_telling(failures: Sequence[Exception]) -> Exception:
    """What a server has said, else how it refused, else that none has answered."""
    for error in failures:
        if isinstance(error, asyncpg.PostgresError):
            return error
    answered = [error for error in failures if not isinstance(error, TimeoutError)]
    return (answered or failures)[-1]
