"""What a person shows besides the password."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.foundation.validation.inputs import Input
from core.organizations.accounts.inputs import CurrentPassword

Code = Annotated[
    str,
    StringConstraints(min_length=6, max_length=20),
    Field(description="The six digits that the app shows, or a recovery code"),
]


class CurrentPasswordOnly(Input):
    """Who adds a second factor knows the password."""

    current_password: CurrentPassword


class SecondFactorCode(Input):
    """The first code of the app."""

    code: Code


class SecondFactorRemoval(Input):
    """Who removes a second factor has both."""

    current_password: CurrentPassword
    code: Code
