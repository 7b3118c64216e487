"""What can be done with templates."""

from core import templates
from core.dashboards.templates import TEMPLATE
from core.foundation.security.caller import Scope
from graphql_api.mutations import Deleted, deeds, does
from graphql_api.templates.types import Template

WRITE = Scope.TEMPLATES_WRITE


@deeds
class TemplateMutations:
    create_template: Template | None = does(
        templates.create_template, templates.NewTemplate, scope=WRITE, answers=TEMPLATE
    )
    update_template: Template | None = does(
        templates.change_template,
        templates.TemplateChanges,
        scope=WRITE,
        answers=TEMPLATE,
        ids=("id",),
        description="Answers the new draft where one was made of a template in use.",
    )
    submit_template: Template | None = does(
        templates.submit_template, scope=WRITE, answers=TEMPLATE, ids=("id",)
    )
    delete_template: Deleted | None = does(
        templates.delete_template, scope=WRITE, answers=Deleted, ids=("id",)
    )
