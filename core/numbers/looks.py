"""How often the platform is asked how a number fares, and what it said last: the memory of this
process.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.numbers.models import Number
from core.providers.platform import Health, Upstream

EVERY = timedelta(seconds=5)
"""A number is asked about once in this time, whoever wants to know and whatever came of it."""
MOST_REMEMBERED = 5_000


@dataclass(slots=True)
class Look:
    """The last time that the platform was asked about a number. `failure`: why it did not answer
    then.

    `health`: the last that it told, at `told_at`; the row of the number holds most of that, but not
    all.
    """

    asked_at: datetime | None = None
    failure: Upstream | None = None
    told_at: datetime | None = None
    health: Health | None = None

    def is_over(self, at: datetime) -> bool:
        """Whether it may be asked again. A clock that was set back stops nobody."""
        return self.asked_at is None or not self.asked_at <= at < self.asked_at + EVERY

    def health_in(self, number: Number) -> Health | None:
        """What the platform told, unless the number has learned something newer since."""
        return self.health if self.told_at == number.last_meta_sync_at else None


_looks: OrderedDict[str, Look] = OrderedDict()


def last_look(number: Number) -> Look:
    """The last look at this number, or one that has yet to happen."""
    look = _looks.setdefault(number.id, Look())
    _looks.move_to_end(number.id)
    if len(_looks) > MOST_REMEMBERED:
        _looks.popitem(last=False)
    return look
