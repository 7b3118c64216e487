"""How conversations end, and that nothing of them is left."""

import asyncio
import importlib
from collections.abc import Callable
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from core import organizations, webhooks
from core.foundation import pubsub
from core.foundation.clock import now
from core.foundation.pubsub import subscriber
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, Scope
from graphql_api.execute import Answer
from graphql_api.subscriptions import operations, protocol
from graphql_api.subscriptions import subscriber as backlog
from graphql_api.subscriptions.connection import OPERATIONS, SOCKETS, Pace
from rest_api import graphql_socket
from tests.factories.keys import an_admin, an_issued_key
from tests.factories.organizations import a_caller, a_key
from tests.graphql_api.subscriptions.conftest import SPOKEN, Serving, hear, say
from tests.support.counted import _now as levels
from tests.support.waiting import PATIENCE, eventually

pytestmark = pytest.mark.slow

EVENTS = {"query": "subscription { eventPublished { id data } }"}


async def closed(socket: Any) -> tuple[int, str]:
    """The code and the reason that the server closes with; what it says before is passed over."""
    with pytest.raises(ConnectionClosed) as ended:
        while True:
            await socket.recv()
    assert ended.value.rcvd is not None
    return ended.value.rcvd.code, ended.value.rcvd.reason


async def subscribed(server: Serving, socket: Any, count: int = 1) -> None:
    """So many subscriptions that listen."""
    before = server.listening
    for number in range(count):
        await say(socket, type="subscribe", id=f"s{before + number}", payload=EVENTS)
    await eventually(lambda: server.listening == before + count, "they listen")


async def test_a_client_that_vanishes_leaves_nothing_behind(server: Serving) -> None:
    async with server.plain(key=await a_key("test")) as socket:
        await subscribed(server, socket, 3)
        assert levels()["svc_graphql_sockets",] == 1
        assert levels()["svc_graphql_socket_operations",] == 3
        socket.transport.abort()
        await server.nothing_is_left()

    assert (levels()["svc_graphql_sockets",], levels()["svc_graphql_socket_operations",]) == (0, 0)
    assert not [task for task in asyncio.all_tasks() if "subscriptions" in repr(task.get_coro())]


async def test_a_completed_subscription_ends_and_its_id_is_free_again(server: Serving) -> None:
    caller = await a_caller("test")
    async with server.plain(
        key=await a_key("test", organization_id=caller.organization_id)
    ) as socket:
        await say(socket, type="subscribe", id="1", payload=EVENTS)
        await eventually(lambda: server.listening == 1, "it listens")
        await say(socket, type="complete", id="1")
        await eventually(lambda: server.listening == 0, "nobody listens")
        await say(socket, type="subscribe", id="1", payload=EVENTS)
        await eventually(lambda: server.listening == 1, "it listens again")
        await webhooks.publish(caller, "wallet.depleted", {}, at=now())
        assert (await hear(socket))["type"] == "next"


async def test_a_mutation_is_finished_though_its_client_went(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    finished = []

    async def slowly(caller: Any, request: Any) -> Answer:
        begun.set()
        await go_on.wait()
        finished.append(request.query)
        return Answer({"data": None}, ran=True)

    monkeypatch.setattr(operations, "run", slowly)
    async with server.plain(key=await a_key("test")) as socket:
        await say(socket, type="subscribe", id="1", payload={"query": "{ me { env } }"})
        await begun.wait()
        socket.transport.abort()
        await server.nothing_is_left()
        go_on.set()
        await eventually(lambda: finished == ["{ me { env } }"], "it is finished")
    assert not operations._running


async def test_a_ping_is_answered_before_the_introduction_too(server: Serving) -> None:
    async with server.plain() as socket:
        await say(socket, type="ping")
        assert await hear(socket) == {"type": "pong"}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("nonsense", 4400),
        (b"{}", 4400),
        ('{"type": "subscribe", "id": "1", "payload": {"query": "{me{env}}"}}', 4401),
    ],
)
async def test_a_violation_closes_the_socket(server: Serving, sent: str | bytes, code: int) -> None:
    async with server.plain() as socket:
        await socket.send(sent)
        assert (await closed(socket))[0] == code


