"""What a caller may say about a segment."""

from typing import Annotated, Any

from pydantic import Field, PlainValidator, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across
from core.segments.leaves import FIELDS
from core.segments.tree import (
    DEEPEST,
    MAX_CHILDREN,
    MAX_LEAVES,
    Joined,
    Node,
    read_filters,
    read_tree,
)

LEAF_SCHEMA: dict[str, Any] = {
    "x-name": "SegmentCondition",
    "type": "object",
    "required": ["field", "operator"],
    "additionalProperties": False,
    "properties": {
        "field": {
            "type": "string",
            "description": "One of "
            + ", ".join(sorted(FIELDS))
            + "; an attribute as attribute.<key>",
        },
        "key": {
            "type": "string",
            "maxLength": 64,
            "description": "The attribute, when field is attribute",
        },
        "operator": {
            "type": "string",
            "enum": sorted({name for known in FIELDS.values() for name in known}),
        },
        "value": {
            "description": "What the operator compares with: a value, an array of values, or nothing"
        },
    },
}

TREE_SCHEMA: dict[str, Any] = {
    "x-name": "SegmentNode",
    "type": "object",
    "required": ["kind"],
    "description": f"At most {DEEPEST} levels and {MAX_LEAVES} conditions",
    "properties": {
        "kind": {"type": "string", "enum": ["leaf", "and", "or", "not"]},
        "filter": LEAF_SCHEMA,
        "children": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_CHILDREN,
            "items": {"x-ref": "SegmentNode"},
        },
        "child": {"x-ref": "SegmentNode"},
    },
}


def _filters(value: object) -> list[dict[str, Any]]:
    read_filters(value)
    assert isinstance(value, list)
    return value


def _tree(value: object) -> dict[str, Any]:
    read_tree(value)
    assert isinstance(value, dict)
    return value


SegmentName = Annotated[str, NameText(120)]
Description = Annotated[str, StringConstraints(max_length=500)]
Filters = Annotated[
    list[dict[str, Any]],
    PlainValidator(_filters),
    WithJsonSchema({"type": "array", "minItems": 1, "maxItems": MAX_LEAVES, "items": LEAF_SCHEMA}),
]
FilterTree = Annotated[dict[str, Any], PlainValidator(_tree), WithJsonSchema(TREE_SCHEMA)]


class Filter(Input):
    """Conditions that all hold, or a tree of them; the tree counts when both are there."""

    filters: Filters | None = None
    filter_tree: FilterTree | None = Field(default=None, validate_default=True)

    @across("filters", "filter_tree")
    @staticmethod
    def _one_of_both(filters: list[dict[str, Any]] | None, tree: dict[str, Any] | None) -> None:
        if filters is None and tree is None:
            raise PydanticCustomError("required", "Send filters or filterTree")

    @property
    def node(self) -> Node:
        """The filter as a tree."""
        return node_of(self.filters, self.filter_tree)


class NewSegment(Filter):
    """A segment to store."""

    name: SegmentName
    description: Description | None = None


class SegmentChanges(Changes):
    """What to change of a segment. A null clears description, filters or filterTree; one of the
    last two stays.
    """

    name: KeptWhenLeftOut[SegmentName] = None
    description: Description | None = None
    filters: Filters | None = None
    filter_tree: FilterTree | None = None


class SegmentFilter(SkipPage):
    """Which segments to show."""

    q: str | None = Field(
        default=None, description="A part of the name, in any case, with or without accents"
    )


def node_of(filters: list[dict[str, Any]] | None, tree: dict[str, Any] | None) -> Node:
    """The tree that counts."""
    if tree is not None:
        return read_tree(tree)
    return read_filters(filters) if filters is not None else Joined("and", ())
