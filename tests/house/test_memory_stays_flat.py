"""What callers send in ten thousand shapes leaves no more behind than caches may hold."""

import hashlib
from collections.abc import Iterator
from datetime import timedelta

import orjson
import pytest

from core.foundation.bounded_cache import BoundedCache
from core.foundation.clock import now
from core.foundation.database.pages import MAX_CURSOR_LENGTH, UnreadableCursor, cursor_of, values_of
from core.foundation.security.secrets import CREDENTIAL_LENGTH
from core.organizations import authenticate
from core.organizations.addresses import household_of, is_within, networks_of
from core.organizations.errors import InvalidCredential
from core.read_models.query_compiler import NEWEST, record_factory
from core.read_models.query_compiler.pages import read_mark, write_mark
from graphql_api import answer, registered
from graphql_api.documents import forget_documents, read_document
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.support.bytes_held import bytes_of, caches

HELD = 2_000_000
"""As many bytes as every cache is allowed here."""


@pytest.fixture
def small_caches(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[dict[str, BoundedCache[object, object]]]:
    forget_documents()
    known = caches()
    for cache in known.values():
        monkeypatch.setattr(cache, "max_bytes", HELD)
    yield known
    for cache in known.values():
        cache.clear()


def test_the_caches_are_found(small_caches: dict[str, BoundedCache[object, object]]) -> None:
    assert {
        "core.read_models.query_compiler.record_factory:_known",
        "core.organizations.authenticate:_known",
        "graphql_api.documents:_known",
        "graphql_api.executor.compiled_selection:_compiled",
        "graphql_api.lookahead:_known",
        "graphql_api.registered:_remembered",
    } <= small_caches.keys()


async def test_what_is_no_credential_is_not_remembered(database: None) -> None:
    before = authenticating_digests()
    for number in range(10_000):
        token = f"{number:x}"
        with pytest.raises(InvalidCredential):
            await authenticate(token * (1 + number % 300), request_id=None)
        with pytest.raises(InvalidCredential):
            await authenticate(f"svc_live_{token:0>42}"[:CREDENTIAL_LENGTH], request_id=None)

    assert authenticating_digests() == before


def test_what_is_no_address_is_not_remembered() -> None:
    networks = networks_of(["203.0.113.0/24"])
    assert networks is not None
    for number in range(10_000):
        claimed = f"fe80::1%{number}" + "x" * 1_000
        assert not is_within(claimed, networks)
        assert len(household_of(claimed)) <= 64


def test_a_cursor_of_any_length_is_read_only_where_a_list_could_have_given_it() -> None:
    for number in range(10_000):
        long = cursor_of([number, "x" * (MAX_CURSOR_LENGTH + number % 1_000)])
        with pytest.raises(UnreadableCursor):
            values_of(long)
        assert (
            read_mark(cursor_of(["newest", "2026-11-21T12:00:00+00:00", f"{number}" * 300]), NEWEST)
            is None
        )


async def test_ten_thousand_hostile_operations_leave_no_more_than_caches_may_hold(
    clean_slate: None, small_caches: dict[str, BoundedCache[object, object]]
) -> None:
    caller = await a_caller("test")
    await a_contact(caller)
    for number in range(4_000):
        read_document(f"{{ me {{ env a{number}: env }} }} # {'x' * (number % 3_000)}")
        read_document(f"{{ me {{ env }} }} {'{' * (number % 50)} # {number}")
    for number in range(2_000):
        text = f"{{ me {{ env }} }} # {number} {'x' * 5_000}"
        extension = {"version": 1, "sha256Hash": hashlib.sha256(text.encode()).hexdigest()}
        await registered.document_of(caller, extension, text)
    page = "contacts(first: 1) { nodes { id messages(first: 1, after: $after) { nodes { id } } } }"
    shown = ["name", "phone", "tags", "createdAt", "updatedAt"]
    for number in range(300):
        fields = " ".join(field for place, field in enumerate(shown) if number >> place & 1)
        document = f"query($after: String) {{ {page.replace(' id ', f' id {fields} ', 1)} }}"
        after = write_mark(
            NEWEST, [(now() - timedelta(seconds=number)).isoformat(), f"msg_{number:021}"]
        )
        body = orjson.dumps({"query": document, "variables": {"after": after}})
        content = (await answer(caller, body)).content
        assert len(content["data"]["contacts"]["nodes"]) == 1, content

    for name, cache in small_caches.items():
        assert bytes_of(cache) <= cache.bytes_held <= HELD, name
    # Selections by the fields that were asked for, never by what was asked of them.
    assert len(record_factory._known) <= 2 * 2 ** len(shown)


def authenticating_digests() -> int:
    from core.organizations.authenticate import _digest

    return _digest.cache_info().currsize
