"""The refusals of sends that name a quote."""

from core.foundation.errors import Conflict, FieldError, ValidationFailed
from core.foundation.rules import Rule


class UnknownQuote(ValidationFailed):
    rule = Rule.PRICE

    def __init__(self) -> None:
        super().__init__(
            meta={"code": "COTACAO_INEXISTENTE"},
            errors=[
                FieldError(
                    "pointer", "/quoteId", "COTACAO_INEXISTENTE", "No quote of yours has this id"
                )
            ],
        )


class QuoteExpired(ValidationFailed):
    default_detail = "The quote has expired or was canceled; ask for a new one."
    rule = Rule.PRICE

    def __init__(self) -> None:
        super().__init__(
            meta={"code": "COTACAO_EXPIRADA"},
            errors=[
                FieldError("pointer", "/quoteId", "COTACAO_EXPIRADA", "This quote holds no longer")
            ],
        )


class QuoteOfAnotherRoute(ValidationFailed):
    default_detail = "The quote promises nothing on this route; send on a route that it names."
    rule = Rule.PRICE

    def __init__(self) -> None:
        super().__init__(
            meta={"code": "COTACAO_DE_OUTRA_ROTA"},
            errors=[
                FieldError(
                    "pointer",
                    "/quoteId",
                    "COTACAO_DE_OUTRA_ROTA",
                    "This quote promises nothing on this route",
                )
            ],
        )


class QuoteExhausted(Conflict):
    """Carries the segments that are left."""

    default_detail = "The quote has too few segments left; ask for a new one, or send without it."
    rule = Rule.PRICE

    def __init__(self, remaining: int) -> None:
        super().__init__(meta={"code": "COTACAO_ESGOTADA", "restante": remaining})
