"""Push notifications as everybody else knows them: a dispatch is no message
(docs/decisions/0026-one-settlement.md).
"""

from functools import partial

from core import quotes, wallet
from core.foundation.channels import AnyChannel
from core.foundation.jobs import Job
from core.foundation.polling import PollingLoop
from core.foundation.security.caller import Caller
from core.messaging import ChannelPackage
from core.messaging.channel_package import Narrow
from core.messaging.sandbox_dues import ChannelDue, DueStage
from core.push.audience import count_by_platform, reachable
from core.push.by_journey import BY_JOURNEY
from core.push.models import RateKind
from core.push.queries import get_push
from core.push.sandbox_sender import NEXT_SEND, SANDBOX_BATCH_SIZE, drain_sandbox
from core.push.start import NEXT_START, START_BATCH_SIZE, start_due


def _steps(prices: wallet.PriceSheet, asked: quotes.QuotedSend) -> list[quotes.Step]:
    return [(asked.messages, prices.push[asked.route])]


async def _devices(caller: Caller, narrow: Narrow) -> int:
    return sum((await count_by_platform(reachable(caller, narrow))).values())


WHOSE = "SELECT organization_id, env FROM push_dispatches WHERE id = $1"

PACKAGE = ChannelPackage(
    channels=(AnyChannel.PUSH,),
    show=get_push,
    whose={"psh": WHOSE},
    reaches=_devices,
    prices=quotes.PricedChannel(frozenset(kind.value for kind in RateKind), _steps),
    journey=BY_JOURNEY,
    work={
        Job.START_PUSH: partial(PollingLoop, start_due, batch=START_BATCH_SIZE, poll_seconds=1),
        Job.SEND_SANDBOX_PUSH: partial(
            PollingLoop, drain_sandbox, batch=SANDBOX_BATCH_SIZE, poll_seconds=1
        ),
    },
    dues=(
        ChannelDue("push_starts", DueStage.DISPATCHES, NEXT_START, lambda: start_due),
        ChannelDue("push_sends", DueStage.DISPATCHES, NEXT_SEND, lambda: drain_sandbox),
    ),
)
