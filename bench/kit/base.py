"""A base of contacts to measure with: different mobiles, tags, attributes, consent, all written
set-based.
"""

import hmac
from collections.abc import Sequence

from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.settings import current

CHUNK = 50_000

FILL = """
INSERT INTO contacts
    (id, organization_id, env, phone, identity, name, email, attributes, tags, opt_in_status, source, external_id,
     last_interaction_at, created_at, updated_at)
SELECT 'cnt_' || lpad(n::text, 21, '0'), $1, 'test', c.phone, c.identity, 'Contact ' || n,
       'contact' || n || '@example.com',
       jsonb_build_object('city', (ARRAY['São Paulo', 'Recife', 'Curitiba', 'Manaus'])[1 + n % 4], 'score', n % 100),
       CASE WHEN n % 10 = 0 THEN ARRAY['cliente', 'vip'] ELSE ARRAY['cliente'] END,
       (ARRAY['granted', 'granted', 'unknown', 'denied'])[1 + n % 4], 'import', 'crm-' || n,
       CASE WHEN n % 3 = 0 THEN at END, at, at
FROM (SELECT $4::int + n - 1 AS n, phone, identity,
             timestamptz '2025-01-01 00:00Z' + ($4::int + n) * interval '20 s' AS at
      FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS u (phone, identity, n)) AS c
"""


def phones(number: int, *, first: int = 0) -> list[str]:
    """Different Brazilian mobiles."""
    return [f"+55119{80_000_000 + place}" for place in range(first, first + number)]


def identities(organization_id: str, phones: Sequence[str]) -> list[bytes]:
    """Under what the service knows these phones; all of them are in the canonical form."""
    key = current().hash_key.encode()
    return [
        hmac.digest(key, f"phone:{organization_id}:{phone}".encode(), "sha256") for phone in phones
    ]


async def fill_contacts(organization_id: str, number: int) -> None:
    """Write contacts, newest last, and let PostgreSQL look at them.

    The inverted indexes are built afterwards, which takes a third of the time.
    """
    inverted = await db.fetch(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'contacts' AND indexdef ~ 'gin'"
    )
    for index in inverted:
        await db.execute(f"DROP INDEX {index['indexname']}")
    for first in range(0, number, CHUNK):
        some = phones(min(CHUNK, number - first), first=first)
        await db.execute(FILL, organization_id, some, identities(organization_id, some), first)
    async with transaction():
        await db.execute("SET LOCAL maintenance_work_mem = '1GB'")
        for index in inverted:
            await db.execute(index["indexdef"])
    await db.execute("VACUUM ANALYZE contacts")
