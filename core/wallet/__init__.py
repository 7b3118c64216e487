"""The money of an organization: published prices, balances, and a ledger that adds up."""

from core.wallet.charge import Charge, Owner, hold_and_capture, lock_balances
from core.wallet.credit import credit, open_wallets
from core.wallet.errors import BelowZero, InsufficientBalance, NoWallet
from core.wallet.models import Wallet, WalletTransfer
from core.wallet.price_table import SMS as SMS_PRICES
from core.wallet.price_table import has_table_price, price_of_segments

__all__ = [
    "SMS_PRICES",
    "BelowZero",
    "Charge",
    "InsufficientBalance",
    "NoWallet",
    "Owner",
    "Wallet",
    "WalletTransfer",
    "credit",
    "has_table_price",
    "hold_and_capture",
    "lock_balances",
    "open_wallets",
    "price_of_segments",
]
