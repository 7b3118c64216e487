"""What the refusals of the wallet mean."""

from core.wallet.errors import InsufficientBalance, NoWallet
from rest_api.problems import (
    batch_causes,
    conversation_causes,
    email_causes,
    push_causes,
    rcs_causes,
)
from rest_api.problems.rows import Cause, at

UNPAID = (
    Cause(
        InsufficientBalance(available=300, needed=800),
        "The message costs more than the wallet holds.",
        "Add credit. In the sandbox `POST /v2/sandbox/wallet/credit` fills it up.",
        at(
            "POST /v2/sms/messages",
            push_causes.SEND,
            email_causes.SEND,
            rcs_causes.SEND,
            *batch_causes.PAID,
            *conversation_causes.SENDS,
        ),
    ),
)

MISSING = (
    Cause(
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
