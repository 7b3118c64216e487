"""Tenants, their people and their API keys."""

from enum import StrEnum

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import UniqueConstraint
from tortoise.models import Model

from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum
from core.foundation.ids import is_id


class OrganizationStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"


class Role(DescribedEnum, graphql="AccountRole"):
    """What a person may do."""

    OWNER = "owner", "Everything; an organization has one at least"
    ADMIN = "admin", "Everything but what concerns owners"
    OPERATOR = "operator", "Reads, writes to contacts and works on deals"


class AccountStatus(DescribedEnum):
    """Whether a person can log in."""

    INVITED = "invited", "Has not accepted yet"
    ACTIVE = "active", "Logs in, and may be made responsible for something"
    SUSPENDED = "suspended", "Does not log in any more"


class Organization(Model):
    """A customer of the service. Its records never meet another organization's."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    status = fields.CharEnumField(
        OrganizationStatus, max_length=12, default=OrganizationStatus.ACTIVE
    )
    unifies_ninth_digit = fields.BooleanField(db_default=True, default=True)
    demands_second_factor = fields.BooleanField(db_default=False, default=False)
    has_sandbox_clock = fields.BooleanField(db_default=False, default=False)
    created_at = fields.DatetimeField()

    class Meta:
        table = "organizations"

    @property
    def is_active(self) -> bool:
        """Whether its keys and sessions open."""
        return self.status == OrganizationStatus.ACTIVE

    @classmethod
    async def is_known(cls, id: str) -> bool:
        """Whether there is one of this id, whatever somebody wrote in its place."""
        return is_id("org", id) and await cls.exists(id=id)


class Account(Model):
    """A person who works for an organization, in both of its environments."""

    id = fields.CharField(max_length=30, primary_key=True)
    organization_id = fields.CharField(max_length=30)
    name = fields.CharField(max_length=120)
    email = fields.CharField(max_length=254, null=True)
    role = fields.CharEnumField(Role, max_length=12)
    status = fields.CharEnumField(AccountStatus, max_length=12)
    password_hash = fields.TextField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "accounts"
        indexes = (("email",),)
        unique_together = (("organization_id", "email"),)

    @property
    def is_active(self) -> bool:
        """Whether the person logs in: neither invited only, nor suspended."""
        return self.status == AccountStatus.ACTIVE


class SettableStatus(DescribedEnum, rest="AccountSwitch", graphql="AccountSwitch"):
    """What a person's status can be set to: nobody but the person accepts an invitation."""

    ACTIVE = "active", "Logs in again"
    SUSPENDED = "suspended", "Does not log in any more"


class LetterLanguage(DescribedEnum):
    """The languages of the service's own e-mails."""

    PORTUGUESE = "pt-BR", "Portuguese of Brazil"
    ENGLISH = "en", "English"


class SecondFactor(Model):
    """What a person shows at the log-in besides the password: an app's codes, or recovery codes."""

    account_id = fields.CharField(max_length=30, primary_key=True)
    organization_id = fields.CharField(max_length=30)
    secret_cipher = fields.TextField()
    """Encrypted; the app has the same."""
    confirmed_at = fields.DatetimeField(null=True)
    """Until somebody has shown a code of the app, it is asked of nobody."""
    last_step = fields.BigIntField(default=0, db_default=0)
    """The half minute of the newest code that was shown: none opens twice."""
    recovery_hashes: fields.Field[list[str]] = ArrayField(
        element_type="text", default=list, db_default=[]
    )
    created_at = fields.DatetimeField()

    class Meta:
        table = "second_factors"


class TokenKind(StrEnum):
    INVITATION = "invitation"
    RESET = "password_reset"


class AccountToken(Model):
    """A link that was sent to a person: whoever has it is that person. Only its keyed hash is kept,
    and the row goes when it is used.
    """

    id = fields.BigIntField(primary_key=True)
    organization_id = fields.CharField(max_length=30)
    account_id = fields.CharField(max_length=30)
    kind = fields.CharEnumField(TokenKind, max_length=20)
    token_hash = fields.BinaryField()
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "account_tokens"
        indexes = (("account_id",), ("expires_at",))
        constraints = (UniqueConstraint(fields=("token_hash",), name="account_tokens_key"),)


class Session(OwnedModel):
    """A log-in at work, fixed to one environment. The token is shown once; only its keyed hash is kept."""

    id = fields.CharField(max_length=30, primary_key=True)
    account_id = fields.CharField(max_length=30)
    token_hash = fields.BinaryField()
    created_at = fields.DatetimeField()
    last_used_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()
    ended_at = fields.DatetimeField(null=True)

    class Meta:
        table = "sessions"
        indexes = (("account_id",), ("expires_at",))
        constraints = (UniqueConstraint(fields=("token_hash",), name="sessions_token_key"),)


class FailedLogIn(Model):
    """Failures in a row of one e-mail address from one network address, known by a keyed hash of both."""

    id = fields.BigIntField(primary_key=True)
    identity = fields.BinaryField()
    """Or of a network address alone: the failures of all e-mail addresses from there within `locked_until`."""
    failures = fields.IntField()
    locked_until = fields.DatetimeField(null=True)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "failed_log_ins"
        indexes = (("updated_at",),)
        constraints = (UniqueConstraint(fields=("identity",), name="failed_log_ins_key"),)


class OrganizationLimits(OwnedModel):
    """Ceilings of one organization in one environment, where they differ from the defaults."""

    id = fields.BigIntField(primary_key=True)
    sms_per_second = fields.IntField(null=True)
    graphql_cost = fields.IntField(null=True)

    class Meta:
        table = "organization_limits"
        unique_together = (("organization_id", "env"),)


class QuietWindow(OwnedModel):
    """One for each organization and environment, whatever the channel. `start` and `end` are wall clock times (`22:00`)
    in `zone`; `days` are those on which it begins, 0 for Sunday, all of them when null.
    """

    id = fields.BigIntField(primary_key=True)
    start = fields.CharField(max_length=5)
    end = fields.CharField(max_length=5)
    zone = fields.CharField(max_length=64)
    days: fields.Field[list[int] | None] = ArrayField(element_type="smallint", null=True)
    exceptions: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    updated_at = fields.DatetimeField()

    class Meta:
        table = "quiet_windows"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env"), name="quiet_windows_once"),
        )


class ApiKey(OwnedModel):
    """A credential of one environment. The key itself is shown once; only its keyed hash is kept."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    key_hash = fields.BinaryField()
    prefix = fields.CharField(max_length=12)
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    ips: fields.Field[list[str] | None] = ArrayField(element_type="text", null=True)
    created_by_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField(null=True)
    revoked_at = fields.DatetimeField(null=True)
    last_used_at = fields.DatetimeField(null=True)
    replaced_by_id = fields.CharField(max_length=30, null=True)

    class Meta:
        table = "api_keys"
        unique_together = (("key_hash",),)
        indexes = (("organization_id", "env"),)
