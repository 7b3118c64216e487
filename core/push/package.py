"""Push notifications as everybody else knows them: a dispatch is no message
(docs/decisions/0026-one-settlement.md).
"""

from functools import partial

from core import quotes, wallet
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop
from core.messaging import ChannelPackage
from core.push.models import RateKind
from core.push.queries import get_push
from core.push.sandbox_sender import SANDBOX_BATCH_SIZE, drain_sandbox
from core.push.start import START_BATCH_SIZE, start_due


def _steps(prices: wallet.PriceSheet, asked: quotes.QuotedSend) -> list[quotes.Step]:
    return [(asked.messages, prices.push[asked.route])]


PACKAGE = ChannelPackage(
    channels=(AnyChannel.PUSH,),
    show=get_push,
    prices=quotes.PricedChannel(frozenset(kind.value for kind in RateKind), _steps),
    work={
        Job.START_PUSH: partial(PollingLoop, start_due, batch=START_BATCH_SIZE, poll_seconds=1),
        Job.SEND_SANDBOX_PUSH: partial(
            PollingLoop, drain_sandbox, batch=SANDBOX_BATCH_SIZE, poll_seconds=1
        ),
    },
)
