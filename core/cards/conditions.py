"""Conditions of the filter of cards, for every entry point; the table is `c` in them."""

from datetime import datetime, timedelta
from decimal import Decimal
from unicodedata import normalize

from core.cards.inputs import MAX_TITLE_LENGTH, CardFilter
from core.foundation.database.where import Where
from core.foundation.validation.spelling import any_spelling

# Two branches, one per index; an OR over both would scan.
OF_CONTACT = """c.id = ANY (ARRAY (
    SELECT id FROM cards WHERE organization_id = $1 AND env = $2 AND contact_id = {0}
    UNION
    SELECT card_id FROM card_contacts WHERE organization_id = $1 AND env = $2 AND contact_id = {0}))"""
"""On which a contact is, in any part."""

LATE = """EXISTS (
    SELECT FROM pipeline_stages l
    WHERE l.id = c.stage_id AND l.organization_id = c.organization_id
      AND c.stage_since <= {}::timestamptz - make_interval(days => l.max_days))"""


def narrow_cards(where: Where, filter: CardFilter, *, at: datetime) -> None:
    """Add the conditions that are asked for, as they are at an instant."""
    part = normalize("NFC", filter.q or "")
    if len(part) > MAX_TITLE_LENGTH:  # a pattern of any length would be refused by the database
        where.conditions.append("false")
        part = ""
    where.narrow_given(
        ("c.pipeline_id = {}", filter.pipeline_id),
        ("c.stage_id = {}", filter.stage_id),
        ("c.status = {}", filter.status and filter.status.value),
        ("c.owner_id = {}", filter.owner_id),
        ("c.company_id = {}", filter.company_id),
        ("c.external_id = {}", filter.external_id),
        ("c.value >= {}::numeric", _number(filter.value_min)),
        ("c.value <= {}::numeric", _number(filter.value_max)),
        ("c.expected_on >= {}", filter.expected_from),
        ("c.expected_on <= {}", filter.expected_to),
        ("c.title ~ {}", any_spelling(part) if part else None),
        (OF_CONTACT, filter.contact_id),
    )
    if filter.late is not None:
        where.narrow(f"{'' if filter.late else 'NOT '}{LATE}", at - timedelta(days=1))


def _number(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))