@pytest.mark.parametrize(
    "payload",
    [{}, {"key": "svc_test_nobody"}, {"Authorization": "Basic x"}, {"authorization": None}],
)
async def test_who_is_not_known_is_not_let_in(server: Serving, payload: dict[str, Any]) -> None:
    async with server.plain() as socket:
        await say(socket, type="connection_init", payload=payload)
        code, reason = await closed(socket)

    assert code == 4403
    assert reason.startswith("Forbidden: ")


@pytest.mark.parametrize("offered", [None, ["graphql-ws"]])
async def test_another_protocol_is_not_spoken(server: Serving, offered: Any) -> None:
    async with connect(server.url, subprotocols=offered) as socket:
        assert (await closed(socket))[0] == 4406


async def test_the_protocol_is_picked_from_several(server: Serving) -> None:
    async with connect(server.url, subprotocols=["graphql-ws", SPOKEN]) as socket:  # type: ignore[list-item]
        assert socket.subprotocol == SPOKEN


async def test_who_does_not_introduce_himself_in_time_is_let_go(
    with_pace: Callable[[Pace], Any],
) -> None:
    async with with_pace(Pace(init=0.01)) as server, server.plain() as socket:
        assert (await closed(socket))[0] == 4408


async def test_a_revoked_key_loses_its_socket(with_pace: Callable[[Pace], Any]) -> None:
    admin = await an_admin()
    key = await an_issued_key(admin, scopes=[Scope.WEBHOOKS_READ])
    async with with_pace(Pace(recheck=0.01)) as server, server.plain(key=key["key"]) as socket:
        await subscribed(server, socket)
        await organizations.revoke_key(admin, key["id"])

        assert await closed(socket) == (
            4403,
            "Forbidden: The credential was revoked; issue a new key, or log in again.",
        )
        await server.nothing_is_left()


async def test_a_revoked_key_is_told_of_nothing_more(server: Serving) -> None:
    """Also between two of the looks that come by the clock."""
    admin = await an_admin()
    key = await an_issued_key(admin, scopes=[Scope.WEBHOOKS_READ])
    async with server.plain(key=key["key"]) as socket:
        await subscribed(server, socket)
        await organizations.revoke_key(admin, key["id"])
        await publish(admin, 3)

        with pytest.raises(ConnectionClosed) as ended:
            await socket.recv()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 4403


async def test_a_revoked_key_begins_nothing_more(server: Serving) -> None:
    """Also between two of the looks that come by the clock: it might be a mutation."""
    admin = await an_admin()
    key = await an_issued_key(admin, scopes=[Scope.WEBHOOKS_READ])
    async with server.plain(key=key["key"]) as socket:
        await organizations.revoke_key(admin, key["id"])
        await say(socket, type="subscribe", id="1", payload={"query": "{ me { env } }"})

        with pytest.raises(ConnectionClosed) as ended:
            await socket.recv()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == 4403


