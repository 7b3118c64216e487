"""A segment as the interface spells it, with its filter, and what a filter matches."""

from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.foundation.records import Doc, Id, Instant, Page, Record, doc_of, keys_of, named
from core.segments.leaves import FIELDS
from core.segments.models import SegmentNodeKind, SegmentOperator
from core.segments.tree import MAX_CHILDREN, MAX_DEPTH, MAX_LEAVES


class SegmentCondition(TypedDict):
    """A condition on one thing that is known of contacts."""

    field: Annotated[
        str,
        Doc(
            f"What is compared: one of {', '.join(sorted(FIELDS))}; an attribute as attribute.<key>"
        ),
    ]
    key: NotRequired[Annotated[str, Doc("The attribute, when field is attribute")]]
    operator: Annotated[SegmentOperator, Doc("How it is compared")]
    value: NotRequired[
        Annotated[
            Any, Doc("What the operator compares with: a value, an array of values, or nothing")
        ]
    ]


class SegmentNode(TypedDict):
    """A node of a tree of conditions."""

    kind: Annotated[SegmentNodeKind, Doc("What the node is, and which of the others it has")]
    filter: NotRequired[Annotated[SegmentCondition, Doc("The condition of a leaf")]]
    children: NotRequired[Annotated[list["SegmentNode"], Doc("What `and` and `or` join")]]
    child: NotRequired[Annotated["SegmentNode", Doc("What `not` turns round")]]


def _told(shape: object, **schemas: dict[str, object]) -> dict[str, object]:
    """The schemas of a shape's keys, each with what the key is."""
    keys = keys_of(shape)
    return {name: {**schema, "description": keys[name].doc} for name, schema in schemas.items()}


CONDITION_SCHEMA: dict[str, Any] = {
    "x-name": "SegmentCondition",
    "x-told": doc_of(SegmentCondition),
    "type": "object",
    "required": ["field", "operator"],
    "additionalProperties": False,
    "properties": _told(
        SegmentCondition,
        field={"type": "string"},
        key={"type": "string", "maxLength": 64},
        operator={"type": "string", "enum": [one.value for one in SegmentOperator]},
        value={},
    ),
}
CONDITIONS_SCHEMA: dict[str, Any] = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_LEAVES,
    "items": CONDITION_SCHEMA,
}
NODE_SCHEMA: dict[str, Any] = {
    "x-name": "SegmentNode",
    "x-told": f"{doc_of(SegmentNode)} At most {MAX_DEPTH} levels and {MAX_LEAVES} conditions",
    "type": "object",
    "required": ["kind"],
    "properties": _told(
        SegmentNode,
        kind={"type": "string", "enum": [one.value for one in SegmentNodeKind]},
        filter=CONDITION_SCHEMA,
        children={
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_CHILDREN,
            "items": {"x-ref": "SegmentNode"},
        },
        child={"x-ref": "SegmentNode"},
    ),
}


class SegmentUse(TypedDict):
    """How many journeys and dispatches use the segment."""

    journeys: Annotated[int, Doc("Journeys that are not archived")]
    dispatches: Annotated[int, Doc("Pushes that have not begun")]


UNUSED: SegmentUse = {"journeys": 0, "dispatches": 0}


@named(rest="SegmentRecord", graphql="Segment")
class SegmentRecord(TypedDict):
    """A stored filter over contacts."""

    id: Annotated[Id, Doc("Names the segment")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    name: Annotated[str, Doc("What it is called; no two segments have the same name")]
    description: NotRequired[Annotated[str, Doc("What it is for")]]
    filters: NotRequired[
        Annotated[
            list[SegmentCondition],
            WithJsonSchema({"type": "array", "items": CONDITION_SCHEMA}),
            Doc("Conditions that all hold; `filterTree` counts before them"),
        ]
    ]
    filterTree: NotRequired[
        Annotated[
            SegmentNode,
            WithJsonSchema(NODE_SCHEMA),
            Doc("A tree of conditions, which counts before `filters`"),
        ]
    ]
    size: NotRequired[
        Annotated[int, Doc("How many contacts matched at `sizeAt`; absent while none were counted")]
    ]
    sizeAt: NotRequired[Annotated[Instant, Doc("When the last count ended")]]
    inUse: Annotated[SegmentUse, Doc("What uses the segment")]
    createdById: NotRequired[Annotated[Id, Doc("The account that made it")]]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When its name, description or filter was last changed")]


SEGMENT = Record(SegmentRecord)


class SegmentPage(Page[SegmentRecord]):
    """A page of segments, newest first."""


class SegmentPreview(TypedDict):
    """Who matches now: all of them counted, up to ten of them named."""

    count: Annotated[int, Doc("How many contacts match")]
    sample: Annotated[list[Id], Doc("The ids of up to ten of them")]
    evaluatedAt: Annotated[Instant, Doc("When that was so")]
    partial: Annotated[bool, Doc("Whether the count is an estimate")]
