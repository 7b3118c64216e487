"""The server of a gateway: takes signed messages once each, answers look-ups, posts signed reports."""

import asyncio
import json
import re
from collections.abc import Callable
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from cli.gateway_example.carriers import (
    Answer,
    Carrier,
    CarrierAccepted,
    CarrierBusy,
    CarrierRefused,
    Lost,
    Message,
)
from cli.gateway_example.memory import GatewayReport, Memory
from cli.gateway_example.signature import HEADER, is_signed, signed

BATCH_SIZE = 500
"""What one callback may hold."""
POLL_SECONDS = 0.2
RETRY_SECONDS = 2.0
CALLBACK_SECONDS = 15.0
MAX_BODY_BYTES = 64 * 1024
ID = re.compile(r"[\x21-\x7e]{1,80}")

Told = Callable[..., None]
"""`told(what, **facts)`: one line for the person who watches."""


class ExampleGateway:
    """The protocol of docs/gateway.md in front of a carrier."""

    def __init__(
        self, carrier: Carrier, memory: Memory, *, secret: str, service: str, told: Told
    ) -> None:
        self._carrier = carrier
        self._memory = memory
        self.secret = secret
        self.service = service.rstrip("/")
        self._told = told

    def app(self) -> web.Application:
        """The application: two addresses of the protocol, and those of the carrier."""
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.add_routes(
            [
                web.post("/messages", self._take),
                web.get("/messages/{id}", self._look_up),
                *self._carrier.routes(),
            ]
        )
        app.cleanup_ctx.append(self._reporting)
        return app

    # What the service asks

    async def _take(self, request: web.Request) -> web.Response:
        message = _message_in(await self._signed_body(request))
        if message is None:
            return web.json_response({"reason": "unreadable"}, status=400)
        again = not self._memory.begin(message)
        if again:
            known = self._memory.find(message["id"])
            answer = known.answer if known else Lost()
        else:
            # To its end, though the service hang up meanwhile: what was handed over is noted.
            answer = await asyncio.shield(asyncio.ensure_future(self._hand_over(message)))
        self._told("again" if again else "message", **message, answer=_shown(answer))
        return _response(answer)

    async def _hand_over(self, message: Message) -> Answer:
        answer = await self._carrier.send(message)
        self._memory.finish(message["id"], answer)
        return answer

    async def _look_up(self, request: web.Request) -> web.Response:
        await self._signed_body(request)
        id = request.match_info["id"]
        known = self._memory.find(id)
        if known is None or known.refusal is not None:
            self._told("look-up", id=id, answer="404")
            return web.json_response({}, status=404)
        if known.reference is None:
            self._told("look-up", id=id, answer="504: nobody knows yet")
            return web.json_response({}, status=504)
        found = {"reference": known.reference, "status": known.state or "ACCEPTD"}
        self._told("look-up", id=id, answer=found["status"])
        return web.json_response(found)

    async def _signed_body(self, request: web.Request) -> bytes:
        body = await request.read()
        header = request.headers.get(HEADER, "")
        if not is_signed(self.secret, header, request.method, request.path, body):
            self._told("refused", answer="401: not signed with our secret")
            raise web.HTTPUnauthorized
        return body

    # What the service is told

    async def _reporting(self, _: web.Application) -> Any:
        async with aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=CALLBACK_SECONDS)
        ) as http:
            task = asyncio.create_task(self._report(http))
            yield
            task.cancel()
        await self._carrier.close()

    async def _report(self, http: aiohttp.ClientSession) -> None:
        while True:
            self._memory.forget_old()
            due = self._memory.due(BATCH_SIZE)
            due.sort(key=lambda report: (report.kind, report.organization_id, report.number))
            for (kind, organization_id), reports in groupby(
                due, key=lambda report: (report.kind, report.organization_id)
            ):
                await self._post(http, kind, organization_id, list(reports))
            await asyncio.sleep(POLL_SECONDS)

    async def _post(
        self,
        http: aiohttp.ClientSession,
        kind: str,
        organization_id: str,
        reports: list[GatewayReport],
    ) -> None:
        url = f"{self.service}/providers/gateway/{organization_id}/{kind}"
        body = json.dumps({"items": [report.body for report in reports]}).encode()
        # The service may stand behind a prefix that its proxy takes away: the signed path begins at /providers/.
        path = urlsplit(url).path
        path = path[path.index("/providers/") :]
        headers = {
            HEADER: signed(self.secret, "POST", path, body),
            "Content-Type": "application/json",
        }
        try:
            async with http.post(url, data=body, headers=headers, allow_redirects=False) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            self._told("not reported", kind=kind, answer=f"{type(error).__name__}, again later")
            self._memory.put_off(reports, RETRY_SECONDS)
            return
        # 400: what could be read was stored, and the rest is as unreadable the next time.
        if status in (200, 400):
            self._memory.drop(reports)
        else:
            self._memory.put_off(reports, RETRY_SECONDS)
        for report in reports:
            self._told(kind, **report.body, answer=str(status))


def _message_in(body: bytes) -> Message | None:
    try:
        message = json.loads(body)
    except ValueError:
        return None
    texts = ("id", "organizationId", "channel", "to", "route")
    if not isinstance(message, dict) or not all(isinstance(message.get(x), str) for x in texts):
        return None
    kind = message.get("text") if message["channel"] == "sms" else message.get("content")
    return message if kind and ID.fullmatch(message["id"]) else None


def _response(answer: Answer) -> web.Response:
    match answer:
        case CarrierAccepted(reference):
            return web.json_response({"reference": reference})
        case CarrierRefused(reason):
            return web.json_response({"reason": reason}, status=422)
        case CarrierBusy(status, retry_after):
            headers = {"Retry-After": str(retry_after)} if retry_after else {}
            return web.json_response({}, status=status, headers=headers)
        case Lost():
            return web.json_response({}, status=504)


def _shown(answer: Answer) -> str:
    match answer:
        case CarrierAccepted(reference):
            return f"200 {reference}"
        case CarrierRefused(reason):
            return f"422 {reason}"
        case CarrierBusy(status):
            return str(status)
        case Lost():
            return "504: nobody knows yet"
