"""Accounts of SMPP for tests."""

from itertools import count
from typing import Any

from core import smpp
from core.foundation.security.caller import Caller
from core.smpp import NewSmppAccount
from tests.factories.keys import an_admin

_numbers = count(1)


async def an_smpp_account(admin: Caller | None = None, **changes: Any) -> dict[str, Any]:
    """An account of test, of a new organization or of the one given; its record has the password."""
    new = {"env": "test", "systemId": f"client-{next(_numbers)}", **changes}
    return {
        **await smpp.create_account(admin or await an_admin(), NewSmppAccount.model_validate(new))
    }
