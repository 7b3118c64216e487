"""The tables of journeys that run: who stands on which step, what is counted, and what was noticed.

Two more have no model, because nothing reads single rows of them through one: `journey_trail`
`(run_id, seq, at, step, outcome, facts)` and `journey_effects` `(run_id, seq, kind, ref, organization_id, env,
capped_at)`. `capped_at`: when a place under caps was taken for the message.
"""

from enum import IntEnum, StrEnum
from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class RunState(IntEnum):
    """How a run stands, as it is stored."""

    ACTIVE = 1
    DONE = 2
    CANCELED = 3
    FAILED = 4


class RunStatus(DescribedEnum, rest="JourneyRunStatus", graphql="JourneyRunStatus"):
    """How a run stands."""

    ACTIVE = "ativa", "It is on its way"
    DONE = "concluida", "It came to the end or to the goal"
    CANCELED = "cancelada", "It was taken out"
    FAILED = "erro", "Something failed, and it did not go on"


STATUS_OF = {
    RunState.ACTIVE: RunStatus.ACTIVE,
    RunState.DONE: RunStatus.DONE,
    RunState.CANCELED: RunStatus.CANCELED,
    RunState.FAILED: RunStatus.FAILED,
}


class CountKind(IntEnum):
    """What is counted of a step: runs that came to it, left it, failed in it, and passed it without
    its action; its messages by how far they came, clicks on their links, and the customer events
    that are attributed to them.

    How many stand in it is `ENTERED - LEFT - FAILED`.
    """

    ENTERED = 1
    LEFT = 2
    FAILED = 3
    SKIPPED = 4
    SENT = 5
    DELIVERED = 6
    READ = 7
    CLICKED = 8
    CONVERTED = 9


class WatchKind(StrEnum):
    """What is watched for journeys; an opt-out of everything is, unasked."""

    SEGMENT = "segment"
    LIST = "list"
    EVENT = "event"
    OPT_OUT = "opt_out"


class JourneyRun(OwnedModel):
    """A contact on its way through one version of a journey.

    `step` is a place in the version's program, `seq` how many steps the run has come to. `due_at`: when a worker looks
    at it again; none once it ended. `wait_event`: the customer event that it waits for, recorded at `wait_since` or
    later; `woken_by`: the event that came. `entry_key` tells runs of one contact apart (`gatilho.chave`). `control`: it
    was held out, and gets no messages.
    """

    id = fields.UUIDField(primary_key=True)
    version_id = fields.CharField(max_length=30)
    lineage_id = fields.CharField(max_length=30)
    contact_id = fields.CharField(max_length=30)
    entry_key = fields.CharField(max_length=200, db_default="")
    state = fields.SmallIntField(db_default=1)
    step = fields.SmallIntField()
    seq = fields.IntField(db_default=1)
    due_at = fields.DatetimeField(null=True)
    wait_event = fields.CharField(max_length=120, null=True)
    wait_since = fields.DatetimeField(null=True)
    woken_by = fields.CharField(max_length=30, null=True)
    control = fields.BooleanField(db_default=False)
    entered_at = fields.DatetimeField()
    step_at = fields.DatetimeField()
    ended_at = fields.DatetimeField(null=True)
    end_reason = fields.CharField(max_length=200, null=True)

    class Meta:
        table = "journey_runs"
        indexes = (
            WhereIndex(fields=("due_at",), name="journey_runs_due", where="due_at IS NOT NULL"),
            WhereIndex(
                fields=("version_id", "step", "due_at", "id"),
                name="journey_runs_on_step",
                where="state = 1",
            ),
            WhereIndex(
                fields=("organization_id", "due_at"),
                name="journey_runs_due_in_sandbox",
                where="due_at IS NOT NULL AND env = 'test'",
            ),
            ("contact_id", "lineage_id"),
            ("version_id", "id"),
            WhereIndex(
                fields=("version_id", "state", "id"),
                name="journey_runs_ended",
                where="state <> 1",
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("contact_id", "lineage_id", "entry_key"),
                name="journey_runs_once",
                condition="state = 1",
            ),
        )


