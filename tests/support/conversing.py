"""A service whose live conversations are carried by a platform on this machine, which the test
rules.
"""

import asyncio
import hashlib
import hmac
import itertools
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web
from arq.connections import RedisSettings, create_pool

from core.foundation.jobs import QUEUE_NAME, Job
from tests.fakes.graph import SECRET, TOKEN, VERSION, Behaviour, FakeGraph, a_graph, says
from tests.support.books import Connection
from tests.support.customer import Answer, Credential, Customer
from tests.support.service import Api, Service
from tests.support.waiting import PATIENCE, eventually

LINE, WABA = "106540352242922", "102290129340398"
PRICE = 400
SECONDS = "0.5"
"""How long the platform is waited for."""

Mood = Callable[["Platform", web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


class Platform:
    """Takes every message unless it is told otherwise, and reports as a platform does: until it is
    heard.
    """

    def __init__(self, graph: FakeGraph, http: aiohttp.ClientSession) -> None:
        self.graph = graph
        self.taken: Counter[str] = Counter()
        """How often it took a message, by our id."""
        self.asked: Counter[str] = Counter()
        """How often it was asked to."""
        self.bodies: dict[str, dict[str, Any]] = {}
        self.mood: Mood = accepts
        self.url = ""
        """Where the service listens."""
        self._http = http
        healthy = {
            "status": "CONNECTED",
            "quality_rating": "GREEN",
            "verified_name": "Loja Exemplo",
            "name_status": "APPROVED",
            "whatsapp_business_manager_messaging_limit": "TIER_UNLIMITED",
        }
        graph.at("GET", LINE, says(healthy))
        graph.at("POST", f"{LINE}/messages", self._serve())

    def _serve(self) -> Behaviour:
        async def behave(request: web.Request) -> web.StreamResponse:
            body: dict[str, Any] = await request.json()
            id: str = body["biz_opaque_callback_data"]
            self.asked[id] += 1
            self.bodies[id] = body
            return await self.mood(self, request, body)

        return behave

    def take(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Take a message: the answer that says so."""
        id: str = body["biz_opaque_callback_data"]
        self.taken[id] += 1
        return {
            "messaging_product": "whatsapp",
            "contacts": [{"input": body["to"], "wa_id": body["to"].removeprefix("+")}],
            "messages": [{"id": reference_of(id)}],
        }

    async def report(self, *reports: tuple[str, str], code: int = 131049) -> None:
        """Report on messages: our id, and the status."""
        statuses: list[dict[str, Any]] = [
            {
                "id": reference_of(id),
                "status": status,
                "timestamp": str(int(time.time())),
                "recipient_id": self.bodies[id]["to"].removeprefix("+"),
                "biz_opaque_callback_data": id,
                **(
                    {"errors": [{"code": code, "title": "Not delivered"}]}
                    if status == "failed"
                    else {}
                ),
            }
            for id, status in reports
        ]
        await self.post("messages", {**_ABOUT, "statuses": statuses})

    async def deliver(
        self, phone: str, text: str, *, reference: str, name: str = "Ana Exemplo"
    ) -> None:
        """Somebody writes to the number."""
        sender = phone.removeprefix("+")
        message = {
            "from": sender,
            "id": reference,
            "timestamp": str(int(time.time())),
            "type": "text",
            "text": {"body": text},
        }
        contacts = [{"profile": {"name": name}, "wa_id": sender}]
        await self.post("messages", {**_ABOUT, "contacts": contacts, "messages": [message]})

    async def post(self, field: str, value: Mapping[str, Any]) -> None:
        """Post a signed notice until it is acknowledged."""
        change = {"field": field, "value": value}
        body = {
            "object": "whatsapp_business_account",
            "entry": [{"id": WABA, "time": int(time.time()), "changes": [change]}],
        }
        raw = json.dumps(body).encode()
        headers = {
            "X-Hub-Signature-256": f"sha256={hmac.new(SECRET.encode(), raw, hashlib.sha256).hexdigest()}"
        }

        async def acknowledged() -> bool:
            try:
                async with self._http.post(
                    f"{self.url}/providers/meta", data=raw, headers=headers
                ) as answer:
                    assert answer.status == 200 or answer.status >= 500, await answer.text()
                    return answer.status == 200
            except (aiohttp.ClientError, OSError):
                return False

        await eventually(acknowledged, "the service acknowledges", every=0.1)


def reference_of(id: str) -> str:
    """What the platform calls a message of ours."""
    return f"wamid.{id}"


_ABOUT = {
    "messaging_product": "whatsapp",
    "metadata": {"display_phone_number": "5511911110000", "phone_number_id": LINE},
}


# What a message may meet --------------------------------------------------------------------------


async def accepts(
    platform: Platform, request: web.Request, body: dict[str, Any]
) -> web.StreamResponse:
    return await says(platform.take(body))(request)


async def takes_and_drops(
    platform: Platform, request: web.Request, body: dict[str, Any]
) -> web.StreamResponse:
    """It is taken, and the connection breaks before the answer."""
    platform.take(body)
    return await drops(platform, request, body)


async def drops(
    platform: Platform, request: web.Request, body: dict[str, Any]
) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def takes_and_hangs(
    platform: Platform, request: web.Request, body: dict[str, Any]
) -> web.StreamResponse:
    """It is taken, and never answered."""
    platform.take(body)
    await asyncio.Event().wait()
    return web.Response()


def refuses(code: int, *, status: int = 400) -> Mood:
    """An error of the platform's: another try, or none, goes by its code."""
    answer = says(
        {"error": {"message": "No", "type": "OAuthException", "code": code}}, status=status
    )

    async def behave(
        platform: Platform, request: web.Request, body: dict[str, Any]
    ) -> web.StreamResponse:
        return await answer(request)

    return behave


def one_after_the_other(*moods: Mood) -> Mood:
    """Each in its turn, for ever."""
    turn = itertools.cycle(moods)

    async def behave(
        platform: Platform, request: web.Request, body: dict[str, Any]
    ) -> web.StreamResponse:
        return await next(turn)(platform, request, body)

    return behave


# Who sends ----------------------------------------------------------------------------------------


class Shop(Customer):
    """A live customer who sends a paid template from one number."""

    number_id: str
    template_id: str

    async def send(
        self,
        ending: str,
        *,
        idempotency_key: str,
        metadata: Mapping[str, Any] | None = None,
        api: int | None = None,
    ) -> Answer:
        """Send the template: to a person of its own for each `metadata.number`."""
        number = (metadata or {}).get("number", 0)
        body: dict[str, Any] = {
            "numberId": self.number_id,
            "to": f"+55119{number:04d}{ending}",
            "type": "template",
            "templateId": self.template_id,
            "templateVars": ["Ana"],
        }
        if metadata is not None:
            body["metadata"] = metadata
        return await self.call(
            "POST", "/messages", body, headers={"Idempotency-Key": idempotency_key}, api=api
        )

    async def send_bulk(
        self, recipients: Sequence[str], *, idempotency_key: str, **fields: Any
    ) -> Answer:
        """The same to many."""
        body = {
            "numberId": self.number_id,
            "templateId": self.template_id,
            "recipients": [{"to": to, "templateVars": ["Ana"]} for to in recipients],
            **fields,
        }
        return await self.call(
            "POST", "/messages/bulk", body, headers={"Idempotency-Key": idempotency_key}
        )


@dataclass
class Conversing:
    """The service, its platform, and the shop that sends by it."""

    service: Service
    platform: Platform
    shop: Shop

    async def open_shop(self, api: Api) -> None:
        """Give the shop a number, which the platform confirms, and a template that counts as
        approved.
        """
        owner = self.shop.credential.organization_id
        self.moved_to(api)
        place = ("--phone-number-id", LINE, "--waba-id", WABA)
        made = await self.service.svc(
            "number", "create", "--org", owner, "--env", "live", "--phone", "+5511911110000", *place
        )
        assert made["status"] == "connected"
        self.shop.number_id = made["numberId"]
        written = await self.shop.call("POST", "/v2/templates", a_template(made["numberId"]))
        assert written.status == 201, written
        self.shop.template_id = written.body["id"]
        books = await self.service.books()
        await books.execute(
            "UPDATE templates SET status = 'approved', meta_template_id = '1689556908129832'"
        )

    def moved_to(self, api: Api) -> None:
        """The service listens elsewhere now."""
        self.shop.urls, self.platform.url = (api.url,), api.url

    async def worker(self, **settings: str) -> Any:
        """Start a worker that takes up soon what a killed one has begun."""
        return await self.service.worker(short_lease=True, settings=settings)

    async def everything_is_settled(self, books: Connection, *, within: float = PATIENCE) -> None:
        """Let the hours pass that leases, pauses and patience take, until nothing is under way any
        more.
        """
        queue = await create_pool(RedisSettings.from_dsn(self.service.environment["REDIS_URL"]))
        left: dict[str, Any] = {}

        async def nothing_left() -> bool:
            for statement in HURRY:
                await books.execute(statement)
            for job in (
                Job.RECONCILE_CONVERSATIONS,
                Job.APPLY_NOTICES,
                Job.RETRY_UNMATCHED_CONVERSATIONS,
                Job.SEND_CONVERSATIONS,
            ):
                await queue.enqueue_job(job.value, _queue_name=QUEUE_NAME)
            row = await books.fetchrow(LEFT)
            assert row is not None
            left.update(row)
            return not any(row.values())

        try:
            await eventually(
                nothing_left, lambda: f"everything is settled: {left}", within=within, every=0.3
            )
        finally:
            await queue.aclose()


def a_template(number_id: str, name: str = "pedido_enviado") -> dict[str, Any]:
    """The body that writes one with one variable."""
    text = {"text": "Olá {{1}}, seu pedido saiu.", "example": ["Ana"]}
    return {
        "numberId": number_id,
        "name": name,
        "language": "pt-BR",
        "category": "utility",
        "components": [{"type": "BODY", "payload": text}],
    }


@asynccontextmanager
async def conversing_by(service: Service, credential: Credential) -> AsyncIterator[Conversing]:
    """The platform, and a service that is configured for it; processes are started by the test."""
    async with a_graph() as graph:
        service.environment.update(
            SVC_META_APP_SECRETS=SECRET,
            SVC_META_VERIFY_TOKEN="the word that we agreed upon",
            SVC_META_ACCESS_TOKEN=TOKEN,
            SVC_META_GRAPH_URL=graph.url,
            SVC_META_GRAPH_VERSION=VERSION,
            SVC_META_TIMEOUT_SECONDS=SECONDS,
        )
        yield Conversing(
            service, Platform(graph, service.http), Shop(service.http, "", credential=credential)
        )


HURRY = (
    "UPDATE conversation_pairs SET next_send_at = now() WHERE next_send_at > now()",
    "UPDATE waiting_messages SET due_at = now() WHERE due_at > now()",
    "UPDATE parked_receipts SET due_at = now() WHERE due_at > now() AND received_at < now() - interval '1 second'",
    """
    UPDATE messages SET settle_at = now()
    WHERE settle_at > now() AND (status = 'failed' OR updated_at < now() - interval '2 seconds')
    """,
)
"""Rests of pairs, pauses between two tries, ten minutes without a word and three days of a held
price are over; but whatever is being handed over at this moment is left alone.
"""

LEFT = """
SELECT (SELECT count(*) FROM waiting_messages) AS waiting,
       (SELECT count(*) FROM messages WHERE status IN ('queued', 'sending') OR settle_at IS NOT NULL) AS open,
       (SELECT count(*) FROM platform_notices) AS notices,
       (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL) AS deliveries
"""
