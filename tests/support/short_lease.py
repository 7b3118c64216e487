"""`svc` with short leases of deliveries and notices: a test of a killed worker cannot wait a minute
for them.
"""

from datetime import timedelta

from cli.app import main
from core.conversations.inbound import apply
from core.webhooks.delivery import claim

claim.LEASE = timedelta(seconds=2)
apply.LEASE = timedelta(seconds=2)  # type: ignore[attr-defined]

if __name__ == "__main__":
    main()
