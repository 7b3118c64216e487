"""An adapter for an aggregator: Twilio's Programmable Messaging behind the protocol of gateways.

Its API has no idempotency key, so an id is noted before it is handed over (`memory.begin`), and a
request without a readable answer is `Lost`: Twilio's own status callback, which carries our id in
its address, then tells what became of it.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
from aiohttp import web

from cli.gateway_example.carriers import (
    Answer,
    CarrierAccepted,
    CarrierBusy,
    CarrierRefused,
    Lost,
    Message,
    Tell,
)
from cli.gateway_example.memory import Memory

API = "https://api.twilio.com"
SECONDS = 8.0
"""Less than the ten seconds after which the service stops waiting for us."""

REFUSALS = {
    21211: "invalid_number",  # To is no phone
    21214: "invalid_number",
    21217: "invalid_number",
    21408: "carrier_rejected",  # no permission for the country
    21610: "blacklisted",  # the phone replied STOP
    21612: "carrier_rejected",  # no route from this sender
    21614: "invalid_number",  # no mobile number
}
"""Codes that speak of the recipient: the same message would end the same."""

STATES = {"delivered": "DELIVRD", "read": "READ", "undelivered": "UNDELIV", "failed": "REJECTD"}
ERROR_STATES = {
    "30004": ("BLACKLISTED", None),
    "30005": ("REJECTD", "invalid_number"),
    "30006": ("REJECTD", "invalid_number"),
}
BEFORE_HAND_OVER = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError)


class Twilio:
    """A `Carrier`. `sender`: a phone, a sender id, or a messaging service (`MG…`); `public`: our address as Twilio reaches it."""

    name = "Twilio"

    def __init__(
        self,
        tell: Tell,
        memory: Memory,
        *,
        account: str,
        token: str,
        sender: str,
        public: str,
        api: str = API,
    ) -> None:
        self._tell = tell
        self._memory = memory
        self._token = token
        self._sender = sender
        self._public = public.rstrip("/")
        self._url = f"{api}/2010-04-01/Accounts/{account}/Messages.json"
        self._http = aiohttp.ClientSession(
            headers={"Authorization": f"Basic {_basic(account, token)}"},
            timeout=aiohttp.ClientTimeout(total=SECONDS, connect=SECONDS / 2),
        )

    async def send(self, message: Message) -> Answer:
        """Hand an SMS over, once."""
        if message["channel"] != "sms":
            return CarrierRefused("no_rcs")
        sender = "MessagingServiceSid" if self._sender.startswith("MG") else "From"
        form = {
            "To": message["to"],
            "Body": message["text"],
            sender: self._sender,
            "StatusCallback": f"{self._public}/twilio/status?id={message['id']}",
        }
        try:
            async with self._http.post(self._url, data=form, allow_redirects=False) as answer:
                return _meaning(answer.status, await answer.json(content_type=None))
        except BEFORE_HAND_OVER:
            return CarrierBusy(503)
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return Lost()

    def routes(self) -> Sequence[web.RouteDef]:
        """Where Twilio posts statuses and replies."""
        return (
            web.post("/twilio/status", self._status),
            web.post("/twilio/replies", self._reply),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def _status(self, request: web.Request) -> web.Response:
        form = await self._signed_form(request)
        state, reason = ERROR_STATES.get(
            form.get("ErrorCode", ""), (STATES.get(form.get("MessageStatus", "")), None)
        )
        message_id = request.query.get("id", "")
        if state is not None:
            fields = {
                "id": form["MessageSid"],
                "reference": message_id,
                "type": "api_message",
                "to": form["To"],
                "status": state,
                "statusDescription": form.get("ErrorCode") or form["MessageStatus"],
                "channel": "SMS",
            }
            more = {"reason": reason} if reason else {}
            self._tell("receipts", message_id, fields | more)
        return web.Response(status=204)

    async def _reply(self, request: web.Request) -> web.Response:
        form = await self._signed_form(request)
        answered = self._memory.last_to(form["From"])
        if answered is not None:
            fields = {
                "id": form["MessageSid"],
                "inReplyTo": answered,
                "from": form["From"],
                "body": form["Body"],
            }
            self._tell("replies", answered, fields)
        return web.Response(text="<Response/>", content_type="text/xml")

    async def _signed_form(self, request: web.Request) -> dict[str, str]:
        """The form, if Twilio signed it for the address that it was given."""
        form = {name: str(value) for name, value in (await request.post()).items()}
        url = f"{self._public}{request.path_qs}"
        given = request.headers.get("X-Twilio-Signature", "")
        if not hmac.compare_digest(given, twilio_signature(self._token, url, form)):
            raise web.HTTPForbidden
        return form


def twilio_signature(token: str, url: str, form: Mapping[str, str]) -> str:
    """Base64 of the HMAC-SHA1 over the address and the sorted fields."""
    text = url + "".join(f"{name}{form[name]}" for name in sorted(form))
    return base64.b64encode(hmac.new(token.encode(), text.encode(), hashlib.sha1).digest()).decode()


def _basic(account: str, token: str) -> str:
    return base64.b64encode(f"{account}:{token}".encode()).decode()


def _meaning(status: int, answer: Any) -> Answer:
    told = answer if isinstance(answer, dict) else {}
    if status == 201 and isinstance(told.get("sid"), str):
        return CarrierAccepted(told["sid"])
    if status == 429:
        return CarrierBusy(429, retry_after=1)
    if 400 <= status < 500:
        reason = REFUSALS.get(told.get("code", 0))
        return CarrierRefused(reason) if reason else CarrierBusy(500)
    return Lost()
