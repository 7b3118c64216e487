"""Failure reasons that code can compare; `last_error` is the sentence for people."""

from core.foundation.described_enum import DescribedEnum

CANCELED = "cancelada"
"""`lastError` of a message that was called off."""


class FailureReason(DescribedEnum):
    """`reason` of a failed conversational message."""

    CANCELED = "canceled", "It was canceled while it waited"
    INDETERMINATE = "indeterminate", "What became of it could not be found out"
    WINDOW_CLOSED = "window_closed", "The 24 hours in which anything may be answered were over"
    OPT_OUT = "opt_out", "The recipient asked not to receive any while it waited"
    NOT_ON_CHANNEL = "not_on_channel", "The recipient does not use the platform"
    TEMPLATE_UNAVAILABLE = "template_unavailable", "Its template could not be used any more"
    NUMBER_UNAVAILABLE = "number_unavailable", "The number or the account could not send"
    THROTTLED = "throttled", "The platform takes no more at the time"
    UPSTREAM = "upstream_failed", "The platform failed, or could not be reached"
    REJECTED = "rejected", "The platform refused it"
    ABANDONED = "abandoned", "It waited for longer than it was worth sending"


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
