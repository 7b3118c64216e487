"""The id of a run, as the service and PostgreSQL make it of a key."""

from uuid import UUID

from core.foundation.database import db
from core.foundation.run_id import key_of_run, run_id, run_id_sql

KEYS = [
    UUID("00000000-0000-7000-8000-000000000000"),
    UUID("019ac3f2-7b1c-7abc-9def-0123456789ab"),
    UUID("80000000-0000-7001-bfff-ffffffffffff"),
    UUID("ffffffff-ffff-7fff-bfff-ffffffffffff"),
]


async def test_an_id_is_the_same_wherever_it_is_made_and_leads_back(database: None) -> None:
    rows = await db.fetch(
        f"SELECT {run_id_sql('key')} AS id FROM unnest($1::uuid[]) WITH ORDINALITY AS k (key, n) ORDER BY n",
        KEYS,
    )

    ids = [row["id"] for row in rows]
    assert ids == [run_id(key) for key in KEYS]
    assert [key_of_run(id) for id in ids] == KEYS