class JourneyStepCount(OwnedModel, SqlTable):
    """A change of how many runs came to, left, failed in or passed a step. Their sum is the number, exactly.

    `step` is -1 for the whole version: there `kind` is a state of runs. `reason`: why a step was passed without its action.

    SQL alone: the statements that move runs count them, and only sums are read.
    """

    id = fields.BigIntField(primary_key=True)
    version_id = fields.CharField(max_length=30)
    step = fields.SmallIntField()
    kind = fields.SmallIntField()
    reason = fields.CharField(max_length=40, db_default="")
    delta = fields.BigIntField()

    class Meta:
        table = "journey_step_counts"
        indexes = (("version_id", "step", "kind", "reason", "delta"),)


class JourneyWatch(OwnedModel):
    """What a version is interested in: a segment, a list, or a customer event by name. Only of it changes are noted.

    `checked_at`: when the members of a segment were last compared as a whole.
    """

    id = fields.BigIntField(primary_key=True)
    version_id = fields.CharField(max_length=30)
    kind = fields.CharField(max_length=8)
    ref = fields.CharField(max_length=120)
    checked_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "journey_watches"
        indexes = (("organization_id", "env", "kind", "ref"),)
        constraints = (
            UniqueConstraint(fields=("version_id", "kind", "ref"), name="journey_watches_once"),
        )


class SegmentMember(OwnedModel):
    """A contact that was in a watched segment when it was last looked at."""

    id = fields.BigIntField(primary_key=True)
    segment_id = fields.CharField(max_length=30)
    contact_id = fields.CharField(max_length=30)
    since = fields.DatetimeField()

    class Meta:
        table = "segment_members"
        indexes = (("contact_id",),)
        constraints = (
            UniqueConstraint(fields=("segment_id", "contact_id"), name="segment_members_once"),
        )


class DirtyContact(OwnedModel):
    """A contact of which something changed that a watched segment may ask about. Triggers write it, each time anew."""

    id = fields.BigIntField(primary_key=True)
    contact_id = fields.CharField(max_length=30)

    class Meta:
        table = "dirty_contacts"
        indexes = (("organization_id", "env"),)


class AudienceChange(OwnedModel):
    """What may start, wake or end runs: a contact entered or left a list or segment, or a customer event came.

    `xid`: the transaction that wrote it; it is handled once all that were open with it have ended. `event_id`: the
    customer event.
    """

    id = fields.BigIntField(primary_key=True)
    kind = fields.CharField(max_length=8)
    ref = fields.CharField(max_length=120)
    contact_id = fields.CharField(max_length=30)
    entered = fields.BooleanField()
    event_id = fields.CharField(max_length=30, null=True)
    xid = fields.BigIntField()
    at = fields.DatetimeField()

    class Meta:
        table = "audience_changes"
        indexes = (("organization_id", "env", "at"),)


class ContactCap(OwnedModel):
    """When a contact was last sent messages of journeys: those of one lineage, or of all where `scope` is empty."""

    id = fields.BigIntField(primary_key=True)
    contact_id = fields.CharField(max_length=30)
    scope = fields.CharField(max_length=30, db_default="")
    sent: fields.Field[list[Any]] = ArrayField(element_type="timestamptz")
    updated_at = fields.DatetimeField()

    class Meta:
        table = "contact_caps"
        constraints = (UniqueConstraint(fields=("contact_id", "scope"), name="contact_caps_once"),)


class JourneySettings(OwnedModel):
    """What holds for all journeys of an owner: at most so many messages (`{mensagens, dias}`) to a contact."""

    id = fields.BigIntField(primary_key=True)
    cap: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "journey_settings"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env"), name="journey_settings_once"),
        )
