"""A company as callers see it, with what is counted of its contacts and deals."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.database.db import Row

COLUMNS = (
    "id, organization_id, name, cnpj, sector, site, address, owner_id, main_contact_id, attributes, created_by_id, "
    "created_at, updated_at"
)
"""What a company is made of."""

COUNTED = "c.*, people.*, deals.*"
COUNTS = """
CROSS JOIN LATERAL (
    SELECT count(*) AS contacts, max(p.last_interaction_at) AS last_interaction_at
    FROM contacts p WHERE p.organization_id = $1 AND p.env = $2 AND p.company_id = c.id
) AS people
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE d.status = 'aberto') AS open_deals,
        coalesce(sum(d.value) FILTER (WHERE d.status = 'aberto'), 0) AS open_value,
        count(*) FILTER (WHERE d.status = 'ganho') AS won_deals,
        coalesce(sum(d.value) FILTER (WHERE d.status = 'ganho'), 0) AS won_value
    FROM cards d
    WHERE d.organization_id = $1 AND d.env = $2 AND d.company_id = c.id AND d.status IN ('aberto', 'ganho')
) AS deals
"""
"""Behind `companies c`: each company counts by an index of its own, however many are shown at once.
"""

NOTHING_COUNTED = {
    "contacts": 0,
    "last_interaction_at": None,
    "open_deals": 0,
    "open_value": 0,
    "won_deals": 0,
    "won_value": 0,
}

OPTIONAL = (
    ("cnpj", "cnpj"),
    ("segmento", "sector"),
    ("site", "site"),
    ("endereco", "address"),
    ("responsavelId", "owner_id"),
    ("contatoPrincipalId", "main_contact_id"),
)


def company_record(row: Row, *, extended: bool = False) -> dict[str, Any]:
    """The record; fields without a value are absent. `extended`: won deals are counted too.

    Values are sums of numbers whatever their currency.
    """
    interacted = row["last_interaction_at"]
    counts = {
        "contatos": row["contacts"],
        "negociosAbertos": row["open_deals"],
        "valorAberto": float(row["open_value"]),
        "ultimaInteracao": wire_time(interacted) if interacted else None,
    }
    if extended:
        counts |= {"valorGanho": float(row["won_value"]), "negociosGanhos": row["won_deals"]}
    record: dict[str, Any] = {
        "id": row["id"],
        "organizationId": row["organization_id"],
        "nome": row["name"],
        "atributos": row["attributes"],
        "createdById": row["created_by_id"],
        "createdAt": wire_time(row["created_at"]),
        "updatedAt": wire_time(row["updated_at"]),
        "contagens": counts,
    }
    for name, column in OPTIONAL:
        if (value := row[column]) is not None:
            record[name] = value
    return record
