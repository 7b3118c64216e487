"""`svc listen`: forwards the events of an environment to a local address as they happen."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.failures import Failure
from cli.output import say, show
from cli.signals import until_told_to_stop

if TYPE_CHECKING:
    import aiohttp

POLL_INTERVAL = 1.0
MAX_PAUSE = 15.0
ANSWER_TIMEOUT = 15.0
"""What the service itself waits for an endpoint."""


async def listen(
    *,
    forward_to: Annotated[
        str, typer.Option(help="Where to post events, such as localhost:3000/hook.")
    ],
    url: Annotated[
        str | None, typer.Option(help="The service; default: the svc dev that runs here.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            envvar="SVC_KEY",
            help="A key with webhooks:read; default: the test key of svc dev's demo.",
        ),
    ] = None,
    events: Annotated[
        str | None, typer.Option(help="Only these, comma-separated; default: every event.")
    ] = None,
    subscription: Annotated[
        str | None,
        typer.Option(
            help="Only the events of this subscription (wbh_…), masked as it is told them."
        ),
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option(
            help="The secret (whsec_…) to sign with; default: a new one, shown at the start."
        ),
    ] = None,
) -> None:
    """Forward events to an address on this machine, signed, until Ctrl-C.

    Nothing has to be reachable from outside and nothing is subscribed: the feed of the environment
    is asked every second. What happens from the start on is forwarded once, in order, also when the
    service was away meanwhile; what the address refuses is shown and not tried again. With --json
    every line is one JSON object.
    """
    import aiohttp

    from core.foundation.ids import new_id
    from core.foundation.security.secrets import new_webhook_secret

    target = _address(forward_to, "--forward-to")
    base, token = _service(url and _address(url, "--url"), key)
    wanted = _wanted(events)
    ours = _secret(secret) if secret is not None else new_webhook_secret()
    forwarder = Forwarder(target, ours, subscription or new_id("wbh"))
    stop = until_told_to_stop()
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWER_TIMEOUT)) as http:
        feed = EventFeed(http, base, token, subscription)
        if await _unless(stop, feed.begin()) is None:
            return
        show(
            {"listening": base, "forwardTo": target, "secret": ours},
            text=f"listening to {base}, forwarding to {target}\nsigning secret {ours}",
        )
        answered, lost = await _forward(http, feed, forwarder, wanted, stop)
    say(f"stopped; {answered} forwarded" + (f", {lost} in vain" if lost else ""))


async def _forward(
    http: "aiohttp.ClientSession",
    feed: "EventFeed",
    forwarder: "Forwarder",
    wanted: frozenset[str] | None,
    stop: asyncio.Event,
) -> tuple[int, int]:
    """How many events the address answered, and how many not, until somebody wants to stop."""
    from core.foundation.pauses import pause

    answered = lost = 0
    while not stop.is_set():
        page = await _unless(stop, feed.next_page())
        if page is None:
            break
        for event in page["items"]:
            if wanted is not None and event["type"] not in wanted:
                continue
            line = await _unless(stop, forwarder.forward(http, event))
            if line is None:
                return answered, lost
            answered += "statusCode" in line
            lost += "statusCode" not in line
            show(line, text=_told(line))
        feed.passed(page)
        if not page["hasMore"]:
            await pause(POLL_INTERVAL, until=stop)
    return answered, lost


async def _unless(stop: asyncio.Event, work: Any) -> Any:
    """What the work answers; None once somebody wants to stop."""
    task, ending = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    await asyncio.wait({task, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if task.done():
        return task.result()
    task.cancel()
    return None


class EventFeed:
    """The event feed of the service, from now on. What fails for a while is asked for again, from
    the same place.
    """

    def __init__(
        self, http: "aiohttp.ClientSession", url: str, key: str, subscription: str | None
    ) -> None:
        self._http = http
        self._url = f"{url.rstrip('/')}/v2/event-feed"
        self._headers = {"Authorization": f"Bearer {key}"}
        self._query = {"subscription": subscription} if subscription else {}
        self._cursor = "latest"

    async def begin(self) -> str:
        """Take the place from which on events are told: it. Raises Failure when the service cannot
        be asked.
        """
        status, answer = await self._ask()
        if status != 200:
            raise Failure(_refusal(self._url, status, answer))
        self._cursor = str(answer["nextCursor"])
        return self._cursor

    async def next_page(self) -> dict[str, Any]:
        """The next page, however long the service is away. Raises Failure for what will not pass by
        itself.
        """
        pause = POLL_INTERVAL
        while True:
            status, answer = await self._ask()
            if status == 200:
                page: dict[str, Any] = answer
                return page
            if status == 410 and isinstance(answer, dict) and "meta" in answer:
                self._cursor = answer["meta"]["cursor"]
                say(f"{_refusal(self._url, status, answer)}; going on from there")
                continue
            if 400 <= status < 500 and status not in (408, 429):
                raise Failure(_refusal(self._url, status, answer))
            say(f"{_refusal(self._url, status, answer)}; asking again in {pause:.0f} s")
            await asyncio.sleep(pause)
            pause = min(pause * 2, MAX_PAUSE)

    def passed(self, page: dict[str, Any]) -> None:
        """All of the page was forwarded: go on behind it."""
        self._cursor = page["nextCursor"]

    async def _ask(self) -> tuple[int, Any]:
        """The status and the body; status 0 when nobody answers, or not as a feed does."""
        import aiohttp

        query = {**self._query, "cursor": self._cursor, "limit": "200"}
        try:
            async with self._http.get(self._url, params=query, headers=self._headers) as answer:
                read = await answer.json(content_type=None)
                if answer.status == 200 and not (isinstance(read, dict) and "nextCursor" in read):
                    return 0, {"detail": "there is no event feed"}
                return answer.status, read
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            return 0, {"detail": type(error).__name__}


class Forwarder:
    """Posts events as the service delivers them: the same body, the same headers, another secret."""

    def __init__(self, url: str, secret: str, subscription: str) -> None:
        self._url = url
        self._secret = secret
        self._subscription = subscription

    async def forward(self, http: "aiohttp.ClientSession", event: dict[str, Any]) -> dict[str, Any]:
        """Post one event once: `{id, type, timestamp, statusCode?, latencyMs, error?}`."""
        import time

        import aiohttp
        import orjson

        from core.foundation.ids import new_id
        from core.webhooks.signing.request_headers import headers_of

        body = orjson.dumps(event)
        headers = headers_of(
            secrets=[self._secret],
            custom={},
            subscription_id=self._subscription,
            delivery_id=new_id("dlv"),
            event_id=event["id"],
            type=event["type"],
            attempt=1,
            body=body,
            at=int(time.time()),
        )
        told = {name: event[name] for name in ("id", "type", "timestamp")}
        started = time.perf_counter()
        try:
            async with http.post(
                self._url, data=body, headers=headers, allow_redirects=False
            ) as answer:
                how: dict[str, Any] = {"statusCode": answer.status}
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            how = {"error": "timeout" if isinstance(error, TimeoutError) else "unreachable"}
        return {**told, **how, "latencyMs": round((time.perf_counter() - started) * 1000)}


def _told(line: dict[str, Any]) -> str:
    answer = line.get("statusCode") or line["error"]
    return (
        f"{line['timestamp']}  {line['type']:<26} {line['id']}  -> {answer}  {line['latencyMs']} ms"
    )


def _refusal(url: str, status: int, answer: Any) -> str:
    said = answer.get("detail") if isinstance(answer, dict) else None
    return f"{url} answers {status}: {said}" if status else f"{url} does not answer ({said})"


def _secret(secret: str) -> str:
    from core.webhooks.signing.signature import sign

    try:
        sign(secret, webhook_id="", body=b"", at=0)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--secret") from None
    return secret


def _address(given: str, option: str) -> str:
    """An address as it is called: `localhost:3000/hook` will do."""
    from yarl import URL

    address = given if "://" in given else f"http://{given}"
    try:
        url = URL(address)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise typer.BadParameter(
            "write an http address, such as http://127.0.0.1:3000/hook", param_hint=option
        )
    return address


def _wanted(events: str | None) -> frozenset[str] | None:
    if events is None:
        return None

    from core.webhooks.events.event_types import EventType

    wanted = frozenset(name.strip() for name in events.split(",") if name.strip())
    if unknown := sorted(wanted - set(EventType)):
        raise typer.BadParameter(f"no such event: {', '.join(unknown)}", param_hint="--events")
    if not wanted:
        raise typer.BadParameter("name an event, or leave the option out", param_hint="--events")
    return wanted


def _service(url: str | None, key: str | None) -> tuple[str, str]:
    """Where to ask and with which key; what is not given is that of the `svc dev` which runs here."""
    if url is not None and key is not None:
        return url, key
    from cli.demo import running_dev

    base, test_key = running_dev()
    if url is not None and url.rstrip("/") != base.rstrip("/"):
        raise typer.BadParameter("a key is needed for a service of your own", param_hint="--key")
    return base, key or test_key
