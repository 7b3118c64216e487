"""What the attributes of companies have to be, as the organization defines it."""

from collections.abc import Sequence

import asyncpg

from core.companies.errors import CheckTookTooLong, KeysRepeated, SensitivePropertyInUse
from core.companies.inputs import AttributeDefinition, AttributeDefinitions
from core.companies.models import CompanyAttribute
from core.companies.record import ATTRIBUTE, CompanyAttributes
from core.companies.sensitive import looks_sensitive
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import statements_within, transaction
from core.foundation.security.caller import Caller, Scope

LOCK_TIMEOUT = 5.0
"""How long the look for values of sensitive properties may take. (Interface: Limits, Attribute
definitions.)
"""


async def list_definitions(caller: Caller) -> CompanyAttributes:
    """The definitions in their order; without any, every attribute is free."""
    caller.require(Scope.CRM_READ)
    return {"defs": [ATTRIBUTE.make_for(caller, vars(one)) for one in await definitions_of(caller)]}


async def replace_definitions(caller: Caller, new: AttributeDefinitions) -> CompanyAttributes:
    """Make these the definitions; answers them. Companies stay as they are.

    Raises KeysRepeated, SensitivePropertyInUse and CheckTookTooLong.
    """
    caller.require(Scope.CRM_WRITE)
    _check_keys(new.defs)
    rows = [_row(caller, one, position) for position, one in enumerate(new.defs)]
    async with transaction():
        await hold_definitions(caller, replacing=True)
        await _guard(caller, await definitions_of(caller), rows)
        await CompanyAttribute.visible_to(caller).delete()
        await CompanyAttribute.bulk_create(rows)
    return {"defs": [ATTRIBUTE.make_for(caller, vars(row)) for row in rows]}


async def held_definitions(caller: Caller) -> list[CompanyAttribute]:
    """The definitions, for whoever writes attributes in this transaction."""
    await hold_definitions(caller)
    return await definitions_of(caller)


async def definitions_of(caller: Caller) -> list[CompanyAttribute]:
    """The definitions of the caller's organization and environment, in their order."""
    return await CompanyAttribute.visible_to(caller).order_by("position")


def _check_keys(defs: Sequence[AttributeDefinition]) -> None:
    keys = [one.key for one in defs]
    if repeated := [place for place, key in enumerate(keys) if key in keys[:place]]:
        raise KeysRepeated(repeated)


async def hold_definitions(caller: Caller, *, replacing: bool = False) -> None:
    """Until the transaction ends, no attribute of a company is written while the definitions are
    replaced.

    Otherwise a value could come in under a sensitive key that leaves at this moment.
    """
    shared = "" if replacing else "_shared"
    await db.execute(
        f"SELECT pg_advisory_xact_lock{shared}(hashtextextended('company attributes ' || $1 || $2, 0))",
        caller.organization_id,
        caller.env,
    )


async def _guard(
    caller: Caller, stored: Sequence[CompanyAttribute], new: Sequence[CompanyAttribute]
) -> None:
    """What looks sensitive goes, or gets another label, only when no company holds a value of it
    any more.
    """
    labels = {row.key: row.label for row in new}
    places = {row.key: row.position for row in new}
    touched = {
        row.key: f"/defs/{places[row.key]}/label" if row.key in labels else "/defs"
        for row in stored
        if looks_sensitive(row.key, row.label)
        and (row.key not in labels or labels[row.key] != row.label)
    }
    if touched and (held := await _in_use(caller, list(touched))):
        raise SensitivePropertyInUse({key: touched[key] for key in held})


async def _in_use(caller: Caller, keys: Sequence[str]) -> list[str]:
    """Those of the keys under which some company has a value. Raises CheckTookTooLong."""
    try:
        async with statements_within(LOCK_TIMEOUT):
            found = await db.fetch(IN_USE, caller.organization_id, caller.env, list(keys))
    except asyncpg.QueryCanceledError:
        raise CheckTookTooLong from None
    return column(found, "key")


def _row(caller: Caller, new: AttributeDefinition, position: int) -> CompanyAttribute:
    return CompanyAttribute(
        **owned_by(caller),
        key=new.key,
        type=new.type,
        label=new.label,
        required=new.required,
        position=position,
    )


# One pass over the companies however many keys there are: no index knows which have a value.
IN_USE = """
SELECT DISTINCT k.key FROM companies c, unnest($3::text[]) AS k (key)
WHERE c.organization_id = $1 AND c.env = $2 AND c.attributes ?| $3::text[] AND c.attributes ->> k.key IS NOT NULL
ORDER BY k.key
"""
