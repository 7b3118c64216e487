"""Traffic over time: hours of the day, days of the week, and campaigns that send much at once."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import accumulate
from random import Random

from cli.seed.brazil.texts import THEMES, Theme

SLOT = timedelta(minutes=10)
SLOTS_PER_DAY = 144
LOCAL = timedelta(hours=-3)
"""Brasília, which has had no summer time since 2019."""

BY_HOUR = (
    0.3, 0.2, 0.1, 0.1, 0.1, 0.3, 1.0, 3.0, 6.0, 9.0, 10.0, 9.5, 8.0, 7.5, 8.0, 8.5, 8.5, 8.0,
    7.0, 5.0, 3.5, 2.0, 1.2,
    0.6,
)  # fmt: skip
BY_WEEKDAY = (1.0, 1.05, 1.03, 1.02, 1.0, 0.45, 0.12)
"""From Monday."""
CAMPAIGN_SHARE = 0.55
"""Of all messages."""
DAYS_PER_CAMPAIGN = 2.2
CAMPAIGN_HOURS = (9, 18)


@dataclass(frozen=True, slots=True)
class Campaign:
    """A tag under which many get the same text."""

    id: str
    theme: Theme


@dataclass(slots=True)
class Slot:
    """Ten minutes: how much traffic of its own they have, and how much of each campaign."""

    begin: datetime
    weight: float
    campaigns: list[tuple[Campaign, float]] = field(default_factory=list)

    @property
    def whole(self) -> float:
        """All its traffic together."""
        return self.weight + sum(weight for _, weight in self.campaigns)

    def pick(self, chance: float) -> Campaign | None:
        """Whose message it is: a campaign's, or none's. `chance` lies in [0, 1)."""
        left = chance * self.whole - self.weight
        for campaign, weight in self.campaigns:
            if left < 0:
                return None
            left -= weight
            if left < 0:
                return campaign
        return None


class Rhythm:
    """The moments of `count` messages over `days` days, in their order in time."""

    def __init__(self, begin: datetime, days: int, count: int, random: Random) -> None:
        self._slots = _everyday(begin, days, random)
        _add_campaigns(self._slots, days, random)
        whole = list(accumulate(slot.whole for slot in self._slots))
        self._until = [round(sum_ / whole[-1] * count) for sum_ in whole]

    def moments(
        self, first: int, last: int, random: Random
    ) -> Iterator[tuple[datetime, Campaign | None]]:
        """When the messages `first` up to before `last` go out, and for which campaign; never back
        in time.
        """
        place = bisect_right(self._until, first)
        for number in range(first, last):
            while self._until[place] <= number:
                place += 1
            slot = self._slots[place]
            before = self._until[place - 1] if place else 0
            share = (number - before + random.random()) / (self._until[place] - before)
            yield slot.begin + share * SLOT, slot.pick(random.random())


def _everyday(begin: datetime, days: int, random: Random) -> list[Slot]:
    """What goes out on every day, by hour and weekday, slowly growing."""
    slots = []
    for day in range(days):
        mood = (0.75 + 0.5 * day / days) * (0.85 + 0.3 * random.random())
        for part in range(SLOTS_PER_DAY):
            at = begin + timedelta(days=day) + part * SLOT
            local = at + LOCAL
            slots.append(Slot(at, mood * BY_HOUR[local.hour] * BY_WEEKDAY[local.weekday()]))
    return slots


def _add_campaigns(slots: list[Slot], days: int, random: Random) -> None:
    """Campaigns on working hours and never on a Sunday, scaled to their share of the whole."""
    everyday = sum(slot.weight for slot in slots)
    placed = [
        drawn
        for _ in range(max(1, round(days / DAYS_PER_CAMPAIGN)))
        if (drawn := _campaign(slots, random)) is not None
    ]
    whole = sum(sum(weights) for _, _, weights in placed)
    for campaign, first, weights in placed:
        for slot, weight in zip(slots[first:], weights, strict=False):
            slot.campaigns.append(
                (campaign, weight / whole * everyday * CAMPAIGN_SHARE / (1 - CAMPAIGN_SHARE))
            )


def _campaign(slots: list[Slot], random: Random) -> tuple[Campaign, int, list[float]] | None:
    """A campaign, its first slot, and how much it sends in each from there on: most of it at once."""
    first = int(random.random() * len(slots))
    theme = THEMES[int(random.random() * len(THEMES))]
    size, length = 0.3 + random.random() ** 3 * 4, 3 + int(random.random() * 9)
    local = slots[first].begin + LOCAL
    hour = CAMPAIGN_HOURS[0] + int(random.random() * (CAMPAIGN_HOURS[1] - CAMPAIGN_HOURS[0]))
    first += (hour - local.hour) * 6 + (SLOTS_PER_DAY if local.weekday() == 6 else 0)
    if not 0 <= first < len(slots) or (slots[first].begin + LOCAL).weekday() == 6:
        return None
    on = slots[first].begin + LOCAL
    return (
        Campaign(f"{on:%Y-%m-%d}-{theme.name}", theme),
        first,
        [size * 0.8**turn for turn in range(length)],
    )
