"""Like subscriptions share their reads, and nobody is told what another may see."""

import dataclasses
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection

from core import organizations
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.language import note_header
from core.foundation.security.caller import KEY_SCOPES, Caller, Limits, Scope
from graphql_api.requests import Request
from graphql_api.subscriptions.shared import StreamKey, key_of, streams
from tests.factories.contacts import a_contact
from tests.factories.keys import an_admin, an_issued_key
from tests.factories.organizations import a_caller, a_key
from tests.factories.sms import a_send
from tests.graphql_api.subscriptions.conftest import Serving, hear, say
from tests.graphql_api.subscriptions.test_endings import closed
from tests.support.waiting import eventually

CHANGED = "subscription($filter: MessageFilter) { messageChanged(filter: $filter) { id to contact { id } } }"

MASKED = KEY_SCOPES - {Scope.PII_FULL}


@asynccontextmanager
async def sockets(
    server: Serving, keys: list[str], **options: Any
) -> AsyncIterator[list[ClientConnection]]:
    """One socket for each key."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(server.plain(key=key, **options)) for key in keys]


async def subscribe(server: Serving, socket: ClientConnection, id: str, **variables: Any) -> None:
    """Listen from now on."""
    before = server.listening
    await say(socket, type="subscribe", id=id, payload={"query": CHANGED, "variables": variables})
    await eventually(lambda: server.listening == before + 1, "it listens")


# One read -----------------------------------------------------------------------------------------


async def test_many_that_ask_alike_are_told_by_one_read_each_under_its_own_id(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller("test")
    keys = [await a_key("test", organization_id=caller.organization_id) for _ in range(2)]
    asked: list[str] = []
    fetchval = db.fetchval

    async def noted(query: str, *values: Any) -> Any:
        asked.append(query)
        return await fetchval(query, *values)

    async with sockets(server, keys * 10) as many:
        for number, socket in enumerate(many):
            await subscribe(server, socket, f'operation "{number}"')
        assert (server.listening, len(streams), server.hub.listeners) == (20, 1, 1)
        with monkeypatch.context() as patched:
            patched.setattr(db, "fetchval", noted)
            sent = await a_send(caller)
            told = [await hear(socket) for socket in many]

    assert {message["payload"]["data"]["messageChanged"]["id"] for message in told} == {sent["id"]}
    assert [message["id"] for message in told] == [f'operation "{number}"' for number in range(20)]
    assert {message["type"] for message in told} == {"next"}
    assert len([query for query in asked if "FROM messages" in query]) == 1


async def test_who_leaves_is_told_no_more_and_the_others_are(server: Serving) -> None:
    caller = await a_caller("test")
    key = await a_key("test", organization_id=caller.organization_id)
    async with sockets(server, [key] * 3) as (first, second, third):
        for socket in (first, second, third):
            await subscribe(server, socket, "1")
        await say(first, type="complete", id="1")
        third.transport.abort()
        await eventually(lambda: server.listening == 1, "two have left")
        sent = await a_send(caller)
        assert (await hear(second))["payload"]["data"]["messageChanged"]["id"] == sent["id"]
        await say(first, type="ping")
        assert await hear(first) == {"type": "pong"}


async def test_each_error_names_the_request_of_its_own_socket(server: Serving) -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller)
    key = await a_key(
        "test", organization_id=caller.organization_id, scopes=frozenset({Scope.SMS_READ})
    )
    async with AsyncExitStack() as stack:
        ids = ["request-of-the-first", "request-of-the-second"]
        both = [
            await stack.enter_async_context(
                server.plain(key=key, additional_headers={"X-Request-Id": id})
            )
            for id in ids
        ]
        for socket in both:
            await subscribe(server, socket, "1")
        await a_send(caller, contactId=contact["id"])
        told = [(await hear(socket))["payload"] for socket in both]

    assert len(streams) == 0
    assert [payload["errors"][0]["extensions"]["requestId"] for payload in told] == ids
    assert all(payload["data"]["messageChanged"]["contact"] is None for payload in told)


# Nobody is told what another may see --------------------------------------------------------------


async def test_masks_scopes_variables_languages_organizations_and_environments_stay_apart(
    server: Serving,
) -> None:
    mine, other = await a_caller("test"), await a_caller("test")
    contact = await a_contact(mine)
    owner = {"organization_id": mine.organization_id}
    key = await a_key("test", scopes=KEY_SCOPES, **owner)
    keys = {
        "whole": key,
        "masked": await a_key("test", scopes=MASKED, **owner),
        "blind": await a_key("test", scopes=frozenset({Scope.SMS_READ}), **owner),
        "filtered": key,
        "live": await a_key("live", scopes=KEY_SCOPES, **owner),
        "other": await a_key("test", scopes=KEY_SCOPES, organization_id=other.organization_id),
    }
    variables = {"filtered": {"filter": {"direction": "INBOUND"}}}
    async with (
        sockets(server, list(keys.values())) as opened,
        server.plain(key=keys["blind"], additional_headers={"Accept-Language": "pt-BR"}) as cego,
    ):
        by_name = dict(zip(keys, opened, strict=True)) | {"cego": cego}
        for name, socket in by_name.items():
            await subscribe(server, socket, name, **variables.get(name, {}))
        assert len(streams) == len(by_name)
        sent = await a_send(mine, to="+5511987650005", contactId=contact["id"])
        told = {
            name: (await hear(by_name[name]))["payload"]
            for name in ("whole", "masked", "blind", "cego")
        }
        for name in ("filtered", "live", "other"):
            await say(by_name[name], type="ping")
            assert await hear(by_name[name]) == {"type": "pong"}, "it was told nothing"

    changed = {name: payload["data"]["messageChanged"] for name, payload in told.items()}
    assert {one["id"] for one in changed.values()} == {sent["id"]}
    assert changed["whole"]["to"] == "+5511987650005"
    assert {changed[name]["to"] for name in ("masked", "blind", "cego")} == {"+5511*****0005"}
    assert changed["whole"]["contact"] == changed["masked"]["contact"] == {"id": contact["id"]}
    assert [told[name]["errors"][0]["message"].split()[0] for name in ("blind", "cego")] == [
        "The",
        "A",
    ]


SOME_SCOPES = st.frozensets(st.sampled_from(sorted(Scope)), max_size=3)
CALLERS = st.builds(
    Caller,
    organization_id=st.sampled_from(["org_1", "org_2"]),
    env=st.sampled_from(["live", "test"]),
    scopes=SOME_SCOPES,
    credential_id=st.sampled_from([None, "key_1", "key_2"]),
    account_id=st.sampled_from([None, "acc_1"]),
    request_id=st.sampled_from([None, "req_1"]),
    kind=st.sampled_from(["key", "session"]),
    limits=st.builds(Limits, graphql_cost=st.sampled_from([1, 2])),
    unifies_ninth_digit=st.booleans(),
)
VALUES = st.sampled_from([None, 1, 1.0, True, "1", [1], {"a": 1, "b": [None]}])
REQUESTS = st.builds(
    Request,
    query=st.sampled_from(["subscription { a }", "subscription {a}"]),
    variables=st.none() | st.dictionaries(st.sampled_from(["a", "b"]), VALUES, max_size=2),
    operation=st.sampled_from([None, "A"]),
)
ASKED = st.tuples(CALLERS, REQUESTS, st.sampled_from(["en", "pt-BR"]))
WHO = ("credential_id", "account_id", "request_id")
"""Of a caller, what no answer depends on."""


@given(ASKED, ASKED)
@settings(derandomize=True, database=None, max_examples=500)
def test_a_stream_is_shared_by_those_alone_who_ask_for_the_same_with_the_same_rights(
    one: tuple[Caller, Request, str], other: tuple[Caller, Request, str]
) -> None:
    for changed in (one, other, (dataclasses.replace(one[0], credential_id="key_9"), *one[1:])):
        same_key = key_as(*changed) == key_as(*one)
        assert same_key == (everything(*changed) == everything(*one))


def key_as(caller: Caller, request: Request, language: str) -> StreamKey:
    note_header(language)
    return key_of(caller, request)


def everything(caller: Caller, request: Request, language: str) -> bytes:
    """As text, in which 1, 1.0 and true differ."""
    rights = {name: value for name, value in dataclasses.asdict(caller).items() if name not in WHO}
    return orjson.dumps(
        {
            **rights,
            "scopes": sorted(caller.scopes),
            **dataclasses.asdict(request),
            "language": language,
        }
    )


def test_a_stream_does_not_know_who_asks() -> None:
    caller = Caller(
        "org_1", "test", frozenset(), credential_id="key_1", account_id="acc_1", request_id="req_1"
    )
    nobody = key_as(caller, Request("subscription { a }", None, None), "en").caller
    assert [getattr(nobody, name) for name in WHO] == [None] * 3


# Credentials --------------------------------------------------------------------------------------


async def test_a_revoked_key_among_like_ones_is_told_nothing_more(server: Serving) -> None:
    admin = await an_admin()
    keys = [await an_issued_key(admin, scopes=[Scope.SMS_READ]) for _ in range(2)]
    async with sockets(server, [key["key"] for key in keys]) as (first, second):
        for socket in (first, second):
            await subscribe(server, socket, "1")
        assert len(streams) == 1
        await organizations.revoke_key(admin, keys[0]["id"])
        sent = await a_send(admin)
        assert (await closed(first))[0] == 4403
        assert (await hear(second))["payload"]["data"]["messageChanged"]["id"] == sent["id"]


async def test_many_credentials_are_read_together_and_a_revoked_one_among_them_is_told_nothing_more(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = await an_admin()
    keys = [await an_issued_key(admin, scopes=[Scope.SMS_READ]) for _ in range(40)]
    async with sockets(server, [key["key"] for key in keys]) as opened:
        for socket in opened:
            await subscribe(server, socket, "1")
        await organizations.ApiKey.filter(id=keys[17]["id"]).update(revoked_at=now())
        organizations.clear_credential_cache()  # as it is two seconds later
        looks = noted_looks(monkeypatch)
        sent = await a_send(admin)
        assert (await closed(opened.pop(17)))[0] == 4403
        for socket in opened:
            assert (await hear(socket))["payload"]["data"]["messageChanged"]["id"] == sent["id"]

    assert looks["fetchrow"] == 1, "who does not hold is looked at by himself"
    assert looks["fetch"] <= 2, "all together, and once more those of the revoked one's slice"


async def test_a_narrowed_key_among_many_has_to_come_again(server: Serving) -> None:
    admin = await an_admin()
    keys = [await an_issued_key(admin, scopes=[Scope.SMS_READ, Scope.PII_FULL]) for _ in range(3)]
    async with sockets(server, [key["key"] for key in keys]) as opened:
        for socket in opened:
            await subscribe(server, socket, "1")
        await organizations.ApiKey.filter(id=keys[1]["id"]).update(scopes=["sms:read"])
        organizations.clear_credential_cache()
        sent = await a_send(admin)
        assert (await closed(opened.pop(1)))[0] == 4403
        for socket in opened:
            assert (await hear(socket))["payload"]["data"]["messageChanged"]["id"] == sent["id"]


def noted_looks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often keys are read from now on, by the function that reads them."""
    looks: Counter[str] = Counter()

    def noting(name: str, ask: Callable[..., Any]) -> Callable[..., Any]:
        async def asked(query: str, *values: Any) -> Any:
            looks[name] += "FROM api_keys" in query
            return await ask(query, *values)

        return asked

    for name in ("fetch", "fetchrow"):
        monkeypatch.setattr(db, name, noting(name, getattr(db, name)))
    return looks
