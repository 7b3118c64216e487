"""What became of an SMS, and how long it took."""

import math
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from core.messaging import Status
from core.providers import sandbox


@dataclass(frozen=True, slots=True)
class DrawnOutcome:
    """An end. `accepted`: the provider took it, so it was sent and paid."""

    status: Status
    reason: str | None = None
    accepted: bool = True

    @property
    def reported(self) -> bool:
        """Whether a report told it."""
        return self.accepted and self.status is not Status.SENT


SILENCE = DrawnOutcome(Status.SENT)
"""No report, ever."""
DELIVERED = DrawnOutcome(Status.DELIVERED)

LIVE = (
    (0.940, DELIVERED),
    (0.030, DrawnOutcome(Status.UNDELIVERED, "carrier_rejected")),
    (0.008, DrawnOutcome(Status.FAILED, "invalid_number")),
    (0.006, DrawnOutcome(Status.FAILED, "expired")),
    (0.003, DrawnOutcome(Status.FAILED, "blacklisted")),
    (0.003, DrawnOutcome(Status.FAILED, "invalid_number", accepted=False)),
    (0.010, SILENCE),
)
"""How often each end comes."""
_UNTIL = list(accumulate(share for share, _ in LIVE))
_OUTCOMES = [outcome for _, outcome in LIVE]


def live_outcome(random: Random) -> DrawnOutcome:
    """One of the ends, as often as it comes."""
    return random.choices(_OUTCOMES, cum_weights=_UNTIL)[0]


def sandbox_outcome(recipient: str) -> DrawnOutcome:
    """The end that the recipient's last digits stand for."""
    ending = sandbox.sms_ending(recipient)
    if ending.refused:
        return DrawnOutcome(Status.FAILED, accepted=False)
    return DrawnOutcome(Status(ending.status), ending.reason) if ending.status else SILENCE


def live_seconds(outcome: DrawnOutcome, route: str, random: Random) -> float:
    """From acceptance to report: seconds as a rule, hours for what is tried until it is too old."""
    if outcome.reason == "expired":
        return (600 if route == "otp" else 14_400) + 60 * random.random()
    typical = 2.5 if route == "otp" else 6.0
    if random.random() < 0.02:  # the phone was off
        typical = 900.0
    return 1.2 - typical * math.log(1 - random.random())
