"""What a caller may say about a segment."""

from typing import Annotated, Any

from pydantic import Field, PlainValidator, StringConstraints, WithJsonSchema

from core.foundation.validation.inputs import (
    Changes,
    Input,
    KeptWhenLeftOut,
    OfShape,
    SkipPage,
)
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import at_least_one
from core.segments.record import CONDITIONS_SCHEMA, NODE_SCHEMA, SegmentCondition, SegmentNode
from core.segments.tree import Joined, Node, read_filters, read_tree


def _filters(value: object) -> list[dict[str, object]]:
    read_filters(value)
    assert isinstance(value, list)
    return value


def _tree(value: object) -> dict[str, object]:
    read_tree(value)
    assert isinstance(value, dict)
    return value


SegmentName = Annotated[
    str,
    NameText(120),
    Field(description="What the segment is called; no two have the same name"),
]
Description = Annotated[
    str, StringConstraints(max_length=500), Field(description="What the segment is for")
]
Filters = Annotated[
    list[dict[str, Any]],
    PlainValidator(_filters),
    WithJsonSchema(CONDITIONS_SCHEMA),
    OfShape(SegmentCondition),
]
FilterTree = Annotated[
    dict[str, Any], PlainValidator(_tree), WithJsonSchema(NODE_SCHEMA), OfShape(SegmentNode)
]
FILTERS = "Conditions that all hold"
TREE = "A tree of conditions, which counts before `filters`"


class Filter(Input):
    """Conditions that all hold, or a tree of them; the tree counts when both are there."""

    filters: Filters | None = Field(default=None, description=FILTERS)
    filter_tree: FilterTree | None = Field(default=None, validate_default=True, description=TREE)

    _one_of_both = at_least_one("filters", "filter_tree", said="Send filters or filterTree")

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
    filters: Filters | None = Field(default=None, description=FILTERS)
    filter_tree: FilterTree | None = Field(default=None, description=TREE)


class SegmentFilter(SkipPage):
    """Which segments to show."""

    q: str | None = Field(
        default=None, description="A part of the name, in any case, with or without accents"
    )


def node_of(filters: list[dict[str, object]] | None, tree: dict[str, object] | None) -> Node:
    """The tree that counts."""
    if tree is not None:
        return read_tree(tree)
    return read_filters(filters) if filters is not None else Joined("and", ())
