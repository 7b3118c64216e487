"""`svc` with a short lease of deliveries: a test of a killed worker cannot wait a minute for it to run out."""

from datetime import timedelta

from cli.app import main
from core.webhooks import deliver

deliver.LEASE = timedelta(seconds=2)

if __name__ == "__main__":
    main()
