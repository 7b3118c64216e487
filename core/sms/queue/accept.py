"""Accepting SMS that leave later, many at once: with the price held, and the key answered.

Whoever schedules a message, and whoever has many to send (journeys, SMPP), puts them here; one that
is due at once leaves within a second, behind what requests send.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from core import contacts, idempotency, messaging, wallet
from core.foundation.clock import now, wire_time
from core.foundation.ids import new_id
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.messaging import (
    AcceptOutcome,
    BatchedAcceptance,
    Channel,
    Offer,
    QueuedMessageRow,
    SendSchedule,
    Status,
)
from core.providers import registry, sandbox
from core.short_links import links_beside, plan_links
from core.smpp import SentBySmpp
from core.sms.accept import Rates, facts_of, present_price, price_of, unsendable
from core.sms.encoding import encode_sms
from core.sms.inputs import NewSms
from core.sms.rows import MARKETING_ROUTE, answer_of, beside_of, channel_of, message_of
from core.sms.sealed_text import seal
from core.sms.send_request import KEY_ROUTE, SmsSendRequest

VALIDITY = timedelta(hours=4)
OTP_VALIDITY = timedelta(minutes=10)
"""How long after its time a message is still worth sending."""


@dataclass(slots=True, kw_only=True)
class QueuedSms(SmsSendRequest):
    """A send that waits."""

    later: SendSchedule


def queued_sms(
    caller: Caller,
    new: NewSms,
    *,
    key: str,
    later: SendSchedule,
    key_route: str = KEY_ROUTE,
    smpp: SentBySmpp | None = None,
) -> QueuedSms:
    """The command to send an SMS later, once per key of the `key_route`. Unless told, it expires 4
    hours after its time, on the route otp after 10 minutes. Raises InvalidKey.
    """
    use = idempotency.key_use(caller, key_route, key, new.as_sent())
    text, links = plan_links(new.body, current().base_url) if new.track_links else (new.body, ())
    return QueuedSms(
        caller=caller,
        new=new,
        use=use,
        encoded=encode_sms(text),
        id=new_id("msg"),
        at=now(),
        links=links,
        smpp=smpp,
        later=later,
    )


async def queue_messages(requests: Sequence[QueuedSms]) -> list[AcceptOutcome | Exception]:
    """Accept SMS that leave later, each once per key: what became of each, in their order. One
    refused request never touches its neighbours.

    Joins the transaction of its cause, where there is one.
    """
    at = max((request.at for request in requests), default=now())
    rates = await wallet.recent_rates({request.route for request in requests}, at=at)
    return await _write([_offer(request, rates) for request in requests])


async def queue_quoted_messages(
    requests: Sequence[QueuedSms],
) -> list[AcceptOutcome | Exception]:
    """Accept SMS that leave later and each name a quote, at no more than it promises."""
    at = max((request.at for request in requests), default=now())
    rates = await wallet.recent_rates({request.route for request in requests}, at=at)
    offers = [_offer(request, rates) for request in requests]
    return await messaging.write_by_quote(
        Channel.SMS, offers, present_price(rates), at=at, write=_write
    )


async def _write(offers: Sequence[Offer[QueuedSms]]) -> list[AcceptOutcome | Exception]:
    accepted_as = [_accepted_as(offer) for offer in offers]
    channel = channel_of([offer.request for offer in offers])
    return await messaging.accept_queued(channel, accepted_as, job=Job.SEND_SMS)


batched_queue = BatchedAcceptance(queue_messages, queue_quoted_messages)


def _offer(request: QueuedSms, rates: Rates) -> Offer[QueuedSms]:
    landline = messaging.landline_refusal(request.caller, request.new.to)
    refusal = landline or unsendable(request, rates)
    return Offer(request, price_of(request, rates), refusal, facts=facts_of(request, rates))


def _accepted_as(offer: Offer[QueuedSms]) -> messaging.SendRequest:
    """The send as it is accepted: the message, its key, its price and its row in the queue."""
    request = offer.request
    caller, new = request.caller, request.new
    message = _message(request, offer.price, facts=offer.facts)
    identity = contacts.phone_identity(caller, new.to)
    is_marketing = new.route == MARKETING_ROUTE
    waits = messaging.waiting_row(
        message,
        request.later,
        identity=identity,
        is_marketing=is_marketing,
        validity=OTP_VALIDITY if new.route == "otp" else VALIDITY,
    )
    return messaging.SendRequest(
        caller=caller,
        use=request.use,
        message=message,
        at=request.at,
        answer=_answer_of(message, request),
        identity=identity if is_marketing else None,
        forbidden=offer.forbidden,
        beside=beside_of(request, waiting_messages=waits),
        also_write=links_beside(
            request.id, request.owner, Channel.SMS, request.links, at=request.at
        ),
        quote_id=request.quote_id,
        prepaid=offer.prepaid,
    )


def _message(request: QueuedSms, price: int, *, facts: str | None) -> QueuedMessageRow:
    """The row: a live one keeps its text until its outcome is known."""
    is_live = request.caller.env == "live"
    carriers = registry.carriers(Channel.SMS, request.new.route) if is_live else ()
    row = message_of(
        request,
        price,
        status=Status.QUEUED,
        # One without a provider is refused, and not stored.
        provider=carriers[0].name if carriers else sandbox.PROVIDER,
        sealed_text=seal(request.id, request.encoded.body) if carriers else None,
        facts=facts,
    )
    return QueuedMessageRow.of(row, request.later)


def _answer_of(message: QueuedMessageRow, request: QueuedSms) -> dict[str, object]:
    answer = answer_of(request, coins=message.coins)
    del answer["sentAt"]
    return {
        **answer,
        "status": message.status,
        "provider": message.provider,
        "scheduledAt": wire_time(request.later.due_at),
    }
