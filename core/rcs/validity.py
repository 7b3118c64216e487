"""How long after its time an RCS message, or the SMS in its stead, is worth handing over."""

from datetime import timedelta

VALIDITY = {"easy_rcs": timedelta(hours=4), "easy_otp_rcs": timedelta(minutes=10)}
"""By route, as for an SMS that waits."""

EXPIRED = "expired"
"""The reason of a message that nobody took within it."""
