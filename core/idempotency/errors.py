"""The errors of a reused Idempotency-Key."""

from core.foundation.errors import BadRequest, Conflict, FieldError
from core.foundation.rules import Rule


class KeyReusedWithAnotherBody(Conflict):
    rule = Rule.IDEMPOTENCY
    default_detail = (
        "This Idempotency-Key was used with another body; use a new key for a new request."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "CHAVE_REUTILIZADA"})


class AnswerNotShown(Conflict):
    rule = Rule.IDEMPOTENCY
    default_detail = (
        "What this Idempotency-Key asked for is done, and its answer is not kept, or "
        "not for this credential; "
        "read the record, or use a new key for a new request."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "CHAVE_REUTILIZADA"})


class RequestInProgress(Conflict):
    rule = Rule.IDEMPOTENCY
    default_detail = (
        "The first request with this Idempotency-Key is still under way; try again in a second."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "IDEMPOTENCIA_EM_ANDAMENTO"}, retry_after=1)


class InvalidKey(BadRequest):
    rule = Rule.IDEMPOTENCY
    default_detail = "The header Idempotency-Key takes 1 to 255 printable ASCII characters."

    def __init__(self) -> None:
        super().__init__(
            errors=[
                FieldError(
                    "header",
                    "Idempotency-Key",
                    "wrong_format",
                    "1 to 255 printable ASCII characters",
                )
            ]
        )
