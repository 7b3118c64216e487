"""Organizations, callers and keys for tests."""

from core import operations, organizations
from core.foundation.security.caller import (
    DEFAULT_KEY_SCOPES,
    KEY_SCOPES,
    Caller,
    Env,
    Scope,
    system_caller,
    with_implied,
)


async def a_caller(
    env: Env = "test", *, scopes: frozenset[Scope] = KEY_SCOPES, organization_id: str | None = None
) -> Caller:
    """A caller of a new organization, or of the one given."""
    account_id = None
    if organization_id is None:
        organization, owner = await operations.open_organization("An organization")
        organization_id, account_id = organization.id, owner.id
    return Caller(
        organization_id, env, with_implied(scopes), "key_of_the_test", account_id, "req_of_the_test"
    )


async def a_key(
    env: Env = "test",
    *,
    scopes: frozenset[Scope] = DEFAULT_KEY_SCOPES,
    organization_id: str | None = None,
) -> str:
    """The text of a key of a new organization, or of the one given."""
    if organization_id is None:
        organization, _ = await operations.open_organization("An organization")
        organization_id = organization.id
    new = organizations.NewKey(name="test", env=env, scopes=list(scopes))
    key: str = (await organizations.issue_key(system_caller(organization_id, env), new))["key"]
    return key
