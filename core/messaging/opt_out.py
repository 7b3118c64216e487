"""The question whether an address opted out: one SQL condition, which every statement asks."""

from collections.abc import Collection

from core.foundation.database import db

EVERY_CHANNEL = "todos"
"""The category of a denial that counts on all channels."""


def opted_out(owner: str, channel: str, identities: str) -> str:
    """The condition that somebody said no to messages on a channel, or on all.

    `owner`: the row that `organization_id` and `env` are read from. `channel`: an SQL expression.
    `identities`: what stands in an IN list, or a query of its own: the hashes of the address and of
    the contact that is written to.
    """
    return (
        f"EXISTS (SELECT FROM contact_denials AS denial "
        f"WHERE denial.organization_id = {owner}.organization_id AND denial.env = {owner}.env "
        f"AND denial.channel IN ({channel}, '{EVERY_CHANNEL}') AND denial.identity IN ({identities}))"
    )


RECIPIENT = """
    SELECT a.identity
    UNION ALL
    SELECT c.identity FROM contacts c
    WHERE c.organization_id = m.organization_id AND c.env = m.env AND c.id = m.contact_id"""
"""The hashes of who gets a message `m` that is asked about in a row `a`, with the hash of its address."""


async def opted_out_among(
    organization_id: str, env: str, channel: str, identities: Collection[bytes]
) -> frozenset[bytes]:
    """Which of these said no to messages on a channel, or on all."""
    rows = await db.fetch(AMONG, organization_id, env, channel, sorted(identities))
    return frozenset(row["identity"] for row in rows)


AMONG = f"""
SELECT a.identity FROM unnest($4::bytea[]) AS asked (identity)
CROSS JOIN LATERAL (SELECT $1::text AS organization_id, $2::text AS env, asked.identity) AS a
WHERE {opted_out("a", "$3", "a.identity")}
"""
