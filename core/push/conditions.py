"""The filters of dispatches and devices as SQL conditions."""

from collections.abc import Sequence
from datetime import datetime

from core.foundation.database.where import Where


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
    where.narrow_given(
        (f"{alias}.status = ANY ({{}}::text[])", status),
        (f"{alias}.origin = ANY ({{}}::text[])", origin),
    )
    where.narrow_period(f"{alias}.created_at", since, until)


ACTIVE = "({t}.opted_in AND {t}.deactivated_at IS NULL)"
"""Of a device: it is sent to."""


def narrow_devices(
    where: Where,
    *,
    contact_id: str | None = None,
    app_id: str | None = None,
    platform: str | None = None,
    active: bool | None = None,
    alias: str = "push_devices",
) -> None:
    """Add the conditions that were asked for."""
    where.narrow_given(
        (f"{alias}.contact_id = {{}}", contact_id),
        (f"{alias}.app_id = {{}}", app_id),
        (f"{alias}.platform = {{}}", platform),
    )
    if active is not None:
        # Written out: those that are not are found by an index of theirs.
        where.narrow(f"{'' if active else 'NOT '}{ACTIVE.format(t=alias)}")
