"""Telling many sockets without holding up anybody: a slice of them at a time, organizations in
turn.

Between two slices the loop does what else there is to do: requests are answered while thousands are
told.
"""

import asyncio
from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, islice
from typing import Protocol

import structlog

from core.foundation.database.transactions import outside_transaction
from core.organizations import is_stale_credential, renew_credentials
from graphql_api.subscriptions.protocol import Closing
from graphql_api.subscriptions.results import ResultFrames
from graphql_api.subscriptions.subscriber import Subscriber

SLICE = 8
"""Sockets that are written to in one turn of the loop: about as long as a step of a request takes,
50 µs.
"""

RENEWED = 128
"""Sockets whose credentials are looked at together, once that of one of the next slice is stale."""

log = structlog.get_logger()


class ResultStream(Protocol):
    """What has results for its subscribers."""

    @property
    def owner(self) -> Hashable:
        """Whose turn it is told in."""

    @property
    def has_results(self) -> bool:
        """Whether there are results that nobody was told yet."""

    @property
    def audience(self) -> Iterable[Subscriber]:
        """Who is subscribed."""

    def take(self) -> tuple[ResultFrames, list[Subscriber]]:
        """These results, and who is subscribed."""


class Broadcast:
    """Tells what was announced to it, in turn among owners and, of one owner, in turn among
    streams.
    """

    def __init__(self) -> None:
        self._owners: dict[Hashable, dict[ResultStream, Telling | None]] = {}
        """The streams that have something to tell, and what each is about to tell."""
        self._task: asyncio.Task[None] | None = None

    def announce(self, stream: ResultStream) -> None:
        """There are results: they are told, with all that come until then, when it is the stream's
        turn.
        """
        self._owners.setdefault(stream.owner, {}).setdefault(stream, None)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(
                self._tell_all(), context=outside_transaction()
            )

    def forget(self, stream: ResultStream) -> None:
        """Nobody is subscribed any more."""
        if streams := self._owners.get(stream.owner):
            streams.pop(stream, None)

    async def _tell_all(self) -> None:
        try:
            while self._owners:
                owner, streams = next(iter(self._owners.items()))
                del self._owners[owner]
                if streams:
                    self._owners[owner] = streams  # behind the others
                    await self._turn(streams)
                    await asyncio.sleep(0)
        finally:
            self._task = None

    async def _turn(self, streams: dict[ResultStream, "Telling | None"]) -> None:
        stream = next(iter(streams))
        telling = streams.pop(stream) or Telling(*stream.take())
        streams[stream] = telling  # behind the others
        await _renew(telling, streams)
        if await telling.slice() or streams.get(stream) is not telling:
            return
        del streams[stream]
        if stream.has_results:
            streams[stream] = None


class Telling:
    """Some results on their way to those who were subscribed when they were there."""

    def __init__(self, frames: ResultFrames, subscribers: list[Subscriber]) -> None:
        self._frames = frames
        self._subscribers = subscribers
        self._passed = 0

    @property
    def left(self) -> Iterator[Subscriber]:
        """Who is still to be told, in order."""
        return islice(self._subscribers, self._passed, None)

    async def slice(self) -> bool:
        """Tell the next ones; answers whether there may be others."""
        some = list(islice(self.left, SLICE))
        self._passed += len(some)
        welcome: dict[Hashable, Closing | None] = {}
        for subscriber in some:
            outlet = subscriber.outlet
            if outlet.credential not in welcome:
                welcome[outlet.credential] = await _refusal(subscriber)
            if subscriber.over.done():
                continue
            if (closing := welcome[outlet.credential]) is None:
                subscriber.tell(self._frames)
            else:
                outlet.close(closing)
        return len(some) == SLICE


async def _renew(telling: Telling, streams: dict[ResultStream, Telling | None]) -> None:
    """Have what is stale of the credentials of the next slice read together with those that come
    behind it.

    Each is looked at by itself afterwards: here nobody is refused, and a database that is away is
    no reason to end.
    """
    if not any(map(is_stale_credential, {one.outlet.token for one in islice(telling.left, SLICE)})):
        return
    # The telling itself is the last of its owner's streams.
    others = chain.from_iterable(
        about.left if about else stream.audience for stream, about in streams.items()
    )
    tokens = {one.outlet.token for one in islice(chain(telling.left, others), RENEWED)}
    try:
        await renew_credentials(tokens)
    except Exception as error:
        log.warning("credentials_not_renewed", error=type(error).__name__)


async def _refusal(subscriber: Subscriber) -> Closing | None:
    try:
        await subscriber.outlet.still_welcome()
    except Closing as closing:
        return closing
    return None


broadcast = Broadcast()
