"""From a bearer token to the caller it stands for."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal, TypedDict, cast

from core import cells
from core.cells import HOME, Cell, KeyKind, enter_cell, use_cell
from core.foundation.bounded_cache import BoundedCache
from core.foundation.clock import real_now
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.security.caller import Caller, Env, Scope, with_implied
from core.foundation.security.secrets import (
    CREDENTIAL_LENGTH,
    is_session_token,
    keyed_hash,
    read_api_key,
)
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

Kind = Literal["key", "session"]

KEY_KINDS: dict[Kind, KeyKind] = {"key": KeyKind.API_KEY, "session": KeyKind.SESSION}
"""Under what the directory has each."""

CREDENTIAL_TTL = 2.0
"""How long a process trusts what it read of a credential; a revocation takes effect everywhere
within this time.
"""

REMEMBERED_BYTES = 40_000_000

RENEWED_BEFORE_ITS_END = 0.5
"""Of the time that it is trusted: what has no more of it left is read with what is stale, and so
together from then on.
"""
MAX_CONCURRENT_BUILDS = 8
"""Credentials that are made of their rows in one turn of the loop: 50 µs each."""


@dataclass(slots=True)
class _CachedCaller:
    caller: Caller
    cell: Cell
    expires_at: datetime | None
    networks: tuple[Network, ...] | None
    stale_at: float
    use_is_new: bool
    """Nobody has noted yet that the credential was used in this minute."""


def _weigh(digest: bytes, known: _CachedCaller) -> int:
    """Scopes are members of an enum, networks objects of their own."""
    return 1_500 + 60 * len(known.caller.scopes) + 300 * len(known.networks or ())


_known: BoundedCache[bytes, _CachedCaller] = BoundedCache(max_bytes=REMEMBERED_BYTES, weigh=_weigh)


async def authenticate(
    token: str | None, *, request_id: str | None, address: str | None = None
) -> Caller:
    """The caller behind `Authorization: Bearer <token>`, an API key or a session; `address` is the
    client's.

    The rest of the context works with the cell of the caller's organization. Raises a kind of
    Unauthorized whose `meta.motivo` tells what is wrong. A typo is found by the checksum, without a
    query.
    """
    if not token:
        raise NoCredential
    digest = _digest_of(token)
    known = _known.get(digest)
    if known is None or known.stale_at <= time.monotonic():
        known = await _read(digest, _kind_of(token))
    if known.expires_at is not None and known.expires_at <= real_now():
        raise ExpiredCredential
    if known.networks is not None and not is_within(address, known.networks):
        raise AddressNotAllowed
    enter_cell(known.cell)
    if cells.is_moving(known.caller.organization_id):
        await cells.follow(known.caller.organization_id)
    if known.use_is_new:
        _note(known)
    return known.caller.at_work(request_id)


def is_stale(token: str | None) -> bool:
    """Whether `authenticate` would have to read this credential; never of what cannot be one."""
    digest = _digest_if_any(token)
    return digest is not None and not _is_known(digest, for_seconds=0)


async def renew(tokens: Iterable[str | None]) -> None:
    """Read together what is stale of these credentials, or soon will be: a statement for keys and
    one for sessions.

    Of those that hold no longer nothing is remembered: `authenticate` says why.
    """
    digests: dict[Kind, set[bytes]] = {"key": set(), "session": set()}
    for token in tokens:
        digest = _digest_if_any(token)
        if (
            token
            and digest
            and not _is_known(digest, for_seconds=CREDENTIAL_TTL * RENEWED_BEFORE_ITS_END)
        ):
            digests[_kind_of(token)].add(digest)
    for kind, some in digests.items():
        if some:
            await _read_together(some, kind)


def _is_known(digest: bytes, *, for_seconds: float) -> bool:
    known = _known.get(digest)
    return known is not None and known.stale_at > time.monotonic() + for_seconds


def _kind_of(token: str) -> Kind:
    return "session" if is_session_token(token) else "key"


def _digest_if_any(token: str | None) -> bytes | None:
    try:
        return _digest_of(token) if token else None
    except InvalidCredential:
        return None


def _digest_of(token: str) -> bytes:
    """Under what a credential is stored. Raises InvalidCredential for what cannot be one."""
    if len(token) != CREDENTIAL_LENGTH:
        raise InvalidCredential
    return _digest(token, current().hash_key)


@lru_cache(maxsize=4096)
def _digest(token: str, hash_key: str) -> bytes:
    """Remembered, because it is asked at every request: refusals are not, whose texts are
    anybody's.
    """
    if read_api_key(token) is None and not is_session_token(token):
        raise InvalidCredential
    return keyed_hash(hash_key.encode(), token)


def clear_credential_cache() -> None:
    """Drop what this process remembers of credentials."""
    _known.clear()
    _digest.cache_clear()


def evict_credential(digest: bytes) -> None:
    """Drop what this process remembers of the credential that is stored under this hash."""
    _known.forget(digest)


async def _read(digest: bytes, kind: Kind) -> _CachedCaller:
    since = time.monotonic()
    cell = await cells.cell_of_key(KEY_KINDS[kind], digest) or HOME
    with use_cell(cell):
        found = await db.fetchrow(FIND_KEY if kind == "key" else FIND_SESSION, digest)
    row = cast("CredentialRow | None", found)
    if row is None:
        evict_credential(digest)
        if cell is HOME and await cells.may_have_new_cells():
            return await _read(digest, kind)
        raise InvalidCredential
    if _has_ended(row):
        evict_credential(digest)
        raise RevokedCredential
    return _remember(digest, row, kind, cell, since=since)


async def _read_together(digests: set[bytes], kind: Kind) -> None:
    asked_at = time.monotonic()
    elsewhere = await cells.cells_of_keys(KEY_KINDS[kind], digests)
    by_cell: dict[Cell, list[bytes]] = {}
    for digest in digests:
        by_cell.setdefault(elsewhere.get(digest, HOME), []).append(digest)
    for cell, some in by_cell.items():
        with use_cell(cell):
            found = await db.fetch(FIND_KEYS if kind == "key" else FIND_SESSIONS, some)
        rows = cast("list[CredentialRow]", found)
        await _remember_those_that_hold(some, rows, kind, cell, since=asked_at)


async def _remember_those_that_hold(
    digests: list[bytes], rows: list["CredentialRow"], kind: Kind, cell: Cell, *, since: float
) -> None:
    holding = {row["digest"]: row for row in rows if not _has_ended(row)}
    for digest in digests:
        if digest not in holding:
            evict_credential(digest)
    for place, (digest, row) in enumerate(holding.items(), 1):
        _remember(digest, row, kind, cell, since=since)
        if place % MAX_CONCURRENT_BUILDS == 0:
            await asyncio.sleep(0)


class CredentialRow(TypedDict):
    """A key or a session with its organization, as the statements below answer it."""

    id: str
    digest: bytes
    organization_id: str
    env: Env
    scopes: list[str]
    role: str
    ips: list[str]
    account_id: str | None
    last_used_at: datetime | None
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    suspended: bool
    unifies_ninth_digit: bool
    second_factor_due: bool
    has_clock: bool


def _has_ended(row: CredentialRow) -> bool:
    return row["ended_at"] is not None or row["suspended"]


def _remember(
    digest: bytes, row: CredentialRow, kind: Kind, cell: Cell, *, since: float
) -> _CachedCaller:
    caller = _caller_of(row, kind)
    known = _CachedCaller(
        caller=caller,
        cell=cell,
        expires_at=row["expires_at"] if kind == "key" else _end_of_session(row, at=real_now()),
        networks=networks_of(row["ips"]),
        # What only waits for a second factor opens as soon as there is one.
        stale_at=since + (0 if caller.second_factor_due else CREDENTIAL_TTL),
        use_is_new=row["last_used_at"] is None
        or row["last_used_at"] < real_now().replace(second=0, microsecond=0),
    )
    _known.put(digest, known)
    return known


def _caller_of(row: CredentialRow, kind: Kind) -> Caller:
    if kind == "key":
        scopes = with_implied(frozenset(Scope(scope) for scope in row["scopes"]))
    elif row["second_factor_due"]:
        scopes = frozenset()
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
        second_factor_due=row["second_factor_due"],
        has_clock=row["has_clock"],
    )


def _end_of_session(row: CredentialRow, *, at: datetime) -> datetime:
    """A session that is open now is being used now: its end moves on before the row learns of it."""
    ends = row["expires_at"]
    return ends if ends <= at else end_of(row["created_at"], used_at=at)


def _note(known: _CachedCaller) -> None:
    known.use_is_new = False
    caller = known.caller
    assert caller.kind != "system"
    assert caller.kind != "journey"
    assert caller.credential_id is not None
    note_use(caller.kind, caller.credential_id, at=real_now())


async def _hashes_of_keys(organization_id: str) -> list[bytes]:
    rows = await db.fetch(
        "SELECT key_hash FROM api_keys WHERE organization_id = $1", organization_id
    )
    return column(rows, "key_hash")


async def _hashes_of_sessions(organization_id: str) -> list[bytes]:
    rows = await db.fetch(
        "SELECT token_hash FROM sessions WHERE organization_id = $1", organization_id
    )
    return column(rows, "token_hash")


cells.reads_keys(KeyKind.API_KEY, _hashes_of_keys)
cells.reads_keys(KeyKind.SESSION, _hashes_of_sessions)

_KEYS = """
SELECT k.id, k.organization_id, k.env, k.scopes, k.ips, k.created_by_id AS account_id, k.last_used_at, k.expires_at,
       k.revoked_at AS ended_at, o.status = 'suspended' AS suspended, o.unifies_ninth_digit,
       false AS second_factor_due, l.sms_per_second, l.graphql_cost,
       o.has_sandbox_clock AND k.env = 'test' AS has_clock, k.key_hash AS digest
