"""Registered operations: by the hash of the document, for one organization."""

import hashlib
from typing import Any

import orjson
import pytest

from core.foundation import settings
from core.foundation.errors import BadRequest
from core.foundation.security.caller import Caller
from graphql_api import answer, registered
from tests.factories.organizations import a_caller

QUERY = "{ me { env } }"
HASH = hashlib.sha256(QUERY.encode()).hexdigest()

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture(autouse=True)
def nothing_known() -> Any:
    registered.use_store(None)
    yield
    registered.use_store(None)


class Store:
    """A hash of Redis."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, bytes]] = {}

    async def hlen(self, name: str) -> int:
        return len(self.kept.get(name, {}))

    async def hset(self, name: str, field: str, value: str) -> None:
        self.kept.setdefault(name, {})[field] = value.encode()

    async def hget(self, name: str, field: str) -> bytes | None:
        return self.kept.get(name, {}).get(field)

    async def hrandfield(self, name: str, count: int) -> list[str]:
        return list(self.kept[name])[:count]

    async def hdel(self, name: str, *fields: str) -> None:
        for field in fields:
            del self.kept[name][field]

    async def expire(self, name: str, seconds: int) -> None:
        assert name in self.kept and seconds == 30 * 86_400  # noqa: PT018 - one fact


class Away:
    """Redis that does not answer."""

    def __getattr__(self, _: str) -> Any:
        async def fail(*_: Any) -> None:
            raise ConnectionError

        return fail


async def asked(caller: Caller, **body: Any) -> dict[str, Any]:
    return (await answer(caller, orjson.dumps(body))).content


def by_hash(digest: str = HASH, **body: Any) -> dict[str, Any]:
    return {**body, "extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest}}}


async def is_unknown(caller: Caller, **body: Any) -> bool:
    given = await answer(caller, orjson.dumps(body))
    errors = given.content.get("errors", [])
    if [error["message"] for error in errors] != ["PersistedQueryNotFound"]:
        return False
    assert given.ran  # answered with 200: clients then send the document
    return [error["extensions"]["code"] for error in errors] == ["PERSISTED_QUERY_NOT_FOUND"]


async def test_a_document_is_asked_for_once_and_then_known_by_its_hash() -> None:
    caller = await a_caller("test")
    assert await is_unknown(caller, **by_hash())
    assert (await asked(caller, **by_hash(query=QUERY)))["data"] == {"me": {"env": "TEST"}}
    assert (await asked(caller, **by_hash()))["data"] == {"me": {"env": "TEST"}}


async def test_another_organization_does_not_know_it() -> None:
    await asked(await a_caller("test"), **by_hash(query=QUERY))
    assert await is_unknown(await a_caller("test"), **by_hash())


async def test_another_process_finds_it_in_the_store() -> None:
    store, caller = Store(), await a_caller("test")
    registered.use_store(store)
    await asked(caller, **by_hash(query=QUERY))
    registered.use_store(store)  # a process that remembers nothing
    assert (await asked(caller, **by_hash()))["data"] == {"me": {"env": "TEST"}}


async def test_without_the_store_the_process_helps_itself() -> None:
    registered.use_store(Away())
    caller = await a_caller("test")
    await asked(caller, **by_hash(query=QUERY))
    assert (await asked(caller, **by_hash()))["data"] == {"me": {"env": "TEST"}}
    assert await is_unknown(caller, **by_hash("0" * 64))


async def test_the_store_of_an_organization_has_a_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registered, "MAX_OPERATIONS", 2)
    store, caller = Store(), await a_caller("test")
    registered.use_store(store)
    for alias in ("a", "b", "c"):
        query = f"{{ {alias}: me {{ env }} }}"
        await asked(caller, **by_hash(hashlib.sha256(query.encode()).hexdigest(), query=query))
    (kept,) = store.kept.values()
    assert len(kept) == 2


@pytest.mark.parametrize(
    "extension",
    [
        {"version": 2, "sha256Hash": HASH},
        {"version": 1, "sha256Hash": HASH.upper()},
        {"version": 1, "sha256Hash": "short"},
        {"version": 1},
        "text",
    ],
)
async def test_a_hash_that_cannot_be_one_is_refused(extension: Any) -> None:
    with pytest.raises(BadRequest):
        await asked(await a_caller("test"), query=QUERY, extensions={"persistedQuery": extension})


async def test_a_hash_of_something_else_registers_nothing() -> None:
    caller = await a_caller("test")
    with pytest.raises(BadRequest):
        await asked(caller, **by_hash("0" * 64, query=QUERY))
    assert await is_unknown(caller, **by_hash("0" * 64))


async def test_only_operations_of_our_own_pages_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller, own = await a_caller(), "{ me { scopes } }"
    digest = hashlib.sha256(own.encode()).hexdigest()
    known = await asked(caller, **by_hash(query=QUERY))
    monkeypatch.setattr(registered, "_own", lambda: {digest: own})
    monkeypatch.setenv("SVC_GRAPHQL_REGISTERED_ONLY", "on")
    settings.current.cache_clear()

    for body in ({"query": QUERY}, by_hash(query=QUERY), by_hash()):
        with pytest.raises(BadRequest, match="console"):
            await asked(caller, **body)
    answered = [await asked(caller, query=own), await asked(caller, **by_hash(digest))]

    monkeypatch.undo()
    settings.current.cache_clear()
    assert "data" in known
    assert ["errors" in one for one in answered] == [False, False]
