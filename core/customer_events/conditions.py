"""Which customer events are shown: the conditions of a filter, for every entry point."""

from datetime import datetime

from core.foundation.database.where import Where


def narrow_events(
    where: Where,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    name: str | None = None,
    contact_id: str | None = None,
) -> None:
    """Add the conditions that are asked for. Both ends belong to the period in which the events
    happened.
    """
    where.narrow_period("occurred_at", since, until)
    where.narrow_given(
        ("name = {}", name),
        ("contact_id = {}", contact_id),
    )
