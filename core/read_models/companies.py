"""Companies, read field by field."""

from collections.abc import Sequence
from typing import Any

from core.companies.conditions import narrow_companies
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.contacts import narrow_period
from core.read_models.query_compiler import (
    NEWEST,
    OLDEST,
    Arguments,
    Entity,
    Field,
    Key,
    Order,
    column,
    time,
    wire_time_of,
)

COUNTED = (
    "contatos",
    "ultimaInteracao",
    "negociosAbertos",
    "valorAberto",
    "negociosGanhos",
    "valorGanho",
)

COUNTS = """(
    SELECT json_build_array(people.n, people.at, deals.open, deals.open_value, deals.won, deals.won_value)
    FROM (SELECT count(*) AS n, max(p.last_interaction_at) AS at FROM contacts p
          WHERE p.organization_id = $1 AND p.env = $2 AND p.company_id = {t}.id) AS people,
         (SELECT count(*) FILTER (WHERE d.status = 'aberto') AS open,
                 coalesce(sum(d.value) FILTER (WHERE d.status = 'aberto'), 0) AS open_value,
                 count(*) FILTER (WHERE d.status = 'ganho') AS won,
                 coalesce(sum(d.value) FILTER (WHERE d.status = 'ganho'), 0) AS won_value
          FROM cards d WHERE d.organization_id = $1 AND d.env = $2 AND d.company_id = {t}.id
            AND d.status IN ('aberto', 'ganho')) AS deals)"""


def _counts(values: list[Any]) -> dict[str, Any]:
    counts = dict(zip(COUNTED, values, strict=True))
    if counts["ultimaInteracao"] is not None:
        counts["ultimaInteracao"] = wire_time_of(counts["ultimaInteracao"])
    return counts | {name: float(counts[name]) for name in ("valorAberto", "valorGanho")}


FIELDS = {
    "id": column("id"),
    "organizationId": column("organization_id"),
    "nome": column("name"),
    "cnpj": column("cnpj"),
    "segmento": column("sector"),
    "site": column("site"),
    "endereco": column("address"),
    "responsavelId": column("owner_id"),
    "contatoPrincipalId": column("main_contact_id"),
    "atributos": column("attributes"),
    "contagens": Field(COUNTS, make=_counts),
    "createdById": column("created_by_id"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}

BY_NAME = Order(
    "nome", (Key("svc_fold({t}.name)", "text", table="companies"), Key("{t}.id", "text"))
)


def _narrow(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    narrow_companies(where, q=filter.get("q"), owner_id=filter.get("responsavelId"))
    if (sector := filter.get("segmento")) is not None:
        where.narrow("sector = {}", sector)
    narrow_period(where, "created_at", filter.get("createdAt"))
    return ()


COMPANY = Entity(
    name="Company",
    table="companies",
    alias="c",
    scope=Scope.CRM_READ,
    prefix="emp",
    fields=FIELDS,
    orders={
        "": BY_NAME,
        "nome": BY_NAME,
        "-nome": Order("-nome", BY_NAME.keys, descending=True),
        "createdAt": Order("createdAt", OLDEST.keys),
        "-createdAt": Order("-createdAt", NEWEST.keys, descending=True),
    },
    narrow=_narrow,
)
