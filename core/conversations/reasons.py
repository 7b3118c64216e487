"""Failure reasons that code can compare; `last_error` is the sentence for people."""

from enum import StrEnum

CANCELED = "cancelada"
"""`lastError` of a message that was called off."""


class Reason(StrEnum):
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


TEMPORARY = frozenset({Reason.THROTTLED, Reason.UPSTREAM, Reason.NUMBER_UNAVAILABLE})
"""Failures that another try may not meet."""

BY_CODE = {
    "4": Reason.THROTTLED,
    "17": Reason.THROTTLED,
    "32": Reason.THROTTLED,
    "341": Reason.THROTTLED,
    "429": Reason.THROTTLED,
    "613": Reason.THROTTLED,
    "80007": Reason.THROTTLED,
    "80008": Reason.THROTTLED,
    "130429": Reason.THROTTLED,
    "131048": Reason.THROTTLED,
    "131056": Reason.THROTTLED,
    "1": Reason.UPSTREAM,
    "2": Reason.UPSTREAM,
    "131000": Reason.UPSTREAM,
    "131016": Reason.UPSTREAM,
    "131057": Reason.UPSTREAM,
    "133004": Reason.UPSTREAM,
    "network": Reason.UPSTREAM,
    "no_platform": Reason.UPSTREAM,
    "unavailable": Reason.UPSTREAM,  # ours: the database was away before anything was handed over
    "131026": Reason.NOT_ON_CHANNEL,
    "131047": Reason.WINDOW_CLOSED,
    "2534022": Reason.WINDOW_CLOSED,
    "131050": Reason.OPT_OUT,
    "0": Reason.NUMBER_UNAVAILABLE,
    "33": Reason.NUMBER_UNAVAILABLE,
    "190": Reason.NUMBER_UNAVAILABLE,
    "131031": Reason.NUMBER_UNAVAILABLE,
    "131037": Reason.NUMBER_UNAVAILABLE,
    "131042": Reason.NUMBER_UNAVAILABLE,
    "131045": Reason.NUMBER_UNAVAILABLE,
    "133010": Reason.NUMBER_UNAVAILABLE,
    "TOKEN_ILEGIVEL": Reason.NUMBER_UNAVAILABLE,  # ours: the stored access token cannot be decrypted
    "132001": Reason.TEMPLATE_UNAVAILABLE,
    "132015": Reason.TEMPLATE_UNAVAILABLE,
    "132016": Reason.TEMPLATE_UNAVAILABLE,
}


def reason_of(code: str | None) -> Reason:
    """What a platform's code means. A status of HTTP counts as the platform's failure when it is
    one.
    """
    if code is None:
        return Reason.REJECTED
    if len(code) == 3 and code.startswith("5"):
        return Reason.UPSTREAM
    return BY_CODE.get(code, Reason.REJECTED)
