"""Sends that name a quote: priced by it, and never more of them than it promised."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core import quotes
from core.conversations.sending.prepare import PreparedSend
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller

ROUTE = "template"
"""What has a price; everything else may be sent inside the service window only, and costs nothing."""

Prepared = PreparedSend | ServiceError


@dataclass(slots=True)
class QuotedSends:
    """The quotes of a call, locked until its transaction ends."""

    caller: Caller
    promises: dict[quotes.PromiseKey, quotes.Promise] = field(default_factory=dict)
    named: bool = False
    """Whether any of the sends names a quote."""

    @classmethod
    async def of(
        cls, caller: Caller, prepared: Sequence[Prepared], *, at: datetime
    ) -> "QuotedSends":
        """Lock the quotes that are named, before wallets and files."""
        quoted = cls(caller)
        keys = [quoted._key(one) for one in prepared if _is_quoted(one)]
        quoted.named = bool(keys)
        if keys:
            quoted.promises = await quotes.lock_promises(
                keys, quotes.QuoteChannel.WHATSAPP.value, at=at
            )
        return quoted

    def priced(self, prepared: Sequence[Prepared]) -> list[Prepared]:
        """Each at the lower of the promised and the present price, or refused."""
        if not self.named:
            return list(prepared)
        planned = {key: replace(promise) for key, promise in self.promises.items()}
        return [
            self._priced(one, planned.get(self._key(one))) if _is_quoted(one) else one
            for one in prepared
        ]

    def _priced(self, one: Prepared, promise: quotes.Promise | None) -> Prepared:
        assert isinstance(one, PreparedSend), "a refused one has no quote"
        usable = quotes.usable(promise)
        if isinstance(usable, ServiceError):
            return usable
        if not one.coins:
            return one
        if not usable.remaining:
            return quotes.QuoteExhausted(self.promises[self._key(one)].remaining)
        price = min(one.coins, usable.price(1))
        usable.remaining -= 1
        return replace(one, coins=price, prepaid=usable.prepaid)

    async def use_up(self, accepted: Sequence[Prepared]) -> None:
        """Lower what is left by those that are accepted, and cost something."""
        if not self.named:
            return
        used: dict[int, quotes.Use] = {}
        for one in accepted:
            if isinstance(one, PreparedSend) and _is_quoted(one) and one.coins:
                item_id = self.promises[self._key(one)].item_id
                assert item_id is not None, "it would have been refused"
                use = used.setdefault(item_id, quotes.Use())
                use.segments += 1
                use.coins += one.coins if one.prepaid else 0
        await quotes.use_up(used)

    def _key(self, one: Prepared) -> quotes.PromiseKey:
        assert isinstance(one, PreparedSend)
        assert one.request.quote_id is not None
        return (self.caller.organization_id, self.caller.env, one.request.quote_id, ROUTE)


def _is_quoted(one: Prepared) -> bool:
    return isinstance(one, PreparedSend) and one.request.quote_id is not None
