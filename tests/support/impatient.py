"""`svc` that waits for seconds where production waits for minutes and days: for live sends that
were cut off.
"""

from datetime import timedelta
from importlib import import_module

from cli.app import main
from core import messaging
from core.messaging import accept_statement, timeouts
from core.webhooks.delivery import claim

accept_statement.CLAIM_LEASE = timedelta(seconds=1)  # type: ignore[attr-defined]
messaging.RECONCILE_AFTER = timedelta(seconds=1)
timeouts.RECONCILE_AFTER = timedelta(seconds=1)
timeouts.RECONCILE_INTERVAL = timedelta(seconds=0.5)
timeouts.HOLD_TTL = timedelta(seconds=0.5)
timeouts.NOT_FOUND_TIMEOUT = timedelta(seconds=4)
timeouts.FIRST_REPEAT_AFTER = timedelta(seconds=1)
claim.LEASE = timedelta(seconds=2)
import_module("core.messaging.reconcile").LEASE = timedelta(seconds=2)  # type: ignore[attr-defined]

if __name__ == "__main__":
    main()
