"""The errors of the channel e-mail."""

from core.foundation.errors import FieldError, ServiceUnavailable, ValidationFailed
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
