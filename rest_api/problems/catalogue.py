"""What every refusal means, as data: the pages under /problems and the examples in the OpenAPI document come from here.

A new refusal is one row in CAUSES; a test names those that are missing.
"""

from core.companies.errors import (
    CheckTookTooLong,
    CnpjTaken,
    KeysRepeated,
    SensitivePropertyInUse,
)
from core.contacts.errors import (
    ConsentBeforeRevocation,
    ConsentCannotBeForgotten,
    ConsentInTheFuture,
    ExternalIdTaken,
    NoSuchCompany,
    PhoneAlreadyRegistered,
    PhoneCannotChange,
    RoleWithoutCompany,
)
from core.customer_events.errors import AmbiguousEmail, DifferentContacts
from core.foundation.errors import (
    BadRequest,
    FieldError,
    Forbidden,
    Internal,
    MethodNotAllowed,
    NotFound,
    PayloadTooLarge,
    ValidationFailed,
)
from core.foundation.outages import DatabaseAway
from core.foundation.rate_limit import Grant
from core.idempotency.errors import InvalidKey, KeyReusedWithAnotherBody, StillUnderWay
from core.lists.errors import ListNameTaken, NobodyMatched
from core.organizations.accounts.errors import EmailTaken
from core.organizations.errors import (
    AddressNotAllowed,
    ExpiredCredential,
    InvalidCredential,
    NoCredential,
    RevokedCredential,
)
from core.organizations.keys.errors import KeyAlreadyRotated, KeyExpired, KeyRevoked, WiderScopes
from core.organizations.sessions.errors import (
    AmbiguousOrganization,
    LogInLocked,
    NotASession,
    TooManyLogIns,
    WrongCredentials,
)
from core.pipelines.cards.errors import TooManyCards
from core.pipelines.cards.files.attach import TooManyFiles
from core.pipelines.errors import (
    CardsCannotMove,
    KindNeverChanges,
    LastOpenStage,
    NameTaken,
    NoPlaceForCards,
    NoSuchReason,
    OrderIncomplete,
    OutcomeTaken,
    PipelineHasOpenCards,
    ReasonsWithoutLostStage,
    StageHasCards,
    TooManyStages,
    VersionOutdated,
)
from core.segments.errors import SegmentNameTaken, TooLarge, UnusableReference
from core.sms.errors import (
    AboveCeiling,
    NoProvider,
    OutcomeUnknown,
    ProviderOutOfCredit,
    ProviderRefused,
    ProviderThrottled,
    QuoteOnlyRoute,
    RecipientOptedOut,
)
from core.wallet.errors import InsufficientBalance, NoWallet
from core.webhooks.errors import PingUnanswered, TooManyValidations
from core.webhooks.ping import MESSAGES
from rest_api.problems import (
    batch_causes,
    card_causes,
    conversation_causes,
    email_causes,
    journey_causes,
    media_causes,
    number_causes,
    push_causes,
    rcs_causes,
    template_causes,
)
from rest_api.problems.rows import (
    Cause,
    Kind,
    at,
    everywhere,
    in_sandbox,
    nowhere,
    with_any_body,
    with_body,
    with_credential,
    with_file,
    with_id,
    with_key,
    with_scope,
)
from rest_api.providers.gateway import BadSignature
from rest_api.support.sample_ids import CARD, MESSAGE, NEXT_API_KEY, ORGANIZATION, OTHER_CARD, OTHER_ORGANIZATION
from rest_api.support.uploads import NotAFile

