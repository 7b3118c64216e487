"""What a way through a journey costs and how long it takes, at most."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core import wallet
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.journeys.models import JourneyChannel
from core.journeys.quoted import lock_quote
from core.journeys.step_configs import WaitConfig
from core.journeys.steps import (
    AnyStep,
    AwaitEventStep,
    ConditionStep,
    ExitStep,
    MessageStep,
    SplitStep,
    WaitStep,
)
from core.journeys.ways import coins_of, segments_of

DAYS_OF_A_WEEK = 7


@dataclass(frozen=True, slots=True)
class Estimate:
    """For one person: coins as splits share them out and otherwise the dearer way; hours of the
    longer way.
    """

    coins: float
    hours: float


async def estimate(
    caller: Caller,
    steps: list[AnyStep],
    entry: str,
    *,
    quote_id: str | None = None,
    at: datetime,
) -> Estimate:
    """Of one person from the first step on. A wait for a date in an attribute counts as none, and
    a message as the prices are now, or as a quote promises the next one.
    """
    prices = await _prices(caller, steps, at=at)
    if quote_id is not None:
        promised = (await lock_quote(caller, quote_id, at=at)).prices
        prices = {one: min(price, promised.get(one, price)) for one, price in prices.items()}
    known: dict[str | None, Estimate] = {None: Estimate(0, 0)}
    _add_up({step.id: step for step in steps}, entry, prices, known)
    return known[entry]


def _add_up(
    nodes: Mapping[str, AnyStep],
    id: str | None,
    prices: Mapping[JourneyChannel, int],
    known: dict[str | None, Estimate],
) -> Estimate:
    """From a step on; the graph has no circle, and each step is looked at once."""
    if id is None or id in known:
        return known[id]
    step = nodes[id]
    ways = [(share, _add_up(nodes, next, prices, known)) for share, next in _ways(step)]
    if isinstance(step, SplitStep):
        coins = sum(share * way.coins for share, way in ways)
    else:
        coins = max((way.coins for _, way in ways), default=0)
    hours = max((way.hours for _, way in ways), default=0)
    known[id] = Estimate(coins + _coins(step, prices), hours + _hours(step))
    return known[id]


def _ways(step: AnyStep) -> list[tuple[float, str | None]]:
    """The steps that may follow, with the share of those who go there where a split says it."""
    match step:
        case AwaitEventStep(config=config) | ConditionStep(config=config):
            return [(1, config.then), (1, config.otherwise)]
        case SplitStep(config=split):
            return [(branch.percent / 100, branch.next) for branch in split.branches]
        case ExitStep():
            return []
    return [(1, step.next)]


def _hours(step: AnyStep) -> float:
    match step:
        case WaitStep(config=config):
            return _wait(config)
        case AwaitEventStep(config=awaited):
            return awaited.deadline_hours
    return 0


def _wait(config: WaitConfig) -> float:
    if config.hours is not None:
        return config.hours
    if config.until is None:
        return 0
    days = sorted(set(config.until.days or range(DAYS_OF_A_WEEK)))
    after = [*days[1:], days[0] + DAYS_OF_A_WEEK]
    return 24 * max(next - day for day, next in zip(days, after, strict=True))


def _coins(step: AnyStep, prices: Mapping[JourneyChannel, int]) -> int:
    if not isinstance(step, MessageStep):
        return 0
    channel = step.config.channel
    return prices[channel] * segments_of(channel, step.config.text)


async def _prices(
    caller: Caller, steps: list[AnyStep], *, at: datetime
) -> dict[JourneyChannel, int]:
    """The coins of one message of each channel that is used; none where nothing is charged."""
    used = {step.config.channel for step in steps if isinstance(step, MessageStep)}
    if not current().charges:
        return dict.fromkeys(used, 0)
    prices = await wallet.price_sheet(caller.organization_id, at=at)
    return {channel: coins_of(channel, 1, prices) for channel in used}
