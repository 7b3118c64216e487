"""Like subscriptions are one: what they are told is read, executed and written once, and copied to
their sockets.

Whoever asks the same of the same records with the same rights is told the same. The key of a stream
holds everything that can change an answer; who it is that asks is no part of it, and the stream
does not know it.
"""

import asyncio
from collections.abc import AsyncGenerator, Hashable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

import orjson
from graphql import map_source_to_response_event
from graphql.execution import Executor

from core.foundation.database.transactions import outside_transaction
from core.foundation.language import Language, language_noted, note_header
from core.foundation.pubsub import NoticesLost
from core.foundation.security.caller import Caller
from graphql_api.requests import Request
from graphql_api.subscriptions.broadcast import broadcast
from graphql_api.subscriptions.results import ResultFrames, SubscriptionResult
from graphql_api.subscriptions.subscriber import Subscriber

MAX_CONCURRENT = 8
"""Results that are executed in one turn of the loop."""

MAX_UNTOLD = 100
MAX_UNTOLD_BYTES = 1_000_000
"""What is executed ahead of those who are being told; what happens meanwhile is gathered, each
record once.
"""


@dataclass(frozen=True, slots=True)
class StreamKey:
    """Everything that an answer depends on."""

    caller: Caller
    """Organization, environment, scopes, which decide on masks too, and settings; without the
    credential.
    """
    language: Language
    query: str
    operation: str | None
    variables: bytes


def key_of(caller: Caller, request: Request) -> StreamKey:
    """The stream that this request belongs to, in the language that is asked for now."""
    nobody = replace(caller, credential_id=None, account_id=None, request_id=None)
    return StreamKey(
        nobody, language_noted(), request.query, request.operation, orjson.dumps(request.variables)
    )


class Stream:
    """The results of one key, for all that subscribed to it."""

    def __init__(self, key: StreamKey) -> None:
        self.key = key
        self._subscribers: dict[Subscriber, None] = {}
        self._results: list[SubscriptionResult] = []
        self._bytes = 0
        self._taken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def owner(self) -> Hashable:
        """The organization whose turn it is told in."""
        return self.key.caller.organization_id

    @property
    def subscribers(self) -> int:
        """How many are told."""
        return len(self._subscribers)

    def start(self, executor: Executor[Any], source: AsyncGenerator[Any, None]) -> None:
        """Execute whatever the source yields, until the last one leaves."""
        work = self._run(executor, source)
        # Neither the request nor the transaction of who came first: both end before this does.
        self._task = asyncio.get_running_loop().create_task(work, context=outside_transaction())

    def join(self, subscriber: Subscriber) -> None:
        """Tell somebody from now on."""
        self._subscribers[subscriber] = None

    async def leave(self, subscriber: Subscriber) -> None:
        """Tell somebody no more; nobody needs what the last one leaves."""
        self._subscribers.pop(subscriber, None)
        if not self._subscribers:
            self._close()
            if self._task is not None:
                self._task.cancel()
                await asyncio.gather(self._task, return_exceptions=True)

    def cut_off(self, lost: NoticesLost) -> None:
        """Something could not be told to anybody."""
        for subscriber in list(self._subscribers):
            subscriber.cut_off(lost)

    # What the broadcast asks for -------------------------------------------------------------------

    @property
    def has_results(self) -> bool:
        """Whether there are results that nobody was told yet."""
        return bool(self._results)

    @property
    def audience(self) -> Iterable[Subscriber]:
        """Who is subscribed."""
        return self._subscribers

    def take(self) -> tuple[ResultFrames, list[Subscriber]]:
        """These results, and who is subscribed."""
        results, self._results, self._bytes = self._results, [], 0
        self._taken.set()
        return ResultFrames(results), list(self._subscribers)

    # Executing -------------------------------------------------------------------------------------

    async def _run(self, executor: Executor[Any], source: AsyncGenerator[Any, None]) -> None:
        note_header(self.key.language)
        error: Exception | None = None
        try:
            async with aclosing(map_source_to_response_event(executor, source)) as results:
                async for result in results:
                    await self._tell(SubscriptionResult(result))
            await self._all_taken()
        except Exception as raised:
            error = raised
        self._close()
        for subscriber in list(self._subscribers):
            subscriber.end(error)

    async def _tell(self, result: SubscriptionResult) -> None:
        self._results.append(result)
        self._bytes += result.size
        broadcast.announce(self)
        while len(self._results) >= MAX_UNTOLD or self._bytes >= MAX_UNTOLD_BYTES:
            self._taken.clear()
            await self._taken.wait()
        if len(self._results) % MAX_CONCURRENT == 0:
            await asyncio.sleep(0)

    async def _all_taken(self) -> None:
        while self._results:
            self._taken.clear()
            await self._taken.wait()

    def _close(self) -> None:
        broadcast.forget(self)
        if streams.get(self.key) is self:
            del streams[self.key]


streams: dict[StreamKey, Stream] = {}
"""What is subscribed to in this process."""
