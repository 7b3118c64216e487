"""How long the outcome of a send may stay unknown: one set of times for every channel."""

from datetime import timedelta

RECONCILE_AFTER = timedelta(seconds=60)
"""How long an open message is left to whoever hands it over, before its provider is asked."""

RECONCILE_INTERVAL = timedelta(seconds=10)
"""How long after an answer that told nothing the provider is asked again."""

NOT_FOUND_TIMEOUT = timedelta(minutes=10)
"""How long a provider that does not know a message is asked again, and a platform that cannot be
asked may still report on it, before the message counts as indeterminate.
"""

RECONCILE_TIMEOUT = timedelta(hours=72)
"""How long a provider that gives no readable answer is asked."""

HOLD_TTL = timedelta(hours=72)
"""How long the price of an indeterminate message stays held, in case a delivery report still comes."""

RETRY_INTERVAL = timedelta(seconds=60)
"""When a provider that took nothing is tried again, unless it told when."""

NO_PROVIDER_PAUSE = timedelta(minutes=1)
"""When a message is looked at again that nobody is configured to carry."""

REPORT_TIMEOUT = timedelta(hours=72)
"""How long a message is waited for that nobody reports on; some never are."""

UNMATCHED_RETRY_INTERVAL = timedelta(seconds=30)
"""When a delivery report whose message is not known yet is first tried again."""

UNMATCHED_TTL = timedelta(hours=24)
"""How long it is tried."""

FIRST_REPEAT_AFTER = timedelta(seconds=60)
"""When a message that its provider does not know is first handed over again."""

MAX_REPEATS = 4
"""How often that is done, each time after twice as long."""

STUCK_BATCH_SIZE = 50
"""Messages that are reconciled at a time."""
