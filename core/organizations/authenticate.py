"""From a bearer token to the caller it stands for."""

import time
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from core.foundation import db
from core.foundation.caller import Caller, Scope, with_implied
from core.foundation.clock import now
from core.foundation.secrets import is_session_token, keyed_hash, read_api_key
from core.foundation.settings import current
from core.organizations.addresses import Network, is_within, networks_of
from core.organizations.errors import (
    AddressNotAllowed,
    ExpiredCredential,
    InvalidCredential,
    NoCredential,
    RevokedCredential,
)
from core.organizations.last_use import note_use
from core.organizations.limits import limits_of
from core.organizations.models import Role
from core.organizations.roles import SCOPES_OF
from core.organizations.session_lifetime import end_of

REMEMBER_SECONDS = 2.0
"""How long a process trusts what it read of a credential; a revocation takes effect everywhere within this time."""

MOST_REMEMBERED = 20_000


@dataclass(slots=True)
class _Known:
    caller: Caller
    expires_at: datetime | None
    networks: tuple[Network, ...] | None
    stale_at: float
    use_is_new: bool
    """Nobody has noted yet that the credential was used in this minute."""


_known: dict[bytes, _Known] = {}


async def authenticate(token: str | None, *, request_id: str | None, address: str | None = None) -> Caller:
    """The caller behind `Authorization: Bearer <token>`, an API key or a session; `address` is the client's.

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
        known = await _read(digest, "session" if is_session_token(token) else "key")
    if known.expires_at is not None and known.expires_at <= now():
        raise ExpiredCredential
    if known.networks is not None and not is_within(address, known.networks):
        raise AddressNotAllowed
    if known.use_is_new:
        _note(known)
    return known.caller.at_work(request_id)


@lru_cache(maxsize=4096)
def _digest_of(token: str, hash_key: str) -> bytes | None:
    """Under what a credential is stored; None for what cannot be one. Remembered: it is asked at every request."""
    if read_api_key(token) is None and not is_session_token(token):
        return None
    return keyed_hash(hash_key.encode(), token)


def forget_credentials() -> None:
    """Drop what this process remembers of credentials."""
    _known.clear()
    _digest_of.cache_clear()


def forget_credential(digest: bytes) -> None:
    """Drop what this process remembers of the credential that is stored under this hash."""
    _known.pop(digest, None)


async def _read(digest: bytes, kind: Literal["key", "session"]) -> _Known:
    row = await db.fetchrow(FIND_KEY if kind == "key" else FIND_SESSION, digest)
    if row is None:
        forget_credential(digest)
        raise InvalidCredential
    if row["ended_at"] is not None or row["suspended"]:
        forget_credential(digest)
        raise RevokedCredential
    if len(_known) >= MOST_REMEMBERED:
        _known.clear()
    known = _Known(
        caller=_caller_of(row, kind),
        expires_at=row["expires_at"] if kind == "key" else _end_of_session(row, at=now()),
        networks=networks_of(row["ips"]),
        stale_at=time.monotonic() + REMEMBER_SECONDS,
        use_is_new=row["last_used_at"] is None or row["last_used_at"] < now().replace(second=0, microsecond=0),
    )
    _known[digest] = known
    return known


def _caller_of(row: db.Row, kind: Literal["key", "session"]) -> Caller:
    if kind == "key":
        scopes = with_implied(frozenset(Scope(scope) for scope in row["scopes"]))
    else:
        scopes = SCOPES_OF[Role(row["role"])]
    return Caller(
        organization_id=row["organization_id"],
        env=row["env"],
        scopes=scopes,
        credential_id=row["id"],
        account_id=row["account_id"],
        kind=kind,
        limits=limits_of(row),
        unifies_ninth_digit=row["unifies_ninth_digit"],
    )


def _end_of_session(row: db.Row, *, at: datetime) -> datetime:
    """A session that is open now is being used now: its end moves on before the row learns of it."""
    ends: datetime = row["expires_at"]
    return ends if ends <= at else end_of(row["created_at"], used_at=at)


def _note(known: _Known) -> None:
    known.use_is_new = False
    caller = known.caller
    assert caller.kind != "system"
    assert caller.credential_id is not None
    note_use(caller.kind, caller.credential_id, at=now())


FIND_KEY = """
SELECT k.id, k.organization_id, k.env, k.scopes, k.ips, k.created_by_id AS account_id, k.last_used_at, k.expires_at,
       k.revoked_at AS ended_at, o.status = 'suspended' AS suspended, o.unifies_ninth_digit,
       l.sms_per_second, l.graphql_cost
FROM api_keys k
JOIN organizations o ON o.id = k.organization_id
LEFT JOIN organization_limits l ON l.organization_id = k.organization_id AND l.env = k.env
WHERE k.key_hash = $1
"""

FIND_SESSION = """
SELECT s.id, s.organization_id, s.env, a.role, NULL::text[] AS ips, s.account_id, s.created_at, s.last_used_at,
       s.expires_at, s.ended_at, o.status = 'suspended' OR a.status <> 'active' AS suspended,
       o.unifies_ninth_digit, l.sms_per_second, l.graphql_cost
FROM sessions s
JOIN accounts a ON a.id = s.account_id
JOIN organizations o ON o.id = s.organization_id
LEFT JOIN organization_limits l ON l.organization_id = s.organization_id AND l.env = s.env
WHERE s.token_hash = $1
"""