KINDS = (
    Kind(
        "BAD_REQUEST",
        "The request could not be read: its body is no JSON, a header is missing or malformed, or it is too large "
        "(413) or of the wrong media type (415).",
        "Correct the request. The same request answers the same again.",
    ),
    Kind(
        "UNAUTHORIZED",
        "No credential came along, or it does not open the door.",
        "Send `Authorization: Bearer <API_KEY>` with a live key (`svc_live_…`), a test key (`svc_test_…`) or a session "
        "token (`svc_sess_…`). `meta.motivo` tells what was wrong.",
    ),
    Kind(
        "PAYMENT_REQUIRED",
        "The wallet does not cover the price of what was asked. Nothing was sent, stored or charged.",
        "Add credit and send again; the same Idempotency-Key may be used. `meta.saldoCoins` is what there is, "
        "`meta.necessarioCoins` what it takes.",
    ),
    Kind(
        "FORBIDDEN",
        "The credential is good, but it may not do this.",
        "Use a credential that holds the scope in `meta.escopoExigido`. Scopes are chosen when a key is issued.",
    ),
    Kind(
        "NOT_FOUND",
        "There is no such record for this credential. Records of another organization and of the other environment "
        "answer the same.",
        "Check the id, and whether it was made with a key of the same environment.",
    ),
    Kind(
        "METHOD_NOT_ALLOWED",
        "The address exists, but not with this method.",
        "Use one of the methods in the header `Allow`.",
    ),
    Kind(
        "CONFLICT",
        "The request contradicts what is stored: something that has to be unique exists already, or the record is "
        "in a state that does not allow it.",
        "Read the record, decide anew, and send a request that fits. `meta.code` tells which rule it was.",
    ),
    Kind(
        "PRECONDITION_FAILED",
        "Something that has to be settled outside this request is missing.",
        "Settle it, then send the same request again.",
    ),
    Kind(
        "VALIDATION_ERROR",
        "The request was read, but a field or a rule is violated. `errors` names every wrong field at once, each by "
        "its JSON Pointer in the body, its parameter or its header; no value is repeated.",
        "Correct the fields and send again; the same Idempotency-Key may be used.",
    ),
    Kind(
        "RATE_LIMITED",
        "Too much in too little time. Nothing was done or charged.",
        "Wait for the seconds in `Retry-After` and send again, with the same Idempotency-Key: it was released.",
    ),
    Kind(
        "INTERNAL",
        "Something went wrong on the side of the service; it was logged.",
        "Repeat the request later, with the same Idempotency-Key if it had one. If it stays, give support the "
        "`requestId`.",
    ),
    Kind(
        "DEPENDENCY_FAILED",
        "A system behind the service failed.",
        "Where `meta.code` is RESULTADO_DESCONHECIDO, read the message by `meta.messageId` before anything else; "
        "in every other case nothing was sent or charged, and the request may be repeated.",
    ),
    Kind(
        "SERVICE_UNAVAILABLE",
        "The service cannot do this right now.",
        "Repeat the request, with the same Idempotency-Key if it had one, after the seconds in `Retry-After` or "
        "with growing pauses.",
    ),
)

SEND_SMS = at("POST /v2/sms/messages")
SEND_SMS_OR_RCS = at("POST /v2/sms/messages", rcs_causes.SEND)
WRITE_CONTACT = at("POST /contacts", "PATCH /contacts/{id}")
WRITE_COMPANY = at("POST /v2/companies", "PATCH /v2/companies/{id}")
DEFINE_ATTRIBUTES = at("PUT /v2/organizations/me/company-attribute-defs")

LISTS_404 = (
    "/v2/event-feed",
    "/v2/links",
    "/v2/push/tokens",
    "/v2/push/tokens/opt-out",
    "/v2/lists",
    "/cards",
    "/cards/mover-lote",
    "/v2/organizations/me/company-attribute-defs",
)
"""Without an id in the path, these list the status all the same."""

