"""Error catalogue: refusals of templates and flows."""

from core.flows import FlowStatus
from core.flows import errors as flows
from core.foundation.errors import DependencyFailed, FieldError, ValidationFailed
from core.templates import TemplateStatus
from core.templates import errors as templates
from rest_api.problems.error_doc import ErrorDoc, at

CREATE, CHANGE, SUBMIT = (
    "POST /v2/templates",
    "PATCH /v2/templates/{id}",
    "POST /v2/templates/{id}/submit",
)
DELETE = "DELETE /v2/templates/{id}"
CREATE_FLOW, CHANGE_FLOW = "POST /v2/flows", "PATCH /v2/flows/{id}"
PUBLISH, DEPRECATE, ARCHIVE = (
    f"POST /v2/flows/{{id}}/{change}" for change in ("publish", "deprecate", "archive")
)
DELETE_FLOW = "DELETE /v2/flows/{id}"

CONFLICTS = (
    ErrorDoc(
        templates.TemplateNameTaken(),
        "The number has a template of this name in this language, in whatever status and version.",
        "Change that one, or choose another name.",
        at(CREATE, CHANGE),
    ),
    ErrorDoc(
        templates.ImmutableTemplateName(),
        "Name or language of a template changes that was submitted before.",
        "Create another template.",
        at(CHANGE),
    ),
    ErrorDoc(
        templates.ImmutableTemplateCategory(),
        (
            "The category changes of a template that the platform knows: it keeps the "
            "one that it decided on."
        ),
        "Create another template.",
        at(CHANGE),
    ),
    ErrorDoc(
        templates.NewerTemplateVersion("tpl_6dFgH2jKlZxCvBnM8qWeR"),
        (
            "A newer version of the template is being written or reviewed; "
            "`meta.templateId` is its id."
        ),
        "Change that one, or delete it first.",
        at(CHANGE),
    ),
    ErrorDoc(
        templates.TemplateStatusConflict(
            "A template under review cannot be deleted.", TemplateStatus.PENDING
        ),
        "The template is in a status (`meta.status`) from which it does not move this way.",
        "Read it, and wait for the decision where it is under review.",
        at(CHANGE, SUBMIT, DELETE),
    ),
    ErrorDoc(
        templates.FlowNotUsable(),
        "A button opens a flow that is not active, or that the platform holds back.",
        "Publish the flow, then submit the template.",
        at(SUBMIT),
    ),
    ErrorDoc(
        templates.TemplateInUse(),
        "Messages that were accepted have not left with this template yet.",
        "Wait until they left, or cancel them.",
        at(DELETE),
    ),
    ErrorDoc(
        flows.NewerFlowVersion("flw_2sDf7GhJkLqWe4RtYuIoP"),
        "A newer version of the flow is being written; `meta.flowId` is its id.",
        "Change that one, publish it or delete it.",
        at(CHANGE_FLOW),
    ),
    ErrorDoc(
        flows.FlowStatusConflict("Only a draft can be deleted.", FlowStatus.ACTIVE),
        "The flow is in a status (`meta.status`) from which it does not move this way.",
        "Read it; the documentation of flows shows which way leads where.",
        at(
            CHANGE_FLOW,
            PUBLISH,
            DEPRECATE,
            ARCHIVE,
            DELETE_FLOW,
            "POST /v2/flows/{id}/pause",
            "POST /v2/flows/{id}/resume",
        ),
    ),
    ErrorDoc(
        flows.InvalidFlow(
            [
                FieldError(
                    "pointer", "/flowJson/screens", "terminal_missing", "One screen is terminal"
                )
            ]
        ),
        "The flow has errors; `errors` names each.",
        "Correct them with `PATCH /v2/flows/{id}`.",
        at(PUBLISH),
    ),
    ErrorDoc(
        flows.PublicationInProgress(),
        "Another request is publishing the flow.",
        "Wait a moment and read the flow.",
        at(CHANGE_FLOW, PUBLISH, ARCHIVE, DELETE_FLOW),
    ),
)

INVALID = (
    ErrorDoc(
        templates.UnknownTemplateNumber(),
        "`numberId` is no number of this organization in this environment.",
        "Send the id of a number of `GET /numbers`.",
        at(CREATE, CREATE_FLOW),
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError(
                    "pointer",
                    "/components/1/payload/example/0",
                    "required",
                    "Each variable needs an example",
                )
            ]
        ),
        "Components break a rule of the platform; every defect is named, by its place.",
        "Correct each; the documentation of templates tells the rules.",
        at(CREATE, CHANGE),
    ),
)

UPSTREAM = (
    ErrorDoc(
        DependencyFailed(
            "The platform did not take the flow; it stays a draft.", meta={"upstreamCode": "139000"}
        ),
        "The messaging platform refused, or failed. Nothing was changed here.",
        "Try again later; `meta.upstreamCode` is the platform's own code.",
        at(DELETE, PUBLISH, DEPRECATE),
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        templates.NoTemplatePlatform(),
        "No messaging platform is configured in this installation. Nothing was changed.",
        "Use a test key, or have the operator configure one.",
        at(SUBMIT, DELETE, PUBLISH, DEPRECATE),
    ),
)
