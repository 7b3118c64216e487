"""Callbacks of the provider `gateway`: receipts and replies, proved by a signature instead of a
credential.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

import structlog
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from core import cells, messaging, organizations, sms
from core.foundation.clock import now
from core.foundation.errors import BadRequest, MethodNotAllowed, NotFound, Unauthorized
from core.foundation.settings import current
from core.providers import gateway
from rest_api.providers.signed import is_signed
from rest_api.support.answers import send_json
from rest_api.support.failures import refusal_for
from rest_api.support.problems import send_problem
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers, request_id_of

MAX_BODY_BYTES = 2_000_000

Read = Callable[..., gateway.Callback[Any]]
Take = Callable[..., Awaitable[None]]


class BadGatewaySignature(Unauthorized):
    default_detail = (
        "Sign method, path and body with the shared secret in X-Gateway-Signature, "
        "and check the clock."
    )

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "assinatura"})


class GatewayCallback:
    """One callback address, as an ASGI application."""

    def __init__(self, read: Read, take: Take) -> None:
        self._read = read
        self._take = take

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            answer = await self._answer(scope, receive, headers)
            await send_json(send, 200, answer, request_id=request_id)
        except Exception as error:
            refusal = refusal_for(error, "gateway callback")
            await send_problem(send, refusal, scope, request_id=request_id, allow=b"POST")

    async def _answer(self, scope: Scope, receive: Receive, headers: Headers) -> dict[str, int]:
        if scope["method"] != "POST":
            raise MethodNotAllowed
        secret = current().gateway_secret
        if secret is None:
            raise NotFound
        signature = headers.get(SIGNATURE)
        if not signature:
            raise BadGatewaySignature  # before a body is read of somebody who did not even try
        raw = await read_promptly(receive, headers, limit=MAX_BODY_BYTES)
        at = now()
        if not is_signed(scope, secret, signature, raw, at=at):
            raise BadGatewaySignature
        organization_id: str = scope["path_params"]["organization_id"]
        if not await enter_organization(organization_id):
            raise NotFound
        callback = self._read(raw, at=at)
        await self._store(organization_id, callback.items, at)
        if callback.errors:
            # The readable ones are stored: sending the body again changes nothing for them.
            raise BadRequest(
                "Some items could not be read; the others are stored.", errors=callback.errors
            )
        return {"received": len(callback.items)}

    async def _store(self, organization_id: str, items: Sequence[Any], at: datetime) -> None:
        if items:
            await self._take(organization_id, gateway.PROVIDER, items, at=at)


async def enter_organization(organization_id: str) -> bool:
    """Whether the organization that an address names is there; from here on, its cell is used. One
    that is between two cells is waited for.
    """
    await cells.come_after(organization_id)
    return await organizations.Organization.is_known(organization_id)


SIGNATURE = gateway.SIGNATURE_HEADER.lower().encode()

routes = [
    Route(
        "/providers/gateway/{organization_id}/receipts",
        GatewayCallback(gateway.read_receipts, messaging.receive_reports),
    ),
    Route(
        "/providers/gateway/{organization_id}/replies",
        GatewayCallback(gateway.read_replies, sms.receive_replies),
    ),
]
