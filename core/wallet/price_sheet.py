"""All prices that hold for an organization at a moment, asked for in one statement."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.foundation.absent import without_none
from core.foundation.database import db
from core.wallet.price_table import CONVERSATION_TEMPLATE, EMAIL, PUSH, RCS, SMS
from core.wallet.rates import Rate, month_of, rate_of


@dataclass(frozen=True, slots=True)
class PriceSheet:
    """Coins by what is sold: SMS by route and volume, RCS by route, notifications by kind. What has no
    price is absent.
    """

    rates: Mapping[str, Rate]
    rcs: Mapping[str, int]
    push: Mapping[str, int]
    email: int
    template: int


async def price_sheet(organization_id: str, *, at: datetime) -> PriceSheet:
    """The prices of the organization at the volume of the month that `at` is in."""
    row = await db.fetch_one(SHEET, organization_id, month_of(at))
    volumes = row["volumes"] or {}
    rates = {route: rate_of(route, volumes.get(route, 0), row["sms"]) for route in SMS}
    other = row["other"] or {}
    return PriceSheet(
        without_none(rates),
        RCS if row["rcs"] is None else row["rcs"],
        {**PUSH, **(row["push"] or {})},
        other.get("email", EMAIL),
        other.get("conversationTemplate", CONVERSATION_TEMPLATE),
    )


SHEET = """
SELECT t.sms, t.rcs, t.push, t.other, (
    SELECT jsonb_object_agg(v.route, v.accepted) FROM sms_volumes v
    WHERE v.organization_id = $1 AND v.env = 'live' AND v.month = $2
) AS volumes
FROM (SELECT $1::text AS organization_id) o LEFT JOIN price_tables t ON t.organization_id = o.organization_id
"""
