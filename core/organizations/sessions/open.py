"""Logging in."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from core import audit
from core.cells import KeyKind, cell_of, note_key, use_cell
from core.foundation.clock import real_now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.foundation.security.secrets import keyed_hash, new_session_token
from core.foundation.settings import current
from core.organizations.accounts.passwords import hash_password, is_outdated, password_fits
from core.organizations.accounts.people import people_with
from core.organizations.accounts.record import account_record
from core.organizations.models import (
    Account,
    Organization,
    Session,
)
from core.organizations.own_organization import demands_second_factor
from core.organizations.second_factor.check import ask_for_it, use_code
from core.organizations.session_lifetime import end_of
from core.organizations.sessions.errors import (
    AmbiguousOrganization,
    TooManyLogIns,
    WrongCredentials,
)
from core.organizations.sessions.inputs import NewSession
from core.organizations.sessions.locks import Attempt, attempt_of, count_attempt, forgive
from core.organizations.sessions.record import OpenedSession

MIN_REFUSAL_SECONDS = 0.25
"""A refusal takes at least so long: else its time would tell in how many organizations an address
has an account.
"""

MAX_CONCURRENT = 64
"""Log-ins under way in one process: whoever has no credential must not take all of the processor.
"""

_under_way = 0


async def open_session(
    new: NewSession, *, address: str | None, request_id: str | None
) -> OpenedSession:
    """Open a session for whoever knows the password. The token is shown this once.

    `expiresAt` moves on with each use. `address` is the client's. Raises WrongCredentials,
    LogInLocked, AmbiguousOrganization, TooManyLogIns, SecondFactorNeeded, WrongSecondFactor.
    """
    started = time.monotonic()
    try:
        with _room_for_one_more():
            attempt = attempt_of(new.email, address)
            account = await _account_behind(new, attempt)
            with use_cell(await cell_of(account.organization_id)):
                at_code = await ask_for_it(account, new.code)
                return await _open(account, new, [attempt, *filter(None, [at_code])], request_id)
    except WrongCredentials:
        await asyncio.sleep(started + MIN_REFUSAL_SECONDS - time.monotonic())
        raise


@contextmanager
def _room_for_one_more() -> Iterator[None]:
    global _under_way
    if _under_way >= MAX_CONCURRENT:
        raise TooManyLogIns
    _under_way += 1
    try:
        yield
    finally:
        _under_way -= 1


async def _account_behind(new: NewSession, attempt: Attempt) -> Account:
    await count_attempt(attempt, at=real_now())
    fitting = await _accounts_that_fit(new)
    if not fitting:
        raise WrongCredentials
    if len(fitting) > 1:
        await forgive(attempt)
        raise AmbiguousOrganization(
            (organization.id, organization.name) for _, organization in fitting
        )
    return fitting[0][0]


async def _accounts_that_fit(new: NewSession) -> list[tuple[Account, Organization]]:
    """The accounts that may log in with this. One password is worked out where there is none to
    look at.
    """
    found = await people_with(new.email, new.organization_id)
    accounts = [one for one in found if one.account.password_hash]
    if not accounts:
        await password_fits(new.password, None)
    return [
        (one.account, one.organization)
        for one in accounts
        if await password_fits(new.password, one.account.password_hash)
        and one.organization.is_active
    ]


async def _open(
    account: Account, new: NewSession, attempts: Sequence[Attempt], request_id: str | None
) -> OpenedSession:
    at, token = real_now(), new_session_token()
    async with transaction():
        await _hold(account, new.password)
        had_one = len(attempts) > 1
        facts = await _second_factor(account, new, asked=had_one)
        for attempt in attempts:
            await forgive(attempt)
        session = await _store(account, new, token, at)
        caller = Caller(
            account.organization_id,
            new.env,
            frozenset(),
            session.id,
            account.id,
            request_id,
            "session",
        )
        demanded = await demands_second_factor(caller)
        await audit.write_entry(caller, "session.opened", session.id, facts, at=at)
    return {
        "token": token,
        "expiresAt": wire_time(session.expires_at),
        "account": account_record(account, whole=True),
        "secondFactorDue": demanded and not had_one,
    }


async def _second_factor(account: Account, new: NewSession, *, asked: bool) -> dict[str, object]:
    """What the audit tells of it. Raises WrongSecondFactor."""
    if not asked or new.code is None:
        return {}
    return {"secondFactor": await use_code(account, new.code)}


async def _hold(account: Account, password: str) -> None:
    """Lock the account, so that nobody suspends it or changes its password while the session comes
    into being.

    Raises WrongCredentials when that happened a moment ago. Now that the password is there, it is
    kept with the parameters of today.
    """
    held = await Account.select_for_update().get(
        id=account.id, organization_id=account.organization_id
    )
    unchanged = held.password_hash == account.password_hash or await password_fits(
        password, held.password_hash
    )
    if not held.is_active or not unchanged:
        raise WrongCredentials
    assert held.password_hash is not None
    if is_outdated(held.password_hash):
        held.password_hash = await hash_password(password)
        await held.save(update_fields=["password_hash"])


async def _store(account: Account, new: NewSession, token: str, at: datetime) -> Session:
    digest = keyed_hash(current().hash_key.encode(), token)
    await note_key(KeyKind.SESSION, digest, account.organization_id)
    return await Session.create(
        id=new_id("ses"),
        organization_id=account.organization_id,
        env=new.env,
        account_id=account.id,
        token_hash=digest,
        created_at=at,
        last_used_at=at,
        expires_at=end_of(at, used_at=at),
    )
