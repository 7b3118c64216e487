"""The wallet of an organization: prices, balances, and a ledger that adds up."""

from core.wallet.credit import (
    change_wallet,
    credit,
    credit_sandbox,
    debit,
    open_wallets,
    refill_sandbox,
    top_up_sandboxes,
    warn_below,
)
from core.wallet.daily_totals import sum_days
from core.wallet.errors import BelowZero, InsufficientBalance, NoWallet, PaymentDiffers
from core.wallet.inputs import MAX_COINS, NewPayment, WalletChanges
from core.wallet.ledger import (
    Balance,
    Owner,
    Transfer,
    book,
    capture,
    charge_for_reply,
    hold,
    lock_balances,
    release,
)
from core.wallet.low_balance import warn, warn_where_due
from core.wallet.models import Ledger, PriceTable, TransferKind, Wallet, WalletTransfer
from core.wallet.payments import record_payment
from core.wallet.price_sheet import PriceSheet, price_sheet
from core.wallet.price_table import SMS as SMS_PRICES
from core.wallet.price_table import has_table_price, price_of_segments
from core.wallet.prices import get_prices, prices_of, set_prices
from core.wallet.rates import (
    Rate,
    add_volume,
    conversation_price,
    push_price,
    read_rates,
    recent_rates,
    reply_price,
)
from core.wallet.record import (
    BalanceRecord,
    PriceBand,
    PriceList,
    Proof,
    TransferPage,
    TransferRecord,
)
from core.wallet.statement import ProofDay, TransferFilter, get_wallet, list_transfers, prove
from core.wallet.unit_prices import recent_unit_prices

__all__ = [
    "MAX_COINS",
    "SMS_PRICES",
    "Balance",
    "BalanceRecord",
    "BelowZero",
    "InsufficientBalance",
    "Ledger",
    "NewPayment",
    "NoWallet",
    "Owner",
    "PaymentDiffers",
    "PriceBand",
    "PriceList",
    "PriceSheet",
    "PriceTable",
    "Proof",
    "ProofDay",
    "Rate",
    "Transfer",
    "TransferFilter",
    "TransferKind",
    "TransferPage",
    "TransferRecord",
    "Wallet",
    "WalletChanges",
    "WalletTransfer",
    "add_volume",
    "book",
    "capture",
    "change_wallet",
    "charge_for_reply",
    "conversation_price",
    "credit",
    "credit_sandbox",
    "debit",
    "get_prices",
    "get_wallet",
    "has_table_price",
    "hold",
    "list_transfers",
    "lock_balances",
    "open_wallets",
    "price_of_segments",
    "price_sheet",
    "prices_of",
    "prove",
    "push_price",
    "read_rates",
    "recent_rates",
    "recent_unit_prices",
    "record_payment",
    "refill_sandbox",
    "release",
    "reply_price",
    "set_prices",
    "sum_days",
    "top_up_sandboxes",
    "warn",
    "warn_below",
    "warn_where_due",
]