async def test_events_are_told_without_a_look_into_the_database_for_each(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = await a_caller("test")
    authentication = importlib.import_module("core.organizations.authenticate")
    monkeypatch.setattr(authentication, "CREDENTIAL_TTL", 3_600)
    async with server.plain(
        key=await a_key("test", organization_id=caller.organization_id)
    ) as socket:
        await subscribed(server, socket)
        with monkeypatch.context() as patched:
            patched.setattr(authentication, "FIND_KEY", "no statement")
            await publish(caller, 20)
            for _ in range(20):
                assert (await hear(socket))["type"] == "next"


async def test_what_was_lost_with_redis_is_told_by_closing(server: Serving) -> None:
    async with server.plain(key=await a_key("test")) as socket:
        await subscribed(server, socket)
        for connection in await server.redis.client_list(_type="pubsub"):
            await server.redis.client_kill_filter(_id=connection["id"])
        assert await closed(socket) == (1013, pubsub.ListeningInterrupted.default_detail)
        await server.nothing_is_left()


async def test_a_key_that_may_do_less_has_to_come_again(with_pace: Callable[[Pace], Any]) -> None:
    admin = await an_admin()
    key = await an_issued_key(admin, scopes=[Scope.WEBHOOKS_READ, Scope.PII_FULL])
    async with with_pace(Pace(recheck=0.01)) as server, server.plain(key=key["key"]) as socket:
        await subscribed(server, socket)
        await organizations.change_key(
            admin,
            key["id"],
            organizations.KeyChanges.model_validate({"scopes": [Scope.WEBHOOKS_READ]}),
        )
        code, reason = await closed(socket)

    assert code == 4403
    assert "changed" in reason


async def test_a_key_that_holds_keeps_its_socket(with_pace: Callable[[Pace], Any]) -> None:
    caller = await a_caller("test")
    key = await a_key("test", organization_id=caller.organization_id)
    looks = 0

    async with with_pace(Pace(recheck=0.01)) as server, server.plain(key=key) as socket:
        await subscribed(server, socket)
        for looks in range(1, 6):
            await asyncio.sleep(0.01)
            await webhooks.publish(caller, "wallet.depleted", {"look": looks}, at=now())
            told = (await hear(socket))["payload"]["data"]["eventPublished"]
            assert told["data"] == {"look": looks}
    assert looks == 5


async def test_more_operations_than_may_be_are_refused_one_by_one(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphql_api.subscriptions.connection.MAX_OPERATIONS", 2)
    async with server.plain(key=await a_key("test")) as socket:
        await subscribed(server, socket, 2)
        await say(socket, type="subscribe", id="more", payload=EVENTS)
        refused = await hear(socket)
        assert (refused["type"], refused["id"]) == ("error", "more")
        assert refused["payload"][0]["extensions"]["code"] == "RATE_LIMITED"

        await say(socket, type="complete", id="s0")
        await say(socket, type="subscribe", id="more", payload=EVENTS)
        await eventually(
            lambda: server.listening == 2, "the third one listens in the place of the first"
        )


async def test_a_reader_that_falls_behind_is_told_and_let_go(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscriber, "MAX_PENDING", 5)
    caller = await a_caller("test")
    async with server.plain(
        key=await a_key("test", organization_id=caller.organization_id)
    ) as socket:
        await subscribed(server, socket)
        await publish(caller, 6)
        assert await closed(socket) == (1013, pubsub.ListenerTooSlow.default_detail)
        await server.nothing_is_left()


async def test_a_client_that_reads_nothing_holds_nothing(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its operation waits in the middle of a sentence, and so would the goodbye."""
    monkeypatch.setattr(subscriber, "MAX_PENDING", 5)
    monkeypatch.setattr(graphql_socket, "CLOSE_SECONDS", 0.05)
    caller = await a_caller("test")
    async with server.plain(
        key=await a_key("test", organization_id=caller.organization_id)
    ) as socket:
        await subscribed(server, socket)
        for connection in server.server.server_state.connections:
            connection.close_timeout = 0.05  # type: ignore[union-attr]
        socket.transport.pause_reading()
        async with asyncio.timeout(PATIENCE):
            while server.listening:
                await publish(caller, 3, size=1_000_000)
                await asyncio.sleep(0.05)
        await server.nothing_is_left()
        await eventually(
            lambda: not server.server.server_state.connections, "the server has let go of it"
        )
        socket.transport.abort()  # a goodbye would be waited for, and not be read


async def publish(caller: Any, count: int, *, size: int = 1) -> None:
    """So many events at once."""
    events = [
        webhooks.NewEvent(
            caller.organization_id, caller.env, "wallet.depleted", {"long": "x" * size}, now()
        )
        for _ in range(count)
    ]
    await webhooks.publish_many(events, at=now())


def test_the_limits_are_those_that_are_written_down() -> None:
    """docs/graphql-subscriptions.md names them."""
    assert Pace() == Pace(init=10.0, recheck=20.0)
    assert (protocol.MAX_OPERATIONS, protocol.MAX_MESSAGE_BYTES, subscriber.MAX_PENDING) == (
        50,
        1_000_000,
        10_000,
    )
    assert (backlog.MAX_WAITING, backlog.MAX_WAITING_BYTES) == (10_000, 4_000_000)
    assert {SOCKETS.name, OPERATIONS.name} == {
        "svc_graphql_sockets",
        "svc_graphql_socket_operations",
    }
    assert Scope.WEBHOOKS_READ in DEFAULT_KEY_SCOPES
