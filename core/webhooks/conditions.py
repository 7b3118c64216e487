"""Which subscriptions are shown: the conditions of a filter, for every door."""

from core.foundation.where import Where


def narrow_subscriptions(where: Where, *, status: str | None = None, event: str | None = None) -> None:
    """Add the conditions that are asked for. `event`: one of those that are subscribed."""
    if status is not None:
        where.narrow("status = {}", status)
    if event is not None:
        where.narrow("events @> ARRAY[{}::text]", event)
