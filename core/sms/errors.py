"""What the SMS channel refuses."""

from core.foundation.errors import FieldError, PreconditionFailed, ServiceUnavailable, ValidationFailed


class QuoteOnlyRoute(PreconditionFailed):
    default_detail = "The route la_dedicada has no table price; ask for a quote or use another route."

    def __init__(self) -> None:
        super().__init__(meta={"code": "ROTA_SOB_CONSULTA"})


class ProviderOutOfCredit(ServiceUnavailable):
    """The message is stored as failed under `meta.messageId`; nothing was sent or charged."""

    default_detail = "The provider cannot take messages right now; nothing was sent or charged. Try again later."

    def __init__(self, message_id: str) -> None:
        super().__init__(meta={"messageId": message_id})


class NoProvider(ServiceUnavailable):
    default_detail = "No provider is configured for live sends; nothing was sent, stored or charged."


class LinksNotTracked(ValidationFailed):
    """Short links are a later piece: saying so beats sending a text whose clicks nobody counts."""

    def __init__(self) -> None:
        super().__init__(
            errors=[FieldError("pointer", "/trackLinks", "not_available", "Short links are not available yet")]
        )
