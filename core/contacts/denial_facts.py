"""Which denial stopped a send: what its trace tells of it."""

from collections.abc import Mapping, Sequence

from core.decisions import Refusal, explains
from core.foundation.clock import wire_time
from core.foundation.database import db
from core.foundation.rules import Rule


async def denial_facts(refusals: Sequence[Refusal]) -> dict[str, Mapping[str, object]]:
    """The denials that stand against the recipients of refused sends, by the ids of the refusals."""
    asked = [
        (
            one.id,
            one.caller.organization_id,
            one.caller.env,
            one.channel,
            one.identity,
            one.contact_id,
        )
        for one in refusals
    ]
    rows = await db.fetch(DENIALS, *db.columns(asked, 6))
    return {
        row["id"]: {
            "negativaId": str(row["denial_id"]),
            "negativaCanal": row["channel"],
            "negadoEm": wire_time(row["denied_at"]),
        }
        for row in rows
    }


explains(Rule.CONSENT, denial_facts)

DENIALS = """
SELECT a.id, d.id AS denial_id, d.channel, d.denied_at
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[])
    AS a (id, organization_id, env, channel, identity, contact_id)
CROSS JOIN LATERAL (
    SELECT n.* FROM contact_denials n
    WHERE n.organization_id = a.organization_id AND n.env = a.env AND n.channel IN (a.channel, 'todos')
      AND n.identity IN (a.identity, (SELECT c.identity FROM contacts c WHERE c.organization_id = a.organization_id
                                      AND c.env = a.env AND c.id = a.contact_id))
    ORDER BY n.denied_at LIMIT 1
) d
"""
