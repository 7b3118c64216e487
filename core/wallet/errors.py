"""The errors of a wallet."""

from core.foundation.errors import Conflict, NotFound, PaymentRequired, ValidationFailed


class InsufficientBalance(PaymentRequired):
    """Carries the balance and the need, in coins."""

    def __init__(self, *, available: int, needed: int) -> None:
        super().__init__(meta={"saldoCoins": available, "necessarioCoins": needed})


class BalanceChanged(Conflict):
    """A wallet moved although it was locked: a fault of ours, never a refusal of the caller."""


class PaymentDiffers(Conflict):
    default_detail = (
        "This payment was credited with another amount; send each payment under an id of its own."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "PAGAMENTO_DIFERENTE"})


class BelowZero(Conflict):
    """An adjustment that would leave less than nothing."""

    default_detail = "The adjustment would take the balance below zero; use a smaller amount."


class WrongAmount(ValidationFailed):
    """The direction is the name of the use case, never a sign."""

    default_detail = "The amount is a whole number of coins above 0; what is taken back is debited."


class NoWallet(NotFound):
    """The organization has no wallet in this environment."""

    default_detail = "This organization has no wallet here; billing may be off."
