"""The gateway's message states, as statuses of ours."""

from typing import Literal, get_args

from core.providers.contracts import RcsRefusal, SmsRefusal

FinalStatus = Literal["delivered", "read", "undelivered", "failed"]

MEANINGS: dict[str, tuple[FinalStatus, str | None]] = {
    "DELIVRD": ("delivered", None),
    "READ": ("read", None),
    "UNDELIV": ("undelivered", "carrier_rejected"),
    "REJECTD": ("failed", "invalid_number"),
    "EXPIRED": ("failed", "expired"),
    "BLACKLISTED": ("failed", "blacklisted"),
}
REJECTED = "REJECTD"
REASONS = frozenset({*get_args(SmsRefusal), *get_args(RcsRefusal), "expired"})
"""Those of the interface's reasons that a carrier can give; the others are our own words."""


def meaning_of(
    state: str, given_reason: str | None = None
) -> tuple[FinalStatus | None, str | None]:
    """Status and reason of a state. (None, None): one that moves nothing, such as ACCEPTD, ENROUTE
    or UNKNOWN.

    Only a rejection has a reason of its own to give; one that we do not know leaves the usual one.
    """
    state = state.strip().upper()
    if state not in MEANINGS:
        return None, None
    status, reason = MEANINGS[state]
    return status, given_reason if state == REJECTED and given_reason in REASONS else reason
