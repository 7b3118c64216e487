"""Why a queued message ended without being handed over: the same on every channel."""

CANCELED = "canceled"
"""Called off by its sender, or its recipient was erased."""

OPT_OUT = "opt_out"
"""The recipient said no while the message waited."""

ABANDONED = "abandoned"
"""The reason of a message that nobody took within its validity."""
