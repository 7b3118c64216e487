"""Which operations honour an Idempotency-Key: every POST, except these."""

from collections.abc import Mapping

WRITES_NOTHING = "It writes nothing: a repeat costs nothing and answers as of now."
CALLS_OUT = (
    "It stores nothing, and each call asks the endpoint anew: an answer of "
    "earlier would be no check."
)
FILES = (
    "Its body goes to the file store piece by piece, outside of any transaction "
    "that could hold a key as well."
)

UNKEYED: Mapping[str, str] = {
    "POST /v2/sessions": "Nobody is recognised yet, so there is no organization whose key it "
    "could be.",
    "POST /v2/sessions/password-reset": "Nobody is recognised yet, so there is no organization "
    "whose key it could be.",
    "POST /v2/sessions/password-reset/confirm": "The link works once; nobody is recognised yet.",
    "POST /v2/me/second-factor": "What it shows is a secret that is stored nowhere in clear.",
    "POST /v2/me/second-factor/confirm": (
        "What it shows is kept by its hash alone; a code works once."
    ),
    "POST /v2/me/second-factor/remove": "A code works once.",
    "POST /v2/accounts/accept": "The link works once; nobody is recognised yet.",
    "POST /v2/contacts/{id}/documentos/revelar": "Each look at documents is audited; what it "
    "shows is kept nowhere.",
    "POST /contacts/import": "Each batch of lines is a transaction of its own; sent again, it "
    "finds what is stored.",
    "POST /v2/decisions/explicar": WRITES_NOTHING,
    "POST /v2/segments/preview": WRITES_NOTHING,
    "POST /v2/journeys/{id}/simular": WRITES_NOTHING,
    "POST /v2/journeys/{id}/simular-amostra": WRITES_NOTHING,
    "POST /v2/sms/preview": WRITES_NOTHING,
    "POST /v2/push/preview": WRITES_NOTHING,
    "POST /v2/flows/{id}/validate": WRITES_NOTHING,
    "POST /webhooks/verify-signature": WRITES_NOTHING,
    "POST /webhooks/validate": CALLS_OUT,
    "POST /webhooks/{id}/test": CALLS_OUT,
    "POST /v2/email/senders/{id}/verify": "Name servers are asked outside of any transaction; a "
    "code works once, and what is verified stays so.",
    "POST /cards/{id}/arquivos": FILES,
    "POST /numbers/{numberId}/media/tickets": WRITES_NOTHING,
    "POST /media/uploads/{ticket}": FILES,
    "POST /numbers/{numberId}/media": FILES,
    "POST /numbers/{numberId}/media/binary": FILES,
    "POST /v2/flows/{id}/publish": "The platform is asked between two transactions; what is "
    "published stays so.",
    "POST /v2/flows/{id}/deprecate": "The platform is asked between two transactions; what is "
    "deprecated stays so.",
}
"""The reason of each."""
