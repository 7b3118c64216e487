"""Organizations, callers and keys for tests."""

from core.cells import KeyKind, note_key
from core.foundation.clock import real_now
from core.foundation.ids import new_id
from core.foundation.security.caller import (
    DEFAULT_KEY_SCOPES,
    KEY_SCOPES,
    Caller,
    Env,
    Scope,
    with_implied,
)
from core.foundation.security.secrets import SHOWN_CHARACTERS, keyed_hash, new_api_key
from core.foundation.settings import current
from core.organizations.models import Account, AccountStatus, ApiKey, Role
from tests.factories.opened import an_opened_organization


async def a_caller(
    env: Env = "test",
    *,
    scopes: frozenset[Scope] = KEY_SCOPES,
    organization_id: str | None = None,
    coins: int = 0,
) -> Caller:
    """A caller of a new organization with so much money outside of the sandbox, or of the one given."""
    account_id = None
    if organization_id is None:
        organization_id, account_id = await an_opened_organization(coins)
    return Caller(
        organization_id, env, with_implied(scopes), "key_of_the_test", account_id, "req_of_the_test"
    )


async def a_key(
    env: Env = "test",
    *,
    scopes: frozenset[Scope] = DEFAULT_KEY_SCOPES,
    organization_id: str | None = None,
    owner_id: str | None = None,
) -> str:
    """The text of a key of a new organization, or of the one given, with nothing that tells of its issue. `owner_id`: whose it
    is, where that is known.
    """
    if organization_id is None:
        organization_id, owner_id = await an_opened_organization()
    owner_id = owner_id or await _owner_of(organization_id)
    text = new_api_key(env)
    digest = keyed_hash(current().hash_key.encode(), text)
    await note_key(KeyKind.API_KEY, digest, organization_id)
    await ApiKey.create(
        id=new_id("key"),
        organization_id=organization_id,
        env=env,
        name="test",
        key_hash=digest,
        prefix=text[:SHOWN_CHARACTERS],
        scopes=sorted(map(str, scopes)),
        created_by_id=owner_id,
        created_at=real_now(),
    )
    return text


async def _owner_of(organization_id: str) -> str:
    owner = (
        await Account.filter(
            organization_id=organization_id, role=Role.OWNER, status=AccountStatus.ACTIVE
        )
        .order_by("created_at")
        .first()
    )
    assert owner is not None
    return owner.id
