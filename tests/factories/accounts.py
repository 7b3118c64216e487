"""People who log in, for tests."""

from itertools import count
from typing import Any

import orjson

from core import operations, organizations
from core.cells import KeyKind, note_key
from core.foundation.clock import now, real_now
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Env
from core.foundation.security.keyring import keyring
from core.foundation.security.secrets import keyed_hash, new_session_token
from core.foundation.settings import current
from core.organizations.accounts.people import note_email
from core.organizations.models import Account, AccountStatus, Role, SecondFactor, Session
from core.organizations.second_factor.check import context_of
from core.organizations.second_factor.totp import new_secret
from core.organizations.session_lifetime import end_of

PASSWORD = "correct horse battery staple"
ADDRESS = "203.0.113.7"

_numbers = count(1)
_hashes: list[str] = []
"""That of PASSWORD, once it was worked out."""


async def an_organization() -> str:
    """The id of a new organization."""
    organization, _ = await operations.open_organization("Padaria")
    return organization.id


async def an_account(organization_id: str | None = None, **changes: Any) -> dict[str, Any]:
    """The record of a new account, of a new organization unless one is given. Its password is
    PASSWORD.
    """
    facts = {
        "name": "Ana",
        "email": f"ana{next(_numbers)}@padaria.test",
        "password": PASSWORD,
        "role": "owner",
    }
    new = organizations.NewAccount.model_validate_json(orjson.dumps({**facts, **changes}))
    return {**await organizations.create_account(organization_id or await an_organization(), new)}


async def a_log_in(
    email: str, password: str = PASSWORD, *, address: str | None = ADDRESS, **more: Any
) -> Any:
    """What logging in answers."""
    new = organizations.NewSession(email=email, password=password, **more)
    return await organizations.open_session(new, address=address, request_id="req_of_the_test")


async def a_session(env: Env = "test", **changes: Any) -> str:
    """The token of a new session of a new account."""
    account = await an_account(**changes)
    token: str = (await a_log_in(account["email"], env=env))["token"]
    return token


async def a_stored_session(
    organization_id: str, account_id: str, *, env: Env = "test"
) -> tuple[Session, str]:
    """A session and its token, without the work that a password is."""
    token, at = new_session_token(), now()
    digest = keyed_hash(current().hash_key.encode(), token)
    await note_key(KeyKind.SESSION, digest, organization_id)
    session = await Session.create(
        id=new_id("ses"),
        organization_id=organization_id,
        env=env,
        account_id=account_id,
        token_hash=digest,
        created_at=at,
        last_used_at=at,
        expires_at=end_of(at, used_at=at),
    )
    return session, token


async def a_stored_account(organization_id: str, role: Role, email: str) -> Account:
    """An account with PASSWORD, with nothing that tells of its making."""
    await note_email(email, organization_id)
    return await Account.create(
        id=new_id("acc"),
        organization_id=organization_id,
        name="Bia",
        email=email,
        role=role,
        status=AccountStatus.ACTIVE,
        password_hash=await _hash_of_password(),
        created_at=real_now(),
    )


async def set_password(account_id: str) -> None:
    """Make PASSWORD that of an account, working it out once for all of them."""
    hash = await _hash_of_password()
    await organizations.Account.filter(id=account_id).update(password_hash=hash)


async def _hash_of_password() -> str:
    if not _hashes:
        _hashes.append(await organizations.hash_password(PASSWORD))
    return _hashes[0]


async def a_person(
    organization_id: str | None = None, *, env: Env = "test", role: str = "owner", **changes: Any
) -> Caller:
    """Somebody who has logged in: the caller of a new session of a new account."""
    account = await an_account(organization_id, role=role, password=None, **changes)
    await set_password(account["id"])
    return await logged_in(account["organizationId"], account["id"], env=env)


async def logged_in(organization_id: str, account_id: str, *, env: Env = "test") -> Caller:
    """The caller of one more session of an account."""
    _, token = await a_stored_session(organization_id, account_id, env=env)
    return await organizations.authenticate(token, request_id="req_of_the_test")


async def a_pending_factor(organization_id: str, account_id: str) -> str:
    """The secret of a second factor that nobody has confirmed yet."""
    secret = new_secret()
    await SecondFactor.create(
        account_id=account_id,
        organization_id=organization_id,
        secret_cipher=keyring().encrypt(secret, context=context_of(account_id)),
        created_at=now(),
    )
    return secret
