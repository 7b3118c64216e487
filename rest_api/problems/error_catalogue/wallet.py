"""Error catalogue: refusals of the wallet."""

from core.wallet.errors import InsufficientBalance, NoWallet, PaymentDiffers
from rest_api.problems.error_catalogue import (
    batches,
    conversations,
    email,
    push,
    quotes,
    rcs,
)
from rest_api.problems.error_doc import ErrorDoc, at, nowhere
from rest_api.providers.payments import BadPaymentSignature

UNSIGNED = (
    ErrorDoc(
        BadPaymentSignature(),
        (
            "What was posted about a payment is not signed as it has to be, or its clock "
            "is off by more than five minutes."
        ),
        "Sign `<unix>`, `POST <path>` and the raw body, a line feed between them, "
        "with the shared secret, in "
        "`X-Payment-Signature: t=<unix>,v2=<hex>`.",
        nowhere,
    ),
)

CLASHING = (
    ErrorDoc(
        PaymentDiffers(),
        "The payment was credited before, with another amount.",
        (
            "Send each payment under an id of its own; what was credited wrongly is "
            "taken back with `svc wallet debit`."
        ),
        nowhere,
    ),
)

UNPAID = (
    ErrorDoc(
        InsufficientBalance(available=300, needed=800),
        "The message costs more than the wallet holds, or the quote whose money is to be held does.",
        "Add credit. In the sandbox `POST /v2/sandbox/wallet/credit` fills it up.",
        at(
            "POST /v2/sms/messages",
            quotes.ASK,
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
            "PATCH /v2/wallet",
            "GET /v2/wallet/transactions",
            "GET /v2/wallet/conferencia",
            "POST /v2/sandbox/wallet/credit",
        ),
    ),
)
