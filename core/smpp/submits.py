"""Submits that come again: a client that lost its connection before an answer sends the same once more.

Where its account says so, the same within some seconds is the first message: it has the key of the first,
which is a row before that is sent, and whatever dies, the repeat finds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.foundation.clock import now, real_time
from core.foundation.database import db
from core.foundation.database.combining import Combiner
from core.foundation.ids import new_id
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.smpp.sign_in import SmppClient


@dataclass(frozen=True, slots=True)
class FirstSubmit:
    """The first of submits that are the same. `key`: under which it is sent once; `at`: when it came."""

    key: str
    at: datetime


@dataclass(frozen=True, slots=True)
class _Submit:
    client: SmppClient
    id: str
    at: datetime
    real_at: datetime


async def first_submit(client: SmppClient, said: bytes) -> FirstSubmit | None:
    """The first submit of the client's that said the same, this one if there is none; None where
    its account lets the same be sent twice.
    """
    if not client.account.dedupe_seconds:
        return None
    at = now()
    same = f"smpp submit {client.account.id} {said.decode('latin-1')}"
    id = keyed_hash(current().hash_key.encode(), same).hex()
    return await _firsts.submit(_Submit(client, id, at, real_time(at)))


async def _find(submits: Sequence[_Submit]) -> list[FirstSubmit | Exception]:
    rows = {
        one.id: (
            one.id,
            one.client.caller.organization_id,
            one.client.caller.env,
            one.client.account.id,
            new_id("smpp"),
            one.at,
            one.real_at + timedelta(seconds=one.client.account.dedupe_seconds),
        )
        for one in reversed(submits)
    }
    # Sorted, so that two processes that are told the same wait for each other instead of locking up.
    columns = db.columns([rows[id] for id in sorted(rows)], 7)
    found = await db.fetch(FIRST, *columns, max(one.real_at for one in submits))
    firsts = {row["id"]: FirstSubmit(row["key"], row["came_at"]) for row in found}
    return [firsts[one.id] for one in submits]


async def forget_submits(*, at: datetime) -> None:
    """Those whose repeats would be messages of their own."""
    await db.execute("DELETE FROM smpp_submits WHERE until <= $1", at)


FIRST = """/* whole */
INSERT INTO smpp_submits AS s (id, organization_id, env, account_id, key, came_at, until)
SELECT id, organization_id, env, account_id, key, came_at, until
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
    AS g (id, organization_id, env, account_id, key, came_at, until)
ON CONFLICT (id) DO UPDATE
SET key = CASE WHEN s.until > $8 THEN s.key ELSE excluded.key END,
    came_at = CASE WHEN s.until > $8 THEN s.came_at ELSE excluded.came_at END,
    until = CASE WHEN s.until > $8 THEN s.until ELSE excluded.until END
WHERE s.organization_id = excluded.organization_id
RETURNING id, key, came_at
"""

_firsts: Combiner[_Submit, FirstSubmit] = Combiner(_find, concurrency=2)
