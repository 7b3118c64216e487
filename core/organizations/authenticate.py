"""From a bearer token to the caller it stands for."""

import time
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from core.foundation import db
from core.foundation.caller import Caller, Env, Scope, with_implied
from core.foundation.clock import now
from core.foundation.secrets import keyed_hash, read_api_key
from core.foundation.settings import current
from core.organizations.errors import (
    ExpiredCredential,
    InvalidCredential,
    NoCredential,
    RevokedCredential,
)
from core.organizations.limits import limits_of

REMEMBER_SECONDS = 2.0
"""How long a process trusts what it read of a key; a revocation takes effect everywhere within this time."""

MOST_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class _Known:
    caller: Caller
    expires_at: datetime | None
    stale_at: float


_known: dict[bytes, _Known] = {}


async def authenticate(token: str | None, *, request_id: str | None) -> Caller:
    """The caller behind `Authorization: Bearer <token>`.

    Raises a kind of Unauthorized whose `meta.motivo` tells what is wrong. A typo is found by the checksum, without
    a query.
    """
    if not token:
        raise NoCredential
    digest = _digest_of(token, current().hash_key)
    if digest is None:
        raise InvalidCredential
    known = _known.get(digest)
    if known is None or known.stale_at <= time.monotonic():
        known = await _read(digest)
    if known.expires_at is not None and known.expires_at <= now():
        raise ExpiredCredential
    return known.caller.at_work(request_id)


@lru_cache(maxsize=4096)
def _digest_of(token: str, hash_key: str) -> bytes | None:
    """Under what a key is stored; None for what cannot be a key. Remembered: it is asked at every request."""
    return None if read_api_key(token) is None else keyed_hash(hash_key.encode(), token)


def forget_credentials() -> None:
    """Drop what this process remembers of keys."""
    _known.clear()
    _digest_of.cache_clear()


async def _read(digest: bytes) -> _Known:
    row = await db.fetchrow(FIND, digest)
    if row is None:
        _known.pop(digest, None)
        raise InvalidCredential
    if row["revoked_at"] is not None or row["suspended"]:
        _known.pop(digest, None)
        raise RevokedCredential
    env: Env = row["env"]
    caller = Caller(
        organization_id=row["organization_id"],
        env=env,
        scopes=with_implied(frozenset(Scope(scope) for scope in row["scopes"])),
        credential_id=row["id"],
        account_id=row["created_by_id"],
        limits=limits_of(row),
    )
    if len(_known) >= MOST_REMEMBERED:
        _known.clear()
    known = _Known(caller, row["expires_at"], time.monotonic() + REMEMBER_SECONDS)
    _known[digest] = known
    return known


FIND = """
SELECT k.id, k.organization_id, k.env, k.scopes, k.created_by_id, k.expires_at, k.revoked_at,
       o.status = 'suspended' AS suspended, l.sms_per_second
FROM api_keys k
JOIN organizations o ON o.id = k.organization_id
LEFT JOIN organization_limits l ON l.organization_id = k.organization_id AND l.env = k.env
WHERE k.key_hash = $1
"""