CAUSES = (
    # 400
    Cause(
        BadRequest("The body is not valid JSON in UTF-8; correct it and send it again."),
        "The body is no JSON.",
        "Send JSON in UTF-8. With curl, mind the quotes of the shell.",
        with_body,
    ),
    Cause(
        BadRequest(
            "Send the header Idempotency-Key: a new text for each new request, the same one to repeat it.",
            errors=[FieldError("header", "Idempotency-Key", "required", "This header is required")],
        ),
        "A send came without Idempotency-Key.",
        "Draw a new key for each thing that is to be sent (a UUID, or your order's number), and repeat the request "
        "with the same one until it is answered.",
        lambda operation: operation.needs_key,
    ),
    Cause(
        BadRequest(),
        "The request is malformed.",
        "Correct it.",
        at(
            "GET /v2/companies",
            "GET /v2/companies/{id}",
            "DELETE /v2/companies/{id}",
            "GET /v2/exports/whatsapp",
            push_causes.LIST,
        ),
    ),
    Cause(InvalidKey(), "The Idempotency-Key has a form that is not taken.", "Use 1 to 255 printable ASCII.", with_key),
    Cause(PayloadTooLarge(), "The body is too large (413).", "Send less, or in several requests.", with_any_body),
    Cause(
        NotAFile(),
        "The body is not said to be the bytes of a file (415).",
        "Send Content-Type: application/octet-stream, and the file's own type in x-content-type.",
        with_file,
    ),
    Cause(
        ValidationFailed(errors=[FieldError("header", "x-filename", "required", "Send the file's name")]),
        "The file has no name, no type or no bytes.",
        "Name it in x-filename and its type in x-content-type; send its bytes as the body.",
        lambda operation: operation.takes_file and 400 not in operation.errors,
    ),
    Cause(
        TooManyFiles(),
        "The card is full.",
        "Delete files that nobody needs, or keep them together in an archive.",
        at("POST /cards/{id}/arquivos"),
    ),
    *push_causes.UNREADABLE,
    *media_causes.UNREADABLE,
    # 401
    Cause(NoCredential(), "The header Authorization is missing.", "Send it.", with_credential),
    Cause(
        InvalidCredential(),
        "No such credential: a character is missing, or the key belongs to another installation.",
        "Copy the key whole. It was shown once, when it was issued; a lost one is replaced by a new one.",
        with_credential,
    ),
    Cause(
        ExpiredCredential(),
        "The key has reached its end, or the session was idle for 12 hours or is 7 days old.",
        "Rotate keys before they end; log in again.",
        with_credential,
    ),
    Cause(
        RevokedCredential(),
        "The key was revoked, the session ended, or the account behind it is no longer active.",
        "Use another key, or log in again.",
        with_credential,
    ),
    Cause(
        AddressNotAllowed(),
        "The key opens only from the networks in its `ips`, and the call came from elsewhere.",
        "Call from one of them, or change `ips` of the key.",
        with_credential,
    ),
    Cause(
        WrongCredentials(),
        "E-mail and password do not open an active account. Which of them was wrong is never told.",
        "Check both. Five failures in a row lock the log-in for 15 minutes.",
        at("POST /v2/sessions"),
    ),
    Cause(
        BadSignature(),
        "A callback of the provider `gateway` is not signed as it has to be, or its clock is off by more than five "
        "minutes.",
        "Sign `<unix>.<raw body>` with the shared secret, in `X-Gateway-Signature: t=<unix>,v1=<hex>`.",
        nowhere,
    ),
    *email_causes.UNSIGNED,
    # 402
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
    # 403
    Cause(
        Forbidden(meta={"escopoExigido": "sms:send"}),
        "The key lacks the scope of the operation.",
        "Issue a key that holds `meta.escopoExigido`.",
        with_scope,
    ),
    Cause(
        NotASession(),
        "An API key tried to log out.",
        "Nothing to do: a key has no session. It is revoked with `DELETE /v2/api-keys/{id}`.",
        at("DELETE /v2/sessions/current"),
    ),
    # 404
    Cause(
        NotFound(),
        "The id is not known in this environment.",
        "Check id and environment.",
        lambda operation: with_id(operation) or (404 in operation.errors and operation.path in LISTS_404),
    ),
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
    Cause(
        NotFound(),
        "The operation exists for test keys only, or the record it is to work on does not exist in the sandbox.",
        "Use a test key, and an id that was made with one.",
        in_sandbox,
    ),
    *push_causes.MISSING,
    *conversation_causes.UNKNOWN,
    # 405
    Cause(MethodNotAllowed(), "The method does not fit the address.", "See the header `Allow`.", nowhere),
    # 409
    Cause(
        KeyReusedWithAnotherBody(),
        "The Idempotency-Key stands for another request of the last 24 hours.",
        "Draw a new key for a new request. If this was meant as a repeat, send exactly the first body.",
        with_key,
    ),
    Cause(
        StillUnderWay(),
        "The first request with this Idempotency-Key has not been answered yet.",
        "Wait for `Retry-After` and repeat it; the answer will be that of the first.",
        with_key,
    ),
    Cause(
        KeyRevoked(),
        "The key is revoked and does not change any more.",
        "Issue a new one.",
        at("PATCH /v2/api-keys/{id}", "POST /v2/api-keys/{id}/rotate"),
    ),
    Cause(
        KeyExpired(),
        "The key has expired and does not change any more.",
        "Issue a new one.",
        at("PATCH /v2/api-keys/{id}", "POST /v2/api-keys/{id}/rotate"),
    ),
    Cause(
        KeyAlreadyRotated(NEXT_API_KEY),
        "The key was replaced already.",
        "Rotate the one that replaces it: `meta.replacedById`.",
        at("POST /v2/api-keys/{id}/rotate"),
    ),
    Cause(
        EmailTaken(),
        "Another account of the organization has this e-mail address.",
        "Use another address, or the account that exists.",
        nowhere,
    ),
    Cause(
        PhoneAlreadyRegistered(),
        "Another contact has this phone; a Brazilian mobile with and without its ninth digit is the same one.",
        "Change the contact that exists.",
        at("POST /contacts"),
    ),
    Cause(
        ExternalIdTaken(),
        "Another contact has this `externalId`.",
        "Find it with `GET /contacts?externalId=`, and decide which of the two it belongs to.",
        WRITE_CONTACT,
    ),
    Cause(
        CnpjTaken(),
        "Another company has this CNPJ; with and without mask it is the same one.",
        "Find it with `GET /v2/companies?q=`, and change that one.",
        WRITE_COMPANY,
    ),
    Cause(
        KeysRepeated([1]),
        "Two definitions have the same `key`.",
        "Send each key once.",
        DEFINE_ATTRIBUTES,
    ),
    Cause(
        SensitivePropertyInUse({"cpfDoSocio": "/defs"}),
        "A property that looks like a document, a password, a card or a token, by its key or its label, was to leave "
        "the list or to change its label, and companies still have values of it: `meta.chaves` names it.",
        "Remove the values from the companies first.",
        DEFINE_ATTRIBUTES,
    ),
    Cause(
        ListNameTaken(),
        "Another list has this name.",
        "Use that list, or another name.",
        at("POST /v2/lists", "PATCH /v2/lists/{id}"),
    ),
    Cause(
        SegmentNameTaken(),
        "Another segment has this name.",
        "Use that segment, or another name.",
        at("POST /v2/segments", "PATCH /v2/segments/{segmentId}"),
    ),
    Cause(
        NameTaken(),
        "Another pipeline that is not archived, or another stage of the pipeline, has this name.",
        "Use that one, or another name.",
        at(
            "POST /pipelines",
            "PATCH /pipelines/{id}",
            "POST /pipelines/{id}/etapas",
            "PATCH /pipelines/{id}/etapas/{etapaId}",
        ),
    ),
    Cause(
        VersionOutdated(7),
        "The record changed since it was read: its version is `meta.versaoAtual` by now.",
        "Read it again, decide anew, and send its present `versao`.",
        at("PATCH /pipelines/{id}", "PATCH /cards/{id}", "POST /cards/{id}/mover"),
    ),
    Cause(
        KindNeverChanges(),
        "Another `tipo` than the pipeline has was sent.",
        "Leave `tipo` out; for another kind, create a pipeline.",
        at("PATCH /pipelines/{id}"),
    ),
    Cause(
        PipelineHasOpenCards(12),
        "The pipeline was to be archived, and `meta.quantidade` deals on it are open.",
        "Win, lose or transfer them, or send `forcar`: then they stay open in the archive.",
        at("PATCH /pipelines/{id}"),
    ),
    Cause(
        ReasonsWithoutLostStage(),
        "A pipeline with active reasons for losing has no stage with the outcome `perda`, or would lose it.",
        "Add such a stage first, or take the reasons away first (`motivos: []`).",
        at(
            "POST /pipelines",
            "PATCH /pipelines/{id}",
            "PATCH /pipelines/{id}/etapas/{etapaId}",
            "DELETE /pipelines/{id}/etapas/{etapaId}",
        ),
    ),
    Cause(
        OutcomeTaken(),
        "The pipeline would have two stages that win deals, or two that lose them.",
        "Use the one that is there, or make it an open one first.",
        at("POST /pipelines", "POST /pipelines/{id}/etapas", "PATCH /pipelines/{id}/etapas/{etapaId}"),
    ),
    Cause(
        TooManyStages(),
        "The pipeline has 30 stages.",
        "Delete one first.",
        at("POST /pipelines/{id}/etapas"),
    ),
    Cause(
        LastOpenStage(),
        "The pipeline would be left without a stage for open deals.",
        "Add another one with the outcome `aberta` first.",
        at("PATCH /pipelines/{id}/etapas/{etapaId}", "DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    Cause(
        StageHasCards(2, [CARD, OTHER_CARD]),
        "Deals lie in the stage: `meta.quantidade` of them, `meta.exemplos` names up to ten.",
        "Move them first; to delete the stage, name the one that takes them in `moverPara`.",
        at("PATCH /pipelines/{id}/etapas/{etapaId}", "DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    Cause(
        TooManyCards(5_001),
        "More than 5,000 deals lie in the stage that is to be deleted: `meta.quantidade` of them.",
        "Move some of them first, for instance with `POST /cards/mover-lote`.",
        at("DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    *card_causes.CONFLICTS,
    *push_causes.CONFLICTS,
    *template_causes.CONFLICTS,
    *journey_causes.CONFLICTS,
    *number_causes.TAKEN,
    *batch_causes.CONFLICTS,
    *conversation_causes.CONFLICTS,
    # 412
    Cause(
        QuoteOnlyRoute(),
        "The route la_dedicada is sold by quote and has no table price.",
        "Ask for a quote, or send by `premium` or `otp`.",
        at("POST /v2/sms/messages", "POST /v2/sms/preview"),
    ),
    *rcs_causes.UNPRICED,
    # 422
    Cause(
        RecipientOptedOut(),
        "The contact behind this phone asked not to receive communication.",
        "Do not send it. The route `otp` is transactional and reaches everybody; it is not for anything else.",
        SEND_SMS,
    ),
    Cause(
        AmbiguousOrganization([(ORGANIZATION, "Loja do Centro"), (OTHER_ORGANIZATION, "Filial")]),
        "The password opens accounts of several organizations.",
        "Send `organizationId` with one of those in `meta.organizacoes`.",
        at("POST /v2/sessions"),
    ),
    Cause(
        WiderScopes([1]),
        "A change of a key may take scopes away, never give it more.",
        "Leave out the scopes named in `errors`, or issue another key.",
        at("PATCH /v2/api-keys/{id}"),
    ),
    *(
        Cause(
            PingUnanswered(reason, message),
            "The revoked subscription was not resumed, because its endpoint did not take a signed `webhook.ping`: "
            + message,
            "Repair the endpoint, try it with `POST /webhooks/validate`, and set `status` to `active` again.",
            at("PATCH /webhooks/{id}") if reason == "non_2xx" else nowhere,
        )
        for reason, message in MESSAGES.items()
    ),
    Cause(
        ValidationFailed(
            meta={"code": "VALOR_MASCARADO"},
            errors=[FieldError("pointer", "/to", "VALOR_MASCARADO", "This is a masked value; send the whole phone")],
        ),
        "A value with `*` came as phone, e-mail address or document: somebody wrote a masked value back.",
        "Send the whole value, or leave the field out.",
        nowhere,
    ),
    Cause(
        PhoneCannotChange(),
        "The phone is the identity of a contact and never changes.",
        "Create another contact, and delete this one if it is not needed.",
        at("PATCH /contacts/{id}"),
    ),
    Cause(
        NoSuchCompany(),
        "`companyId` names no company of the organization.",
        "Check the id.",
        WRITE_CONTACT,
    ),
    Cause(
        ValidationFailed(
            errors=[
                FieldError(
                    "pointer", "/responsavelId", "VINCULO_INVALIDO", "This is no active member of the organization"
                )
            ]
        ),
        "`responsavelId` names nobody who is an active member, or `contatoPrincipalId` no contact of the organization.",
        "Check the ids; a suspended member, or one who has not accepted yet, cannot be responsible.",
        WRITE_COMPANY,
    ),
    Cause(
        RoleWithoutCompany(),
        "`papelNaEmpresa` came for a contact that belongs to no company.",
        "Send `companyId` with it.",
        WRITE_CONTACT,
    ),
    Cause(
        ConsentInTheFuture("/optIn/at"),
        "The date of a consent or of its revocation lies more than five minutes ahead.",
        "Send a date that has passed, in UTC, and check the clock.",
        at("POST /contacts", "PATCH /contacts/{id}", "POST /contacts/opt-out"),
    ),
    Cause(
        ConsentBeforeRevocation(),
        "The contact revoked its consent, and the new one is older than that or does not say where it comes from.",
        "Send `optIn.source`, and an `optIn.at` later than the revocation.",
        at("PATCH /contacts/{id}"),
    ),
    Cause(
        ConsentCannotBeForgotten(),
        "A consent that was granted or denied cannot become unknown again.",
        "Leave `optIn` out, or send `granted` or `denied`.",
        at("PATCH /contacts/{id}"),
    ),
    Cause(
        DifferentContacts(["phone", "externalId"]),
        "The identifiers of the event belong to different contacts.",
        "Send those of one contact; one is enough.",
        at("POST /v2/events"),
    ),
    Cause(
        AmbiguousEmail(),
        "Several contacts have the e-mail address of the event.",
        "Send `contactId`, `externalId` or `phone` with it.",
        at("POST /v2/events"),
    ),
    Cause(
        NobodyMatched(),
        "A list was to be replaced by identifiers that belong to no contact at all.",
        "Check the identifiers; to empty a list, remove its members.",
        at("PUT /v2/lists/{id}/members"),
    ),
    Cause(
        UnusableReference(),
        "A condition names a segment that does not exist, or segments that are built on each other in a circle or "
        "too deep.",
        "Name another segment; at most five stand on top of each other.",
        at("POST /v2/segments", "PATCH /v2/segments/{segmentId}", "POST /v2/segments/preview"),
    ),
    Cause(
        TooLarge(),
        "The filter has too many conditions or is nested too deep.",
        "Simplify it: at most 50 conditions, five levels deep, the segments it is built on included.",
        at("POST /v2/segments", "PATCH /v2/segments/{segmentId}", "POST /v2/segments/preview"),
    ),
    *journey_causes.INVALID,
    Cause(
        ValidationFailed(
            errors=[FieldError("pointer", "/tipo", "TIPO_AINDA_NAO_DISPONIVEL", "Not available yet")],
        ),
        "Pipelines of the kinds `cobranca` and `onboarding` are not available yet.",
        "Leave `tipo` out, or send `vendas`.",
        at("POST /pipelines"),
    ),
    Cause(
        ValidationFailed(
            errors=[FieldError("pointer", "/camposObrigatorios/0", "CAMPO_DESCONHECIDO", "No such field")],
        ),
        "A stage demands something else than `valor`, `dataPrevista`, `contato` and `responsavel`.",
        "Leave it out: no stage can demand other fields.",
        at("POST /pipelines", "POST /pipelines/{id}/etapas", "PATCH /pipelines/{id}/etapas/{etapaId}"),
    ),
    Cause(
        ValidationFailed(errors=[FieldError("pointer", "/motivos/0/texto", "MOTIVO_VAZIO", "A reason has a text")]),
        "A reason for losing has no text, or one of spaces only.",
        "Give it one, or leave the entry out.",
        at("POST /pipelines", "PATCH /pipelines/{id}"),
    ),
    Cause(
        NoSuchReason([0]),
        "A reason was named by an id that the pipeline does not know.",
        "Leave `id` out for a new reason.",
        at("PATCH /pipelines/{id}"),
    ),
    Cause(
        NoPlaceForCards(),
        "`moverPara` names no other open stage of the pipeline: deals are not won or lost by the way.",
        "Name another stage of the pipeline with the outcome `aberta`.",
        at("DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    Cause(
        ValidationFailed(errors=[FieldError("parameter", "de", "too_large", "The period ends before it begins")]),
        "The period ends before it begins.",
        "Send a `de` that is not later than `ate`.",
        at("GET /pipelines/{id}/resumo"),
    ),
    Cause(
        ValidationFailed(),
        "Every operation of the CRM lists this status; one that takes neither body nor parameters never answers it.",
        "Nothing to do.",
        lambda operation: 422 in operation.errors and operation.body is None and operation.query is None,
    ),
    Cause(
        CardsCannotMove(["valor"], [CARD]),
        "Deals in the stage lack what the stage in `moverPara` demands; all of them stay.",
        "Fill the fields of the deals in `meta.exemplos`, or name another stage.",
        at("DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    Cause(
        OrderIncomplete(),
        "`etapaIds` lacks a stage of the pipeline, names one twice, or names one of another pipeline.",
        "Read the pipeline and send every one of its stages exactly once.",
        at("PUT /pipelines/{id}/etapas/ordem"),
    ),
    *card_causes.REFUSALS,
    *push_causes.INVALID,
    *number_causes.INVALID,
    *rcs_causes.INVALID,
    *email_causes.INVALID,
    *media_causes.INVALID,
    *conversation_causes.INVALID,
    *template_causes.INVALID,
    # 429
    Cause(
        AboveCeiling(Grant(0, 0, 1)),
        "More SMS per second than contracted. No message was stored.",
        "Spread the sends: the headers `RateLimit-Policy` and `RateLimit` tell the ceiling and what is left of it.",
        SEND_SMS,
    ),
    Cause(
        ProviderThrottled(MESSAGE, retry_after=5),
        "The provider limits the route right now. The message is stored as failed under `meta.messageId`; nothing "
        "was sent or charged.",
        "Wait for `Retry-After` and send again; the same Idempotency-Key makes a new send.",
        SEND_SMS,
    ),
    Cause(
        TooManyValidations(retry_after=6),
        "More than 10 endpoints were tried within a minute.",
        "Wait for `Retry-After`.",
        at("POST /webhooks/validate", "POST /webhooks/{id}/test"),
    ),
    Cause(
        LogInLocked(900),
        "Five log-ins in a row failed; the log-in of this address is locked.",
        "Wait for `Retry-After`; a right password does not open it earlier.",
        at("POST /v2/sessions"),
    ),
    # 500
    Cause(Internal(), "A fault of ours.", "Give support the `requestId`.", everywhere),
    # 502
    Cause(
        ProviderRefused(MESSAGE),
        "The provider failed before it took the message. It is stored as failed under `meta.messageId`; nothing was "
        "sent or charged.",
        "Send it again; the same Idempotency-Key makes a new send.",
        SEND_SMS_OR_RCS,
    ),
    Cause(
        OutcomeUnknown(MESSAGE),
        "The provider was reached and did not answer in time: the message may be on its way.",
        "Do not send it with a new key, which could send it twice. Read it by `meta.messageId`, or repeat the request "
        "with the same Idempotency-Key: both tell what became of it.",
        SEND_SMS_OR_RCS,
    ),
    *media_causes.UPSTREAM,
    *template_causes.UPSTREAM,
    *number_causes.UNCONFIRMED,
    # 503
    Cause(
        DatabaseAway(),
        "The database is away for a moment.",
        "Repeat the request, with the same Idempotency-Key if it had one.",
        everywhere,
    ),
    Cause(
        ProviderOutOfCredit(MESSAGE),
        "The provider takes no messages now (sandbox: a recipient that ends in 0114). The message is stored as failed "
        "under `meta.messageId`; nothing was sent or charged.",
        "Try again later; the same Idempotency-Key makes a new send.",
        SEND_SMS_OR_RCS,
    ),
    Cause(
        NoProvider(),
        "No provider is configured for live sends in this installation. Nothing was stored.",
        "Use a test key, or have the operator configure one.",
        SEND_SMS_OR_RCS,
    ),
    *email_causes.UNAVAILABLE,
    *media_causes.UNAVAILABLE,
    *template_causes.UNAVAILABLE,
    *batch_causes.UNAVAILABLE,
    *conversation_causes.UNAVAILABLE,
    Cause(
        CheckTookTooLong(),
        "Whether companies still have values of a sensitive property could not be told within 5 seconds.",
        "Try again at a quieter time. Nothing changed.",
        DEFINE_ATTRIBUTES,
    ),
    Cause(
        TooManyLogIns(),
        "More people are logging in at this moment than passwords can be checked.",
        "Try again in a second.",
        at("POST /v2/sessions"),
    ),
)

FIELD_CODES: dict[str, str] = {
    "required": "The field is missing.",
    "unknown_field": "The operation knows no such field; names are spelt as in the reference.",
    "wrong_type": "The value has another JSON type than the field. Nothing is converted: a number is not a text.",
    "wrong_format": "The text does not have the form that the reference gives.",
    "not_found": "The field names something that does not exist here, or cannot be used.",
    "not_allowed": "The value is none of those that are allowed.",
    "too_long": "The text is too long.",
    "too_short": "The text is too short.",
    "too_many": "The list or object has too many entries.",
    "too_few": "The list or object has too few entries.",
    "too_large": "The number or date is too large.",
    "too_small": "The number or date is too small.",
    "out_of_range": "The instant lies outside the years 1 to 9999.",
    "not_finite": "The number is infinite or not a number.",
    "line_break": "What stands in one line of a letter holds a line break or another control character.",
    "nul": "A text holds the character NUL, which cannot be stored.",
    "not_utf8": "A parameter is not written in UTF-8.",
    "repeated": "Something that may stand once stands twice.",
    "immutable": "The field cannot change.",
    "reserved_header": "The name of the header is reserved for the delivery itself.",
    "session_only": "Only a session holds this scope; a key never does.",
    "invalid_phone": "The text is no phone number; write it in E.164, such as +5511987654321.",
    "in_the_future": "The date lies in the future.",
    "invalid_cpf": "The text is no CPF: eleven digits, the last two of which check the others.",
    "invalid_cnpj": "The text is no CNPJ: fourteen characters, with or without punctuation, whose check digits fit.",
    "not_a_picture": "The text is neither an http(s) address nor a picture as a `data:` URI.",
    "not_contiguous": "The variables of a text are not numbered from {{1}} without a gap.",
    "at_the_edge": "A variable stands first or last in a body.",
    "wrong_order": "Buttons that answer do not stand together.",
    "opt_out": "The recipient asked not to receive communication.",
    "VALOR_MASCARADO": "A masked value was written back; send the whole value or leave the field out.",
    "ESCOPO_AMPLIADO": "The key does not hold this scope, and a change cannot give it one.",
    **{str(reason): message for reason, message in MESSAGES.items()},
}
"""What `errors[].code` says."""
