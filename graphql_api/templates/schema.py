"""Templates."""

from typing import TYPE_CHECKING, Annotated, get_args

import strawberry
from strawberry import UNSET

from core.read_models.templates import TEMPLATE
from core.templates import TemplateCategory as Category
from core.templates import TemplateStatus as Status
from core.templates.inputs import ComponentType, Language
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.enums import wire_enum
from graphql_api.inputs import register_enum
from graphql_api.nodes.schema import Node
from graphql_api.scalars import JSON, DateTime

if TYPE_CHECKING:
    from graphql_api.numbers.schema import Number


TemplateStatus = wire_enum("TemplateStatus", Status)
TemplateCategory = wire_enum("TemplateCategory", Category)
TemplateLanguage = wire_enum("TemplateLanguage", get_args(Language))
TemplateComponentType = wire_enum("TemplateComponentType", get_args(ComponentType))

register_enum(Category, TemplateCategory)
register_enum(Language, TemplateLanguage)
register_enum(ComponentType, TemplateComponentType)


@strawberry.input(description="Conditions that all hold.")
class TemplateFilter:
    status: TemplateStatus | None = UNSET
    category: TemplateCategory | None = UNSET
    language: TemplateLanguage | None = UNSET
    number_id: strawberry.ID | None = UNSET


@strawberry.type(description="A part of a template, as it was written.")
class TemplateComponent:
    type: TemplateComponentType
    payload: JSON | None


@strawberry.type(description="A text that a send fills in.")
class TemplateVariable:
    componente: TemplateComponentType
    indice: int = strawberry.field(description="From 1, inside its text")
    exemplo: str
    botao: int | None = strawberry.field(description="From 0, where the text is a button's")


@strawberry.type(
    description="A message that may open a conversation once the platform approved it."
)
class Template(Node):
    organization_id: strawberry.ID
    number_id: strawberry.ID
    name: str
    language: TemplateLanguage
    category: TemplateCategory
    status: TemplateStatus
    components: list[TemplateComponent]
    variaveis: list[TemplateVariable] = strawberry.field(
        description="In the order of `templateVars` of a send"
    )
    header_example_url: str | None
    meta_template_id: str | None
    version: int
    versao_de: strawberry.ID | None = strawberry.field(
        description="The template that it is to replace"
    )
    rejection_reason: str | None
    created_at: DateTime
    updated_at: DateTime
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.schema")] | None = (
        relation_field("number")
    )


@strawberry.type
class TemplateQueries:
    template: Template | None = node_field(TEMPLATE)
    templates: Connection[Template] | None = connection_field(
        TEMPLATE, filter=TemplateFilter, description="Newest first"
    )
