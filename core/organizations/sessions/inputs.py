"""What a person logs in with."""

from typing import Annotated

from pydantic import StringConstraints

from core.foundation.security.caller import Env
from core.foundation.validation.inputs import Input
from core.organizations.accounts.inputs import AccountEmail


class NewSession(Input):
    """E-mail, password and the environment to work in. The organization is asked for only where
    several fit.
    """

    email: AccountEmail
    password: Annotated[str, StringConstraints(min_length=1, max_length=1024)]
    env: Env = "live"
    organization_id: Annotated[str, StringConstraints(max_length=30)] | None = None
