"""Pipelines, their stages, and the reasons for losing a deal."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class PipelineKind(DescribedEnum, rest="PipelineType"):
    """What a pipeline is for."""

    SALES = "vendas", "Deals that are to be won"
    COLLECTION = "cobranca", "Debts that are to be paid; not available yet"
    ONBOARDING = "onboarding", "Customers who are to be made familiar; not available yet"


class Outcome(DescribedEnum, rest="StageOutcome", graphql="StageOutcome"):
    """What becomes of deals in a stage."""

    OPEN = "aberta", "They go on"
    WON = "ganho", "They are won"
    LOST = "perda", "They are lost"


class StageRequirement(DescribedEnum):
    """What a stage may demand of the deals in it."""

    VALUE = "valor", "What the deal is worth"
    EXPECTED_ON = "dataPrevista", "When it is expected to be won"
    CONTACT = "contato", "A contact"
    OWNER = "responsavel", "An account that is responsible"


class Pipeline(OwnedModel):
    """A way that deals go, stage by stage. `version` counts its changes."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=80)
    kind = fields.CharField(max_length=12)
    description = fields.CharField(max_length=500, null=True)
    currency = fields.CharField(max_length=3)
    position = fields.IntField()
    archived = fields.BooleanField(default=False)
    version = fields.IntField(default=1)
    created_by_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "pipelines"
        indexes = (("organization_id", "env", "position", "id"),)
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "name"),
                name="pipelines_name_key",
                condition="NOT archived",
            ),
        )


class Stage(OwnedModel):
    """A column of the board. `max_days` and `probability` (percent) are for what lies in it."""

    id = fields.CharField(max_length=30, primary_key=True)
    pipeline_id = fields.CharField(max_length=30)
    name = fields.CharField(max_length=60)
    position = fields.IntField()
    outcome = fields.CharEnumField(Outcome, max_length=6)
    probability = fields.SmallIntField(null=True)
    max_days = fields.SmallIntField(null=True)
    required_fields: fields.Field[list[str]] = ArrayField(element_type="text")
    color = fields.CharField(max_length=20, null=True)

    class Meta:
        table = "pipeline_stages"
        indexes = (("pipeline_id", "position"),)
        constraints = (
            UniqueConstraint(fields=("pipeline_id", "name"), name="pipeline_stages_name_key"),
            UniqueConstraint(
                fields=("pipeline_id",),
                name="pipeline_stages_one_won",
                condition="outcome = 'ganho'",
            ),
            UniqueConstraint(
                fields=("pipeline_id",),
                name="pipeline_stages_one_lost",
                condition="outcome = 'perda'",
            ),
        )


class LostReason(OwnedModel):
    """Why deals are lost. One that was used is only deactivated."""

    id = fields.CharField(max_length=30, primary_key=True)
    pipeline_id = fields.CharField(max_length=30)
    text = fields.CharField(max_length=200)
    active = fields.BooleanField(default=True)
    needs_note = fields.BooleanField(default=False)
    position = fields.IntField()

    class Meta:
        table = "lost_reasons"
        indexes = (("pipeline_id", "position"),)