FROM api_keys k
JOIN organizations o ON o.id = k.organization_id
LEFT JOIN organization_limits l ON l.organization_id = k.organization_id AND l.env = k.env
"""

FIND_KEY = f"{_KEYS}WHERE k.key_hash = $1"
FIND_KEYS = f"{_KEYS}WHERE k.key_hash = ANY ($1::bytea[])"

_SESSIONS = """
SELECT s.id, s.organization_id, s.env, a.role, NULL::text[] AS ips, s.account_id, s.created_at, s.last_used_at,
       s.expires_at, s.ended_at, o.status = 'suspended' OR a.status <> 'active' AS suspended,
       o.unifies_ninth_digit, l.sms_per_second, l.graphql_cost, o.has_sandbox_clock AND s.env = 'test' AS has_clock,
       s.token_hash AS digest,
       o.demands_second_factor AND NOT EXISTS (
           SELECT FROM second_factors f
           WHERE f.account_id = s.account_id AND f.organization_id = s.organization_id AND f.confirmed_at IS NOT NULL
       ) AS second_factor_due
FROM sessions s
JOIN accounts a ON a.id = s.account_id AND a.organization_id = s.organization_id
JOIN organizations o ON o.id = s.organization_id
LEFT JOIN organization_limits l ON l.organization_id = s.organization_id AND l.env = s.env
"""

FIND_SESSION = f"{_SESSIONS}WHERE s.token_hash = $1"
FIND_SESSIONS = f"{_SESSIONS}WHERE s.token_hash = ANY ($1::bytea[])"
