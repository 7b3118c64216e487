"""Which subscriptions are shown: the conditions of a filter, for every door."""

from datetime import datetime

from core.foundation.database.where import Where


def narrow_subscriptions(
    where: Where, *, status: str | None = None, event: str | None = None
) -> None:
    """Add the conditions that are asked for. `event`: one of those that are subscribed."""
    if status is not None:
        where.narrow("status = {}", status)
    if event is not None:
        where.narrow("events @> ARRAY[{}::text]", event)


def narrow_deliveries(
    where: Where,
    deliveries: str,
    type: str,
    *,
    status: str | None = None,
    event: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> None:
    """The same for deliveries of the alias `deliveries`; `type`: how the statement calls the type
    of their events.
    """
    if status is not None:
        where.narrow(f"{deliveries}.status = {{}}", status)
    if event is not None:
        where.narrow(f"{type} = {{}}", event)
    where.narrow_period(f"{deliveries}.created_at", since, until)
