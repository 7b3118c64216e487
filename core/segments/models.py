"""Segments as they are stored."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class SegmentNodeKind(DescribedEnum):
    """What a node of a filter is."""

    LEAF = "leaf", "A condition, in `filter`"
    AND = "and", "All of `children` hold"
    OR = "or", "One of `children` holds, or several"
    NOT = "not", "`child` does not hold"


class SegmentOperator(DescribedEnum):
    """How a condition compares."""

    AFTER = "after", "Later than this moment"
    BEFORE = "before", "Earlier than this moment"
    BETWEEN = "between", "From the first of two values to the second"
    CONTAINS = "contains", "Has this text somewhere"
    EXISTS = "exists", "Has a value"
    GT = "gt", "Greater than this"
    GTE = "gte", "This, or greater"
    IN = "in", "One of these"
    IS = "is", "Exactly this"
    IS_NOT = "isNot", "Anything but this, or nothing"
    LT = "lt", "Less than this"
    LTE = "lte", "This, or less"
    NOT_EXISTS = "notExists", "Has no value"
    NOT_IN = "notIn", "None of these"
    NOT_WITHIN_DAYS = "notWithinDays", "Not within so many days before now"
    STARTS_WITH = "startsWith", "Begins with this text"
    WITHIN_DAYS = "withinDays", "Within so many days before now"


class Segment(OwnedModel):
    """A named filter over contacts. `size` is what the last count found, at `size_at`."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    description = fields.CharField(max_length=500, null=True)
    filters: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    filter_tree: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    size = fields.IntField(null=True)
    size_at = fields.DatetimeField(null=True)
    created_by_id = fields.CharField(max_length=30, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "segments"
        indexes = (("organization_id", "env", "created_at", "id"),)
        constraints = (
            UniqueConstraint(fields=("organization_id", "env", "name"), name="segments_name_key"),
        )
