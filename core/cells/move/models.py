"""Moves of organizations between cells, and who may be written to in a cell meanwhile."""

from enum import StrEnum

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable


class MoveStep(StrEnum):
    """How far a move has come. Up to `closing` it may be undone; from `switching` on it is finished."""

    PREPARING = "preparing"
    COPYING = "copying"
    CATCHING_UP = "catching_up"
    DRAINING = "draining"
    CLOSING = "closing"
    SWITCHING = "switching"
    SWITCHED = "switched"
    REMOVING = "removing"
    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"


UNDOABLE = (
    MoveStep.PREPARING,
    MoveStep.COPYING,
    MoveStep.CATCHING_UP,
    MoveStep.DRAINING,
    MoveStep.CLOSING,
    MoveStep.UNDOING,
)
"""Steps at which the organization still lives where it was."""


class GateState(StrEnum):
    """What a cell does with the rows of an organization that moves."""

    ARRIVING = "arriving"
    """They are being copied into it: nobody works on them yet."""
    DRAINING = "draining"
    """Workers leave them alone; everybody else writes."""
    CLOSED = "closed"
    """Nobody writes them, until the time that the gate names."""
    GONE = "gone"
    """They live in another cell."""


class OrganizationMove(Model):
    """A move of an organization into another cell; its row lies in the home. `id`: also the block of numbers that the
    cell that is entered begins. `copied`: the tables that were copied whole. `since`: the oldest transaction that was open
    when the newest round of copying began.
    """

    id = fields.BigIntField(primary_key=True)
    organization_id = fields.CharField(max_length=30)
    source = fields.CharField(max_length=24)
    target = fields.CharField(max_length=24)
    step = fields.CharEnumField(MoveStep, max_length=12)
    copied: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    since = fields.BigIntField(null=True)
    rows = fields.BigIntField(null=True)
    writes_waited_ms = fields.IntField(null=True)
    began_at = fields.DatetimeField()
    changed_at = fields.DatetimeField()
    ended_at = fields.DatetimeField(null=True)

    class Meta:
        table = "organization_moves"
        indexes = (
            WhereIndex(
                fields=("organization_id",),
                name="organization_moves_open",
                where="ended_at IS NULL",
            ),
        )


class OrganizationGate(SqlTable):
    """What a cell does with the rows of an organization that moves into it or out of it, up to `until`.

    SQL alone: a move writes it over its own connections to both cells, and not the pools that
    models have.
    """

    organization_id = fields.CharField(max_length=30, primary_key=True)
    state = fields.CharEnumField(GateState, max_length=12)
    until = fields.DatetimeField()

    class Meta:
        table = "organization_gates"
