"""Every `code` of the interface: what it means, and what to do about it."""

from rest_api.problems.error_doc import ErrorKind

KINDS = (
    ErrorKind(
        "BAD_REQUEST",
        "The request could not be read: its body is no JSON, a header is missing or malformed, "
        "or it is too large "
        "(413) or of the wrong media type (415).",
        "Correct the request. The same request answers the same again.",
    ),
    ErrorKind(
        "UNAUTHORIZED",
        "No credential came along, or it does not open the door.",
        "Send `Authorization: Bearer <API_KEY>` with a live key (`svc_live_…`), a test key "
        "(`svc_test_…`) or a session "
        "token (`svc_sess_…`). `meta.motivo` tells what was wrong.",
    ),
    ErrorKind(
        "PAYMENT_REQUIRED",
        "The wallet does not cover the price of what was asked. Nothing was sent, stored or "
        "charged.",
        "Add credit and send again; the same Idempotency-Key may be used. `meta.saldoCoins` is "
        "what there is, "
        "`meta.necessarioCoins` what it takes.",
    ),
    ErrorKind(
        "FORBIDDEN",
        "The credential is good, but it may not do this.",
        "Use a credential that holds the scope in `meta.escopoExigido`. Scopes are chosen when a "
        "key is issued.",
    ),
    ErrorKind(
        "NOT_FOUND",
        "There is no such record for this credential. Records of another organization and of the "
        "other environment "
        "answer the same.",
        "Check the id, and whether it was made with a key of the same environment.",
    ),
    ErrorKind(
        "METHOD_NOT_ALLOWED",
        "The address exists, but not with this method.",
        "Use one of the methods in the header `Allow`.",
    ),
    ErrorKind(
        "CONFLICT",
        "The request contradicts what is stored: something that has to be unique exists already, "
        "or the record is "
        "in a state that does not allow it.",
        "Read the record, decide anew, and send a request that fits. `meta.code` tells which "
        "rule it was.",
    ),
    ErrorKind(
        "PRECONDITION_FAILED",
        "Something that has to be settled outside this request is missing.",
        "Settle it, then send the same request again.",
    ),
    ErrorKind(
        "VALIDATION_ERROR",
        "The request was read, but a field or a rule is violated. `errors` names every wrong "
        "field at once, each by "
        "its JSON Pointer in the body, its parameter or its header; no value is repeated.",
        "Correct the fields and send again; the same Idempotency-Key may be used.",
    ),
    ErrorKind(
        "RATE_LIMITED",
        "Too much in too little time. Nothing was done or charged.",
        "Wait for the seconds in `Retry-After` and send again, with the same Idempotency-Key: it "
        "was released.",
    ),
    ErrorKind(
        "INTERNAL",
        "Something went wrong on the side of the service; it was logged.",
        "Repeat the request later, with the same Idempotency-Key if it had one. If it stays, "
        "give support the "
        "`requestId`.",
    ),
    ErrorKind(
        "DEPENDENCY_FAILED",
        "A system behind the service failed.",
        "Where `meta.code` is RESULTADO_DESCONHECIDO, read the message by `meta.messageId` "
        "before anything else; "
        "in every other case nothing was sent or charged, and the request may be repeated.",
    ),
    ErrorKind(
        "SERVICE_UNAVAILABLE",
        "The service cannot do this right now.",
        "Repeat the request, with the same Idempotency-Key if it had one, after the seconds in "
        "`Retry-After` or "
        "with growing pauses.",
    ),
)
