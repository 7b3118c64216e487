"""E-mail as everybody else knows it: what is asked of it, what it costs, and what workers do for
it.
"""

from collections.abc import Mapping
from functools import partial

from core import quotes, wallet
from core.decisions import SendQuestion, SendWay
from core.email.channel import CHANNEL
from core.email.delivery_reports.sandbox import REPORT_BATCH_SIZE, apply_due_reports
from core.email.inputs import NewEmail
from core.email.models import EmailCategory
from core.email.outbox import OUTBOX_BATCH_SIZE, hand_over_due
from core.email.queries import get_message
from core.email.queue.accept import queue_messages, queue_quoted_messages, queued_email
from core.email.queue.release import MAX_IN_OUTBOX, QueueRelease
from core.email.send import send_message
from core.email.senders.sweep import CHECK_BATCH_SIZE, check_senders
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop
from core.foundation.security.caller import Caller
from core.messaging import Channel, ChannelPackage, next_to_settle, next_waiting
from core.messaging.by_journey import AN_ADDRESS, JourneyMessage, JourneyWay, QueuedByJourney
from core.messaging.sandbox_dues import ChannelDue, DueStage
from core.providers.sandbox import next_report


async def _send(caller: Caller, new: NewEmail, key: str) -> Mapping[str, object]:
    return await send_message(caller, new, idempotency_key=key)


def _fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    return {
        "to": address,
        "contactId": asked.contact_id,
        "from": asked.from_,
        "subject": ".",
        "text": asked.body or ".",
        "categoria": asked.categoria,
    }


def _steps(prices: wallet.PriceSheet, asked: quotes.QuotedSend) -> list[quotes.Step]:
    return [(asked.messages, prices.email)]


def _release() -> PollingLoop:
    return PollingLoop(QueueRelease().release_due, batch=MAX_IN_OUTBOX, poll_seconds=0.5)


def _draft(message: JourneyMessage, contact_id: str) -> NewEmail:
    return NewEmail.model_validate(
        {
            "to": AN_ADDRESS,
            "subject": message.subject,
            "text": message.text,
            "categoria": "marketing",
            "contactId": contact_id,
        }
    )


BY_JOURNEY = QueuedByJourney(
    draft=_draft,
    address=lambda one: one.email,
    request=queued_email,
    queue=queue_messages,
    queue_quoted=queue_quoted_messages,
)

PACKAGE = ChannelPackage(
    channels=(AnyChannel.EMAIL,),
    messages=CHANNEL,
    show=get_message,
    asks=SendWay(NewEmail, _send, _fields, {"text": "body"}, route_in="categoria"),
    prices=quotes.PricedChannel(frozenset(one.value for one in EmailCategory), _steps),
    journey=JourneyWay(carry=BY_JOURNEY.carry, has_subject=True),
    work={
        Job.RELEASE_EMAILS: _release,
        Job.HAND_OVER_EMAILS: partial(
            PollingLoop, hand_over_due, batch=OUTBOX_BATCH_SIZE, poll_seconds=1
        ),
        Job.APPLY_EMAIL_REPORTS: partial(
            PollingLoop, apply_due_reports, batch=REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.CHECK_SENDERS: partial(
            PollingLoop, check_senders, batch=CHECK_BATCH_SIZE, poll_seconds=10
        ),
    },
    dues=(
        ChannelDue(
            "email_reports",
            DueStage.REPORTS,
            next_report(AnyChannel.EMAIL),
            lambda: apply_due_reports,
        ),
        ChannelDue(
            "email_queue",
            DueStage.OUTBOX,
            next_waiting(Channel.EMAIL),
            lambda: QueueRelease().release_due,
        ),
        ChannelDue(
            "email_outbox", DueStage.OUTBOX, next_to_settle(Channel.EMAIL), lambda: hand_over_due
        ),
    ),
)
