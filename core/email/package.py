"""E-mail as everybody else knows it: what is asked of it, what it costs, and what workers do for it."""

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
from core.email.queue.release import MAX_IN_OUTBOX, QueueRelease
from core.email.send import send_message
from core.email.senders.sweep import CHECK_BATCH_SIZE, check_senders
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop
from core.foundation.security.caller import Caller
from core.messaging import ChannelPackage


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


PACKAGE = ChannelPackage(
    channels=(AnyChannel.EMAIL,),
    messages=CHANNEL,
    show=get_message,
    asks=SendWay(NewEmail, _send, _fields, {"text": "body"}),
    prices=quotes.PricedChannel(frozenset(one.value for one in EmailCategory), _steps),
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
)
