"""Error catalogue: refusals that a request to any domain may meet."""

from core.foundation.database.availability import DatabaseAway, TookTooLong
from core.foundation.database.dry_runs import DryRunBusy, TooManyDryRuns
from core.foundation.dry_run import NotRehearsable
from core.foundation.errors import (
    BadRequest,
    FieldError,
    Internal,
    MethodNotAllowed,
    NotFound,
    PayloadTooLarge,
    ValidationFailed,
)
from core.idempotency.errors import (
    AnswerNotShown,
    InvalidKey,
    KeyReusedWithAnotherBody,
    RequestInProgress,
)
from rest_api.problems.error_catalogue import push
from rest_api.problems.error_doc import (
    ErrorDoc,
    at,
    everywhere,
    in_sandbox,
    nowhere,
    with_any_body,
    with_body,
    with_file,
    with_id,
    with_key,
)
from rest_api.support.broken_requests import HeadTooLarge, TooSlow, Unreadable
from rest_api.support.dry_runs import unclear_dry_run
from rest_api.support.uploads import NotAFile

LISTS_404 = (
    "/v2/email/suppressions",
    "/v2/event-feed",
    "/v2/links",
    "/v2/push/tokens",
    "/v2/smpp/outbox/replay",
    "/v2/push/tokens/opt-out",
    "/v2/lists",
    "/cards",
    "/cards/mover-lote",
    "/v2/organizations/me/company-attribute-defs",
)
"""Without an id in the path, these list the status all the same."""

BROKEN = (
    ErrorDoc(
        TooSlow(),
        "The head of the request had not come after 10 seconds, or its body stopped "
        "for half a minute or came with "
        "less than 10 kB a second (status 408). Nothing was done.",
        "Send the request again, over a faster line; close connections that you do not use.",
        nowhere,
    ),
    ErrorDoc(
        HeadTooLarge(),
        (
            "The request line and the headers were larger than 64 KB together (status "
            "431). Nothing was done."
        ),
        "Send fewer and shorter headers; what is long goes into a body.",
        nowhere,
    ),
    ErrorDoc(
        Unreadable(),
        "What came was not HTTP, or TLS where none is spoken.",
        "Send HTTP/1.1, to the address and with the scheme of the base URL.",
        nowhere,
    ),
)

UNREADABLE = (
    ErrorDoc(
        BadRequest("The body is not valid JSON in UTF-8; correct it and send it again."),
        "The body is no JSON.",
        "Send JSON in UTF-8. With curl, mind the quotes of the shell.",
        with_body,
    ),
    ErrorDoc(
        BadRequest(
            (
                "Send the header Idempotency-Key: a new text for each new request, the same "
                "one to repeat it."
            ),
            errors=[FieldError("header", "Idempotency-Key", "required", "This header is required")],
        ),
        "A send came without Idempotency-Key.",
        "Draw a new key for each thing that is to be sent (a UUID, or your order's "
        "number), and repeat the request "
        "with the same one until it is answered.",
        lambda operation: operation.needs_key,
    ),
    ErrorDoc(
        BadRequest(),
        "The request is malformed.",
        "Correct it.",
        at(
            "GET /v2/companies",
            "GET /v2/companies/{id}",
            "DELETE /v2/companies/{id}",
            "GET /v2/exports/whatsapp",
            push.LIST,
        ),
    ),
    ErrorDoc(
        InvalidKey(),
        "The Idempotency-Key has a form that is not taken.",
        "Use 1 to 255 printable ASCII.",
        with_key,
    ),
    ErrorDoc(
        PayloadTooLarge(),
        "The body is too large (413).",
        "Send less, or in several requests.",
        with_any_body,
    ),
    ErrorDoc(
        NotAFile(),
        "The body is not said to be the bytes of a file (415).",
        "Send Content-Type: application/octet-stream, and the file's own type in x-content-type.",
        with_file,
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[FieldError("header", "x-filename", "required", "Send the file's name")]
        ),
        "The file has no name, no type or no bytes.",
        "Name it in x-filename and its type in x-content-type; send its bytes as the body.",
        lambda operation: operation.takes_file and 400 not in operation.errors,
    ),
)

