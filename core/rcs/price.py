"""The price of an RCS message: the dearer way is held, the way it took is captured.

The hold is the dearer of the two ways. What went by RCS costs the RCS price, however long; what
went by its fallback costs that SMS, by the volume band of the route that stands in, which only live
messages move.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from core import messaging, wallet
from core.foundation.settings import current
from core.messaging import StoredMessage

SMS_ROUTE = {"easy_rcs": "premium", "easy_otp_rcs": "otp"}
"""The route by which the fallback leaves, and whose price it pays."""


@dataclass(frozen=True, slots=True)
class RcsPrice:
    """Coins by each way; `sms` is 0 without a fallback."""

    rcs: int
    sms: int

    @property
    def dearer(self) -> int:
        """What is held."""
        return max(self.rcs, self.sms)


AskedPrice: TypeAlias = tuple[str, str, int]
"""Organization, route, and segments of the fallback (0: none)."""


async def quotes_of(asked: Sequence[AskedPrice], *, at: datetime) -> list[RcsPrice | None]:
    """The prices that hold for messages at a time, in their order, as of these two seconds; None
    without a price.
    """
    prices = await wallet.recent_unit_prices({organization_id for organization_id, _, _ in asked})
    stand_ins = {(one[0], SMS_ROUTE[one[1]]) for one in asked if one[2]}
    rates = await wallet.recent_rates(stand_ins, at=at) if stand_ins else {}
    return [
        _quote(one, prices[one[0]].rcs.get(one[1]), rates.get((one[0], SMS_ROUTE[one[1]])))
        for one in asked
    ]


def _quote(asked: AskedPrice, rcs: int | None, stands_in: wallet.Rate | None) -> RcsPrice | None:
    segments = asked[2]
    if rcs is None or (segments and stands_in is None):
        return None
    sms = stands_in.price(segments) if segments and stands_in else 0
    return RcsPrice(rcs, sms) if current().charges else RcsPrice(0, 0)


def is_unpaid(row: StoredMessage) -> bool:
    """Whether the price is still held: then a time is set at which the message is looked at again."""
    return row["settle_at"] is not None


async def pay(rows: Sequence[StoredMessage], *, at: datetime) -> None:
    """Capture what is still held of these (locked) messages, by the way that each took: SMS where
    it says so, otherwise RCS. What was held beyond that is given back.
    """
    unpaid = [row for row in rows if is_unpaid(row)]
    if not unpaid:
        return
    prices = await _sms_prices([row for row in unpaid if row["path"] == "sms"], at=at)
    final = [(row, prices.get(row["id"], _rcs_price(row))) for row in unpaid]
    await messaging.pay_held(final, at=at)


async def give_back(rows: Sequence[StoredMessage], *, at: datetime) -> None:
    """Release what is still held of these (locked) messages: nothing left by any way."""
    await messaging.pay_held([(row, 0) for row in rows if is_unpaid(row)], at=at)


def _rcs_price(row: StoredMessage) -> int:
    """The price at the time of the send; without a fallback it is all that was held."""
    held = row["coins"]
    return min(held, row["fallback"]["rcsCoins"]) if row["fallback"] else held


async def _sms_prices(rows: Sequence[StoredMessage], *, at: datetime) -> dict[str, int]:
    """The final price of each SMS, never above its hold. Live segments count in the band, those of
    tests do not.
    """
    routes = {row["id"]: (row["organization_id"], SMS_ROUTE[row["route"] or ""]) for row in rows}
    live = {routes[row["id"]] for row in rows if row["env"] == "live"}
    rates = (
        await wallet.read_rates(set(routes.values()) - live, at=at)
        if set(routes.values()) - live
        else {}
    )
    if live:
        rates |= await wallet.read_rates(live, at=at, lock=True)
    prices, volumes = {}, dict[tuple[str, str], int]()
    for row in rows:
        route, held = routes[row["id"]], row["coins"]
        rate = rates.get(route)
        segments = row["fallback"]["segments"] if row["fallback"] else 1
        prices[row["id"]] = min(held, rate.price(segments)) if rate else held
        if row["env"] == "live":
            volumes[route] = volumes.get(route, 0) + segments
            if rate:
                rates[route] = replace(rate, accepted=rate.accepted + segments)
    if volumes:
        await wallet.add_volume(volumes, at=at)
    return prices
