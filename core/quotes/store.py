"""Keeping a promise of prices, and holding its money where that is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import wallet
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.quotes.models import Quote, QuoteItem
from core.quotes.promises import Step, cost
from core.quotes.record import QuoteChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class PromisedItem:
    """So many messages on one route, and the prices of their segments in the order of their use."""

    channel: QuoteChannel
    route: str
    messages: int
    steps: Sequence[Step]

    @property
    def segments(self) -> int:
        """Of all the messages."""
        return sum(count for count, _ in self.steps)

    @property
    def coins(self) -> int:
        """What all of them cost."""
        return cost(self.steps, self.segments)


async def store_quote(
    caller: Caller,
    items: Sequence[PromisedItem],
    *,
    valid_until: datetime,
    reserve: bool,
    at: datetime,
) -> str:
    """Keep what is promised, and answer the id. `reserve`: hold what all of it costs; raises
    InsufficientBalance.
    """
    id, coins = new_id("qte"), sum(item.coins for item in items)
    async with transaction():
        await Quote.create(
            id=id,
            **owned_by(caller),
            coins=coins,
            reserved=reserve,
            valid_until=valid_until,
            canceled_at=None,
            released_at=None,
            request_id=caller.request_id,
            created_at=at,
            updated_at=at,
        )
        await QuoteItem.bulk_create(
            [
                QuoteItem(
                    **owned_by(caller),
                    quote_id=id,
                    place=place,
                    channel=item.channel.value,
                    route=item.route,
                    messages=item.messages,
                    segments=item.segments,
                    remaining=item.segments,
                    steps=[list(step) for step in item.steps],
                    coins=item.coins,
                    held=item.coins if reserve else 0,
                )
                for place, item in enumerate(items)
            ]
        )
        if reserve and coins:
            await _hold(caller, id, coins, at=at)
    return id


async def _hold(caller: Caller, id: str, coins: int, *, at: datetime) -> None:
    owner = (caller.organization_id, caller.env)
    balance = (await wallet.lock_balances({owner})).get(owner)
    available = 0 if balance is None else balance.available
    if available < coins:
        raise wallet.InsufficientBalance(available=available, needed=coins)
    hold = wallet.hold(owner, id, coins, caller.request_id, id)
    await wallet.warn(await wallet.book([hold], at=at), at=at)
