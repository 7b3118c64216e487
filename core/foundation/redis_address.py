"""Redis URLs and clients: a server, or the primary that Sentinel names."""

import re
from typing import Any
from urllib.parse import parse_qsl, unquote

import redis.asyncio as redis
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool

from core.foundation.database.server_list import servers_of
from core.foundation.settings import SettingsError

SENTINEL_PORT = 26379
SENTINEL_SECONDS = 0.5
"""What a Sentinel has to answer before the next one is asked."""

SENTINEL = re.compile(r"(rediss?)\+sentinel://([^/?#]*)(?:/([0-9]{0,5}))?(?:\?([^#]*))?")
TLS = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname")
OPTIONS = ("service", "sentinel_username", "sentinel_password", *TLS)

FORMS = (
    "redis://host:port/0, rediss://…, unix://path or "
    "redis+sentinel://user:password@host1:26379,host2:26379/0?service=name"
)


class InvalidRedisUrl(SettingsError):
    """The address of Redis cannot be read."""

    def __init__(self, reason: str = f"expected {FORMS}") -> None:
        super().__init__(f"REDIS_URL: {reason}")


def open_redis(url: str, *, seconds: float, answer_seconds: float | None = None) -> "redis.Redis":
    """A client; nothing is connected yet. `seconds`: to connect; `answer_seconds`: for each answer,
    None: without end.

    Raises InvalidRedisUrl, which repeats nothing of the address.
    """
    return redis.Redis.from_pool(open_pool(url, seconds=seconds, socket_timeout=answer_seconds))


def open_pool(url: str, *, seconds: float, **options: object) -> redis.ConnectionPool:
    """The connections behind a client, of redis-py or of arq. `options`: as redis-py's connections
    take them.

    After a fail-over of Sentinel each connection that is cut off, or is told that it speaks to a
    replica, is opened anew to the primary of then.
    """
    options["socket_connect_timeout"] = seconds
    if found := SENTINEL.fullmatch(url.strip()):
        return _sentinel_pool(found, options)
    try:
        return redis.ConnectionPool.from_url(url, **options)
    except ValueError:  # its text may hold a piece of the password
        raise InvalidRedisUrl from None


class _Pool(SentinelConnectionPool):
    """Closes what is open to the Sentinels together with the rest."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        await super().disconnect(inuse_connections)
        if inuse_connections:
            for sentinel in self.sentinel_manager.sentinels:
                await sentinel.aclose()


def _sentinel_pool(found: re.Match[str], options: dict[str, object]) -> redis.ConnectionPool:
    login, _, places = found[2].rpartition("@")
    user, _, password = login.partition(":")
    said = dict(parse_qsl(found[4] or ""))
    try:
        sentinels = servers_of(places, default_port=SENTINEL_PORT)
    except ValueError:
        raise InvalidRedisUrl from None
    if unknown := sorted(said.keys() - set(OPTIONS)):
        raise InvalidRedisUrl(
            f"unknown options: {', '.join(unknown)}; known are {', '.join(OPTIONS)}"
        )
    if not said.get("service"):
        raise InvalidRedisUrl(
            "redis+sentinel:// needs ?service=, the name by which the Sentinels know the primary"
        )
    encrypted: dict[str, Any] = {name: said[name] for name in TLS if name in said}
    if "ssl_check_hostname" in encrypted:
        encrypted["ssl_check_hostname"] = encrypted["ssl_check_hostname"].lower() in (
            "1",
            "true",
            "yes",
            "on",
        )
    if found[1] == "rediss":
        encrypted["ssl"] = True
    elif encrypted:
        raise InvalidRedisUrl(f"{', '.join(encrypted)}: only with rediss+sentinel://")
    asked = Sentinel(  # type: ignore[no-untyped-call]
        list(sentinels),
        sentinel_kwargs={
            "username": said.get("sentinel_username"),
            "password": said.get("sentinel_password"),
            "socket_connect_timeout": SENTINEL_SECONDS,
            "socket_timeout": SENTINEL_SECONDS,
            **encrypted,
        },
    )
    own = {
        "username": unquote(user) or None,
        "password": unquote(password) or None,
        "db": int(found[3] or 0),
    }
    return _Pool(said["service"], asked, **own, **encrypted, **options)  # type: ignore[no-untyped-call]
