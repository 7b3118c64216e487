"""Error catalogue: refusals of credentials, sessions, keys and accounts."""

from core.foundation.errors import FieldError, Forbidden, ValidationFailed
from core.foundation.security.caller import SecondFactorDue
from core.organizations.accounts.errors import EmailTaken, LastOwner, StillInvited
from core.organizations.accounts.own import WrongPassword
from core.organizations.accounts.ranks import RoleAboveOwn
from core.organizations.accounts.tokens import InvalidLink
from core.organizations.errors import (
    AddressNotAllowed,
    ExpiredCredential,
    InvalidCredential,
    NoCredential,
    RevokedCredential,
)
from core.organizations.keys.errors import KeyAlreadyRotated, KeyExpired, KeyRevoked, WiderScopes
from core.organizations.own_organization import OwnSecondFactorMissing
from core.organizations.second_factor.errors import (
    NoSecondFactor,
    SecondFactorActive,
    SecondFactorNeeded,
    WrongCode,
    WrongSecondFactor,
)
from core.organizations.sessions.errors import (
    AmbiguousOrganization,
    LogInLocked,
    NotASession,
    NotForKeys,
    TooManyLogIns,
    WrongCredentials,
)
from rest_api.console.browser_session import ForeignPage, WrongCsrfToken
from rest_api.problems.error_doc import ErrorDoc, at, nowhere, with_credential, with_scope
from rest_api.support.operations import Operation
from rest_api.support.sample_ids import NEXT_API_KEY, ORGANIZATION, OTHER_ORGANIZATION

BROWSER_SESSIONS = (
    ErrorDoc(
        ForeignPage(),
        "`/console/session`, or `/graphql` with the cookie of a session, was asked by a page of "
        "another origin, without TLS, or by a program.",
        "Open the service by the address in SVC_BASE_URL; in programs send `Authorization`.",
        nowhere,
    ),
    ErrorDoc(
        WrongCsrfToken(),
        "The cookie of a session came without a CSRF token of it; another tab may have logged in.",
        "Ask GET /console/session for a token, and send it in X-CSRF-Token.",
        nowhere,
    ),
)

SECOND_FACTORS = (
    "POST /v2/me/second-factor",
    "POST /v2/me/second-factor/confirm",
    "POST /v2/me/second-factor/remove",
)


def _in_a_session(operation: Operation) -> bool:
    """What a session does besides adding its second factor."""
    more = at("PATCH /v2/me", "GET /v2/sessions", "DELETE /v2/sessions/{id}")
    return with_scope(operation) or more(operation)


UNAUTHORIZED = (
    ErrorDoc(NoCredential(), "The header Authorization is missing.", "Send it.", with_credential),
    ErrorDoc(
        InvalidCredential(),
        "No such credential: a character is missing, or the key belongs to another installation.",
        (
            "Copy the key whole. It was shown once, when it was issued; a lost one is "
            "replaced by a new one."
        ),
        with_credential,
    ),
    ErrorDoc(
        ExpiredCredential(),
        "The key has reached its end, or the session was idle for 12 hours or is 7 days old.",
        "Rotate keys before they end; log in again.",
        with_credential,
    ),
    ErrorDoc(
        RevokedCredential(),
        "The key was revoked, the session ended, or the account behind it is no longer active.",
        "Use another key, or log in again.",
        with_credential,
    ),
    ErrorDoc(
        AddressNotAllowed(),
        "The key opens only from the networks in its `ips`, and the call came from elsewhere.",
        "Call from one of them, or change `ips` of the key.",
        with_credential,
    ),
    ErrorDoc(
        WrongCredentials(),
        "E-mail and password do not open an active account. Which of them was wrong is never told.",
        "Check both. Five failures in a row lock the log-in for 15 minutes.",
        at("POST /v2/sessions"),
    ),
    ErrorDoc(
        SecondFactorNeeded(),
        "The password is right, and the account asks for a second factor.",
        "Send the six digits of the app, or a recovery code, as `code`.",
        at("POST /v2/sessions"),
    ),
    ErrorDoc(
        WrongSecondFactor(),
        "The code is of no moment around now, or was used already. Which of them is never told.",
        "Wait for the next code of the app; five wrong ones in a row lock it for 15 minutes.",
        at("POST /v2/sessions"),
    ),
)

FORBIDDEN = (
    ErrorDoc(
        Forbidden(meta={"escopoExigido": "sms:send"}),
        "The key lacks the scope of the operation.",
        "Issue a key that holds `meta.escopoExigido`.",
        with_scope,
    ),
    ErrorDoc(
        Forbidden(meta={"escopoExigido": "sms:read"}),
        "The key may read no channel.",
        "Issue a key that reads one of the channels, such as `sms:read`.",
        at(
            "GET /v2/decisions",
            "GET /v2/decisions/{id}",
            "GET /v2/messages/{id}/decisao",
            "POST /v2/decisions/explicar",
            "GET /v2/quotes",
            "GET /v2/quotes/{id}",
        ),
    ),
    ErrorDoc(
        Forbidden(meta={"escopoExigido": "sms:send"}),
        "The key may not send on a channel of the quote.",
        "Issue a key that holds `meta.escopoExigido`.",
        at("POST /v2/quotes", "POST /v2/quotes/{id}/cancel"),
    ),
    ErrorDoc(
        NotASession(),
        "An API key tried to log out.",
        "Nothing to do: a key has no session. It is revoked with `DELETE /v2/api-keys/{id}`.",
        at("DELETE /v2/sessions/current"),
    ),
    ErrorDoc(
        NotForKeys(),
        "An API key asked for what belongs to a person: a password, a log-in.",
        "Log in (`POST /v2/sessions`) and call with the token of the session.",
        at(
            "PATCH /v2/me",
            "GET /v2/sessions",
            "DELETE /v2/sessions/{id}",
            "GET /v2/me/second-factor",
            *SECOND_FACTORS,
        ),
    ),
    ErrorDoc(
        RoleAboveOwn(),
        "It is about a person of a higher role, or would give one.",
        "Ask an owner of the organization.",
        at("DELETE /v2/sessions/{id}", "POST /v2/accounts", "PATCH /v2/accounts/{id}"),
    ),
    ErrorDoc(
        SecondFactorDue(),
        "The organization demands a second factor, and whoever has logged in has none yet.",
        "Add one with `POST /v2/me/second-factor` and `…/confirm`; the session goes on from there.",
        _in_a_session,
    ),
)

