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
from core.messaging import ChannelPackage
from core.messaging.timeouts import STUCK_BATCH_SIZE
from core.rcs.channel import CHANNEL
from core.rcs.delivery_reports.sandbox import REPORT_BATCH_SIZE, apply_due_reports
from core.rcs.errors import RouteWithoutPrice
from core.rcs.inputs import NewRcs, RcsRoute
from core.rcs.price import SMS_ROUTE
from core.rcs.queries import get_message
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


PACKAGE = ChannelPackage(
    channels=(AnyChannel.RCS,),
    messages=CHANNEL,
    show=get_message,
    asks=SendWay(NewRcs, _send, _fields, {"route": "rota", "content": "body"}),
    prices=quotes.PricedChannel(frozenset(route.value for route in RcsRoute), _steps),
    work={
        Job.SEND_RCS: RcsDispatcher,
        Job.APPLY_RCS_REPORTS: partial(
            PollingLoop, apply_due_reports, batch=REPORT_BATCH_SIZE, poll_seconds=0.2
        ),
        Job.RECONCILE_RCS: partial(PollingLoop, reconcile, batch=STUCK_BATCH_SIZE, poll_seconds=2),
    },
)
