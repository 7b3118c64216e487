"""`svc` that waits for seconds where production waits for minutes and days: for live sends that
were cut off.
"""

from datetime import timedelta

from cli.app import main
from core import messaging
from core.messaging import accept_statement, hand_over_again, reconcile
from core.sms import settle

accept_statement.CLAIM_LEASE = timedelta(seconds=1)  # type: ignore[attr-defined]
messaging.RECONCILE_AFTER = timedelta(seconds=1)
settle.RECONCILE_INTERVAL = timedelta(seconds=0.5)
settle.HOLD_TTL = timedelta(seconds=0.5)
reconcile.LEASE = timedelta(seconds=2)  # type: ignore[attr-defined]
reconcile.NOT_FOUND_TIMEOUT = hand_over_again.NOT_FOUND_TIMEOUT = timedelta(seconds=4)  # type: ignore[attr-defined]
hand_over_again.FIRST_REPEAT_AFTER = timedelta(seconds=1)

if __name__ == "__main__":
    main()
