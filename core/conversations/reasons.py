"""Failure reasons that code can compare; `last_error` is the sentence for people."""

from enum import StrEnum

CANCELED = "cancelada"
"""`lastError` of a message that was called off."""


class FailureReason(StrEnum):
    """`reason` of a failed conversational message."""

    CANCELED = "canceled"
    INDETERMINATE = "indeterminate"
    """Handed over, and nothing was heard of it. A report may still revive it."""
    WINDOW_CLOSED = "window_closed"
    OPT_OUT = "opt_out"
    NOT_ON_CHANNEL = "not_on_channel"
    TEMPLATE_UNAVAILABLE = "template_unavailable"
    NUMBER_UNAVAILABLE = "number_unavailable"
    THROTTLED = "throttled"
    UPSTREAM = "upstream_failed"
    REJECTED = "rejected"


TEMPORARY = frozenset(
    {FailureReason.THROTTLED, FailureReason.UPSTREAM, FailureReason.NUMBER_UNAVAILABLE}
)
"""Failures that another try may not meet."""

BY_CODE = {
    "4": FailureReason.THROTTLED,
    "17": FailureReason.THROTTLED,
    "32": FailureReason.THROTTLED,
    "341": FailureReason.THROTTLED,
    "429": FailureReason.THROTTLED,
    "613": FailureReason.THROTTLED,
    "80007": FailureReason.THROTTLED,
    "80008": FailureReason.THROTTLED,
    "130429": FailureReason.THROTTLED,
    "131048": FailureReason.THROTTLED,
    "131056": FailureReason.THROTTLED,
    "1": FailureReason.UPSTREAM,
    "2": FailureReason.UPSTREAM,
    "131000": FailureReason.UPSTREAM,
    "131016": FailureReason.UPSTREAM,
    "131057": FailureReason.UPSTREAM,
    "133004": FailureReason.UPSTREAM,
    "network": FailureReason.UPSTREAM,
    "no_platform": FailureReason.UPSTREAM,
    "unavailable": FailureReason.UPSTREAM,  # ours: the database was away before anything was handed over
    "131026": FailureReason.NOT_ON_CHANNEL,
    "131047": FailureReason.WINDOW_CLOSED,
    "2534022": FailureReason.WINDOW_CLOSED,
    "131050": FailureReason.OPT_OUT,
    "0": FailureReason.NUMBER_UNAVAILABLE,
    "33": FailureReason.NUMBER_UNAVAILABLE,
    "190": FailureReason.NUMBER_UNAVAILABLE,
    "131031": FailureReason.NUMBER_UNAVAILABLE,
    "131037": FailureReason.NUMBER_UNAVAILABLE,
    "131042": FailureReason.NUMBER_UNAVAILABLE,
    "131045": FailureReason.NUMBER_UNAVAILABLE,
    "133010": FailureReason.NUMBER_UNAVAILABLE,
    "TOKEN_ILEGIVEL": FailureReason.NUMBER_UNAVAILABLE,  # ours: the stored access token cannot be decrypted
    "132001": FailureReason.TEMPLATE_UNAVAILABLE,
    "132015": FailureReason.TEMPLATE_UNAVAILABLE,
    "132016": FailureReason.TEMPLATE_UNAVAILABLE,
}


def reason_of(code: str | None) -> FailureReason:
    """What a platform's code means. A status of HTTP counts as the platform's failure when it is
    one.
    """
    if code is None:
        return FailureReason.REJECTED
    if len(code) == 3 and code.startswith("5"):
        return FailureReason.UPSTREAM
    return BY_CODE.get(code, FailureReason.REJECTED)
