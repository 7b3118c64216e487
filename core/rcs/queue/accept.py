"""Accepting RCS messages that leave later, many at once: with the price held, and the key answered.

Whoever schedules a message, and whoever has many to send (journeys), puts them here; one that is due
at once leaves within a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import contacts, idempotency, messaging
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.ids import new_id
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.messaging import AcceptOutcome, Channel, MessagePriority, QueuedMessageRow, SentByJourney
from core.rcs.content import Leaving, leaving
from core.rcs.inputs import NewRcs
from core.rcs.outgoing import MARKETING_ROUTE
from core.rcs.price import AskedPrice, RcsPrice, quotes_of
from core.rcs.rows import KEY_ROUTE, RCS, answer_to, forbidden, links_of, message_of
from core.rcs.validity import VALIDITY
from core.sms import Encoded, encode_sms


@dataclass(frozen=True, slots=True)
class QueuedRcs:
    """A send that waits until `due_at`. After `expires_at` it is not worth sending any more.
    `journey`: the run that it is sent for, where it is one's.
    """

    caller: Caller
    new: NewRcs
    use: idempotency.KeyUse
    left: Leaving
    stands_in: Encoded | None
    at: datetime
    due_at: datetime
    expires_at: datetime
    priority: MessagePriority
    journey: SentByJourney | None = None


def queued_rcs(
    caller: Caller,
    new: NewRcs,
    *,
    key: str,
    key_route: str = KEY_ROUTE,
    due_at: datetime,
    expires_at: datetime | None = None,
    priority: MessagePriority = MessagePriority.NORMAL,
    journey: SentByJourney | None = None,
) -> QueuedRcs:
    """The command to send an RCS message later, once per key of the `key_route`. Unless told, it
    expires 4 hours after its time, on the route easy_otp_rcs after 10 minutes. Raises InvalidKey,
    TooLongWithLinks.
    """
    at = now()
    return QueuedRcs(
        caller=caller,
        new=new,
        use=idempotency.key_use(caller, key_route, key, new.model_dump(exclude_unset=True)),
        left=leaving(new),
        stands_in=encode_sms(new.fallback.text) if new.fallback else None,
        at=at,
        due_at=due_at,
        expires_at=expires_at or max(at, due_at) + VALIDITY[new.route],
        priority=priority,
        journey=journey,
    )


async def queue_messages(requests: Sequence[QueuedRcs]) -> list[AcceptOutcome | Exception]:
    """Accept RCS messages that leave later, each once per key: what became of each, in their order.
    One refused request never touches its neighbours.

    Joins the transaction of its cause, where there is one.
    """
    return await _write(await _requests_of(requests))


async def queue_quoted_messages(requests: Sequence[QueuedRcs]) -> list[AcceptOutcome | Exception]:
    """Accept RCS messages that leave later and each name a quote, at no more than it promises."""
    return await messaging.accept_by_quote(
        Channel.RCS, await _requests_of(requests), write=_write, answer_to=answer_to
    )


async def _requests_of(requests: Sequence[QueuedRcs]) -> list[messaging.SendRequest]:
    at = max((request.at for request in requests), default=now())
    quotes = await quotes_of([_priced_by(request) for request in requests], at=at)
    return [_accepted_as(request, prices) for request, prices in zip(requests, quotes, strict=True)]


async def _write(sends: Sequence[messaging.SendRequest]) -> list[AcceptOutcome | Exception]:
    return await messaging.accept_queued(RCS, sends, job=Job.SEND_RCS)


batched_queue: Combiner[QueuedRcs, AcceptOutcome] = Combiner(queue_messages)
batched_quoted_queue: Combiner[QueuedRcs, AcceptOutcome] = Combiner(queue_quoted_messages)


def _priced_by(request: QueuedRcs) -> AskedPrice:
    segments = request.stands_in.segments if request.stands_in else 0
    return request.caller.organization_id, request.new.route, segments


def _accepted_as(request: QueuedRcs, prices: RcsPrice | None) -> messaging.SendRequest:
    """The send as it is accepted: the message, its key, its price and its row in the queue."""
    caller, new = request.caller, request.new
    row = message_of(
        caller,
        new,
        None,
        id=new_id("msg"),
        at=request.at,
        left=request.left,
        stands_in=request.stands_in,
        prices=prices,
    )
    message = QueuedMessageRow.of(
        row, priority=request.priority, scheduled_at=request.due_at, journey=request.journey
    )
    identity = contacts.phone_identity(caller, new.to)
    is_marketing = new.route == MARKETING_ROUTE
    waits = messaging.waiting_row(
        message, identity=identity, is_marketing=is_marketing, expires_at=request.expires_at
    )
    return messaging.SendRequest(
        caller=caller,
        use=request.use,
        message=message,
        at=request.at,
        answer=answer_to(message),
        identity=identity if is_marketing else None,
        forbidden=forbidden(caller, new, prices),
        beside={"waiting_messages": waits},
        also_write=links_of(message, request.left.links, at=request.at),
        quote_id=new.quote_id,
    )
