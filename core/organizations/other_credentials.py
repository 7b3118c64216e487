"""Callers of credentials that other packages keep, such as accounts of SMPP."""

from collections.abc import Collection
from dataclasses import dataclass

from core.foundation.database import db
from core.foundation.security.caller import Caller, Env, Scope
from core.organizations.limits import limits_of


@dataclass(frozen=True, slots=True)
class OtherCredential:
    """A credential by its id, whose it is, and what it may do."""

    id: str
    organization_id: str
    env: Env
    scopes: frozenset[Scope]


async def callers_of(credentials: Collection[OtherCredential]) -> dict[str, Caller]:
    """Their callers by their ids, with the limits and settings of their organizations as they are
    now; none for those of organizations that are suspended.
    """
    owners = sorted({(one.organization_id, one.env) for one in credentials})
    rows = await db.fetch(OWNERS, *db.columns(owners, 2))
    found = {(row["organization_id"], row["env"]): row for row in rows}
    return {
        one.id: Caller(
            one.organization_id,
            one.env,
            one.scopes,
            credential_id=one.id,
            limits=limits_of(row),
            unifies_ninth_digit=row["unifies_ninth_digit"],
            has_clock=row["has_clock"],
        )
        for one in credentials
        if (row := found.get((one.organization_id, one.env))) is not None
    }


OWNERS = """
SELECT c.organization_id, c.env, o.unifies_ninth_digit, o.has_sandbox_clock AND c.env = 'test' AS has_clock,
       l.sms_per_second, l.graphql_cost
FROM unnest($1::text[], $2::text[]) AS c (organization_id, env)
JOIN organizations o ON o.id = c.organization_id AND o.status = 'active'
LEFT JOIN organization_limits l ON l.organization_id = c.organization_id AND l.env = c.env
"""
