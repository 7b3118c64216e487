"""A server, and clients of it that are not ours."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
import redis.asyncio as redis
import uvicorn
from gql import Client, GraphQLRequest
from gql.client import AsyncClientSession
from gql.transport.websockets import WebsocketsTransport
from starlette.routing import Router, WebSocketRoute
from websockets.asyncio.client import ClientConnection, connect

from core.foundation import pubsub
from core.foundation.settings import current
from graphql_api.subscriptions.connection import Pace, opened
from graphql_api.subscriptions.shared import streams
from rest_api.graphql_socket import GraphQLSocket
from tests.support.waiting import PATIENCE, eventually
from tests.support.web_sockets import served

SPOKEN = "graphql-transport-ws"


@dataclass
class RunningSubscription:
    """A subscription under way: what it was told so far."""

    results: list[dict[str, Any]]
    task: "asyncio.Task[None]"

    async def next(self) -> dict[str, Any]:
        """What it is told next."""
        await eventually(lambda: self.results or self.task.done(), "something is told")
        if not self.results:
            self.task.result()
        return self.results.pop(0)

    async def comes_to(self, expected: dict[str, Any]) -> None:
        """Wait until it is told this. What was told before counts for nothing: two changes may be told as
        one, and one twice.
        """
        async with asyncio.timeout(PATIENCE):
            while await self.next() != expected:
                pass


class Serving:
    """The server of a test."""

    def __init__(
        self, address: str, server: uvicorn.Server, hub: pubsub.Hub, client: "redis.Redis"
    ) -> None:
        self.url = f"ws://{address}/graphql"
        self.server = server
        self.hub = hub
        self.redis = client
        self._ends = AsyncExitStack()

    @property
    def listening(self) -> int:
        """Subscriptions that are told from now on; like ones share a listener."""
        return (
            sum(one.subscribers for one in streams.values())
            if self.hub.listeners == len(streams)
            else 0
        )

    async def session(self, key: str) -> AsyncClientSession:
        """An independent client's session."""
        transport = WebsocketsTransport(
            url=self.url, init_payload={"Authorization": f"Bearer {key}"}, subprotocols=[SPOKEN]
        )
        session: AsyncClientSession = await self._ends.enter_async_context(
            Client(transport=transport)
        )
        return session

    async def subscribe(self, key: str, document: str, **variables: Any) -> RunningSubscription:
        """A subscription whose notices arrive from now on."""
        session = await self.session(key)
        results: list[dict[str, Any]] = []
        before = self.listening

        async def follow() -> None:
            async for result in session.subscribe(
                GraphQLRequest(document, variable_values=variables)
            ):
                results.append(result)  # noqa: PERF401 - each is looked at as it comes

        task = asyncio.create_task(follow())
        self._ends.push_async_callback(_end, task)
        await eventually(lambda: self.listening > before or task.done(), "it listens")
        if task.done():
            task.result()
        return RunningSubscription(results, task)

    @asynccontextmanager
    async def plain(
        self, *, key: str | None = None, **options: Any
    ) -> AsyncIterator[ClientConnection]:
        """A bare WebSocket, introduced if a key is given."""
        async with connect(self.url, subprotocols=[SPOKEN], **options) as socket:  # type: ignore[list-item]
            if key is not None:
                await socket.send('{"type": "connection_init", "payload": {"key": "' + key + '"}}')
                assert await socket.recv() == '{"type":"connection_ack"}'
            yield socket

    async def nothing_is_left(self) -> None:
        """Neither conversation, operation nor listener, nor a subscription in Redis."""

        async def left() -> list[int]:
            channels = await self.redis.pubsub_channels("svc:live:*")
            return [
                opened.sockets,
                opened.operations,
                len(streams),
                self.hub.listeners,
                int(self.hub.connected),
                len(channels),
            ]

        async def none() -> bool:
            return not any(await left())

        await eventually(none, "nothing is left")

    async def close(self) -> None:
        """Let the clients go."""
        await self._ends.aclose()


async def say(socket: ClientConnection, **message: Any) -> None:
    """Send a message."""
    await socket.send(orjson.dumps(message).decode())


async def hear(socket: ClientConnection) -> dict[str, Any]:
    """The next message; it came as text."""
    text = await socket.recv()
    assert isinstance(text, str)
    message: dict[str, Any] = orjson.loads(text)
    return message


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def serving(pace: Pace) -> AsyncIterator[Serving]:
    """A server with listeners and announcements of its own."""
    async with redis.Redis.from_url(current().redis_url) as client:
        publisher, hub = pubsub.Publisher(client), pubsub.Hub(current().redis_url)
        pubsub.use_publisher(publisher)
        pubsub.use_hub(hub)
        try:
            async with served(Router([WebSocketRoute("/graphql", GraphQLSocket(pace))])) as (
                address,
                server,
            ):
                serving = Serving(address, server, hub, client)
                yield serving
                await serving.close()
            await serving.nothing_is_left()
        finally:
            pubsub.use_publisher(None)
            await publisher.close()
            pubsub.use_hub(None)
            await hub.close()


@pytest.fixture
async def server(real_commits: None) -> AsyncIterator[Serving]:
    """A server that looks at credentials as rarely as in service."""
    async with serving(Pace()) as server:
        yield server


@pytest.fixture
def with_pace(real_commits: None) -> Callable[[Pace], Any]:
    """A server whose pace a test sets."""
    return serving
