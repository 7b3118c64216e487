"""Error catalogue: refusals of the wallet."""

from core.wallet.errors import InsufficientBalance, NoWallet
from rest_api.problems.error_catalogue import (
    batches,
    conversations,
    email,
    push,
    rcs,
)
from rest_api.problems.error_doc import ErrorDoc, at

UNPAID = (
    ErrorDoc(
        InsufficientBalance(available=300, needed=800),
        "The message costs more than the wallet holds.",
        "Add credit. In the sandbox `POST /v2/sandbox/wallet/credit` fills it up.",
        at(
            "POST /v2/sms/messages",
            push.SEND,
            email.SEND,
            rcs.SEND,
            *batches.PAID,
            *conversations.SENDS,
        ),
    ),
)

MISSING = (
    ErrorDoc(
        NoWallet(),
        "Nothing is charged here: the installation runs without billing.",
        "Do without balances and movements.",
        at(
            "GET /v2/wallet",
            "GET /v2/wallet/transactions",
            "GET /v2/wallet/conferencia",
            "POST /v2/sandbox/wallet/credit",
        ),
    ),
)
