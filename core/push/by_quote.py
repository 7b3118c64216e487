"""What a notification costs: the present price, or that of a quote, which is never more."""

from dataclasses import dataclass
from datetime import datetime

from core import quotes
from core.foundation.absent import existing
from core.foundation.security.caller import Caller
from core.push.models import RateKind


@dataclass(frozen=True, slots=True)
class DevicePrice:
    """Coins for one device. `promise`: of the quote that is named, locked until the transaction ends."""

    unit: int
    quote_id: str | None = None
    promise: quotes.Promise | None = None

    @property
    def most(self) -> int | None:
        """How many devices the quote still promises; None where nothing limits them."""
        return None if self.promise is None or not self.unit else self.promise.remaining

    @property
    def prepaid(self) -> bool:
        """Whether it is paid from what is held for the quote."""
        return self.promise is not None and self.promise.prepaid

    async def use_up(self, devices: int) -> None:
        """Lower what is left of the quote."""
        if self.promise is None or not self.unit or not devices:
            return
        assert self.promise.item_id is not None, "it would have been refused"
        coins = devices * self.unit if self.prepaid else 0
        await quotes.use_up({self.promise.item_id: quotes.Use(devices, coins)})


async def price_by_quote(
    caller: Caller, quote_id: str, kind: RateKind, *, present: int, at: datetime
) -> DevicePrice:
    """The lower of the promised and the present price, in the transaction around. Raises
    UnknownQuote, QuoteExpired and QuoteOfAnotherRoute.
    """
    key = (caller.organization_id, caller.env, quote_id, kind.value)
    promises = await quotes.lock_promises([key], quotes.QuoteChannel.PUSH.value, at=at)
    promise = existing(promises.get(key), quotes.UnknownQuote)
    if promise.is_over:
        raise quotes.QuoteExpired
    if promise.item_id is None:
        raise quotes.QuoteOfAnotherRoute
    promised = min((coins for _, coins in promise.steps), default=present)
    return DevicePrice(min(present, promised), quote_id, promise)
