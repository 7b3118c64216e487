"""The provider `cloud-sns`: Publish of Amazon SNS to a phone.

It has no idempotency for phones, carries nothing of ours, and reports by lines in CloudWatch Logs
alone: for codes and small installations. Whoever can, uses `cloud-eum`.
"""

import re
from decimal import Decimal

import structlog

from core.providers.amazon.calls import AwsApi, AwsError
from core.providers.amazon.eum import price_of
from core.providers.amazon.names import SNS
from core.providers.contracts import (
    Accepted,
    Answer,
    CannotCarry,
    Failed,
    Lookup,
    MessageNotFound,
    Outgoing,
    Refused,
    Throttled,
    Unknown,
)
from core.providers.gateway.exchange import HttpReply, Silence

_MESSAGE_ID = re.compile(rb"<MessageId>([\x21-\x3b\x3d-\x7e]{1,80})</MessageId>")
_CODE = re.compile(rb"<Code>([A-Za-z.]{1,80})</Code>")
_SENDER = re.compile(r"(?=[0-9-]{0,10}[A-Za-z])[A-Za-z0-9-]{1,11}", re.ASCII)
_THROTTLED = ("Throttled", "Throttling", "ThrottledException", "RequestLimitExceeded")
_INVALID = ("InvalidParameter", "InvalidParameterValue")
_BULK_ROUTE = "premium"

_log = structlog.get_logger(__name__)


class Sns:
    """A `SmsProvider` in one region."""

    name = SNS
    is_idempotent = False

    def __init__(
        self,
        api: AwsApi,
        *,
        sender_id: str | None = None,
        max_price_per_part: Decimal | None = None,
    ) -> None:
        self.api = api
        self._sender_id = sender_id
        self._max_price = max_price_per_part

    async def send(self, outgoing: Outgoing) -> Answer:
        """Hand one message over, once; see `SmsProvider`."""
        try:
            reply = await self.api.exchange("Publish", self.request_for(outgoing))
        except Exception as error:  # credentials: nothing was handed over
            _log.warning("sns_send", outcome="Failed", message_id=outgoing.id, code=str(error)[:80])
            return Failed()
        answer = answer_of(reply)
        if isinstance(answer, Failed | Unknown):
            facts: dict[str, object] = (
                {"kind": reply.kind, "handed_over": reply.handed_over}
                if isinstance(reply, Silence)
                else {"status": reply.status, "code": code_of(reply)}
            )
            outcome = type(answer).__name__
            _log.warning("sns_send", outcome=outcome, message_id=outgoing.id, **facts)
        return answer

    async def look_up(self, message_id: str) -> Lookup:  # noqa: ARG002 - the contract's
        """Nothing will ever tell: a log line names Amazon's id, which an unknown outcome lacks."""
        return MessageNotFound()

    async def probe(self) -> str:
        """Ask for the account's settings; see `SmsProvider`."""
        try:
            await self.api.call("GetSMSAttributes", {})
        except AwsError as error:
            raise CannotCarry(f"refuses to be asked ({error})") from None
        except Exception as error:
            raise CannotCarry(f"cannot be asked: no credentials of AWS ({error})") from None
        return "answers"

    def request_for(self, outgoing: Outgoing) -> dict[str, str]:
        """The parameters of Publish."""
        kind = "Promotional" if outgoing.route == _BULK_ROUTE else "Transactional"
        attributes = [("AWS.SNS.SMS.SMSType", "String", kind)]
        sender = outgoing.sender_id or self._sender_id
        if sender is not None and _SENDER.fullmatch(sender):
            attributes.append(("AWS.SNS.SMS.SenderID", "String", sender))
        if self._max_price is not None:
            price = price_of(self._max_price * outgoing.segments)
            attributes.append(("AWS.SNS.SMS.MaxPrice", "Number", price))
        form = {"PhoneNumber": outgoing.to, "Message": outgoing.text or ""}
        for place, (name, type, value) in enumerate(attributes, 1):
            entry = f"MessageAttributes.entry.{place}"
            form[f"{entry}.Name"] = name
            form[f"{entry}.Value.DataType"] = type
            form[f"{entry}.Value.StringValue"] = value
        return form


def answer_of(reply: HttpReply | Silence) -> Answer:
    """What became of a Publish: `Failed` only where Amazon cannot have taken it."""
    if isinstance(reply, Silence):
        return Unknown() if reply.handed_over else Failed()
    if 200 <= reply.status < 300:
        found = _MESSAGE_ID.search(reply.body or b"")
        return Accepted(found[1].decode()) if found else Unknown()
    code = code_of(reply)
    if reply.status == 429 or code in _THROTTLED:
        return Throttled(1)
    if code in _INVALID and b"PhoneNumber" in (reply.body or b""):
        return Refused("invalid_number")
    # Without a word of Amazon's it is a proxy's, or half of an answer.
    return Failed() if code or 400 <= reply.status < 500 else Unknown()


def code_of(reply: HttpReply) -> str:
    """The code of an error; empty where none can be read."""
    found = _CODE.search(reply.body or b"")
    return found[1].decode() if found else ""
