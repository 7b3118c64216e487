"""The record of a template, and its event."""

from typing import Annotated, NotRequired, TypedDict

from core import webhooks
from core.foundation.absent import without_none
from core.foundation.database.db import Row
from core.foundation.records import Column, Doc, Id, Instant, Made, Page, Record, Uri, named
from core.templates.components import Component
from core.templates.models import (
    ComponentType,
    Template,
    TemplateCategory,
    TemplateLanguage,
    TemplateStatus,
)
from core.templates.variables import Components, Variable, variables_of


class TemplateVariable(TypedDict):
    """A text that a send fills in."""

    componente: Annotated[ComponentType, Doc("The part that it stands in")]
    indice: Annotated[int, Doc("Its number, from 1, inside its text")]
    exemplo: Annotated[str, Doc("A text as it may be")]
    botao: NotRequired[Annotated[int, Doc("From 0, where the text is a button's")]]


def wire_variables(components: Components) -> list[TemplateVariable]:
    """`variaveis`: what a send has to fill in, in this order."""
    return [_variable(one) for one in variables_of(components)]


def _variable(one: Variable) -> TemplateVariable:
    record: TemplateVariable = {
        "componente": one.component,
        "indice": one.index,
        "exemplo": one.example,
    }
    if one.button is not None:
        record["botao"] = one.button
    return record


@named(rest="TemplateRecord", graphql="Template")
class TemplateRecord(TypedDict):
    """A message that may open a conversation once the platform approved it."""

    id: Annotated[Id, Doc("Names the template")]
    organizationId: Annotated[Id, Doc("The organization that it belongs to")]
    numberId: Annotated[Id, Doc("The number that it is sent from")]
    name: Annotated[str, Doc("What it is called on the platform")]
    language: Annotated[TemplateLanguage, Doc("The language that it is written in")]
    category: Annotated[TemplateCategory, Doc("What it is for")]
    status: Annotated[TemplateStatus, Doc("How it stands")]
    components: Annotated[list[Component], Doc("Its parts, as they were written")]
    variaveis: Annotated[
        list[TemplateVariable],
        Made(wire_variables, ("components",)),
        Doc("The texts to fill in, in the order of `templateVars` of a send"),
    ]
    headerExampleUrl: NotRequired[
        Annotated[Uri, Doc("The address of an example of the header's file")]
    ]
    metaTemplateId: NotRequired[Annotated[str, Doc("The platform's id of the template")]]
    version: Annotated[int, Doc("Counts its versions, from 1")]
    versaoDe: NotRequired[
        Annotated[Id, Column("version_of"), Doc("The template that it is to replace")]
    ]
    rejectionReason: NotRequired[
        Annotated[str, Doc("Why the platform refused it, in the platform's own word")]
    ]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[Instant, Doc("When it was last changed, or judged by the platform")]


TEMPLATE = Record(TemplateRecord)


class TemplatePage(Page[TemplateRecord]):
    """A page of templates, newest first."""


def template_record(template: Template) -> TemplateRecord:
    """The record of a template. Fields without a value are absent."""
    return TEMPLATE.make(vars(template), unmasked=True)


def decided(row: Row) -> webhooks.NewEvent:
    """The event that tells that this template was just approved or rejected."""
    data = {
        "templateId": row["id"],
        "name": row["name"],
        "language": row["language"],
        "version": row["version"],
        "rejectionReason": row["rejection_reason"],
        "env": row["env"],
    }
    present = without_none(data)
    return webhooks.NewEvent(
        row["organization_id"], row["env"], f"template.{row['status']}", present, row["updated_at"]
    )
