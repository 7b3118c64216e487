"""Templates."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.connections import hangs
from graphql_api.nodes.types import Node
from graphql_api.scalars import JSON, DateTime
from graphql_api.templates.enums import (
    TemplateCategory,
    TemplateComponentType,
    TemplateLanguage,
    TemplateStatus,
)

if TYPE_CHECKING:
    from graphql_api.numbers.types import Number


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
    number: Annotated["Number", strawberry.lazy("graphql_api.numbers.types")] | None = hangs(
        "number"
    )
