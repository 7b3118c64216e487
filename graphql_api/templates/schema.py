"""Templates."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core.read_models.templates import TEMPLATE
from core.templates import (
    ComponentType,
    TemplateCategory,
    TemplateLanguage,
    TemplateRecord,
    TemplateStatus,
)
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import enum_of
from graphql_api.nodes.schema import Node
from graphql_api.records import record_type
from graphql_api.scalars import JSON

if TYPE_CHECKING:
    from graphql_api.numbers.schema import Number


@strawberry.input(description="Conditions that all hold.")
class TemplateFilter:
    status: enum_of(TemplateStatus) | None = strawberry.field(
        default=UNSET, description="How the template stands"
    )
    category: enum_of(TemplateCategory) | None = strawberry.field(
        default=UNSET, description="What it is for"
    )
    language: enum_of(TemplateLanguage) | None = strawberry.field(
        default=UNSET, description="The language that it is written in"
    )
    number_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The number that it is sent from"
    )


@strawberry.type(description="A part of a template, as it was written.")
class TemplateComponent:
    type: enum_of(ComponentType) = strawberry.field(description="Which part it is")
    payload: JSON | None = strawberry.field(
        description="What the part says; its fields depend on the type, as in `POST /v2/templates`"
    )


@record_type(TemplateRecord)
class Template(Node):
    """A message that may open a conversation once the platform approved it."""

    components: list[TemplateComponent]
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number", description="The number that it is sent from")
    )


@strawberry.type
class TemplateQueries:
    template: Template | None = node_field(
        TEMPLATE, description="The template of this id; null where there is none"
    )
    templates: Connection[Template] | None = connection_field(
        TEMPLATE, filter=TemplateFilter, description="Newest first"
    )
