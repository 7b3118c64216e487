"""Errors of flows."""

from core.flows.models import FlowStatus
from core.foundation.errors import Conflict, FieldError, ServiceUnavailable, ValidationFailed
from core.foundation.rules import Rule


class FlowStatusConflict(Conflict):
    """`status` is the one that the flow is in."""

    def __init__(self, detail: str, status: FlowStatus) -> None:
        super().__init__(detail, meta={"code": "STATUS_NAO_PERMITE", "status": status.value})


class NewerFlowVersion(Conflict):
    default_detail = "A newer version of this flow is being written; change that one."

    def __init__(self, id: str) -> None:
        super().__init__(meta={"code": "VERSAO_EM_EDICAO", "flowId": id})


class PublicationInProgress(Conflict):
    default_detail = "This flow is being published at this moment; try again in a minute."

    def __init__(self) -> None:
        super().__init__(meta={"code": "PUBLICACAO_EM_ANDAMENTO"})


class InvalidFlow(Conflict):
    """`errors` name every place that is wrong."""

    default_detail = "The flow has errors; correct what its validation names, then publish it."

    def __init__(self, errors: list[FieldError]) -> None:
        super().__init__(meta={"code": "FLOW_INVALIDO"}, errors=errors)


class FlowUnavailable(Conflict):
    rule = Rule.TEMPLATE
    default_detail = (
        "This flow cannot be sent: it is not active, or the platform holds it back; see meta."
    )

    def __init__(self, status: FlowStatus, meta_status: str | None) -> None:
        facts = {"code": "FLOW_INDISPONIVEL", "status": status.value}
        super().__init__(
            meta=facts if meta_status is None else {**facts, "metaStatus": meta_status}
        )


class UnknownFlow(ValidationFailed):
    rule = Rule.TEMPLATE

    def __init__(self, pointer: str) -> None:
        super().__init__(
            errors=[
                FieldError("pointer", pointer, "not_found", "The number has no flow of this id")
            ]
        )


class UnknownFlowNumber(ValidationFailed):
    def __init__(self) -> None:
        message = "No number of this organization and environment has this id"
        super().__init__(errors=[FieldError("pointer", "/numberId", "not_found", message)])


class NoFlowPlatform(ServiceUnavailable):
    default_detail = (
        "No platform of conversations is configured for live flows; nothing was changed."
    )
