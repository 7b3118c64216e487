"""The meaning of the gateway's answers: `Failed` only where it cannot have taken the message."""

import math
import re
from datetime import datetime
from typing import get_args

from core.foundation.http_client.retry_after import seconds_to_wait
from core.foundation.json_values import JsonObject, read_object, text_of
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    Lookup,
    LookupFailed,
    MessageFound,
    MessageNotFound,
    OutOfCredit,
    RcsRefusal,
    RefusalReason,
    Refused,
    SmsRefusal,
    Throttled,
    Unknown,
)
from core.providers.gateway.exchange import HttpReply, Silence
from core.providers.gateway.states import meaning_of

MAX_WAIT_SECONDS = 3600
_REFERENCE = re.compile(r"[\x21-\x7e]{1,80}")
_WORD = re.compile(r"[A-Za-z_]{1,40}")
_REASONS: dict[str, dict[str, RefusalReason]] = {
    "sms": {reason: reason for reason in get_args(SmsRefusal)},
    "rcs": {reason: reason for reason in get_args(RcsRefusal)},
}
_PATHS = {"RCS": "rcs", "SMS": "sms"}


def answer_of(reply: HttpReply | Silence, *, channel: str, at: datetime) -> Answer:
    """What became of a send on a channel. `at` is when the reply came: a Retry-After may name a
    date.
    """
    if isinstance(reply, Silence):
        return Unknown() if reply.handed_over else Failed()
    if 200 <= reply.status < 300:
        # It may have been accepted even if the answer cannot be read.
        reference = _reference(read_object(reply.body))
        return Accepted(reference) if reference else Unknown()
    if reply.status == 504 or not 300 <= reply.status < 600:
        # 504 is no word of the gateway's: a proxy handed the message over and waited in vain.
        return Unknown()
    return _refusal(reply, channel, at)


def _refusal(reply: HttpReply, channel: str, at: datetime) -> Answer:
    match reply.status:
        case 402:
            return OutOfCredit()
        case 429:
            return Throttled(_wait(reply.retry_after, at))
        case status if 400 <= status < 500 and (
            reason := _REASONS[channel].get(str(read_object(reply.body).get("reason")))
        ):
            return Refused(reason)
        case _:
            return Failed()


def lookup_of(reply: HttpReply | Silence) -> Lookup:
    """What the gateway knows about a message."""
    if isinstance(reply, Silence):
        return LookupFailed()
    if reply.status == 404:
        return MessageNotFound()
    known = read_object(reply.body)
    reference = _reference(known)
    if reply.status != 200 or reference is None:
        return LookupFailed()
    status, reason = meaning_of(str(known.get("status")), text_of(known, "reason"))
    return MessageFound(reference, status or "sent", reason, _PATHS.get(str(known.get("channel"))))


def word_of(reply: HttpReply) -> str | None:
    """The `reason` in a reply, for the log: only as a plain word, since sentences repeat phones."""
    reason = text_of(read_object(reply.body), "reason")
    return reason if reason is not None and _WORD.fullmatch(reason) else None


def _reference(value: JsonObject) -> str | None:
    text = text_of(value, "reference")
    return text if text is not None and _REFERENCE.fullmatch(text) else None


def _wait(asked: str | None, at: datetime) -> int:
    seconds = seconds_to_wait(asked, at)
    return 1 if seconds is None else min(max(math.ceil(seconds), 1), MAX_WAIT_SECONDS)
