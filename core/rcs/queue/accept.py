"""Accepting RCS messages that leave later, many at once: with the price held, and the key answered.

Whoever schedules a message, and whoever has many to send (journeys), puts them here; one that is due
at once leaves within a second.
"""

from dataclasses import dataclass
from functools import partial

from core import contacts, idempotency, messaging
from core.foundation.clock import now
from core.foundation.ids import new_id
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.messaging import BatchedAcceptance, Channel, QueuedMessageRow, SendSchedule, UnitSends
from core.rcs.content import leaving
from core.rcs.inputs import NewRcs
from core.rcs.outgoing import MARKETING_ROUTE
from core.rcs.price import RcsPrice
from core.rcs.rows import KEY_ROUTE, RCS, answer_to, message_of, request_of, requests_of
from core.rcs.send_request import RcsSend
from core.rcs.validity import VALIDITY
from core.sms import encode_sms


@dataclass(frozen=True, slots=True)
class QueuedRcs(RcsSend):
    """A send that waits."""

    later: SendSchedule


def queued_rcs(
    caller: Caller, new: NewRcs, *, key: str, later: SendSchedule, key_route: str = KEY_ROUTE
) -> QueuedRcs:
    """The command to send an RCS message later, once per key of the `key_route`. Unless told, it
    expires 4 hours after its time, on the route easy_otp_rcs after 10 minutes. Raises InvalidKey,
    TooLongWithLinks.
    """
    return QueuedRcs(
        caller=caller,
        new=new,
        use=idempotency.key_use(caller, key_route, key, new.model_dump(exclude_unset=True)),
        left=leaving(new),
        stands_in=encode_sms(new.fallback.text) if new.fallback else None,
        id=new_id("msg"),
        at=now(),
        later=later,
    )


def _accepted_as(send: QueuedRcs, prices: RcsPrice | None) -> messaging.SendRequest:
    """The send as it is accepted: the message, its key, its price and its row in the queue."""
    new = send.new
    message = QueuedMessageRow.of(message_of(send, None, prices), send.later)
    waits = messaging.waiting_row(
        message,
        send.later,
        identity=contacts.phone_identity(send.caller, new.to),
        is_marketing=new.route == MARKETING_ROUTE,
        validity=VALIDITY[new.route],
    )
    request = request_of(send, message, prices)
    request.answer, request.beside = answer_to(message), {"waiting_messages": waits}
    return request


QUEUED: UnitSends[QueuedRcs] = UnitSends(
    channel=Channel.RCS,
    requests_of=partial(requests_of, accepted_as=_accepted_as),
    write=partial(messaging.accept_queued, RCS, job=Job.SEND_RCS),
    answer_to=answer_to,
)
queue_messages = QUEUED.accept
queue_quoted_messages = QUEUED.accept_quoted
batched_queue = BatchedAcceptance(queue_messages, queue_quoted_messages)
