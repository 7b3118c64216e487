"""Companies, read field by field."""

from collections.abc import Sequence
from dataclasses import replace

from core import companies
from core.companies.conditions import narrow_companies
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.contacts import narrow_period
from core.read_models.query_compiler import (
    NEWEST,
    OLDEST,
    Arguments,
    Entity,
    Order,
    OrderKey,
    fields_of,
)

COUNTS = """(
    SELECT json_build_array(people.n, deals.open, deals.open_value, people.at, deals.won, deals.won_value)
    FROM (SELECT count(*) AS n, max(p.last_interaction_at) AS at FROM contacts p
          WHERE p.organization_id = $1 AND p.env = $2 AND p.company_id = {t}.id) AS people,
         (SELECT count(*) FILTER (WHERE d.status = 'aberto') AS open,
                 coalesce(sum(d.value) FILTER (WHERE d.status = 'aberto'), 0) AS open_value,
                 count(*) FILTER (WHERE d.status = 'ganho') AS won,
                 coalesce(sum(d.value) FILTER (WHERE d.status = 'ganho'), 0) AS won_value
          FROM cards d WHERE d.organization_id = $1 AND d.env = $2 AND d.company_id = {t}.id
            AND d.status IN ('aberto', 'ganho')) AS deals)"""
"""In the order of the keys of `contagens`."""

FIELDS = fields_of(companies.COMPANY_DETAILS)
FIELDS["contagens"] = replace(FIELDS["contagens"], sql=COUNTS)

BY_NAME = Order(
    "nome", (OrderKey("svc_fold({t}.name)", "text", table="companies"), OrderKey("{t}.id", "text"))
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
