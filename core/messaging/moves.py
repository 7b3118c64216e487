"""The state machine of a message's status: which may follow which."""

from core.messaging.models import Status

RANK = {
    Status.QUEUED: 0,
    Status.SENDING: 1,
    Status.SENT: 2,
    Status.DELIVERED: 3,
    Status.UNDELIVERED: 3,
    Status.FAILED: 3,
    Status.READ: 4,
    Status.BOUNCED: 4,
    Status.COMPLAINED: 5,
    Status.ARCHIVED: -1,  # by a use case of its own, never by a report
}

ENDS = {
    Status.UNDELIVERED,
    Status.FAILED,
    Status.READ,
    Status.BOUNCED,
    Status.COMPLAINED,
    Status.ARCHIVED,
}

REVIVABLE = ("indeterminate", "expired")
"""Reasons for which a failed message may still turn out to be delivered."""


def may_become(status: Status, reason: str | None, new: Status) -> bool:
    """Whether a message in this state takes the new status; otherwise the receipt changes nothing."""
    if status is Status.FAILED and reason in REVIVABLE:
        return new in (Status.DELIVERED, Status.READ)
    return status not in ENDS and RANK[new] > RANK[status]


MOVES = tuple(
    (old.value, new.value) for old in Status for new in Status if may_become(old, None, new)
)
"""The pairs (from, to) that need no look at the reason, for set-based statements."""
