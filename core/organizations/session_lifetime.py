"""How long a session lives."""

from datetime import datetime, timedelta

IDLE = timedelta(hours=12)
"""It ends when nobody has used it for so long."""

MAX_LIFETIME = timedelta(days=7)
"""It ends then, however much it is used."""


def end_of(created_at: datetime, *, used_at: datetime) -> datetime:
    """When a session ends that was used last at `used_at`."""
    return min(used_at + IDLE, created_at + MAX_LIFETIME)
