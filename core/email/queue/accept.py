"""Accepting e-mails that leave later, many at once: with the price held, and the key answered.

Whoever schedules an e-mail, and whoever has many to send (journeys), puts them here; one that is due
at once is in the outbox within a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core import idempotency, messaging
from core.email.inputs import NewEmail
from core.email.lookups import requests_of
from core.email.rows import EMAIL, KEY_ROUTE, EmailSend, answer_to
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.messaging import (
    AcceptOutcome,
    Channel,
    MessagePriority,
    QueuedMessageRow,
    SendRequest,
    SentByJourney,
    Status,
)

VALIDITY = timedelta(hours=24)
"""How long after its time an e-mail is still worth sending, as for one that the relay defers."""


@dataclass(frozen=True, slots=True)
class QueuedEmail:
    """A send that waits until `due_at`. After `expires_at` it is not worth sending any more.
    `journey`: the run that it is sent for, where it is one's.
    """

    caller: Caller
    new: NewEmail
    use: idempotency.KeyUse
    at: datetime
    due_at: datetime
    expires_at: datetime
    priority: MessagePriority
    journey: SentByJourney | None = None


def queued_email(
    caller: Caller,
    new: NewEmail,
    *,
    key: str,
    key_route: str = KEY_ROUTE,
    due_at: datetime,
    expires_at: datetime | None = None,
    priority: MessagePriority = MessagePriority.NORMAL,
    journey: SentByJourney | None = None,
) -> QueuedEmail:
    """The command to send an e-mail later, once per key of the `key_route`. Unless told, it expires
    a day after its time. Raises InvalidKey.
    """
    at = now()
    return QueuedEmail(
        caller=caller,
        new=new,
        use=idempotency.key_use(caller, key_route, key, new.model_dump(exclude_unset=True)),
        at=at,
        due_at=due_at,
        expires_at=expires_at or max(at, due_at) + VALIDITY,
        priority=priority,
        journey=journey,
    )


async def queue_messages(requests: Sequence[QueuedEmail]) -> list[AcceptOutcome | Exception]:
    """Accept e-mails that leave later, each once per key: what became of each, in their order. One
    refused request never touches its neighbours.

    Joins the transaction of its cause, where there is one.
    """
    return await _write(await _requests_of(requests))


async def queue_quoted_messages(
    requests: Sequence[QueuedEmail],
) -> list[AcceptOutcome | Exception]:
    """Accept e-mails that leave later and each name a quote, at no more than it promises."""
    return await messaging.accept_by_quote(
        Channel.EMAIL, await _requests_of(requests), write=_write, answer_to=answer_to
    )


async def _requests_of(requests: Sequence[QueuedEmail]) -> list[SendRequest]:
    sends = [EmailSend.of(one.caller, one.new, one.use, at=one.at) for one in requests]
    dates = [max(one.at, one.due_at) for one in requests]
    accepted = await requests_of(sends, dates)
    return [_later(*each) for each in zip(accepted, requests, sends, strict=True)]


async def _write(sends: Sequence[SendRequest]) -> list[AcceptOutcome | Exception]:
    return await messaging.accept_queued(EMAIL, sends, job=Job.RELEASE_EMAILS)


batched_queue: Combiner[QueuedEmail, AcceptOutcome] = Combiner(queue_messages)
batched_quoted_queue: Combiner[QueuedEmail, AcceptOutcome] = Combiner(queue_quoted_messages)


def _later(accepted: SendRequest, request: QueuedEmail, send: EmailSend) -> SendRequest:
    """The same for later. What is refused, or fails at once, does not wait."""
    message = QueuedMessageRow.of(
        accepted.message,
        priority=request.priority,
        scheduled_at=request.due_at,
        journey=request.journey,
    )
    if accepted.forbidden is not None or message.status != Status.QUEUED:
        return replace(accepted, message=message, answer=answer_to(message))
    waits = messaging.waiting_row(
        message,
        identity=send.addressee.identity,
        is_marketing=send.new.is_marketing,
        expires_at=request.expires_at,
    )
    return replace(
        accepted,
        message=message,
        answer=answer_to(message),
        beside={**(accepted.beside or {}), "waiting_messages": waits},
    )
