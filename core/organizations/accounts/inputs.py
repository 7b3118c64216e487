"""What may be said about an account."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.security.masks import looks_masked
from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across, faults
from core.organizations.models import AccountStatus, LetterLanguage, Role, SettableStatus

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

CurrentPassword = Annotated[
    str,
    StringConstraints(min_length=1, max_length=1024),
    Field(description="The password that the person logs in with"),
]


KeysWithTheAccount = Annotated[
    bool,
    Field(
        alias="suspenderChaves",
        validate_default=True,
        description="With the status suspended: the keys that the account issued are revoked",
    ),
]


def _refuse_keys_alone(status: str | None, suspend_keys: bool) -> None:
    if suspend_keys and status != AccountStatus.SUSPENDED:
        raise PydanticCustomError(
            "not_allowed", "Keys are suspended together with their account: send suspended"
        )


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
    suspend_keys: KeysWithTheAccount = False
    remove_second_factor: bool = Field(
        default=False,
        alias="removerSegundoFator",
        description="true: the log-in asks for the password alone",
    )

    @across("status", "suspend_keys")
    @staticmethod
    def _of_a_suspension(status: AccountStatus | None, suspend_keys: bool) -> None:
        _refuse_keys_alone(status, suspend_keys)


class OwnChanges(Changes):
    """What people change about themselves; what is left out stays. A new password needs the current
    one, and ends every other session.
    """

    name: KeptWhenLeftOut[Name] = Field(default=None, description="What the person is called")
    password: KeptWhenLeftOut[Password] = Field(
        default=None, description="The new password: 8 to 1,024 characters"
    )
    current_password: CurrentPassword | None = Field(
        default=None,
        validate_default=True,
        description="The password that the person logs in with; needed to set another",
    )

    @across("password", "current_password")
    @staticmethod
    def _whoever_changes_it_knows_it(password: str | None, current_password: str | None) -> None:
        if password is not None and current_password is None:
            raise faults([(("currentPassword",), "required", "Send the current password too")])


Language = Annotated[LetterLanguage, Field(description="In which language the e-mail is written")]
LinkToken = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100),
    Field(description="What stands behind `=` in the link of the e-mail"),
]


class ForgottenPassword(Input):
    """Who has forgotten a password."""

    email: AccountEmail = Field(description="With which the person logs in, in any case")
    organization_id: Annotated[str, StringConstraints(max_length=30)] | None = Field(
        default=None, description="Only the account of this organization; unless told, every one"
    )
    language: Language = LetterLanguage.PORTUGUESE


class PasswordReset(Input):
    """A new password, and the link that allows it."""

    token: LinkToken
    password: Password = Field(description="The new password: 8 to 1,024 characters")


class NewInvitation(Input):
    """Whom to invite into the organization, and as what."""

    email: AccountEmail = Field(description="Where the e-mail goes, and the person's log-in")
    name: Name = Field(description="What the person is called")
    role: Role = Field(
        default=Role.OPERATOR, description="What the person may do; none above one's own"
    )
    language: Language = LetterLanguage.PORTUGUESE


class Acceptance(Input):
    """What an invited person answers: a password, and the link of the invitation."""

    token: LinkToken
    password: Password = Field(description="With which the person will log in")
    name: Name | None = Field(default=None, description="Unless told, the name of the invitation")


class PersonChanges(Changes):
    """What changes about a person of the organization; what is left out stays."""

    name: KeptWhenLeftOut[Name] = Field(default=None, description="What the person is called")
    role: KeptWhenLeftOut[Role] = Field(
        default=None, description="What the person may do; none above one's own"
    )
    status: KeptWhenLeftOut[SettableStatus] = Field(
        default=None,
        description="`suspended` ends the sessions of the person, or an invitation",
    )
    suspend_keys: KeysWithTheAccount = False
    remove_second_factor: bool = Field(
        default=False,
        alias="removerSegundoFator",
        description=(
            "true: the log-in of the person asks for the password alone, as after a lost phone"
        ),
    )

    @across("status", "suspend_keys")
    @staticmethod
    def _of_a_suspension(status: SettableStatus | None, suspend_keys: bool) -> None:
        _refuse_keys_alone(status, suspend_keys)


class AccountFilter(SkipPage):
    """Which accounts to list."""

    status: AccountStatus | None = Field(default=None, description="Accounts in this status only")
    role: Role | None = Field(default=None, description="Accounts with this role only")
