"""SMS as everybody else knows it: what is asked of it, what it costs, and what workers do for it."""

from collections.abc import Mapping
from functools import partial

from core import quotes, wallet
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
from core.sms.amazon import AmazonEvents, AmazonLogs
from core.sms.channel import CHANNEL
from core.sms.delivery_reports.sandbox import REPORT_BATCH_SIZE, apply_due_reports
from core.sms.delivery_reports.unmatched import UNMATCHED_BATCH_SIZE, retry_unmatched
from core.sms.encoding import encode_sms
from core.sms.errors import QuoteOnlyRoute
from core.sms.inputs import MAX_TEXT_LENGTH, NewSms, SmsRoute
from core.sms.queries import get_message
from core.sms.queue.accept import queue_messages, queue_quoted_messages, queued_sms
from core.sms.queue.dispatcher import SmsDispatcher
from core.sms.reconcile import reconcile
from core.sms.replies import get_reply
from core.sms.send import send_message


async def _send(caller: Caller, new: NewSms, key: str) -> Mapping[str, object]:
    return await send_message(caller, new, idempotency_key=key)


def _fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    return {
        "to": address,
        "contactId": asked.contact_id,
        "body": asked.body or ".",
        "route": asked.rota or "premium",
    }


def _steps(prices: wallet.PriceSheet, asked: quotes.QuotedSend) -> list[quotes.Step]:
    rate = existing(prices.rates.get(asked.route), QuoteOnlyRoute)
    segments = 1 if asked.body is None else encode_sms(asked.body).segments
    return rate.steps(asked.messages * segments)


def _draft(message: JourneyMessage, contact_id: str) -> NewSms:
    return NewSms(
        to=A_PHONE, body=message.text or "", route=SmsRoute.PREMIUM, contact_id=contact_id
    )


def _segments(text: str) -> int:
    return encode_sms(text).segments


BY_JOURNEY = QueuedByJourney(
    draft=_draft,
    address=lambda one: one.phone,
    request=queued_sms,
    queue=queue_messages,
    queue_quoted=queue_quoted_messages,
    segments=_segments,
)

PACKAGE = ChannelPackage(
    channels=(AnyChannel.SMS,),
    messages=CHANNEL,
    show=get_message,
    show_reply=get_reply,
    asks=SendWay(
        NewSms,
        _send,
        _fields,
        {"route": "rota"},
        {"marketing": "premium", "transacional": "otp"},
        route_in="rota",
    ),
    prices=quotes.PricedChannel(frozenset(route.value for route in SmsRoute), _steps),
    journey=JourneyWay(carry=BY_JOURNEY.carry, segments=_segments, longest=MAX_TEXT_LENGTH),
    work={
        Job.APPLY_SMS_REPORTS: partial(
            PollingLoop, apply_due_reports, batch=REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.RECONCILE_SMS: partial(PollingLoop, reconcile, batch=STUCK_BATCH_SIZE, poll_seconds=2),
        Job.RETRY_UNMATCHED_SMS: partial(
            PollingLoop, retry_unmatched, batch=UNMATCHED_BATCH_SIZE, poll_seconds=5
        ),
        Job.SEND_SMS: SmsDispatcher,
        Job.RECEIVE_AMAZON_EVENTS: AmazonEvents,
        Job.READ_AMAZON_LOGS: AmazonLogs,
    },
    dues=(
        ChannelDue(
            "sms_reports",
            DueStage.REPORTS,
            next_report(AnyChannel.SMS),
            lambda: apply_due_reports,
        ),
        ChannelDue(
            "sms_queue", DueStage.QUEUE, next_waiting(Channel.SMS), in_rounds(SmsDispatcher)
        ),
        ChannelDue(
            "sms_outcomes", DueStage.OUTCOMES, next_to_settle(Channel.SMS), lambda: reconcile
        ),
    ),
)
