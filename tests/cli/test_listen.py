"""`svc listen`: what the feed tells is forwarded once, signed and in order, until somebody stops
it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from tests.support.listen_command import listening
from tests.support.receiver import Receiver, a_receiver, signed_by
from tests.support.subscriptions import standard_accepts
from tests.support.waiting import PATIENCE, eventually

EVENT = {
    "timestamp": "2026-11-21T03:08:15.567Z",
    "env": "test",
    "organizationId": "org_1",
    "apiVersion": "2026-11-01",
}


def an_event(n: int, type: str = "sms.delivered") -> dict[str, Any]:
    return {"id": f"evt_{n}", "type": type, **EVENT, "data": {"n": n, "text": "Olá"}}


class ScriptedFeed:
    """The event feed as the service answers it: a cursor is the number of events that were passed."""

    def __init__(self) -> None:
        self.url = ""
        self.events: list[dict[str, Any]] = [an_event(0)]
        self.status: Callable[[], int] = lambda: 200
        self.says: str | None = None
        """In place of the feed."""
        self.asked: list[dict[str, str]] = []
        self.keys: set[str] = set()

    async def answer(self, request: web.BaseRequest) -> web.Response:
        self.asked.append(dict(request.query))
        if self.says is not None:
            return web.Response(text=self.says)
        self.keys.add(request.headers["Authorization"])
        if (status := self.status()) != 200:
            return web.json_response({"detail": "Not now."}, status=status)
        cursor = request.query["cursor"]
        passed = len(self.events) if cursor == "latest" else int(cursor)
        items = self.events[passed : passed + 2]
        end = passed + len(items)
        return web.json_response(
            {"items": items, "nextCursor": str(end), "hasMore": end < len(self.events)}
        )


@asynccontextmanager
async def a_feed() -> AsyncIterator[ScriptedFeed]:
    feed = ScriptedFeed()
    runner = web.ServerRunner(web.Server(feed.answer, access_log=None), shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        feed.url = f"http://{host}:{port}"
        yield feed
    finally:
        await runner.cleanup()


@pytest.fixture
async def feed() -> AsyncIterator[ScriptedFeed]:
    async with a_feed() as feed:
        yield feed


@pytest.fixture
async def hook() -> AsyncIterator[Receiver]:
    async with a_receiver() as receiver:
        yield receiver


async def test_what_happens_is_forwarded_once_in_order_and_signed(
    feed: ScriptedFeed, hook: Receiver
) -> None:
    async with listening(feed.url, hook.url) as run:
        first = await run.begun()
        feed.events += [an_event(n) for n in range(1, 6)]
        await eventually(lambda: len(run.lines) == 6, "five events are forwarded")
        status, said = await run.stop()

    assert (status, "5 forwarded" in said) == (0, True)
    assert hook.events() == feed.events[1:]  # not what was before it began
    for arrival in hook.arrivals:
        assert signed_by(first["secret"], arrival)
        assert standard_accepts(first["secret"], arrival)
        assert arrival.headers["x-svc-event"] == "sms.delivered"
    assert [line["id"] for line in run.lines[1:]] == [f"evt_{n}" for n in range(1, 6)]
    assert {line["statusCode"] for line in run.lines[1:]} == {200}
    assert feed.keys == {"Bearer svc_test_x"}


async def test_it_goes_on_after_the_service_was_away(feed: ScriptedFeed, hook: Receiver) -> None:
    async with listening(feed.url, hook.url) as run:
        await run.begun()
        feed.status = lambda: 503
        feed.events.append(an_event(1))
        asked = len(feed.asked)
        await eventually(lambda: len(feed.asked) > asked, "it has asked in vain")
        assert hook.arrivals == []
        feed.status = lambda: 200
        await eventually(lambda: len(run.lines) == 2, "the event is forwarded")

    assert hook.events() == [an_event(1)]


async def test_an_address_that_refuses_or_is_away_is_shown_and_passed(
    feed: ScriptedFeed, hook: Receiver
) -> None:
    hook.answer = lambda _: 500
    async with listening(feed.url, hook.url) as run:
        await run.begun()
        feed.events += [an_event(1), an_event(2)]
        await eventually(lambda: len(run.lines) == 3, "both are shown")
    assert [line["statusCode"] for line in run.lines[1:]] == [500, 500]
    assert len(hook.arrivals) == 2

    async with listening(feed.url, "http://127.0.0.1:1/hook") as run:
        await run.begun()
        feed.events.append(an_event(3))
        await eventually(lambda: len(run.lines) == 2, "it is shown")
        status, said = await run.stop()
    assert run.lines[1]["error"] == "unreachable"
    assert (status, said) == (0, "stopped; 0 forwarded, 1 in vain\n")


async def test_addresses_may_be_written_without_http(feed: ScriptedFeed, hook: Receiver) -> None:
    async with listening(feed.url.removeprefix("http://"), hook.url.removeprefix("http://")) as run:
        assert (await run.begun())["forwardTo"] == hook.url
        feed.events.append(an_event(1))
        await eventually(lambda: len(run.lines) == 2, "the event is forwarded")

    assert hook.events() == [an_event(1)]


async def test_events_and_subscription_are_chosen(feed: ScriptedFeed, hook: Receiver) -> None:
    options = (
        "--events",
        "sms.failed, sms.clicked",
        "--subscription",
        "wbh_1",
        "--secret",
        "whsec_AAAA",
    )
    async with listening(feed.url, hook.url, *options) as run:
        assert (await run.begun())["secret"] == "whsec_AAAA"
        feed.events += [an_event(1), an_event(2, "sms.failed")]
        await eventually(lambda: len(run.lines) == 2, "one is forwarded")

    assert hook.events() == [an_event(2, "sms.failed")]
    assert hook.arrivals[0].headers["x-svc-webhook-id"] == "wbh_1"
    assert {asked["subscription"] for asked in feed.asked} == {"wbh_1"}


async def test_a_refused_key_ends_it_with_one_line(feed: ScriptedFeed, hook: Receiver) -> None:
    feed.status = lambda: 401
    async with listening(feed.url, hook.url) as run:
        status, said = await run.ended()

    assert (status, run.lines) == (1, [])
    assert said.startswith("svc: ")
    assert said.count("\n") == 1
    assert "401" in said


async def test_it_can_be_stopped_while_the_service_is_silent(hook: Receiver) -> None:
    met = asyncio.Event()

    async def is_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        met.set()
        await reader.read()
        writer.close()

    server = await asyncio.start_server(is_silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, listening(f"127.0.0.1:{port}", hook.url) as run:
        await asyncio.wait_for(met.wait(), PATIENCE)
        status, _ = await run.stop()

    assert (status, run.lines) == (0, [])


@pytest.mark.parametrize("body", ["", "{}", "[]", "<html>"])
async def test_another_server_at_the_address_is_told(
    feed: ScriptedFeed, hook: Receiver, body: str
) -> None:
    feed.says = body
    async with listening(feed.url, hook.url) as run:
        status, said = await run.ended()

    assert (status, run.lines) == (1, [])
    assert said.startswith(f"svc: {feed.url}/v2/event-feed does not answer ")


@pytest.mark.parametrize(
    "wrong",
    [
        ("--events", "sms.sent"),
        ("--events", " ,"),
        ("--secret", "nonsense"),
        ("--forward-to", "ftp://127.0.0.1/hook"),
        ("--forward-to", "http:///hook"),
        ("--forward-to", "127.0.0.1:x/hook"),
        ("--url", "http://"),
    ],
)
async def test_wrong_usage_is_told(
    feed: ScriptedFeed, hook: Receiver, wrong: tuple[str, str]
) -> None:
    async with listening(feed.url, hook.url, *wrong) as run:
        status, said = await run.ended()

    assert (status, feed.asked) == (2, [])
    assert wrong[0] in said
