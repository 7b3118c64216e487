"""The errors of the channel SMS."""

from core.foundation.errors import PreconditionFailed, RateLimited
from core.foundation.rules import Rule
from core.foundation.security.rate_limit import Grant
from core.messaging import (
    NoProvider,
    OutcomeUnknown,
    ProviderOutOfCredit,
    ProviderRefused,
    RecipientOptedOut,
)

__all__ = [
    "AboveCeiling",
    "NoProvider",
    "OutcomeUnknown",
    "ProviderOutOfCredit",
    "ProviderRefused",
    "ProviderThrottled",
    "QuoteOnlyRoute",
    "SmsRecipientOptedOut",
]


class QuoteOnlyRoute(PreconditionFailed):
    default_detail = "This route has no table price; ask for a quote or use another route."

    def __init__(self) -> None:
        super().__init__(meta={"code": "ROTA_SOB_CONSULTA"})


class AboveCeiling(RateLimited):
    default_detail = (
        "More SMS per second than contracted; wait for the seconds in Retry-After and send again."
    )

    def __init__(self, grant: Grant) -> None:
        super().__init__(meta={"code": "TETO_DE_SMS"}, retry_after=grant.wait)
        self.grant = grant


class SmsRecipientOptedOut(RecipientOptedOut):
    default_detail = (
        "This recipient asked not to receive communication; only the route otp reaches it."
    )


class ProviderThrottled(RateLimited):
    """The message is stored as failed under `meta.messageId`; nothing was sent or charged."""

    rule = Rule.ANSWER
    default_detail = (
        "The provider limits this route right now; nothing was sent. Wait for "
        "Retry-After and send again."
    )

    def __init__(self, message_id: str, *, retry_after: int) -> None:
        super().__init__(
            meta={"code": "LIMITE_DO_PROVEDOR", "messageId": message_id}, retry_after=retry_after
        )
