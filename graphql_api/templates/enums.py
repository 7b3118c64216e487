"""Closed sets of templates."""

from typing import get_args

from core.templates import TemplateCategory as Category
from core.templates import TemplateStatus as Status
from core.templates.inputs import ComponentType, Language
from graphql_api.enums import wire_enum
from graphql_api.inputs import spell

TemplateStatus = wire_enum("TemplateStatus", Status)
TemplateCategory = wire_enum("TemplateCategory", Category)
TemplateLanguage = wire_enum("TemplateLanguage", get_args(Language))
TemplateComponentType = wire_enum("TemplateComponentType", get_args(ComponentType))

spell(Category, TemplateCategory)
spell(Language, TemplateLanguage)
spell(ComponentType, TemplateComponentType)
