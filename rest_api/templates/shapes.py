"""The template shapes."""

from typing import Annotated

from pydantic import Field

from core.templates import TemplateCategory, TemplateStatus
from core.templates.inputs import ComponentType, Language
from rest_api.support.shapes import Address, Listed, Out, Timestamp
from rest_api.templates.component_shapes import Component


class TemplateVariable(Out):
    """A text that a send fills in. `indice` counts from 1 inside its text, `botao` from 0 among the
    buttons.
    """

    componente: ComponentType
    indice: int
    exemplo: str
    botao: int | None = None


class TemplateRecord(Out):
    """A template. `variaveis` is the order of `templateVars` of a send; `versaoDe` is what it is to
    replace.
    """

    id: str
    organization_id: str
    number_id: str
    name: str
    language: Language
    category: TemplateCategory
    status: TemplateStatus
    components: list[Annotated[Component, Field(discriminator="type")]]
    variaveis: list[TemplateVariable]
    header_example_url: Address | None = None
    meta_template_id: str | None = None
    version: int = Field(ge=1)
    versao_de: str | None = None
    rejection_reason: str | None = None
    created_at: Timestamp
    updated_at: Timestamp


class TemplatePage(Listed):
    """A page of templates, newest first."""

    items: list[TemplateRecord]
    total: int
    next_cursor: str | None = None
