"""The table of clocks, and the states of a clock."""

from datetime import datetime, timedelta

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class ClockStatus(DescribedEnum, rest="ClockStatus", graphql="ClockStatus"):
    """What a sandbox's clock is doing."""

    REAL = "real", "Nobody moved it: it is the real time"
    READY = "pronto", "It was moved, and stands or goes on from there"
    ADVANCING = "avancando", "It is being moved, and what comes due on the way happens"
    STOPPED = "interrompido", "It was being moved and met a limit; advance again to go on"


class ClockLimit(DescribedEnum, rest="ClockLimit", graphql="ClockLimit"):
    """Which limit ended a movement before its end."""

    DUES = "vencimentos", "200,000 things had happened"
    TIME = "tempo", "Five minutes had passed"


class SandboxClock(OwnedModel):
    """The clock of a sandbox that was moved; without a row it is the real time.

    `instant`: what it showed at `set_at`, from where it goes on unless it is frozen, or being moved to `target`.
    `advanced_at`: when that began in real time; `advances_from`: where. `applied`: what has happened on the way.
    `limited_by`: a ClockLimit, where the last movement met it. `lease_until`: until when `leased_to` moves it.
    """

    id = fields.BigIntField(primary_key=True)
    instant = fields.DatetimeField()
    set_at = fields.DatetimeField()
    is_frozen = fields.BooleanField(db_default=False)
    target = fields.DatetimeField(null=True)
    advances_from = fields.DatetimeField(null=True)
    advanced_at = fields.DatetimeField(null=True)
    applied = fields.IntField(db_default=0)
    limited_by = fields.CharField(max_length=12, null=True)
    leased_to = fields.CharField(max_length=12, null=True)
    lease_until = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "sandbox_clocks"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env"), name="sandbox_clocks_once"),
        )

    @property
    def status(self) -> ClockStatus:
        """What it is doing."""
        if self.target is not None:
            return ClockStatus.ADVANCING
        return ClockStatus.READY if self.limited_by is None else ClockStatus.STOPPED

    def instant_at(self, at: datetime) -> datetime:
        """What it shows at a moment of the real time."""
        if self.is_frozen or self.target is not None:
            return self.instant
        return self.instant + max(timedelta(0), at - self.set_at)
