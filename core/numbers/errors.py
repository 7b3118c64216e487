"""Errors of numbers and Instagram accounts."""

from core.foundation.errors import Conflict, DependencyFailed, FieldError, ValidationFailed
from core.foundation.rules import Rule


class NumberUnavailable(Conflict):
    rule = Rule.SENDER
    default_detail = "Nothing can be sent from this number now; GET /numbers/{id}/health tells why."

    def __init__(self) -> None:
        super().__init__(meta={"code": "NUMERO_INDISPONIVEL"})


class NumberTaken(Conflict):
    default_detail = "This number is registered already."

    def __init__(self) -> None:
        super().__init__(meta={"code": "NUMERO_JA_CADASTRADO"})


class AccountTaken(Conflict):
    default_detail = "This Instagram account is registered already."

    def __init__(self) -> None:
        super().__init__(meta={"code": "CONTA_JA_CADASTRADA"})


class UnfitValue(ValidationFailed):
    """A value that this kind of event does not take, or needs. `code`: required or not_allowed."""

    def __init__(self, code: str, taken: str) -> None:
        super().__init__(
            errors=[FieldError("pointer", "/valor", code, f"This event takes one of {taken}")]
        )


class NotOnThePlatform(DependencyFailed):
    default_detail = (
        "The platform does not confirm this number; check its ids and the access token."
    )
