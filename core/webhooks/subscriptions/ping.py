"""Endpoint ping: one signed `webhook.ping`, and what its answer means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.foundation.clock import real_now
from core.foundation.http_client import (
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
from core.webhooks.models import EndpointProblem
from core.webhooks.outbound_policy import policy
from core.webhooks.signing.request_headers import headers_of
from core.webhooks.subscriptions.record import EndpointVerdict

MESSAGES: Mapping[EndpointProblem, str] = {
    EndpointProblem.INVALID_URL: "Write an absolute https URL of at most 2,048 characters.",
    EndpointProblem.INSECURE_SCHEME: "Use an https address.",
    EndpointProblem.SSRF_BLOCKED: (
        "The host must be reachable on the public internet, under every address that its name has."
    ),
    EndpointProblem.NON_2XX: "The endpoint must answer with a status from 200 to 299.",
    EndpointProblem.TIMEOUT: (
        "The endpoint must take the connection within 5 seconds and answer within 15 seconds; "
        "let it answer first and work afterwards."
    ),
    EndpointProblem.UNREACHABLE: (
        "No connection came about, it broke off, or the answer could not be read as "
        "HTTP; check the host's name, its "
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
    reason: EndpointProblem | None = None
    message: str | None = None

    def verdict(self) -> EndpointVerdict:
        """The answer of POST /webhooks/validate."""
        verdict: EndpointVerdict = {"ok": self.ok}
        if self.status_code is not None:
            verdict["statusCode"] = self.status_code
        if self.latency_ms is not None:
            verdict["latencyMs"] = self.latency_ms
        if self.reason is not None:
            verdict["reason"] = self.reason
        if self.message is not None:
            verdict["message"] = in_language_noted(self.message)
        return verdict


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
        at=int(real_now().timestamp()),
    )
    return result_of(await post(client_for(policy()), url, body=body, headers=signed))


def refusal_of(url: str) -> PingResult | None:
    """What is wrong with an address as it is written.

    For the sentence: the connection is judged again, by the same rule and where the name leads.
    """
    try:
        check_url(url, policy())
    except OutboundRefused as refusal:
        reason = EndpointProblem(refusal.reason)
        return PingResult(ok=False, reason=reason, message=refusal.message)
    return None


def result_of(reply: PostResult) -> PingResult:
    """How an endpoint took what was sent."""
    if reply.ok:
        return PingResult(ok=True, status_code=reply.status, latency_ms=reply.latency_ms)
    if reply.status is not None:
        message = REDIRECTED if 300 <= reply.status < 400 else MESSAGES[EndpointProblem.NON_2XX]
        return PingResult(False, reply.status, reply.latency_ms, EndpointProblem.NON_2XX, message)
    assert reply.error is not None
    reason = EndpointProblem(reply.error)
    tried = reason in (EndpointProblem.TIMEOUT, EndpointProblem.UNREACHABLE)
    return PingResult(
        ok=False,
        latency_ms=reply.latency_ms if tried else None,
        reason=reason,
        message=MESSAGES[reason],
    )
