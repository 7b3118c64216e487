"""What can be asked of templates."""

import strawberry
from strawberry import UNSET

from graphql_api.templates.enums import TemplateCategory, TemplateLanguage, TemplateStatus


@strawberry.input(description="Conditions that all hold.")
class TemplateFilter:
    status: TemplateStatus | None = UNSET
    category: TemplateCategory | None = UNSET
    language: TemplateLanguage | None = UNSET
    number_id: strawberry.ID | None = UNSET
