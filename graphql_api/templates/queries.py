"""Templates at the root."""

import strawberry

from core.dashboards.templates import TEMPLATE
from graphql_api.connections import Connection, reads_one, reads_page
from graphql_api.templates.inputs import TemplateFilter
from graphql_api.templates.types import Template


@strawberry.type
class TemplateQueries:
    template: Template | None = reads_one(TEMPLATE)
    templates: Connection[Template] | None = reads_page(
        TEMPLATE, filter=TemplateFilter, description="Newest first"
    )
