"""Idempotency keys: looked up, claimed and released, many at a time.

A key is unique per organization, environment and route. The row is written in the transaction of
the effect it protects; where an effect needs the world in between, the row comes first, without an
answer and under a lease.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import orjson
from pydantic import BaseModel

from core.foundation.database import db
from core.foundation.moved_clocks import unless_moved
from core.foundation.security.caller import Caller
from core.foundation.turns import in_turns
from core.idempotency.errors import InvalidKey

KEY_FORMAT = re.compile(r"[\x20-\x7e]{1,255}\Z")
KEY_TTL = timedelta(hours=24)
CLAIM_LEASE = timedelta(seconds=60)
SWEEP_BATCH_SIZE = 5_000


@dataclass(frozen=True, slots=True)
class KeyUse:
    """One caller's use of one key for one body."""

    organization_id: str
    env: str
    route: str
    key: str
    body_hash: bytes

    @property
    def scope(self) -> tuple[str, str, str, str]:
        """What is unique."""
        return (self.organization_id, self.env, self.route, self.key)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What an earlier use of the key left behind. No answer: until the end of the lease that use is
    still under way; from then on, or where there is no lease, the record behind it is the answer.
    """

    body_hash: bytes
    subject_id: str | None
    answer: dict[str, Any] | None
    lease_until: datetime | None


def is_key(text: str) -> bool:
    """Whether a text has the form of an Idempotency-Key: 1 to 255 printable ASCII characters."""
    return KEY_FORMAT.match(text) is not None


def key_use(caller: Caller, route: str, key: str, body: Mapping[str, object]) -> KeyUse:
    """The caller's use of an Idempotency-Key on a route (`rcs.send`). Raises InvalidKey."""
    return _use_of(caller, route, key, hash_of(body))


async def key_use_in_turns(
    caller: Caller, route: str, key: str, body: BaseModel, *, items: str
) -> KeyUse:
    """The same for what was sent of a body whose field `items` is a long list of models: requests get
    through meanwhile. Raises InvalidKey.
    """
    hashed = hashlib.sha256()
    async for piece in in_turns(_canonical_pieces(body, items)):
        hashed.update(piece)
    return _use_of(caller, route, key, hashed.digest())


def _use_of(caller: Caller, route: str, key: str, body_hash: bytes) -> KeyUse:
    if not is_key(key):
        raise InvalidKey
    return KeyUse(caller.organization_id, caller.env, route, key, body_hash)


def hash_of(body: Mapping[str, object]) -> bytes:
    """The hash of a body's canonical JSON: sorted keys, no spaces."""
    return hashlib.sha256(_canonical(body)).digest()


