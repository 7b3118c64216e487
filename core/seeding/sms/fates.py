"""What became of an SMS, and how long it took."""

import math
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from core.messages import Status
from core.providers import sandbox


@dataclass(frozen=True, slots=True)
class Fate:
    """An end. `accepted`: the provider took it, so it was sent and paid."""

    status: Status
    reason: str | None = None
    accepted: bool = True

    @property
    def reported(self) -> bool:
        """Whether a report told it."""
        return self.accepted and self.status is not Status.SENT


SILENCE = Fate(Status.SENT)
"""No report, ever."""
DELIVERED = Fate(Status.DELIVERED)

LIVE = (
    (0.940, DELIVERED),
    (0.030, Fate(Status.UNDELIVERED, "carrier_rejected")),
    (0.008, Fate(Status.FAILED, "invalid_number")),
    (0.006, Fate(Status.FAILED, "expired")),
    (0.003, Fate(Status.FAILED, "blacklisted")),
    (0.003, Fate(Status.FAILED, "invalid_number", accepted=False)),
    (0.010, SILENCE),
)
"""How often each end comes."""
_UNTIL = list(accumulate(share for share, _ in LIVE))
_FATES = [fate for _, fate in LIVE]


def live_fate(random: Random) -> Fate:
    """One of the ends, as often as it comes."""
    return random.choices(_FATES, cum_weights=_UNTIL)[0]


def sandbox_fate(recipient: str) -> Fate:
    """The end that the recipient's last digits stand for."""
    ending = sandbox.sms_ending(recipient)
    if ending.refused:
        return Fate(Status.FAILED, accepted=False)
    return Fate(Status(ending.status), ending.reason) if ending.status else SILENCE


def live_seconds(fate: Fate, route: str, random: Random) -> float:
    """From acceptance to report: seconds as a rule, hours for what is tried until it is too old."""
    if fate.reason == "expired":
        return (600 if route == "otp" else 14_400) + 60 * random.random()
    typical = 2.5 if route == "otp" else 6.0
    if random.random() < 0.02:  # the phone was off
        typical = 900.0
    return 1.2 - typical * math.log(1 - random.random())
