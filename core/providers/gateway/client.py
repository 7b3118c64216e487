"""The client of the gateway's protocol.

`POST {url}/messages` `{id, channel, to, text | content, route, senderId}` with our id as
idempotency key → 200 `{reference}`, 4xx `{reason}`, 402 out of credit, 429 with Retry-After; `GET
{url}/messages/{id}` → 200 `{reference, status}` or 404. Source: decisions, Settled on second
reading.
"""

import aiohttp
import orjson
import structlog
from yarl import URL

from core.foundation.absent import without_none
from core.foundation.clock import now
from core.providers.contracts import (
    Answer,
    CannotCarry,
    Failed,
    Lookup,
    LookupFailed,
    Outgoing,
    OutOfCredit,
    Unknown,
)
from core.providers.gateway.answers import answer_of, lookup_of, word_of
from core.providers.gateway.exchange import HttpReply, Silence, exchange
from core.providers.gateway.signature import SIGNATURE_HEADER, sign

PROVIDER = "gateway"
SEND_TIMEOUT_SECONDS = 10.0

_log = structlog.get_logger(__name__)


class Gateway:
    """A `SmsProvider` at `url`, for SMS and RCS.

    `session` comes from `open_session` and stays the caller's to close; `seconds` bound one whole
    request.
    """

    name = PROVIDER
    is_idempotent = True
    """The protocol says so: our id is the Idempotency-Key, and the same id never leaves twice."""

    def __init__(
        self,
        url: str,
        secret: str,
        session: aiohttp.ClientSession,
        *,
        seconds: float = SEND_TIMEOUT_SECONDS,
    ) -> None:
        self._messages = URL(url.rstrip("/")) / "messages"
        self._secret = secret
        self._session = session
        self._seconds = seconds

    async def send(self, outgoing: Outgoing) -> Answer:
        """Hand one message over; see `SmsProvider`."""
        reply = await self._exchange(
            "POST", self._messages, id=outgoing.id, body=orjson.dumps(_wire(outgoing))
        )
        answer = answer_of(reply, channel=outgoing.channel, at=now())
        if isinstance(answer, Failed | Unknown | OutOfCredit):
            _warn("gateway_send", answer, outgoing.id, reply)
        return answer

    async def look_up(self, message_id: str) -> Lookup:
        """Ask what became of one message; see `SmsProvider`."""
        reply = await self._exchange("GET", self._messages / message_id)
        lookup = lookup_of(reply)
        if isinstance(lookup, LookupFailed):
            _warn("gateway_look_up", lookup, message_id, reply)
        return lookup

    async def probe(self) -> str:
        """Ask about a message that nobody sent; see `SmsProvider`."""
        if isinstance(await self.look_up("msg_doctor"), LookupFailed):
            raise CannotCarry(
                "gives no readable answer to a look-up: check SVC_GATEWAY_URL, SVC_GATEWAY_SECRET "
                "and the network"
            )
        return "answers a signed look-up"

    async def _exchange(
        self, method: str, url: URL, *, id: str | None = None, body: bytes | None = None
    ) -> HttpReply | Silence:
        to = f"{method} {url.raw_path}"
        headers = {
            SIGNATURE_HEADER: sign(self._secret, body or b"", to=to, at=int(now().timestamp()))
        }
        if id is not None:
            headers |= {"Idempotency-Key": id, "Content-Type": "application/json"}
        return await exchange(
            self._session, method, url, headers=headers, seconds=self._seconds, body=body
        )


def _wire(outgoing: Outgoing) -> dict[str, object]:
    fields = {
        "id": outgoing.id,
        "organizationId": outgoing.organization_id,
        "channel": outgoing.channel,
        "to": outgoing.to,
        "text": outgoing.text,
        "content": outgoing.content,
        "route": outgoing.route,
        "senderId": outgoing.sender_id,
    }
    return without_none(fields)


def _warn(event: str, outcome: object, message_id: str, reply: HttpReply | Silence) -> None:
    _log.warning(event, outcome=type(outcome).__name__, message_id=message_id, **_facts(reply))


def _facts(reply: HttpReply | Silence) -> dict[str, object]:
    """What a log line may say: never a body, which may repeat a phone or a text."""
    if isinstance(reply, Silence):
        return {"kind": reply.kind, "handed_over": reply.handed_over}
    return {
        "status": reply.status,
        "body_bytes": None if reply.body is None else len(reply.body),
        "reason": word_of(reply),
    }