CONFLICTS = (
    ErrorDoc(
        KeyRevoked(),
        "The key is revoked and does not change any more.",
        "Issue a new one.",
        at("PATCH /v2/api-keys/{id}", "POST /v2/api-keys/{id}/rotate"),
    ),
    ErrorDoc(
        KeyExpired(),
        "The key has expired and does not change any more.",
        "Issue a new one.",
        at("PATCH /v2/api-keys/{id}", "POST /v2/api-keys/{id}/rotate"),
    ),
    ErrorDoc(
        KeyAlreadyRotated(NEXT_API_KEY),
        "The key was replaced already.",
        "Rotate the one that replaces it: `meta.replacedById`.",
        at("POST /v2/api-keys/{id}/rotate"),
    ),
    ErrorDoc(
        EmailTaken(),
        "Another account of the organization has this e-mail address.",
        "Use another address, or the account that exists.",
        at("POST /v2/accounts"),
    ),
    ErrorDoc(
        SecondFactorActive(),
        "A second factor is confirmed already.",
        "Remove it first, with the password and a code.",
        at("POST /v2/me/second-factor", "POST /v2/me/second-factor/confirm"),
    ),
    ErrorDoc(
        NoSecondFactor(),
        "No second factor was begun, or none is active.",
        "Begin with `POST /v2/me/second-factor`.",
        at("POST /v2/me/second-factor/confirm", "POST /v2/me/second-factor/remove"),
    ),
    ErrorDoc(
        OwnSecondFactorMissing(),
        "Somebody without a second factor would demand one of everybody.",
        "Add your own first (`POST /v2/me/second-factor`).",
        at("PATCH /v2/organization"),
    ),
    ErrorDoc(
        LastOwner(),
        "The change would leave the organization without an active owner.",
        "Make somebody else an owner first.",
        at("PATCH /v2/accounts/{id}"),
    ),
    ErrorDoc(
        StillInvited(),
        "The person has been invited and has not accepted.",
        "Invite the person again (`POST /v2/accounts`), which sends a new link.",
        at("PATCH /v2/accounts/{id}"),
    ),
)

INVALID = (
    ErrorDoc(
        AmbiguousOrganization([(ORGANIZATION, "Matriz"), (OTHER_ORGANIZATION, "Filial")]),
        "The password opens accounts of several organizations.",
        "Send `organizationId` with one of those in `meta.organizacoes`.",
        at("POST /v2/sessions"),
    ),
    ErrorDoc(
        InvalidLink(),
        (
            "No link of an e-mail has this token: it is unknown, was used, was replaced "
            "by a newer one, or is too old."
        ),
        "Ask for a new e-mail.",
        at("POST /v2/sessions/password-reset/confirm", "POST /v2/accounts/accept"),
    ),
    ErrorDoc(
        WrongCode(),
        "The code is of no moment around now, or was used already. Which of them is never told.",
        "Wait for the next code of the app, and look at the clock of the phone.",
        at("POST /v2/me/second-factor/confirm", "POST /v2/me/second-factor/remove"),
    ),
    ErrorDoc(
        WrongPassword(),
        "A new password was sent with a current one that is not right.",
        "Send the password that you log in with as `currentPassword`.",
        at("PATCH /v2/me", "POST /v2/me/second-factor", "POST /v2/me/second-factor/remove"),
    ),
    ErrorDoc(
        WiderScopes([1]),
        "A change of a key may take scopes away, never give it more.",
        "Leave out the scopes named in `errors`, or issue another key.",
        at("PATCH /v2/api-keys/{id}"),
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[FieldError("parameter", "encerrarWebhooks", "wrong_type", "Send true or false")]
        ),
        "Whether the webhook subscriptions of the key are paused is neither yes nor no.",
        "Send `encerrarWebhooks=true`, or leave it out.",
        at("DELETE /v2/api-keys/{id}"),
    ),
)

LIMITED = (
    ErrorDoc(
        LogInLocked(900),
        "Five tries in a row: at a password, an e-mail or a link; none is looked at for a while.",
        "Wait for `Retry-After`; a right password does not open it earlier.",
        at(
            "POST /v2/sessions",
            "POST /v2/sessions/password-reset",
            "POST /v2/sessions/password-reset/confirm",
            "POST /v2/accounts/accept",
            "PATCH /v2/me",
            *SECOND_FACTORS,
        ),
    ),
)

UNAVAILABLE = (
    ErrorDoc(
        TooManyLogIns(),
        "More people are logging in at this moment than passwords can be checked.",
        "Try again in a second.",
        at("POST /v2/sessions"),
    ),
)
