"""What a person logs in with."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.foundation.security.caller import Env
from core.foundation.validation.inputs import Input, SkipPage
from core.organizations.accounts.inputs import AccountEmail, CurrentPassword


class NewSession(Input):
    """E-mail, password and the environment to work in. The organization is asked for only where
    several fit.
    """

    email: AccountEmail = Field(description="With which the person logs in, in any case")
    password: CurrentPassword
    env: Env = Field(default="live", description="Where the session is to work")
    organization_id: Annotated[str, StringConstraints(max_length=30)] | None = Field(
        default=None,
        description="Where the password opens accounts of several organizations: which of them",
    )
    code: Annotated[str, StringConstraints(min_length=6, max_length=20)] | None = Field(
        default=None,
        description=(
            "Where the account asks for a second factor: the six digits of the app, or a "
            "recovery code"
        ),
    )


class EnvironmentSwitch(Input):
    """Where a person who has logged in goes on."""

    env: Env = Field(description="Where the session is to work from now on")


class SessionFilter(SkipPage):
    """Whose open sessions to list."""

    account_id: str | None = Field(
        default=None,
        description=(
            "Those of this person, for whoever holds accounts:manage; one's own unless told"
        ),
    )
