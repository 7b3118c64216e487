"""Reading the reply to a send: retryable only where the platform cannot have taken the message."""

import math
from datetime import datetime

from core.foundation.http_client.retry_after import seconds_to_wait
from core.foundation.json_values import JsonObject, objects_of, read_object, text_of
from core.providers.gateway.exchange import HttpReply, Silence
from core.providers.meta.errors import PAIR, sentence_of
from core.providers.meta.graph import NETWORK, error_code, is_temporary
from core.providers.meta.untrusted_json import reference_of
from core.providers.platform import (
    PlatformAcceptance,
    Rejection,
    SendReply,
    TemporaryFailure,
    UnknownOutcome,
)

MAX_WAIT_SECONDS = 3600
MAX_ADDRESS_LENGTH = 40


def answer_of(reply: HttpReply | Silence, *, at: datetime) -> SendReply:
    """What became of a message. `at` is when the reply came: a Retry-After may name a date."""
    if isinstance(reply, Silence):
        return (
            UnknownOutcome()
            if reply.handed_over
            else TemporaryFailure(NETWORK, "The platform could not be reached.")
        )
    answer = read_object(reply.body)
    if 200 <= reply.status < 300:
        # It may have been taken even if the answer cannot be read.
        return _taken(answer) or UnknownOutcome()
    if reply.status == 504 or not 300 <= reply.status < 600:
        # 504 is no word of the platform's: something in between handed the message over and waited
        # in vain.
        return UnknownOutcome()
    code = error_code(answer)
    if code is None:
        return _without_code(reply, at)
    if reply.status == 429 or reply.status >= 500 or is_temporary(answer, code):
        return TemporaryFailure(code, sentence_of(code), _wait(reply, at), pair=code == PAIR)
    return Rejection(code, sentence_of(code))


def _taken(answer: JsonObject) -> PlatformAcceptance | None:
    """Numbers answer `messages` and `contacts`, Instagram accounts one flat object."""
    reference = next((reference_of(one, "id") for one in objects_of(answer, "messages")), None)
    if reference is None:
        reference = reference_of(answer, "message_id")
    if reference is None:
        return None
    known = next((text_of(one, "wa_id") for one in objects_of(answer, "contacts")), None)
    return PlatformAcceptance(
        reference, known if known is not None and len(known) <= MAX_ADDRESS_LENGTH else None
    )


def _without_code(reply: HttpReply, at: datetime) -> SendReply:
    """A refusal without the platform's error object comes from something in front of it."""
    status = str(reply.status)
    if reply.status in (429, 503):
        return TemporaryFailure(status, "The platform is overloaded or down.", _wait(reply, at))
    if reply.status >= 500:
        return UnknownOutcome()  # it may have been handed over before that something failed
    return Rejection(status, "The platform refused the message without saying why.")


def _wait(reply: HttpReply, at: datetime) -> int | None:
    seconds = seconds_to_wait(reply.retry_after, at)
    return None if seconds is None else min(max(math.ceil(seconds), 1), MAX_WAIT_SECONDS)
