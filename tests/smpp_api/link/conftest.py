"""A link of this process between the gateway client of the service and a fake SMSC."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from core.foundation.clock import now
from core.foundation.ids import new_id
from core.providers.contracts import DeliveryReport, InboundReply, Outgoing
from core.providers.gateway import (
    SIGNATURE_HEADER,
    Gateway,
    open_session,
    read_receipts,
    read_replies,
    verify,
)
from smpp_api.link.asking import Asking
from smpp_api.link.gateway import LinkGateway
from smpp_api.link.incoming import Incoming
from smpp_api.link.links_file import LinkSettings
from smpp_api.link.operator_link import OperatorLink
from smpp_api.link.reporting import Reporting
from tests.fakes.smsc import FakeSmsc, an_smsc
from tests.support.waiting import eventually

SECRET = "the gateway's shared secret"
ORGANIZATION = "org_1"
PHONE = "+5511987650005"


class LinkHouse:
    """The service as far as a link knows it: what it sends, and what it is told."""

    def __init__(self) -> None:
        self.receipts: list[DeliveryReport] = []
        self.replies: list[InboundReply] = []
        self.refuses_callbacks = False
        self.url = ""
        self._smscs: list[FakeSmsc] = []
        self._numbers = itertools.count(1)

    async def told(self, request: web.Request) -> web.Response:
        """A callback of the link."""
        body = await request.read()
        assert request.match_info["organization"] == ORGANIZATION
        header, to = request.headers[SIGNATURE_HEADER], f"POST {request.path}"
        assert verify(SECRET, header, body, to=to, at=int(now().timestamp())) == "v2"
        if self.refuses_callbacks:
            return web.Response(status=503)
        if request.match_info["kind"] == "receipts":
            receipts = read_receipts(body, at=now())
            assert not receipts.errors
            self.receipts += receipts.items
        else:
            replies = read_replies(body, at=now())
            assert not replies.errors
            self.replies += replies.items
        return web.Response()

    def settings(self, smsc: FakeSmsc, **changes: Any) -> LinkSettings:
        """Of a link to this SMSC."""
        fields = {
            "name": f"operator-{next(self._numbers)}",
            "host": "127.0.0.1",
            "port": smsc.port,
            "tls": False,
            "system_id": "svc",
            "password": "secret",
            "source": "SVC",
        }
        return LinkSettings.model_validate(fields | changes)

    @asynccontextmanager
    async def linked(self, *links: LinkSettings, is_open: bool = True) -> AsyncIterator[Gateway]:
        """The gateway client of the service, in front of links to these operators."""
        operators = [OperatorLink(one, Incoming(one).keep) for one in links]
        gateway, stop = LinkGateway(operators, secret=SECRET), asyncio.Event()
        running = [asyncio.ensure_future(one.run(stop)) for one in operators]
        running += [asyncio.ensure_future(Asking(one).run(stop)) for one in operators]
        running.append(asyncio.ensure_future(Reporting(self.url, SECRET).run(stop)))
        async with _served(gateway.app()) as url, open_session() as session:
            if is_open:
                await eventually(lambda: all(one.is_open for one in operators), "all are bound")
            yield Gateway(url, SECRET, session)
            await gateway.finish(seconds=5)
            stop.set()
            await asyncio.gather(*running)


def outgoing(
    text: str | None = "Ola!", *, id: str | None = None, to: str = PHONE, **more: Any
) -> Outgoing:
    """A message of the service."""
    fields = {
        "id": id or new_id("msg"),
        "organization_id": ORGANIZATION,
        "channel": "sms",
        "to": to,
        "text": text,
        "content": None,
        "route": "premium",
        "sender_id": None,
        "segments": 1,
    }
    return Outgoing(**(fields | more))


@asynccontextmanager
async def _served(app: web.Application) -> AsyncIterator[str]:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=5)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.fixture
async def house(real_commits: None) -> AsyncIterator[LinkHouse]:
    house = LinkHouse()
    app = web.Application()
    app.router.add_post("/providers/gateway/{organization}/{kind}", house.told)
    async with _served(app) as house.url:
        yield house


@pytest.fixture
async def smsc() -> AsyncIterator[FakeSmsc]:
    async with an_smsc() as smsc:
        yield smsc
