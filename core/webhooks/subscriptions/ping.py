"""Endpoint ping: one signed `webhook.ping`, and what its answer means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from core.foundation.http_client import (
    Failure,
    OutboundRefused,
    PostResult,
    check_url,
    client_for,
    post,
)
from core.foundation.ids import new_id
from core.foundation.language import in_language_noted
from core.webhooks.events.event_types import PING
from core.webhooks.events.payload import body_of
from core.webhooks.outbound_policy import policy
from core.webhooks.signing.request_headers import headers_of

Reason = Failure | Literal["non_2xx"]

MESSAGES: Mapping[Reason, str] = {
    "invalid_url": "Write an absolute https URL of at most 2,048 characters.",
    "insecure_scheme": "Use an https address.",
    "ssrf_blocked": "The host must be reachable on the public internet, under every address that its name has.",
    "non_2xx": "The endpoint must answer with a status from 200 to 299.",
    "timeout": (
        "The endpoint must take the connection within 5 seconds and answer within 15 seconds; "
        "let it answer first and work afterwards."
    ),
    "unreachable": (
        "No connection came about, it broke off, or the answer could not be read as HTTP; check the host's name, its "
        "port, firewall and TLS certificate, and that no header of the answer is longer than 8 KB."
    ),
}
REDIRECTED = "Redirects are not followed; use the address that the endpoint points to."


@dataclass(frozen=True, slots=True)
class PingResult:
    """How a ping went. `reason` and `message` are set unless `ok`; a refused address has no
    latency.
    """

    ok: bool
    status_code: int | None = None
    latency_ms: int | None = None
    reason: Reason | None = None
    message: str | None = None

    def as_wire(self) -> dict[str, Any]:
        """The answer of POST /webhooks/validate."""
        told = {
            "ok": self.ok,
            "statusCode": self.status_code,
            "latencyMs": self.latency_ms,
            "reason": self.reason,
            "message": self.message and in_language_noted(self.message),
        }
        return {name: value for name, value in told.items() if value is not None}


async def ping(
    url: str,
    *,
    secrets: Sequence[str],
    headers: Mapping[str, str],
    subscription_id: str,
    organization_id: str,
    env: str,
    api_version: str,
    at: datetime,
) -> PingResult:
    """Post one ping under the dispatcher's rules. Raises nothing that the endpoint can cause.

    It may take 15 seconds: call it while no transaction is open.
    """
    if (result := refusal_of(url)) is not None:
        return result
    event_id = new_id("evt")
    body = body_of(
        event_id=event_id,
        type=PING,
        occurred_at=at,
        env=env,
        organization_id=organization_id,
        api_version=api_version,
        data={},
        unmasked=True,
    )
    signed = headers_of(
        secrets=secrets,
        custom=headers,
        subscription_id=subscription_id,
        delivery_id=new_id("dlv"),
        event_id=event_id,
        type=PING,
        attempt=1,
        body=body,
        at=int(at.timestamp()),
    )
    return result_of(await post(client_for(policy()), url, body=body, headers=signed))


def refusal_of(url: str) -> PingResult | None:
    """What is wrong with an address as it is written.

    For the sentence: the connection is judged again, by the same rule and where the name leads.
    """
    try:
        check_url(url, policy())
    except OutboundRefused as refusal:
        return PingResult(ok=False, reason=refusal.reason, message=refusal.message)
    return None


def result_of(reply: PostResult) -> PingResult:
    """How an endpoint took what was sent."""
    if reply.ok:
        return PingResult(ok=True, status_code=reply.status, latency_ms=reply.latency_ms)
    if reply.status is not None:
        message = REDIRECTED if 300 <= reply.status < 400 else MESSAGES["non_2xx"]
        return PingResult(False, reply.status, reply.latency_ms, "non_2xx", message)
    assert reply.error is not None
    tried = reply.error in ("timeout", "unreachable")
    return PingResult(
        ok=False,
        latency_ms=reply.latency_ms if tried else None,
        reason=reply.error,
        message=MESSAGES[reply.error],
    )
