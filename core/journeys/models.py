"""The table of journeys."""

from typing import Any

from tortoise import fields

from core.foundation.channels import ChannelSet
from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class JourneyStatus(DescribedEnum):
    """How a journey stands."""

    DRAFT = "rascunho", "It is being written"
    ACTIVE = "ativa", "Contacts enter, and go on"
    PAUSED = "pausada", "Nobody goes on for a while"
    ARCHIVED = "arquivada", "It was put away for good"


class JourneyReentry(DescribedEnum):
    """Whether who has been through may enter again."""

    NEVER = "nunca", "Everybody enters once"
    AFTER_THE_END = "apos_concluir", "Who has come to the end may enter again"


class TriggerKind(DescribedEnum, rest="JourneyTriggerType", graphql="JourneyTriggerType"):
    """What kind of source lets contacts in, where it is told."""

    SEGMENT = "segmento", "The contacts of a segment"


class TriggerMove(DescribedEnum, rest="JourneyTriggerMove", graphql="JourneyTriggerMove"):
    """Which move about a segment lets a contact in."""

    INTO = "entrar", "The contact comes into the segment"
    OUT = "sair", "The contact leaves the segment"


class RunsOfArchived(DescribedEnum, rest="ArchivedJourneyRuns", graphql="ArchivedJourneyRuns"):
    """What becomes of those inside a journey that is archived."""

    FINISH = "concluir", "They finish their way"
    CANCEL = "cancelar", "They are taken out at once"


class UnmappedRuns(DescribedEnum, rest="UnmappedJourneyRuns", graphql="UnmappedJourneyRuns"):
    """What becomes of those whose step has no place in another version."""

    KEEP = "manter", "They finish the version that they are in"
    END = "encerrar", "They are taken out"


class JourneyChannel(
    ChannelSet,
    of=lambda facts: facts.journey,
    first=["WHATSAPP"],
    rest="JourneyMessageChannel",
    graphql="JourneyMessageChannel",
):
    """What a step sends a message over."""


class JourneyCardStep(DescribedEnum):
    """What a step does with a card."""

    CREATE = "cardCriar", "It creates one for the contact"
    MOVE = "cardMover", "It moves the one that the contact has on the pipeline"


class JourneyFailure(DescribedEnum):
    """What a run does when the message of a step fails."""

    GO_ON = "seguir", "It goes on"
    END = "encerrar", "It ends"
    OTHER_CHANNEL = "outroCanal", "It tries another channel"


class JourneyAtCap(DescribedEnum):
    """What becomes of a message to a contact that got as many as it may."""

    SKIP = "pular", "It is left out, and the run goes on"
    WAIT = "esperar", "It waits until the contact may get one more"


class Journey(OwnedModel):
    """A journey with its graph of steps. `trigger`, `steps`, `goal` and the like are the interface's objects."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    status = fields.CharEnumField(JourneyStatus, max_length=10)
    trigger: fields.Field[dict[str, Any]] = fields.JSONField()
    reentry = fields.CharField(max_length=16)
    reentry_hours = fields.IntField(null=True)
    quiet: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    frequency_cap: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    goal: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    steps: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    entry_step_id = fields.CharField(max_length=64, null=True)
    paused_by: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    activated_at = fields.DatetimeField(null=True)
    version = fields.IntField(db_default=1)
    version_of = fields.CharField(max_length=30, null=True)
    replaced_by_id = fields.CharField(max_length=30, null=True)
    entries_ended = fields.BooleanField(null=True)
    lineage_id = fields.CharField(max_length=30, null=True)
    program: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    exit_when: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    enrol_present = fields.BooleanField(null=True)
    enrol_cursor = fields.CharField(max_length=30, null=True)
    quote_id = fields.CharField(max_length=30, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "journeys"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            WhereIndex(
                fields=("enrol_cursor",),
                name="journeys_that_enrol",
                where="enrol_cursor IS NOT NULL",
            ),
        )
