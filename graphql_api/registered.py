"""Registered operations: a client sends the SHA-256 of a document instead of the document, once the
service knows it.

The convention is Apollo's automatic persisted queries. Documents are kept for each organization, in
Redis and for a while in the process, up to a ceiling; one that is evicted is asked for again by
the convention itself.
"""

import hashlib
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from core.foundation.bounded_cache import BoundedCache
from core.foundation.errors import BadRequest, ServiceError
from core.foundation.observability.outage_log import tell_outage
from core.foundation.security.caller import Caller
from core.foundation.settings import current

MAX_OPERATIONS = 1_000
"""Documents of an organization in Redis; then any one gives way."""

OPERATIONS_TTL_DAYS = 30
MAX_CACHED_BYTES = 16_000_000
MAX_DOCUMENT_LENGTH = 50_000
"""Characters of a document that is kept; a longer one runs, unregistered."""

HASH = re.compile(r"[0-9a-f]{64}\Z")


class PersistedQueryNotFound(ServiceError):
    """The code and the words are the convention's: clients look for them."""

    code = "PERSISTED_QUERY_NOT_FOUND"
    default_detail = "PersistedQueryNotFound"


Documents = Callable[[], Mapping[str, str]]
"""Operations by their SHA-256."""

_client: Any = None
_own: Documents = dict
_remembered: BoundedCache[tuple[str, str], str] = BoundedCache(
    max_bytes=MAX_CACHED_BYTES, weigh=lambda _, query: 300 + sys.getsizeof(query)
)


def use_store(client: Any) -> None:
    """Tell this process where documents are kept; without it, it keeps them for itself."""
    global _client
    _client = client
    _remembered.clear()


def use_own(documents: Documents) -> None:
    """Tell this process the operations of our own pages: they are registered for everybody."""
    global _own
    _own = documents


def require_own(query: str) -> None:
    """Raises BadRequest where only operations of our own pages are taken and this is none."""
    if current().graphql_registered_only == "off":
        return
    if hashlib.sha256(query.encode()).hexdigest() not in _own():
        raise BadRequest(
            "This service answers the operations of its console and no others; whoever runs it "
            "decides that with SVC_GRAPHQL_REGISTERED_ONLY."
        )


async def document_of(caller: Caller, extension: Any, query: str | None) -> str:
    """The document that `extensions.persistedQuery` stands for; one that comes with it is
    registered.

    Raises PersistedQueryNotFound for a hash that this organization did not register, BadRequest for
    one that is not that of the document.
    """
    if not isinstance(extension, dict) or extension.get("version") != 1:
        raise BadRequest(
            "`extensions.persistedQuery` is an object with `version` 1 and `sha256Hash`."
        )
    digest = extension.get("sha256Hash")
    if not isinstance(digest, str) or not HASH.match(digest):
        raise BadRequest(
            "`sha256Hash` is the SHA-256 of the document in 64 lower-case hexadecimal digits."
        )
    place = (caller.organization_id, digest)
    if query is not None:
        if hashlib.sha256(query.encode()).hexdigest() != digest:
            raise BadRequest("The document is not the one that `sha256Hash` belongs to.")
        if place not in _remembered and len(query) <= MAX_DOCUMENT_LENGTH:
            await _keep(place, query)
        return query
    known = _own().get(digest) or _remembered.get(place)
    if known is None:
        known = await _kept(place)
    if known is None:
        raise PersistedQueryNotFound
    return known


async def _keep(place: tuple[str, str], query: str) -> None:
    _remembered.put(place, query)
    if _client is None:
        return
    name = _name(place[0])
    try:
        if await _client.hlen(name) >= MAX_OPERATIONS:
            others = await _client.hrandfield(name, 1)
            await _client.hdel(name, *others)
        await _client.hset(name, place[1], query)
        await _client.expire(name, OPERATIONS_TTL_DAYS * 86_400)
    except Exception as error:
        tell_outage("redis_is_away", error)


async def _kept(place: tuple[str, str]) -> str | None:
    if _client is None:
        return None
    try:
        found: bytes | None = await _client.hget(_name(place[0]), place[1])
    except Exception as error:
        tell_outage("redis_is_away", error)
        return None
    if found is None:
        return None
    query = found.decode()
    _remembered.put(place, query)
    return query


def _name(organization_id: str) -> str:
    return f"svc:operations:{organization_id}"
