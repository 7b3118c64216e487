"""How SMS are settled: paid when they are accepted, by the volume of the month; failures are told."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from core import messaging, smpp, wallet
from core.messaging import (
    Money,
    NextState,
    PhoneVerdict,
    Settlement,
    Status,
    StoredMessage,
)
from core.providers.contracts import Accepted, Throttled
from core.sms.amazon.opt_out import note_opt_outs
from core.sms.delivery_reports.events import publish_status_events
from core.sms.errors import ProviderThrottled
from core.sms.record import send_record


def _next_state(one: Settlement[PhoneVerdict], row: StoredMessage) -> NextState:
    return messaging.phone_state(one, row, open=Status.SENDING, accepted=_accepted)


def _accepted(answer: Accepted) -> NextState:
    return NextState(Status.SENT, money=Money.CAPTURE, reference=answer.reference or None)


async def _final_prices(batch: messaging.Batch[PhoneVerdict]) -> dict[str, int]:
    """Count the accepted segments into the month's volume, each at the price of its own place in
    it: the band that holds now, but never above the hold. Tests move no volume.
    """
    prices = await messaging.held_prices(batch)
    accepted = [row for row in batch.captured if row["env"] == "live"]
    if not accepted:
        return prices
    routes = {row["id"]: (row["organization_id"], row["route"] or "") for row in accepted}
    rates = await wallet.read_rates(routes.values(), at=batch.at, lock=True)
    volumes = dict[tuple[str, str], int]()
    for row in accepted:
        route, segments = routes[row["id"]], row["segments"] or 0
        rate = rates.get(route)
        if rate:
            prices[row["id"]] = min(row["coins"], rate.price(segments))
            rates[route] = replace(rate, accepted=rate.accepted + segments)
        volumes[route] = volumes.get(route, 0) + segments
    await wallet.add_volume(volumes, at=batch.at)
    return prices


async def _tell_failures(rows: Sequence[StoredMessage], at: datetime) -> None:
    """sms.failed for what its recipient, a rule of ours or an unknown outcome ended; other refusals
    were told in the answer: no receipt follows.
    """
    failed = [row for row in rows if row["status"] == Status.FAILED]
    refused = [row["id"] for row in failed if messaging.was_refused(row)]
    await smpp.take_back_receipts(refused)
    await publish_status_events([row for row in failed if row["id"] not in refused], at=at)


def _refusal(id: str, verdict: PhoneVerdict) -> Exception:
    if isinstance(verdict, Throttled):
        return ProviderThrottled(id, retry_after=verdict.retry_after)
    return messaging.refusal_of(id, verdict)


POLICY: messaging.ChannelPolicy[PhoneVerdict] = messaging.ChannelPolicy(
    open=Status.SENDING,
    next_state=_next_state,
    tell=_tell_failures,
    prices=_final_prices,
    answer=send_record,
    refusal=_refusal,
)


async def settle(
    settlements: Sequence[Settlement[PhoneVerdict]],
) -> Sequence[messaging.Result]:
    """Settle SMS; answers the record of each, or the refusal that its request gets. Who opted out
    at the provider is denied afterwards.
    """
    results = await messaging.settle(POLICY, settlements)
    await note_opt_outs(settlements)
    return results
