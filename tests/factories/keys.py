"""Keys, and the people who keep them, for tests."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from core import organizations
from core.foundation.security.caller import Caller, Env, Scope
from tests.factories.organizations import a_caller

A_KEY = {"nome": "a key", "env": "test", "scopes": ["sms:read", "sms:send"]}


async def an_admin(env: Env = "test") -> Caller:
    """The owner of a new organization, logged in to one environment."""
    caller = await a_caller(env, scopes=frozenset(Scope))
    return replace(caller, kind="session", credential_id="ses_of_the_test")


def a_new_key(**changes: Any) -> organizations.NewKey:
    """The input; `changes` are fields of the body by their name there."""
    return organizations.NewKey.model_validate({**A_KEY, **changes})


async def an_issued_key(admin: Caller, **changes: Any) -> organizations.IssuedKey:
    """Issue; answers the record with `key`."""
    return await organizations.issue_key(admin, a_new_key(**changes))


async def ends(key: Mapping[str, Any], at: datetime | None) -> None:
    """Move the end of a key, also into the past."""
    await organizations.ApiKey.filter(id=key["id"]).update(expires_at=at)
