"""The condition about deals: contacts that are on a card, as its contact or among its people."""

from collections.abc import Callable
from dataclasses import dataclass

from core.cards import CardStatus

STATUSES = tuple(status.value for status in CardStatus)
MAX_DAYS = 36_500
FORM = (
    "Send an object with any of pipeline, stage, status (aberto, ganho, perdido) and diasNaEtapa "
    f"(at least so many whole days, 0 to {MAX_DAYS})"
)


@dataclass(frozen=True, slots=True)
class CardAsked:
    """A card on this pipeline, in this stage, of this status, in its stage for at least so many
    days: all of them.
    """

    pipeline: str | None = None
    stage: str | None = None
    status: str | None = None
    days: int | None = None


def read_card(value: object) -> CardAsked | None:
    """What was asked; None when it does not have the form."""
    if (
        not isinstance(value, dict)
        or not value
        or value.keys() - {"pipeline", "stage", "status", "diasNaEtapa"}
    ):
        return None
    asked = CardAsked(
        value.get("pipeline"), value.get("stage"), value.get("status"), value.get("diasNaEtapa")
    )
    ids = all(isinstance(value.get(name, "x"), str) for name in ("pipeline", "stage"))
    status = value.get("status", STATUSES[0]) in STATUSES
    days = value.get("diasNaEtapa", 0)
    return asked if ids and status and type(days) is int and 0 <= days <= MAX_DAYS else None


def contacts_on_cards(
    asked: CardAsked, placeholder: Callable[[object], str], days_ago: Callable[[int], str]
) -> str:
    """The SQL condition over `contacts c`; the first two values of the statement are organization
    and environment.
    """
    conditions = ["d.organization_id = $1", "d.env = $2"]
    for column, value in (
        ("pipeline_id", asked.pipeline),
        ("stage_id", asked.stage),
        ("status", asked.status),
    ):
        if value is not None:
            conditions.append(f"d.{column} = {placeholder(value)}")
    if asked.days is not None:
        conditions.append(f"d.stage_since <= {days_ago(asked.days)}")
    where = " AND ".join(conditions)
    return (
        f"c.id IN (SELECT d.contact_id FROM cards d WHERE {where} AND d.contact_id IS NOT NULL "
        f"UNION ALL SELECT p.contact_id FROM cards d JOIN card_contacts p "
        f"ON p.card_id = d.id AND p.organization_id = d.organization_id WHERE {where})"
    )
