"""The provider `cloud-eum`: SendTextMessage of AWS End User Messaging.

The operation has no idempotency token and nothing reads a message back. So a call is never
repeated, our id travels in `Context`, and an unknown outcome is settled by the first event that
carries it. Source: Amazon's service model `pinpoint-sms-voice-v2`.
"""

import re
from collections.abc import Mapping
from decimal import Decimal

import structlog

from core.foundation.json_values import JsonObject, objects_of
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import Take
from core.providers.amazon.calls import AwsApi, AwsError, error_of
from core.providers.amazon.eum_answers import answer_of, remedy_for
from core.providers.amazon.names import EUM
from core.providers.contracts import (
    Answer,
    CannotCarry,
    Failed,
    Lookup,
    LookupFailed,
    Outgoing,
    OutOfCredit,
    Throttled,
    Unknown,
)
from core.providers.gateway.exchange import HttpReply, Silence

_ORIGIN = re.compile(r"[A-Za-z0-9_:/+-]{1,256}", re.ASCII)
_MAX_PRICE = Decimal("99.99999")
_TEXT = "TEXT"

_log = structlog.get_logger(__name__)


class Eum:
    """A `SmsProvider` in one region. `origins`: by route, what a message leaves by; a route without
    one leaves by its sender id, or by what Amazon chooses.
    """

    name = EUM
    is_idempotent = False

    def __init__(
        self,
        api: AwsApi,
        *,
        origins: Mapping[str, str],
        configuration_set: str | None = None,
        protect: str | None = None,
        max_price_per_part: Decimal | None = None,
        parts_per_second: float = 10,
    ) -> None:
        self.api = api
        self._origins = origins
        self._configuration_set = configuration_set
        self._protect = protect
        self._max_price = max_price_per_part
        self._parts_per_second = parts_per_second

    async def send(self, outgoing: Outgoing) -> Answer:
        """Hand one message over, once; see `SmsProvider`."""
        request = self.request_for(outgoing)
        if not await self._within_throughput(request, outgoing.segments):
            return Throttled(1)
        try:
            reply = await self.api.exchange("SendTextMessage", request)
        except Exception as error:  # credentials: nothing was handed over
            _log.warning("eum_send", outcome="Failed", message_id=outgoing.id, code=str(error)[:80])
            return Failed()
        answer = answer_of(reply)
        if isinstance(answer, Failed | Unknown | OutOfCredit):
            _log.warning(
                "eum_send",
                outcome=type(answer).__name__,
                message_id=outgoing.id,
                **_facts(reply),
            )
        return answer

    async def look_up(self, message_id: str) -> Lookup:  # noqa: ARG002 - the contract's
        """Nothing reads a message back: its events tell, for 72 hours."""
        return LookupFailed()

    async def probe(self) -> str:
        """Ask for the limit of the month; see `SmsProvider`."""
        try:
            found = await self.api.call("DescribeSpendLimits", {})
        except AwsError as error:
            raise CannotCarry(f"refuses to be asked ({error})") from None
        except Exception as error:
            raise CannotCarry(f"cannot be asked: no credentials of AWS ({error})") from None
        limits = [limit for name, limit in spend_limits(found).items() if name.startswith(_TEXT)]
        if not limits:
            return "answers"
        return f"answers, and may spend US$ {max(limits)} a month"

    def request_for(self, outgoing: Outgoing) -> JsonObject:
        """The input of SendTextMessage."""
        context: JsonObject = {"svc": outgoing.id, "env": "live"}
        if outgoing.organization_id:
            context["org"] = outgoing.organization_id
        request: JsonObject = {
            "DestinationPhoneNumber": outgoing.to,
            "MessageBody": outgoing.text,
            "Context": context,
        }
        origin = self._origins.get(outgoing.route) or outgoing.sender_id
        if origin is not None and _ORIGIN.fullmatch(origin):
            request["OriginationIdentity"] = origin
        elif outgoing.route == "otp":
            # An origin knows its type; where Amazon chooses one, codes must not wait behind campaigns.
            request["MessageType"] = "TRANSACTIONAL"
        if self._configuration_set is not None:
            request["ConfigurationSetName"] = self._configuration_set
        if self._protect is not None:
            request["ProtectConfigurationId"] = self._protect
        if self._max_price is not None:
            request["MaxPrice"] = price_of(self._max_price * outgoing.segments)
        return request

    async def _within_throughput(self, request: Mapping[str, object], parts: int) -> bool:
        """Whether the origin may send so many parts now. The bucket is that of all processes."""
        bucket = f"amazon:{request.get('OriginationIdentity', 'any')}"
        burst = max(int(self._parts_per_second), parts, 1)
        take = Take(bucket, self._parts_per_second, parts, burst)
        (grant,) = await rate_limit.take([take])
        if grant.granted == parts:
            return True
        if grant.granted:
            await rate_limit.take([Take(bucket, self._parts_per_second, -grant.granted, burst)])
        return False


def spend_limits(found: JsonObject) -> dict[str, int | float]:
    """What a month may cost in US dollars, by the name of the limit."""
    return {
        str(one.get("Name")): limit
        for one in objects_of(found, "SpendLimits")
        if isinstance(limit := one.get("EnforcedLimit", 0), int | float)
    }


def price_of(dollars: Decimal) -> str:
    """A price as the operation writes it."""
    return f"{min(dollars, _MAX_PRICE):.5f}"


def _facts(reply: HttpReply | Silence) -> JsonObject:
    """What a log line may say: Amazon's words, never its sentences, which may repeat a phone."""
    if isinstance(reply, Silence):
        return {"kind": reply.kind, "handed_over": reply.handed_over}
    error = error_of(reply)
    return {
        "status": reply.status,
        "code": error.code,
        "reason": error.reason,
        "remedy": remedy_for(error),
    }
