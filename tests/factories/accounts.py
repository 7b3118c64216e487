"""People who log in, for tests."""

from itertools import count
from typing import Any

import orjson

from core import operations, organizations
from core.foundation.security.caller import Env

PASSWORD = "correct horse battery staple"
ADDRESS = "203.0.113.7"

_numbers = count(1)


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
    return await organizations.create_account(organization_id or await an_organization(), new)


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
