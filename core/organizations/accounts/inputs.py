"""What may be said about an account."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.security.masks import looks_masked
from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across
from core.organizations.models import AccountStatus, Role

ADDRESS = re.compile(r"[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+")


def _email(text: str) -> str:
    if looks_masked(text):
        raise PydanticCustomError(
            "VALOR_MASCARADO", "This is a masked value; send the whole address"
        )
    if not ADDRESS.fullmatch(text):
        raise PydanticCustomError(
            "wrong_format", "Write an e-mail address, such as ana@example.com"
        )
    return text.lower()


Name = Annotated[str, NameText(120)]
AccountEmail = Annotated[str, StringConstraints(max_length=254), AfterValidator(_email)]
"""An e-mail address in lower case, which is how accounts keep it and compare it."""

Password = Annotated[str, StringConstraints(min_length=8, max_length=1024)]
"""A password to be set."""


class LogIn(Input):
    """What somebody logs in with."""

    email: AccountEmail
    password: Password | None = None


class NewAccount(LogIn):
    """A person who is to work for an organization."""

    name: Name
    status: AccountStatus = AccountStatus.ACTIVE
    role: Role = Role.OPERATOR


class AccountChanges(Changes):
    """What changes about an account."""

    status: KeptWhenLeftOut[AccountStatus] = None
    role: KeptWhenLeftOut[Role] = None
    password: KeptWhenLeftOut[Password] = None
    suspend_keys: bool = Field(
        default=False,
        alias="suspenderChaves",
        validate_default=True,
        description="With the status suspended: the keys that the account issued are revoked",
    )

    @across("status", "suspend_keys")
    @staticmethod
    def _of_a_suspension(status: AccountStatus | None, suspend_keys: bool) -> None:
        if suspend_keys and status != AccountStatus.SUSPENDED:
            raise PydanticCustomError(
                "not_allowed", "Keys are suspended together with their account: send suspended"
            )


class AccountFilter(SkipPage):
    """Which accounts to list."""

    status: Literal["invited", "active", "suspended"] | None = Field(
        default=None, description="Accounts in this status only"
    )
    role: Literal["owner", "admin", "operator"] | None = Field(
        default=None, description="Accounts with this role only"
    )