NOT_REHEARSABLE = (
    ErrorDoc(
        NotRehearsable(),
        "A dry run was asked for of what reaches beyond the database: it calls "
        "somebody, keeps a file, or shows a "
        "secret.",
        "Send it without X-SVC-Dry-Run once it is to be done.",
        nowhere,
    ),
    ErrorDoc(
        unclear_dry_run(),
        "X-SVC-Dry-Run says neither `true` nor `false`.",
        "Send `true` for a dry run; leave the header out for the real one.",
        nowhere,
    ),
)

MISSING = (
    ErrorDoc(
        NotFound(),
        "The id is not known in this environment.",
        "Check id and environment.",
        lambda operation: (
            with_id(operation) or (404 in operation.errors and operation.path in LISTS_404)
        ),
    ),
)

MISSING_IN_SANDBOX = (
    ErrorDoc(
        NotFound(),
        (
            "The operation exists for test keys only, or the record it is to work on "
            "does not exist in the sandbox."
        ),
        "Use a test key, and an id that was made with one.",
        in_sandbox,
    ),
)

WRONG_METHOD = (
    ErrorDoc(
        MethodNotAllowed(),
        "The method does not fit the address.",
        "See the header `Allow`.",
        nowhere,
    ),
)

CONFLICTS = (
    ErrorDoc(
        KeyReusedWithAnotherBody(),
        "The Idempotency-Key stands for another request of the last 24 hours.",
        (
            "Draw a new key for a new request. If this was meant as a repeat, send "
            "exactly the first body."
        ),
        with_key,
    ),
    ErrorDoc(
        AnswerNotShown(),
        "The Idempotency-Key did its work in the last 24 hours. Its answer is not "
        "kept (whom it was about was erased), "
        "or it was made for somebody else, or for a credential that may see more.",
        (
            "Nothing was done again. Read the record by its id or its name; draw a new "
            "key for a new request."
        ),
        with_key,
    ),
    ErrorDoc(
        RequestInProgress(),
        "The first request with this Idempotency-Key has not been answered yet.",
        "Wait for `Retry-After` and repeat it; the answer will be that of the first.",
        with_key,
    ),
    ErrorDoc(
        DryRunBusy(),
        (
            "A dry run waited too long for a record that a real request is changing, or "
            "had too much to do."
        ),
        "Repeat it in a moment, or try it with less.",
        at("POST /v2/decisions/explicar", "POST /v2/journeys/{id}/simular"),
    ),
)

TOO_MANY = (
    ErrorDoc(
        TooManyDryRuns(1),
        "More dry runs came in a second than an organization has.",
        "Wait for the seconds in `Retry-After`.",
        nowhere,
    ),
)

INVALID = (
    ErrorDoc(
        ValidationFailed(
            meta={"code": "VALOR_MASCARADO"},
            errors=[
                FieldError(
                    "pointer",
                    "/to",
                    "VALOR_MASCARADO",
                    "This is a masked value; send the whole phone",
                )
            ],
        ),
        (
            "A value with `*` came as phone, e-mail address or document: somebody wrote "
            "a masked value back."
        ),
        "Send the whole value, or leave the field out.",
        nowhere,
    ),
)

FAULTS = (ErrorDoc(Internal(), "A fault of ours.", "Give support the `requestId`.", everywhere),)

UNAVAILABLE = (
    ErrorDoc(
        DatabaseAway(),
        "The database is away for a moment.",
        "Repeat the request, with the same Idempotency-Key if it had one.",
        everywhere,
    ),
    ErrorDoc(
        TookTooLong(),
        "The request took longer than a request may, and was undone.",
        (
            "Repeat it after `Retry-After`, with the same Idempotency-Key if it had one; "
            "ask for less where it is a list."
        ),
        everywhere,
    ),
)
