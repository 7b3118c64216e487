"""What may be told about a wallet."""

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from core.foundation.validation.inputs import Input

MAX_COINS = 10**15
"""Far above every wallet, and far below what the ledger can count."""

PaymentId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._:-]{1,36}$")]
"""What the payment is called where it was made. It stands in the statement as `pay_…`."""


class NewPayment(Input):
    """A payment that has come in. Fields that we do not know are passed over: a newer payment
    system's word is not lost.
    """

    model_config = ConfigDict(extra="ignore")

    payment_id: PaymentId = Field(description="The id of the payment; a repeat credits nothing")
    coins: int = Field(ge=1, le=MAX_COINS, description="Whole coins; 1 coin = 0.0001 BRL")


class WalletChanges(Input):
    """What changes about a wallet."""

    limite_aviso_coins: int = Field(
        ge=0, le=MAX_COINS, description="`wallet.low_balance` is sent below this, in whole coins"
    )
