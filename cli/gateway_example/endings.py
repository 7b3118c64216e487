"""A carrier that reaches nobody: the last digits of the recipient choose its answer and its report."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.gateway_example.carriers import (
    Answer,
    CarrierAccepted,
    CarrierBusy,
    CarrierRefused,
    Lost,
    Message,
    Tell,
)

if TYPE_CHECKING:
    from aiohttp import web


@dataclass(frozen=True)
class RehearsedEnding:
    """What is answered at once (None: it is taken), then reported, then written back by the phone."""

    answer: Answer | None = None
    states: tuple[str, ...] = ()
    reason: str | None = None
    reply: str | None = None


DELIVERED = RehearsedEnding(states=("DELIVRD",))
ENDINGS = {
    "0005": DELIVERED,
    "0006": RehearsedEnding(states=("UNDELIV",)),
    "0008": RehearsedEnding(states=("REJECTD",), reason="invalid_number"),
    "0013": RehearsedEnding(states=("EXPIRED",)),
    "0018": RehearsedEnding(states=("BLACKLISTED",)),
    "0020": RehearsedEnding(states=("DELIVRD",), reply="SIM"),
    "0021": RehearsedEnding(states=("DELIVRD",), reply="SAIR"),
    "0099": RehearsedEnding(),
    "0114": RehearsedEnding(CarrierBusy(402)),
    "0400": RehearsedEnding(CarrierRefused("invalid_number")),
    "0429": RehearsedEnding(CarrierBusy(429, retry_after=5)),
    "0500": RehearsedEnding(CarrierBusy(500)),
    "0504": RehearsedEnding(Lost(), states=("DELIVRD",)),
}
RCS_ENDINGS = {
    **ENDINGS,
    "0005": RehearsedEnding(states=("DELIVRD", "READ")),
    "0006": RehearsedEnding(states=("REJECTD",), reason="no_rcs"),
    "0008": RehearsedEnding(states=("REJECTD",), reason="rejected"),
}
WORDS = {"DELIVRD": "Delivered", "READ": "Read", "UNDELIV": "Not delivered", "EXPIRED": "Too late"}


class Endings:
    """A `Carrier` that decides by the last four digits."""

    name = "endings by number"

    def __init__(self, tell: Tell, *, delay: float) -> None:
        self._tell = tell
        self._delay = delay

    async def send(self, message: Message) -> Answer:
        """Answer as the digits say, and report a moment later."""
        endings = RCS_ENDINGS if message["channel"] == "rcs" else ENDINGS
        ending = endings.get(message["to"][-4:], DELIVERED)
        reference = f"gx_{secrets.token_hex(8)}"
        for place, state in enumerate(ending.states, 1):
            self._report(message, reference, state, ending.reason, place * self._delay)
        if ending.reply is not None:
            self._reply(message, reference, ending.reply)
        return ending.answer or CarrierAccepted(reference)

    def routes(self) -> "Sequence[web.RouteDef]":
        """None: it reports from within."""
        return ()

    async def close(self) -> None:
        """It has no connections."""

    def _report(
        self, message: Message, reference: str, state: str, reason: str | None, delay: float
    ) -> None:
        fields: dict[str, Any] = {
            "id": reference,
            "reference": message["id"],
            "type": "api_message",
            "to": message["to"],
            "status": state,
            "statusDescription": WORDS.get(state, "Refused"),
            "channel": message["channel"].upper(),
        }
        if reason is not None:
            fields["reason"] = reason
        self._tell("receipts", message["id"], fields, delay=delay)

    def _reply(self, message: Message, reference: str, text: str) -> None:
        fields = {
            "id": f"mo_{reference}",
            "inReplyTo": message["id"],
            "from": message["to"],
            "body": text,
        }
        self._tell("replies", message["id"], fields, delay=2 * self._delay)
