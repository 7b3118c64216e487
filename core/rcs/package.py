"""RCS as everybody else knows it: what is asked of it, what it costs, and what workers do for it."""

from collections.abc import Mapping
from functools import partial

from core import quotes, sms, wallet
from core.decisions import SendQuestion, SendWay
from core.foundation.absent import existing
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop
from core.foundation.security.caller import Caller
from core.messaging import Channel, ChannelPackage, next_to_settle, next_waiting
from core.messaging.by_journey import A_PHONE, JourneyMessage, JourneyWay, QueuedByJourney
from core.messaging.sandbox_dues import ChannelDue, DueStage, in_rounds
from core.messaging.timeouts import STUCK_BATCH_SIZE
from core.providers.sandbox import next_report
from core.rcs.channel import CHANNEL
from core.rcs.delivery_reports.sandbox import REPORT_BATCH_SIZE, apply_due_reports
from core.rcs.errors import RouteWithoutPrice
from core.rcs.inputs import MAX_TEXT_LENGTH, NewRcs, NewRcsContent, RcsRoute
from core.rcs.price import SMS_ROUTE
from core.rcs.queries import get_message
from core.rcs.queue.accept import queue_messages, queue_quoted_messages, queued_rcs
from core.rcs.queue.dispatcher import RcsDispatcher
from core.rcs.reconcile import reconcile
from core.rcs.send import send_message


async def _send(caller: Caller, new: NewRcs, key: str) -> Mapping[str, object]:
    return await send_message(caller, new, idempotency_key=key)


def _fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    return {
        "to": address,
        "contactId": asked.contact_id,
        "content": {"text": asked.body or "."},
        "route": asked.rota or "easy_rcs",
    }


def _steps(prices: wallet.PriceSheet, asked: quotes.QuotedSend) -> list[quotes.Step]:
    """The dearer of its two ways, as it is held; the way that it takes is paid, which costs no
    more.
    """
    price = existing(prices.rcs.get(asked.route), RouteWithoutPrice)
    if asked.body is not None:
        stands_in = existing(prices.rates.get(SMS_ROUTE[asked.route]), RouteWithoutPrice)
        price = max(price, stands_in.price(sms.encode_sms(asked.body).segments))
    return [(asked.messages, price)]


def _draft(message: JourneyMessage, contact_id: str) -> NewRcs:
    return NewRcs(
        to=A_PHONE,
        content=NewRcsContent(text=message.text),
        route=RcsRoute.EASY_RCS,
        contact_id=contact_id,
    )


BY_JOURNEY = QueuedByJourney(
    draft=_draft,
    address=lambda one: one.phone,
    request=queued_rcs,
    queue=queue_messages,
    queue_quoted=queue_quoted_messages,
)

PACKAGE = ChannelPackage(
    channels=(AnyChannel.RCS,),
    messages=CHANNEL,
    show=get_message,
    asks=SendWay(
        NewRcs,
        _send,
        _fields,
        {"route": "rota", "content": "body"},
        {"marketing": "easy_rcs", "transacional": "easy_otp_rcs"},
        route_in="rota",
    ),
    prices=quotes.PricedChannel(frozenset(route.value for route in RcsRoute), _steps),
    journey=JourneyWay(carry=BY_JOURNEY.carry, longest=MAX_TEXT_LENGTH),
    work={
        Job.SEND_RCS: RcsDispatcher,
        Job.APPLY_RCS_REPORTS: partial(
            PollingLoop, apply_due_reports, batch=REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.RECONCILE_RCS: partial(PollingLoop, reconcile, batch=STUCK_BATCH_SIZE, poll_seconds=2),
    },
    dues=(
        ChannelDue(
            "rcs_reports",
            DueStage.REPORTS,
            next_report(AnyChannel.RCS),
            lambda: apply_due_reports,
        ),
        ChannelDue(
            "rcs_queue", DueStage.QUEUE, next_waiting(Channel.RCS), in_rounds(RcsDispatcher)
        ),
        ChannelDue(
            "rcs_outcomes", DueStage.OUTCOMES, next_to_settle(Channel.RCS), lambda: reconcile
        ),
    ),
)