def _canonical(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _canonical_pieces(body: BaseModel, items: str) -> Iterator[bytes]:
    """The canonical JSON of what was sent of a body; each of its `items` is a piece."""
    rest = body.model_dump(mode="json", exclude_unset=True, exclude={items})
    for place, name in enumerate(sorted({*rest, items})):
        yield b'%s"%s":' % (b"," if place else b"{", name.encode())
        if name == items:
            yield b"["
            for number, one in enumerate(getattr(body, items)):
                sent = _canonical(one.model_dump(mode="json", exclude_unset=True))
                yield b"," + sent if number else sent
            yield b"]"
        else:
            yield _canonical(rest[name])
    yield b"}"


async def find_many(
    uses: Sequence[KeyUse], *, at: datetime
) -> dict[tuple[str, str, str, str], Remembered]:
    """What is remembered for these keys; an expired one is absent."""
    rows = await db.fetch(FIND, *_columns(uses), at)
    return {
        (row["organization_id"], row["env"], row["route"], row["key"]): Remembered(
            row["body_hash"], row["subject_id"], row["answer"], row["lease_until"]
        )
        for row in rows
    }


async def claim_many(
    uses: Sequence[KeyUse],
    *,
    subjects: Sequence[str | None],
    answers: Sequence[Mapping[str, object] | None],
    at: datetime,
) -> set[tuple[str, str, str, str]]:
    """Take the keys that nobody holds, with their answers where these are known already.

    A claim without an answer is leased: whoever finds it after the lease answers with the message
    behind it. Waits for a transaction that is claiming the same key. Answers the scopes that were
    won.
    """
    rows = await db.fetch(
        CLAIM,
        *_columns(uses),
        [use.body_hash for use in uses],
        list(subjects),
        list(answers),
        at,
        at + CLAIM_LEASE,
        at + KEY_TTL,
    )
    return {(row["organization_id"], row["env"], row["route"], row["key"]) for row in rows}


async def answer_many(subjects: Sequence[str], answers: Sequence[str]) -> None:
    """Store the answers (JSON texts) under the keys that these messages were sent with."""
    await db.execute_for(
        subjects,
        "UPDATE idempotency_keys k SET answer = a.answer, lease_until = NULL "
        "FROM unnest($1::text[], $2::jsonb[]) AS a (subject_id, answer) "
        "WHERE k.subject_id = a.subject_id AND k.env = 'live'",
        list(subjects),
        list(answers),
    )


async def release_many(subjects: Sequence[str]) -> None:
    """Free the keys of refused messages: the next use of one is a new request."""
    await db.execute_for(
        subjects,
        "DELETE FROM idempotency_keys WHERE subject_id = ANY ($1) AND env = 'live'",
        list(subjects),
    )


async def end_leases(subjects: Sequence[str], *, at: datetime) -> None:
    """The outcome of these messages is not known, and nobody works on it: whoever repeats the key
    gets the message.
    """
    await db.execute_for(
        subjects,
        "UPDATE idempotency_keys SET lease_until = least(lease_until, $2) "
        "WHERE subject_id = ANY ($1) AND env = 'live'",
        list(subjects),
        at,
    )


async def sweep(*, at: datetime) -> int:
    """Forget the keys that expired first. Answers how many went.

    A batch at a time, so that no transaction is long; call it until it answers 0.
    """
    return await db.execute(*unless_moved(SWEEP, at, SWEEP_BATCH_SIZE))


def _columns(uses: Sequence[KeyUse]) -> tuple[list[str], list[str], list[str], list[str]]:
    return (
        [use.organization_id for use in uses],
        [use.env for use in uses],
        [use.route for use in uses],
        [use.key for use in uses],
    )


# A key that is being claimed anew is locked: it is left alone, and nobody waits.
SWEEP = """
DELETE FROM idempotency_keys WHERE id = ANY (ARRAY(
    SELECT id FROM idempotency_keys WHERE expires_at <= $1 /* unless moved */
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
))
"""

FIND = """
SELECT k.organization_id, k.env, k.route, k.key, k.body_hash, k.subject_id, k.answer, k.lease_until
FROM idempotency_keys k
JOIN unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS u (organization_id, env, route, key)
  USING (organization_id, env, route, key)
WHERE k.expires_at > $5
"""


def claim_sql(source: str, *, at: str, lease_until: str, expires_at: str) -> str:
    """The statement that takes the keys which `source` selects and nobody holds: organization_id,
    env, route, key, body_hash, subject_id and answer. `lease_until`: of a row `u` of these; null where
    the effect is done.

    Sorted, so that two processes that claim the same keys wait for each other instead of locking
    up.
    """
    return f"""
    INSERT INTO idempotency_keys AS k
        (organization_id, env, route, key, body_hash, subject_id, answer, lease_until, created_at, expires_at)
    SELECT u.organization_id, u.env, u.route, u.key, u.body_hash, u.subject_id, u.answer,
           {lease_until}, {at}, {expires_at}
    FROM ({source}) AS u
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, env, route, key) DO UPDATE
    SET body_hash = excluded.body_hash, subject_id = excluded.subject_id, answer = excluded.answer,
        lease_until = excluded.lease_until, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE k.expires_at <= excluded.created_at
    RETURNING k.organization_id, k.env, k.route, k.key, k.subject_id"""


CLAIM = claim_sql(
    "SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], "
    "$5::bytea[], $6::text[], $7::jsonb[]) "
    "AS given (organization_id, env, route, key, body_hash, subject_id, answer)",
    at="$8",
    lease_until="CASE WHEN u.answer IS NULL THEN $9::timestamptz END",
    expires_at="$10",
)
