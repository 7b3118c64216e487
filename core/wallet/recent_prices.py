"""What a process takes for the present prices: read together, and remembered for two seconds."""

import time
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from typing import Generic, TypeVar

from core.cells import current
from core.foundation.bounded_cache import BoundedCache

RECENT_TTL_SECONDS = 2.0
"""How long a process takes a price for the present one. A hold stays safe: no price rises with the
volume.
"""

Key = TypeVar("Key", bound=Hashable)
Price = TypeVar("Price")


class RecentPrices(Generic[Key, Price]):
    """Prices as of these two seconds; what changed in this process is seen at once."""

    def __init__(
        self,
        known: BoundedCache[tuple[str, Key], tuple[Price, float]],
        organization_of: Callable[[Key], str],
    ) -> None:
        """`known`: by cell too, because what is renewed together is read in one cell."""
        self._known = known
        self._organization_of = organization_of

    async def of(
        self,
        keys: Collection[Key],
        read: Callable[[Collection[Key]], Awaitable[Mapping[Key, Price]]],
    ) -> dict[Key, Price]:
        """The prices under these keys. `read` reads those that hold now; it is asked for all that is
        about to be too old, in one query: with many owners the next batches find theirs.
        """
        cell, clock = current().name, time.monotonic()
        known = {key: self._known.get((cell, key)) for key in keys}
        prices = {key: one[0] for key, one in known.items() if one is not None and one[1] > clock}
        if len(prices) == len(known):
            return prices
        old = {
            key
            for (place, key), (_, until) in self._known.items()
            if place == cell and until <= clock + RECENT_TTL_SECONDS / 2
        }
        found = await read(old.union(keys))
        for key, price in found.items():
            self._known.put((cell, key), (price, clock + RECENT_TTL_SECONDS))
        return {key: found[key] for key in keys}

    def forget(self, organization_id: str) -> None:
        """What this process took for the present prices of an organization has changed."""
        whose = self._organization_of
        for known in [one for one, _ in self._known.items() if whose(one[1]) == organization_id]:
            self._known.forget(known)
