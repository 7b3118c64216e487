"""The operations of templates."""

from core import conversations, templates
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import TEMPLATE
from rest_api.templates import examples


async def list_templates(
    call: Call[None, templates.TemplateFilter],
) -> WrittenPage[templates.TemplatePage]:
    return await templates.list_templates(call.caller, call.query)


async def create_template(call: Call[templates.NewTemplate]) -> templates.TemplateRecord:
    return await templates.create_template(call.caller, call.body)


async def get_template(call: Call) -> templates.TemplateRecord:
    return await templates.get_template(call.caller, call.path["id"])


async def change_template(call: Call[templates.TemplateChanges]) -> templates.TemplateRecord:
    return await templates.change_template(call.caller, call.path["id"], call.body)


async def submit_template(call: Call) -> templates.TemplateRecord:
    return await templates.submit_template(call.caller, call.path["id"])


async def delete_template(call: Call) -> None:
    await conversations.delete_template(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/v2/templates",
        list_templates,
        Scope.TEMPLATES_READ,
        "List templates, newest first",
        "Templates",
        errors=(400, 401, 403),
        query=templates.TemplateFilter,
        answer=templates.TemplatePage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/templates",
        create_template,
        Scope.TEMPLATES_WRITE,
        "Write a template",
        "Templates",
        description=(
            "Stores a draft, after every component was looked through: all that is wrong is "
            "named at once. Variables "
            "are `{{1}}`, `{{2}}` and so on in each text, without a gap and each with an example."
        ),
        errors=(401, 403, 409, 422),
        status=201,
        body=templates.NewTemplate,
        answer=templates.TemplateRecord,
        answers={"draft": examples.DRAFT},
        examples=examples.BODIES,
    ),
    Operation(
        "GET",
        "/v2/templates/{id}",
        get_template,
        Scope.TEMPLATES_READ,
        "Read a template",
        "Templates",
        errors=(401, 403, 404),
        answer=templates.TemplateRecord,
        answers={"approved": examples.APPROVED, "rejected": examples.REJECTED},
        ids={"id": TEMPLATE},
    ),
    Operation(
        "PATCH",
        "/v2/templates/{id}",
        change_template,
        Scope.TEMPLATES_WRITE,
        "Change a template",
        "Templates",
        description=(
            "A draft is changed in place. A rejected template becomes a draft of the next "
            "version. Of an approved or "
            "paused one a new draft is made, with an id of its own and `versaoDe`; the one in "
            "use stays in use until "
            "that draft is approved. Under review and disabled, a template cannot be changed."
        ),
        errors=(401, 403, 404, 409, 422),
        body=templates.TemplateChanges,
        answer=templates.TemplateRecord,
        answers={"draft": examples.DRAFT, "next version": examples.NEXT_VERSION},
        ids={"id": TEMPLATE},
        examples={"other components": examples.CHANGE},
    ),
    Operation(
        "POST",
        "/v2/templates/{id}/submit",
        submit_template,
        Scope.TEMPLATES_WRITE,
        "Submit a draft for approval",
        "Templates",
        description=(
            "It leaves for the platform afterwards; the decision comes as `template.approved` or "
            "`template.rejected`. "
            "With a test key it comes within seconds: rejected where the name ends in `_reject`, "
            "else approved."
        ),
        errors=(401, 403, 404, 409, 503),
        answer=templates.TemplateRecord,
        answers={"submitted": examples.SUBMITTED},
        ids={"id": TEMPLATE},
    ),
    Operation(
        "DELETE",
        "/v2/templates/{id}",
        delete_template,
        Scope.TEMPLATES_WRITE,
        "Delete a template for good",
        "Templates",
        description="The platform removes it first. Refused under review, and while messages "
        "wait to leave with it.",
        errors=(401, 403, 404, 409, 502, 503),
        status=204,
        ids={"id": TEMPLATE},
    ),
]
