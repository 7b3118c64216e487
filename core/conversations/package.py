"""Conversations as everybody else knows them: what is asked of them, what they cost, and what
workers do for them.
"""

from collections.abc import Mapping
from functools import partial

from core import quotes, wallet
from core.conversations.by_journey import BY_JOURNEY
from core.conversations.channel import CHANNEL
from core.conversations.delivery_reports.unmatched import BATCH_SIZE as UNMATCHED_BATCH_SIZE
from core.conversations.delivery_reports.unmatched import retry_unmatched
from core.conversations.inbound import (
    FILE_BATCH_SIZE,
    NOTICE_BATCH_SIZE,
    apply_due_notices,
    fetch_received,
)
from core.conversations.inputs import NewMessage
from core.conversations.queries import get_message
from core.conversations.queue.dispatcher import ConversationDispatcher
from core.conversations.queue.pacing import NEXT_WAITING
from core.conversations.queue.reconcile import reconcile
from core.conversations.sandbox import BATCH_SIZE as REPORT_BATCH_SIZE
from core.conversations.sandbox import apply_due_reports
from core.conversations.sending.send import send_message
from core.decisions import DecisionChannel, SendQuestion, SendWay
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop
from core.foundation.security.caller import Caller
from core.messaging import CONVERSATIONS, ChannelPackage, next_to_settle
from core.messaging.sandbox_dues import ChannelDue, DueStage, in_rounds
from core.messaging.timeouts import STUCK_BATCH_SIZE
from core.providers.sandbox import next_report


async def _send(caller: Caller, new: NewMessage, key: str) -> Mapping[str, object]:
    return await send_message(caller, new, idempotency_key=key)


def _fields(asked: SendQuestion, address: str | None) -> dict[str, object]:
    sender = "instagramAccountId" if asked.canal is DecisionChannel.INSTAGRAM else "numberId"
    told: dict[str, object] = {"to": address, "contactId": asked.contact_id, sender: asked.from_}
    if asked.template_id is not None:
        return {
            **told,
            "type": "template",
            "templateId": asked.template_id,
            "templateVars": asked.template_vars,
        }
    return {**told, "type": "text", "payload": {"text": asked.body or "."}}


def _steps(prices: wallet.PriceSheet, asked: quotes.QuotedSend) -> list[quotes.Step]:
    """Outside the service window; one that turns out to cost nothing uses nothing up."""
    return [(asked.messages, prices.template)]


PACKAGE = ChannelPackage(
    channels=tuple(channel for channel in AnyChannel if channel.facts.conversation),
    messages=CHANNEL,
    show=get_message,
    asks=SendWay(
        NewMessage,
        _send,
        _fields,
        {"numberId": "from", "instagramAccountId": "from", "payload": "body"},
    ),
    prices=quotes.PricedChannel(frozenset(["template"]), _steps),
    journey=BY_JOURNEY,
    work={
        Job.SEND_CONVERSATIONS: ConversationDispatcher,
        Job.RECONCILE_CONVERSATIONS: partial(
            PollingLoop, reconcile, batch=STUCK_BATCH_SIZE, poll_seconds=5
        ),
        Job.APPLY_CONVERSATION_REPORTS: partial(
            PollingLoop, apply_due_reports, batch=REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.APPLY_NOTICES: partial(
            PollingLoop, apply_due_notices, batch=NOTICE_BATCH_SIZE, poll_seconds=1
        ),
        Job.FETCH_RECEIVED_MEDIA: partial(
            PollingLoop, fetch_received, batch=FILE_BATCH_SIZE, poll_seconds=5
        ),
        Job.RETRY_UNMATCHED_CONVERSATIONS: partial(
            PollingLoop, retry_unmatched, batch=UNMATCHED_BATCH_SIZE, poll_seconds=5
        ),
    },
    dues=(
        ChannelDue(
            "conversation_reports",
            DueStage.REPORTS,
            next_report(*CONVERSATIONS),
            lambda: apply_due_reports,
        ),
        ChannelDue(
            "conversation_queue", DueStage.QUEUE, NEXT_WAITING, in_rounds(ConversationDispatcher)
        ),
        ChannelDue(
            "conversation_outcomes",
            DueStage.OUTCOMES,
            next_to_settle(*CONVERSATIONS),
            lambda: reconcile,
        ),
    ),
)
