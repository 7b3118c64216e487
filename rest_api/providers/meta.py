"""The callback address of the provider `meta`: it is registered once by a GET, and then told by
POSTs.

One address serves every number and account of the installation: the notices say which one they are
about.
"""

import structlog
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from core.conversations import inbound
from core.foundation.clock import now
from core.foundation.errors import MethodNotAllowed, NotFound, Unauthorized
from core.foundation.observability.metrics import Counter
from core.foundation.settings import current
from core.providers import meta
from core.providers.meta.webhook import FIELDS, split
from rest_api.support.answers import send_json
from rest_api.support.failures import refusal_for
from rest_api.support.methods import allow_of, send_options, without_body
from rest_api.support.problems import send_problem
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers, query_pairs, request_id_of

MAX_BODY_BYTES = 4_000_000
"""Bytes; the platform posts up to three megabytes."""

MAX_CHALLENGE_LENGTH = 200
ALLOW = allow_of(["GET", "POST"])
SIGNATURE = meta.SIGNATURE_HEADER.lower().encode()
TEXT = b"text/plain; charset=utf-8"
NOT_SNIFFED = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))

UNKNOWN = Counter(
    "svc_platform_changes_unknown_total",
    "Changes that have no meaning here, acknowledged and dropped.",
)


class BadMetaSignature(Unauthorized):
    default_detail = "Sign the raw body with the secret of the app in X-Hub-Signature-256."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "assinatura"})


class BadVerifyToken(Unauthorized):
    default_detail = "Register the address with the token that stands in SVC_META_VERIFY_TOKEN."

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "assinatura"})


class MetaCallback:
    """The address, as an ASGI application. Without the app's secrets there is no such address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        if scope["method"] == "OPTIONS":
            await send_options(send, allow=ALLOW, request_id=request_id)
            return
        if scope["method"] == "HEAD":
            send = without_body(send)
        try:
            if not current().meta_app_secrets and scope["method"] in ("GET", "HEAD", "POST"):
                raise NotFound
            match scope["method"]:
                case "GET" | "HEAD":
                    await send_json(
                        send,
                        200,
                        _challenge(scope),
                        request_id=request_id,
                        media=TEXT,
                        headers=NOT_SNIFFED,
                    )
                case "POST":
                    answer = {"received": await _take(receive, headers)}
                    await send_json(send, 200, answer, request_id=request_id)
                case _:
                    raise MethodNotAllowed
        except Exception as error:
            refusal = refusal_for(error, "meta callback")
            await send_problem(send, refusal, scope, request_id=request_id, allow=ALLOW)


def _challenge(scope: Scope) -> bytes:
    """What the platform wants to read when the address is registered."""
    query = dict(query_pairs(scope))
    expected, challenge = current().meta_verify_token, query.get("hub.challenge", "")
    proven = expected is not None and meta.is_verify_token(expected, query.get("hub.verify_token"))
    if not proven or query.get("hub.mode") != "subscribe" or len(challenge) > MAX_CHALLENGE_LENGTH:
        raise BadVerifyToken
    return challenge.encode("utf-8", "replace")


async def _take(receive: Receive, headers: Headers) -> int:
    """Store what is known, each change once; answers how many there were."""
    signature = headers.get(SIGNATURE)
    if not meta.is_signature(signature):
        raise BadMetaSignature  # before megabytes are read of somebody who did not even try
    raw = await read_promptly(receive, headers, limit=MAX_BODY_BYTES)
    if not meta.verify(current().meta_app_secrets, signature, raw):
        raise BadMetaSignature
    changes = split(raw)
    known = [change for change in changes if change.field in FIELDS]
    UNKNOWN.labels().add(len(changes) - len(known))
    await inbound.store_notices(known, at=now())
    return len(changes)


routes = [Route("/providers/meta", MetaCallback())]
