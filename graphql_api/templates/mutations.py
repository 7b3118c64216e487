"""What can be done with templates."""

from core import conversations, templates
from core.foundation.security.caller import Scope
from core.read_models.templates import TEMPLATE
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.templates.schema import Template

WRITE = Scope.TEMPLATES_WRITE


@mutation_type
class TemplateMutations:
    create_template: Template | None = mutation_field(
        templates.create_template,
        templates.NewTemplate,
        scope=WRITE,
        answers=TEMPLATE,
        description="Store the draft of a template; it is submitted apart.",
    )
    update_template: Template | None = mutation_field(
        templates.change_template,
        templates.TemplateChanges,
        scope=WRITE,
        answers=TEMPLATE,
        ids=("id",),
        description=(
            "Change what is sent of a template; of one in use, a new draft is made and answered."
        ),
    )
    submit_template: Template | None = mutation_field(
        templates.submit_template,
        scope=WRITE,
        answers=TEMPLATE,
        ids=("id",),
        description="Hand a draft to the platform, which decides later.",
    )
    delete_template: Deleted | None = mutation_field(
        conversations.delete_template,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Delete a template for good; the platform removes it first.",
    )
