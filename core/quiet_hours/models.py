"""When an organization does not want to disturb anybody."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel


class QuietWindow(OwnedModel):
    """One for each organization and environment, whatever the channel. `start` and `end` are wall clock times (`22:00`)
    in `zone`; `days` are those on which it begins, 0 for Sunday, all of them when null.
    """

    id = fields.BigIntField(primary_key=True)
    start = fields.CharField(max_length=5)
    end = fields.CharField(max_length=5)
    zone = fields.CharField(max_length=64)
    days: fields.Field[list[int] | None] = ArrayField(element_type="smallint", null=True)
    exceptions: fields.Field[list[str]] = ArrayField(element_type="text", db_default="{}")
    updated_at = fields.DatetimeField()

    class Meta:
        table = "quiet_windows"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env"), name="quiet_windows_once"),
        )
