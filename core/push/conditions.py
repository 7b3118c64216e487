"""What a filter of dispatches says in SQL, whoever asks."""

from collections.abc import Sequence
from datetime import datetime

from core.foundation.where import Where


def narrow_dispatches(
    where: Where,
    *,
    status: Sequence[str] | None = None,
    origin: Sequence[str] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    alias: str = "push_dispatches",
) -> None:
    """Add the conditions that were asked for."""
    for condition, value in (
        ("status = ANY ({}::text[])", None if status is None else list(status)),
        ("origin = ANY ({}::text[])", None if origin is None else list(origin)),
    ):
        if value is not None:
            where.narrow(f"{alias}.{condition}", value)
    where.narrow_period(f"{alias}.created_at", since, until)
