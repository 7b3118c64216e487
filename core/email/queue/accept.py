"""Accepting e-mails that leave later, many at once: with the price held, and the key answered.

Whoever schedules an e-mail, and whoever has many to send (journeys), puts them here; one that is due
at once is in the outbox within a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from core import idempotency, messaging
from core.email.inputs import NewEmail
from core.email.lookups import requests_of
from core.email.rows import EMAIL, KEY_ROUTE, EmailSend, answer_to
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.messaging import (
    BatchedAcceptance,
    Channel,
    QueuedMessageRow,
    SendRequest,
    SendSchedule,
    Status,
    UnitSends,
)

VALIDITY = timedelta(hours=24)
"""How long after its time an e-mail is still worth sending, as for one that the relay defers."""


@dataclass(slots=True, kw_only=True)
class QueuedEmail(EmailSend):
    """A send that waits."""

    later: SendSchedule


def queued_email(
    caller: Caller, new: NewEmail, *, key: str, later: SendSchedule, key_route: str = KEY_ROUTE
) -> QueuedEmail:
    """The command to send an e-mail later, once per key of the `key_route`. Unless told, it expires
    a day after its time. Raises InvalidKey.
    """
    return QueuedEmail(
        caller=caller,
        new=new,
        use=idempotency.key_use(caller, key_route, key, new.model_dump(exclude_unset=True)),
        id=new_id("msg"),
        at=now(),
        later=later,
    )


async def _requests_of(sends: Sequence[QueuedEmail]) -> list[SendRequest]:
    accepted = await requests_of(sends, [max(send.at, send.later.due_at) for send in sends])
    return [_later(*each) for each in zip(accepted, sends, strict=True)]


def _later(accepted: SendRequest, send: QueuedEmail) -> SendRequest:
    """The same for later. What is refused, or fails at once, does not wait."""
    message = QueuedMessageRow.of(accepted.message, send.later)
    if accepted.forbidden is not None or message.status != Status.QUEUED:
        return replace(accepted, message=message, answer=answer_to(message))
    waits = messaging.waiting_row(
        message,
        send.later,
        identity=send.addressee.identity,
        is_marketing=send.new.is_marketing,
        validity=VALIDITY,
    )
    return replace(
        accepted,
        message=message,
        answer=answer_to(message),
        beside={**(accepted.beside or {}), "waiting_messages": waits},
    )


QUEUED: UnitSends[QueuedEmail] = UnitSends(
    channel=Channel.EMAIL,
    requests_of=_requests_of,
    write=partial(messaging.accept_queued, EMAIL, job=Job.RELEASE_EMAILS),
    answer_to=answer_to,
)
queue_messages = QUEUED.accept
queue_quoted_messages = QUEUED.accept_quoted
batched_queue = BatchedAcceptance(queue_messages, queue_quoted_messages)
