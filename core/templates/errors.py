"""Errors of templates."""

from collections.abc import Sequence

from core.foundation.errors import Conflict, FieldError, ServiceUnavailable, ValidationFailed
from core.foundation.rules import Rule
from core.templates.models import TemplateStatus


class TemplateNameTaken(Conflict):
    default_detail = (
        "The number has a template of this name in this language; change that one or "
        "choose another name."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "NOME_JA_USADO"})


class ImmutableTemplateName(Conflict):
    default_detail = (
        "Name and language of a template stay once it was submitted; create another one."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "NOME_IMUTAVEL"})


class ImmutableTemplateCategory(Conflict):
    default_detail = (
        "A template that the platform knows keeps its category, in all its versions; "
        "create another one."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "CATEGORIA_IMUTAVEL"})


class TemplateStatusConflict(Conflict):
    """`status` is the one that the template is in."""

    def __init__(self, detail: str, status: TemplateStatus) -> None:
        super().__init__(detail, meta={"code": "STATUS_NAO_PERMITE", "status": status.value})


class NewerTemplateVersion(Conflict):
    default_detail = "A newer version of this template exists; change that one."

    def __init__(self, id: str) -> None:
        super().__init__(meta={"code": "VERSAO_EM_EDICAO", "templateId": id})


class TemplateInUse(Conflict):
    default_detail = (
        "Messages that have not left yet use this template; wait for them or cancel them."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "TEMPLATE_EM_USO"})


class FlowNotUsable(Conflict):
    default_detail = "A button opens a flow that is not active; publish it first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "FLOW_INDISPONIVEL"})


class TemplateUnavailable(Conflict):
    """`replaced_by`: the version that took its place."""

    rule = Rule.TEMPLATE
    default_detail = "This template cannot be sent: it is not approved, or was replaced; see meta."

    def __init__(self, status: TemplateStatus, *, replaced_by: str | None = None) -> None:
        facts = {"code": "TEMPLATE_INDISPONIVEL", "status": status.value}
        super().__init__(
            meta=facts if replaced_by is None else {**facts, "substituidoPor": replaced_by}
        )


class UnknownTemplate(ValidationFailed):
    rule = Rule.TEMPLATE

    def __init__(self, pointer: str) -> None:
        super().__init__(
            errors=[
                FieldError("pointer", pointer, "not_found", "The number has no template of this id")
            ]
        )


class UnknownTemplateNumber(ValidationFailed):
    rule = Rule.TEMPLATE

    def __init__(self) -> None:
        message = "No number of this organization and environment has this id"
        super().__init__(errors=[FieldError("pointer", "/numberId", "not_found", message)])


class TemplateVariableMismatch(ValidationFailed):
    rule = Rule.TEMPLATE
    default_detail = (
        "Send one text for each variable of the template, in the order of its variaveis."
    )

    def __init__(self, expected: int, received: int, *, pointer: str) -> None:
        super().__init__(
            meta={"code": "VARIAVEIS_DIVERGENTES", "esperadas": expected, "recebidas": received},
            errors=[
                FieldError(
                    "pointer",
                    pointer,
                    "VARIAVEIS_DIVERGENTES",
                    "The count differs from the template's",
                )
            ],
        )


class InvalidTemplateVariables(ValidationFailed):
    rule = Rule.TEMPLATE
    default_detail = (
        "Send variables with some text, without line breaks and tabs, with at most "
        "four spaces in a row."
    )

    def __init__(self, places: Sequence[int], *, pointer: str) -> None:
        message = "Send some text without line breaks, tabs and more than four spaces in a row"
        super().__init__(
            meta={"code": "VARIAVEL_INVALIDA"},
            errors=[
                FieldError("pointer", f"{pointer}/{place}", "VARIAVEL_INVALIDA", message)
                for place in places
            ],
        )


class HeaderFileMissing(ValidationFailed):
    rule = Rule.TEMPLATE

    def __init__(self) -> None:
        message = "The header of this template shows a file; name one"
        super().__init__(errors=[FieldError("pointer", "/payload/media/id", "required", message)])


class HeaderLocationMissing(ValidationFailed):
    rule = Rule.TEMPLATE

    def __init__(self) -> None:
        message = "The header of this template shows a place; send one"
        super().__init__(errors=[FieldError("pointer", "/payload/location", "required", message)])


class NoTemplatePlatform(ServiceUnavailable):
    default_detail = (
        "No platform of conversations is configured for live templates; nothing was changed."
    )
