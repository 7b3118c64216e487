"""The errors that every channel's sends share."""

from core.foundation.errors import (
    Conflict,
    DependencyFailed,
    FieldError,
    ServiceUnavailable,
    ValidationFailed,
)
from core.foundation.rules import Rule
from core.foundation.security.caller import Caller
from core.foundation.validation.phones import is_landline


class NoProvider(ServiceUnavailable):
    default_detail = (
        "No provider is configured for live sends; nothing was sent, stored or charged."
    )


class NoSuchContact(ValidationFailed):
    default_detail = (
        "There is no such contact; send the id of one of this environment, or leave contactId out."
    )

    def __init__(self) -> None:
        code = "CONTATO_INEXISTENTE"
        unknown = FieldError("pointer", "/contactId", code, "There is no such contact")
        super().__init__(meta={"code": code}, errors=[unknown])


class MessageNotCancelable(Conflict):
    default_detail = (
        "Only a message that still waits can be canceled; this one has left, or is over."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "NAO_CANCELAVEL"})


class Landline(ValidationFailed):
    default_detail = (
        "A fixed line receives no text messages; nothing was sent or charged. Send a mobile number."
    )

    def __init__(self) -> None:
        code = "telefone_fixo"
        fixed = FieldError("pointer", "/to", code, "This is a fixed line; send a mobile number")
        super().__init__(meta={"motivo": code}, errors=[fixed])


def landline_refusal(caller: Caller, to: str) -> Landline | None:
    """The refusal of a live send that could reach nobody; in the sandbox the last digits decide."""
    return Landline() if caller.env == "live" and is_landline(to) else None


class RecipientOptedOut(ValidationFailed):
    rule = Rule.CONSENT
    default_detail = (
        "This recipient asked not to receive communication; only a transactional "
        "message reaches it."
    )

    def __init__(self) -> None:
        super().__init__(
            meta={"motivo": "opt_out"},
            errors=[
                FieldError(
                    "pointer",
                    "/to",
                    "opt_out",
                    "This recipient asked not to receive communication",
                )
            ],
        )


class ProviderOutOfCredit(ServiceUnavailable):
    """The message is stored as failed under `meta.messageId`; nothing was sent or charged."""

    rule = Rule.ANSWER
    default_detail = (
        "The provider cannot take messages right now; nothing was sent or charged. Try again later."
    )

    def __init__(self, message_id: str, *, retry_after: int | None = None) -> None:
        super().__init__(meta={"messageId": message_id}, retry_after=retry_after)


class ProviderRefused(DependencyFailed):
    """The message is stored as failed under `meta.messageId`; nothing was sent or charged."""

    default_detail = (
        "The provider failed before it took the message; nothing was sent or "
        "charged. Send it again."
    )

    def __init__(self, message_id: str) -> None:
        super().__init__(meta={"messageId": message_id})


class OutcomeUnknown(DependencyFailed):
    default_detail = (
        "The provider was reached but did not answer; the message may be on its way. "
        "Read it by meta.messageId, or repeat the request with the same Idempotency-Key."
    )

    def __init__(self, message_id: str) -> None:
        super().__init__(meta={"code": "RESULTADO_DESCONHECIDO", "messageId": message_id})
