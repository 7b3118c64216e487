"""The price of each past SMS: by the organization's table and the volume of its month so far."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from cli.seed.errors import NothingSold
from cli.seed.run import Run
from core import wallet
from core.foundation.settings import current

ROUTES = ("premium", "otp")
Month = tuple[int, int]
MonthRoute = tuple[int, int, str]


@dataclass(slots=True)
class MonthlyPrices:
    """The rates of some months. A live send moves the volume of its month, a sandbox one never
    does.
    """

    rates: dict[MonthRoute, wallet.Rate]
    accepted: Counter[MonthRoute]
    moving: bool
    charged: bool

    def price(self, at: datetime, route: str, segments: int) -> int:
        """Coins for the next message of this size that is accepted at this time."""
        if not self.charged:
            return 0
        key = (at.year, at.month, route)
        return wallet.price_of_segments(
            self.rates[key].bands, accepted=self.accepted[key], segments=segments
        )

    def accept(self, at: datetime, route: str, segments: int) -> None:
        """Count an accepted message."""
        if self.moving:
            self.accepted[at.year, at.month, route] += segments

    @property
    def routes(self) -> tuple[str, ...]:
        """The routes that have a price; a table holds for every month."""
        return tuple(route for route in ROUTES if any(key[2] == route for key in self.rates))


async def read_prices(run: Run, *, lock: bool = False) -> MonthlyPrices:
    """The prices of the months of a run as they stand now. Raises NothingSold."""
    live = run.owner[1] == "live"
    rates: dict[MonthRoute, wallet.Rate] = {}
    for month in _months(run.begin, run.as_of):
        of_month = await wallet.read_rates(
            [(run.owner[0], route) for route in ROUTES],
            at=datetime(*month, 1, tzinfo=UTC),
            lock=lock and live,
        )
        rates |= {(*month, route): rate for (_, route), rate in of_month.items()}
    accepted = Counter({key: rate.accepted for key, rate in rates.items()})
    prices = MonthlyPrices(rates, accepted, moving=live, charged=current().charges)
    if not prices.routes:
        raise NothingSold
    return prices


async def add_volumes(run: Run, segments: Counter[MonthRoute]) -> None:
    """Count what was accepted into the months' volumes, which `read_prices` has locked."""
    for month in sorted({key[:2] for key in segments}):
        of_month = {
            (run.owner[0], key[2]): many for key, many in segments.items() if key[:2] == month
        }
        await wallet.add_volume(of_month, at=datetime(*month, 1, tzinfo=UTC))


def _months(begin: datetime, end: datetime) -> Iterable[Month]:
    year, month = begin.year, begin.month
    while (year, month) <= (end.year, end.month):
        yield year, month
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
