"""Rights of a subscription: those of the key or account that created it, while they last."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from core.foundation.database.rows import HasColumns

SEES_PERSONAL_DATA = "({t}.pii_full AND ({t}.pii_until IS NULL OR {t}.pii_until > {at}))"
"""In SQL, of a row of webhook_subscriptions: whether it is told personal data whole at that moment.
"""


def sees_personal_data(subscription: HasColumns, *, at: datetime) -> bool:
    """The same of a row, or of a model's `vars`."""
    return told_whole(
        subscription["pii_full"] is True, cast("datetime | None", subscription["pii_until"]), at=at
    )


def told_whole(pii_full: bool, until: datetime | None, *, at: datetime) -> bool:
    """The same of the two columns."""
    return pii_full and (until is None or until > at)


@dataclass(frozen=True, slots=True)
class Creator:
    """What a subscription has of who creates it: the key, None where a person does, and whether and
    until when it sees personal data.
    """

    key_id: str | None
    pii_full: bool
    pii_until: datetime | None
