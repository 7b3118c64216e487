"""Top-ups that a payment system, or the operator, records: each payment once, by its id."""

from datetime import datetime
from typing import cast

from core import audit
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Env, system_caller
from core.wallet.credit import move
from core.wallet.errors import NoWallet, PaymentDiffers
from core.wallet.inputs import NewPayment
from core.wallet.models import TransferKind, Wallet, WalletTransfer


async def record_payment(
    organization_id: str, new: NewPayment, *, env: str = "live", at: datetime
) -> int | None:
    """Credit a payment to a wallet; what is owed is paid first. Answers the new balance, or None where
    the payment was credited before.

    Raises NoWallet, and PaymentDiffers where the id was credited with another amount.
    """
    origin = f"pay_{new.payment_id}"
    async with transaction():
        owner = {"organization_id": organization_id, "env": env}
        # Two reports of one payment wait for each other here.
        if await Wallet.filter(**owner).select_for_update().get_or_none() is None:
            raise NoWallet
        before = await WalletTransfer.filter(
            **owner, origin=origin, kind=TransferKind.CREDIT
        ).first()
        if before is not None:
            if before.coins != new.coins:
                raise PaymentDiffers
            return None
        balance = await move(organization_id, env, new.coins, origin=origin, at=at)
        facts = {"coins": new.coins, "balanceCoins": balance, "paymentId": new.payment_id}
        service = system_caller(organization_id, cast(Env, env))
        await audit.write_entry(service, "wallet.credited", organization_id, facts, at=at)
    return balance
