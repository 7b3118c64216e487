"""The errors of the channel e-mail."""

from core.foundation.errors import (
    Conflict,
    FieldError,
    RateLimited,
    ServiceUnavailable,
    ValidationFailed,
)
from core.foundation.rules import Rule


class NoVerifiedSender(ValidationFailed):
    rule = Rule.SENDER
    default_detail = (
        "The sender is not verified for this organization; use a verified one, or "
        "have this one verified."
    )

    def __init__(self) -> None:
        message = "Write from an address, or a domain, that was verified"
        super().__init__(
            meta={"motivo": "no_verified_sender"},
            errors=[FieldError("pointer", "/from", "no_verified_sender", message)],
        )


class NoRelay(ServiceUnavailable):
    default_detail = (
        "No mail relay is configured for live e-mails; nothing was sent, stored or charged."
    )


class TooManySenders(Conflict):
    default_detail = "Too many senders wait to be verified; verify some, or remove them."

    def __init__(self, most: int) -> None:
        super().__init__(meta={"code": "LIMITE_DE_REMETENTES", "maximo": most})


class CodeNotSent(Conflict):
    default_detail = "No e-mail can be sent to this address from here; verify its domain by a TXT record instead."

    def __init__(self) -> None:
        super().__init__(meta={"code": "CARTA_NAO_ENVIADA"})


class VerificationExpired(Conflict):
    default_detail = "The record was not found in time; ask for the sender again."

    def __init__(self) -> None:
        super().__init__(meta={"code": "VERIFICACAO_EXPIRADA"})


class InvalidCode(ValidationFailed):
    """It never tells which: wrong, used, replaced by a newer one, or too old."""

    default_detail = "The code is not valid, or not any more; ask for the sender again."

    def __init__(self) -> None:
        message = "Not the code of the newest e-mail, used already, or too old"
        super().__init__(errors=[FieldError("pointer", "/code", "CODIGO_INVALIDO", message)])


class TooManySenderRequests(RateLimited):
    default_detail = (
        "Senders were asked for or checked too often; wait for the seconds in Retry-After."
    )

    def __init__(self, *, retry_after: int) -> None:
        super().__init__(meta={"code": "LIMITE_DE_VERIFICACOES"}, retry_after=retry_after)
