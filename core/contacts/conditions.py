"""Which contacts a list shows: the conditions of its filter, for every entry point."""

from datetime import datetime

from core.contacts.search import search_condition
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller

_on_list: list[str] = []


def listed_where(condition: str) -> None:
    """Register the condition under which a contact is on a list: lists stand above contacts."""
    _on_list.append(condition)


def narrow_contacts(
    where: Where,
    caller: Caller,
    *,
    tag: str | None = None,
    opt_in_status: str | None = None,
    source: str | None = None,
    external_id: str | None = None,
    list_id: str | None = None,
    updated_since: datetime | None = None,
    q: str | None = None,
) -> list[str]:
    """Add the conditions that are asked for. Answers warnings about what was left out."""
    where.narrow_given(
        ("tags @> ARRAY[{}::text]", tag),
        ("opt_in_status = {}", opt_in_status),
        ("source = {}", source),
        ("external_id = {}", external_id),
        (_on_list[0], list_id),
        ("updated_at >= {}", updated_since),
    )
    if not (text := (q or "").strip()):
        return []
    if not caller.sees_personal_data:  # whoever finds by a phone would know it
        return ["q_ignorado_requer_pii_full"]
    condition, values = search_condition(text, len(where.values) + 1)
    where.conditions.append(condition)
    where.values += values
    return []
