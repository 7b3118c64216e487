"""Logging in and out, who is calling, and the people of an organization."""

from core import organizations, people
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from core.organizations import (
    Acceptance,
    AccountFilter,
    AccountPage,
    AccountRecord,
    CurrentPasswordOnly,
    ForgottenPassword,
    InvitationRecord,
    MeRecord,
    NewInvitation,
    NewSecondFactor,
    NewSession,
    OpenedSession,
    OrganizationChanges,
    OrganizationWithSettings,
    OwnChanges,
    PasswordReset,
    PersonChanges,
    RecoveryCodes,
    SecondFactorCode,
    SecondFactorRecord,
    SecondFactorRemoval,
    SessionFilter,
    SessionPage,
)
from rest_api.accounts import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import ACCOUNT, SESSION


async def open_session(call: Call[NewSession]) -> OpenedSession:
    return await organizations.open_session(
        call.body, address=call.address, request_id=call.caller.request_id
    )


async def end_session(call: Call) -> None:
    await organizations.end_session(call.caller)


async def list_sessions(call: Call[None, SessionFilter]) -> WrittenPage[SessionPage]:
    return await organizations.list_sessions(call.caller, call.query)


async def end_one_session(call: Call) -> None:
    await organizations.end_one_session(call.caller, call.path["id"])


async def ask_reset(call: Call[ForgottenPassword]) -> None:
    await people.ask_reset(call.body, address=call.address, request_id=call.caller.request_id)


async def reset_password(call: Call[PasswordReset]) -> None:
    await organizations.reset_password(
        call.body, address=call.address, request_id=call.caller.request_id
    )


async def get_me(call: Call) -> MeRecord:
    return await organizations.get_me(call.caller)


async def change_me(call: Call[OwnChanges]) -> MeRecord:
    return await organizations.change_own_account(call.caller, call.body)


async def get_second_factor(call: Call) -> SecondFactorRecord:
    return await organizations.get_second_factor(call.caller)


async def add_second_factor(call: Call[CurrentPasswordOnly]) -> NewSecondFactor:
    return await organizations.add_second_factor(call.caller, call.body)


async def confirm_second_factor(call: Call[SecondFactorCode]) -> RecoveryCodes:
    return await organizations.confirm_second_factor(call.caller, call.body)


async def remove_second_factor(call: Call[SecondFactorRemoval]) -> None:
    await organizations.remove_second_factor(call.caller, call.body)


async def get_organization(call: Call) -> OrganizationWithSettings:
    return await organizations.get_organization_settings(call.caller)


async def change_organization(call: Call[OrganizationChanges]) -> OrganizationWithSettings:
    return await organizations.change_organization_settings(call.caller, call.body)


async def list_accounts(call: Call[None, AccountFilter]) -> WrittenPage[AccountPage]:
    return await organizations.list_accounts(call.caller, call.query)


async def invite(call: Call[NewInvitation]) -> InvitationRecord:
    return await people.invite(call.caller, call.body)


async def accept_invitation(call: Call[Acceptance]) -> AccountRecord:
    return await organizations.accept_invitation(
        call.body, address=call.address, request_id=call.caller.request_id
    )


async def change_account(call: Call[PersonChanges]) -> AccountRecord:
    return await organizations.change_person(call.caller, call.path["id"], call.body)


async def get_account(call: Call) -> AccountRecord:
    return await organizations.get_account(call.caller, call.path["id"])


operations = [
    Operation(
        "POST",
        "/v2/sessions",
        open_session,
        None,
        "Log in",
        "Accounts",
        description=(
            "The token goes where an API key goes: `Authorization: Bearer svc_sess_…`. The "
            "session works in one "
            "environment with the scopes of the account's role, ends after 12 hours without use "
            "and after 7 days at "
            "most. Five failures in a row lock the log-in of the address for 15 minutes (429). "
            "`organizationId` is "
            "needed only where the password opens accounts of several organizations (422, "
            "ORGANIZACAO_AMBIGUA)."
        ),
        public=True,
        status=201,
        errors=(400, 401, 422, 429),
        body=NewSession,
        answer=OpenedSession,
        answers={"session": examples.OPENED},
        examples={
            "production": {"email": "ana@example.com", "password": "correct horse battery staple"},
            "sandbox": {
                "email": "ana@example.com",
                "password": "correct horse battery staple",
                "env": "test",
            },
        },
    ),
    Operation(
        "DELETE",
        "/v2/sessions/current",
        end_session,
        None,
        "Log out",
        "Accounts",
        description="Ends the session that calls; an API key gets 403.",
        status=204,
        errors=(401, 403),
    ),
    Operation(
        "GET",
        "/v2/sessions",
        list_sessions,
        None,
        "List open sessions, newest first",
        "Accounts",
        description=(
            "For sessions only. One's own, of both environments; with `accounts:manage` those of "
            "another person too (`accountId`). `credential.id` of `GET /v2/me` names the one that "
            "calls."
        ),
        errors=(401, 403, 422),
        query=SessionFilter,
        answer=SessionPage,
        answers={"one page": examples.SESSIONS},
    ),
    Operation(
        "DELETE",
        "/v2/sessions/{id}",
        end_one_session,
        None,
        "End a session",
        "Accounts",
        description=(
            "For sessions only: one of one's own, or with `accounts:manage` one of "
            "another person, "
            "whose role is not above one's own. It opens nothing any more within two seconds."
        ),
        status=204,
        errors=(401, 403, 404),
        ids={"id": SESSION},
    ),
    Operation(
        "POST",
        "/v2/sessions/password-reset",
        ask_reset,
        None,
        "Ask for a new password by e-mail",
        "Accounts",
        description=(
            "Whoever logs in with this address gets an e-mail with a link that lives an hour and "
            "works once. The answer is the same, and takes as long, for an address that nobody "
            "has. Five in a row for one address are followed by 15 minutes of rest (429)."
        ),
        public=True,
        status=204,
        errors=(400, 422, 429),
        body=ForgottenPassword,
        examples={"ask": {"email": "ana@example.com", "language": "pt-BR"}},
    ),
    Operation(
        "POST",
        "/v2/sessions/password-reset/confirm",
        reset_password,
        None,
        "Set a new password by the link of an e-mail",
        "Accounts",
        description=(
            "`token` is what stands behind `=` in the link. Every session of the person ends; the "
            "link works no more. One that is unknown, used, replaced or too old is 422 "
            "`LINK_INVALIDO`, without saying which."
        ),
        public=True,
        status=204,
        errors=(400, 422, 429),
        body=PasswordReset,
        examples={
            "confirm": {
                "token": "4fRt6YhJ8kLo0PzXcVbNm2Qw7ErTy5UiOp3AsDfGhJ1",
                "password": "a new horse battery staple",
            }
        },
    ),
    Operation(
        "GET",
        "/v2/me",
        get_me,
        None,
        "Read what the credential is and may do",
        "Accounts",
        description="Any API key or session, whatever its scopes.",
        errors=(401,),
        answer=MeRecord,
        answers=examples.ME,
    ),
    Operation(
        "PATCH",
        "/v2/me",
        change_me,
        None,
        "Change your own name or password",
        "Accounts",
        description=(
            "For sessions only. A new password needs the current one and ends every other session "
            "of yours within two seconds. Five wrong ones in a row lock it for 15 minutes (429)."
        ),
        errors=(400, 401, 403, 422, 429),
        locks=True,
        body=OwnChanges,
        answer=MeRecord,
        answers={"changed": examples.ME["a session"]},
        examples={
            "name": {"name": "Ana Souza"},
            "password": {
                "password": "a new horse battery staple",
                "currentPassword": "correct horse battery staple",
            },
        },
    ),
    Operation(
        "GET",
        "/v2/me/second-factor",
        get_second_factor,
        None,
        "Read whether your log-in asks for a code",
        "Accounts",
        description="For sessions only.",
        errors=(401, 403),
        answer=SecondFactorRecord,
        answers={"active": {"active": True, "demanded": False, "recoveryCodesLeft": 10}},
    ),
    Operation(
        "POST",
        "/v2/me/second-factor",
        add_second_factor,
        None,
        "Begin to add a second factor",
        "Accounts",
        description=(
            "For sessions only. The secret goes into an app for codes (TOTP: SHA-1, six "
            "digits, 30 "
            "seconds) and is shown this once. It counts once a code of it was shown "
            "(`/confirm`); one that was never confirmed is replaced."
        ),
        status=201,
        errors=(400, 401, 403, 409, 422, 429),
        locks=True,
        body=CurrentPasswordOnly,
        answer=NewSecondFactor,
        answers={"secret": examples.SECOND_FACTOR},
        examples={"add": {"currentPassword": "correct horse battery staple"}},
    ),
    Operation(
        "POST",
        "/v2/me/second-factor/confirm",
        confirm_second_factor,
        None,
        "Confirm a second factor by its first code",
        "Accounts",
        description=(
            "For sessions only. From then on `POST /v2/sessions` asks for `code`. Each of the "
            "recovery codes opens once; they are shown this once."
        ),
        errors=(400, 401, 403, 409, 422, 429),
        locks=True,
        body=SecondFactorCode,
        answer=RecoveryCodes,
        answers={"confirmed": {"recoveryCodes": ["4fRt6YhJ8kLo0PzX", "cVbNm2Qw7ErTy5Ui"]}},
        examples={"confirm": {"code": "492039"}},
    ),
    Operation(
        "POST",
        "/v2/me/second-factor/remove",
        remove_second_factor,
        None,
        "Remove your second factor",
        "Accounts",
        description=(
            "For sessions only, with the password and a code. For somebody who has lost both app "
            "and recovery codes: `removerSegundoFator` of `PATCH /v2/accounts/{id}`."
        ),
        status=204,
        errors=(400, 401, 403, 409, 422, 429),
        locks=True,
        body=SecondFactorRemoval,
        examples={"remove": {"currentPassword": "correct horse battery staple", "code": "492039"}},
    ),
    Operation(
        "GET",
        "/v2/organization",
        get_organization,
        Scope.ACCOUNTS_MANAGE,
        "Read what holds for everybody of the organization",
        "Accounts",
        description="For sessions only.",
        errors=(401, 403),
        answer=OrganizationWithSettings,
        answers={"demanded": examples.SETTINGS},
    ),
    Operation(
        "PATCH",
        "/v2/organization",
        change_organization,
        Scope.ACCOUNTS_MANAGE,
        "Demand a second factor of everybody",
        "Accounts",
        description=(
            "For sessions only. Whoever demands a second factor of everybody has one (else 409). "
            "Within two seconds a session of anybody without one does nothing but add it (403, "
            "`SEGUNDO_FATOR_OBRIGATORIO`)."
        ),
        errors=(400, 401, 403, 409, 422),
        body=OrganizationChanges,
        answer=OrganizationWithSettings,
        answers={"demanded": examples.SETTINGS},
        examples={"demand": {"demandsSecondFactor": True}},
    ),
    Operation(
        "GET",
        "/v2/accounts",
        list_accounts,
        Scope.CRM_READ,
        "List the people of the organization",
        "Accounts",
        description="Only active ones can be made responsible for something.",
        errors=(401, 403, 422),
        query=AccountFilter,
        answer=AccountPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/accounts",
        invite,
        Scope.ACCOUNTS_MANAGE,
        "Invite a person",
        "Accounts",
        description=(
            "For sessions only. An e-mail with a link goes out over the live e-mail channel; where "
            "none would arrive, the answer has the `link`. It works for 72 hours and "
            "once. Whoever "
            "is invited already gets a new one. The role is not above one's own (403, "
            "`PAPEL_ACIMA_DO_PROPRIO`)."
        ),
        status=201,
        errors=(400, 401, 403, 409, 422),
        body=NewInvitation,
        answer=InvitationRecord,
        answers={"by e-mail": examples.INVITED, "without an e-mail": examples.INVITED_BY_LINK},
        examples={"operator": {"email": "bia@example.com", "name": "Bia Lima", "role": "operator"}},
    ),
    Operation(
        "POST",
        "/v2/accounts/accept",
        accept_invitation,
        None,
        "Accept an invitation",
        "Accounts",
        description=(
            "`token` is what stands behind `=` in the link. The account becomes active; "
            "log in with "
            "its address and the password. A link that is unknown, used, replaced or too old is "
            "422 `LINK_INVALIDO`, without saying which."
        ),
        public=True,
        errors=(400, 422, 429),
        body=Acceptance,
        answer=AccountRecord,
        answers={"accepted": examples.OPERATOR},
        examples={
            "accept": {
                "token": "4fRt6YhJ8kLo0PzXcVbNm2Qw7ErTy5UiOp3AsDfGhJ1",
                "password": "correct horse battery staple",
            }
        },
    ),
    Operation(
        "PATCH",
        "/v2/accounts/{id}",
        change_account,
        Scope.ACCOUNTS_MANAGE,
        "Change a person's name, role or status",
        "Accounts",
        description=(
            "For sessions only. `suspended` ends the person's sessions within two "
            "seconds, and with "
            "`suspenderChaves` the keys that the person issued. Nobody changes a person above the "
            "own role, nor gives such a role; the last active owner stays one (409, "
            "`ULTIMO_PROPRIETARIO`)."
        ),
        errors=(400, 401, 403, 404, 409, 422),
        body=PersonChanges,
        answer=AccountRecord,
        answers={"suspended": {**examples.OPERATOR, "status": "suspended"}},
        ids={"id": ACCOUNT},
        examples={
            "role": {"role": "admin"},
            "suspend": {"status": "suspended", "suspenderChaves": True},
        },
    ),
    Operation(
        "GET",
        "/v2/accounts/{id}",
        get_account,
        Scope.CRM_READ,
        "Read a person of the organization",
        "Accounts",
        errors=(401, 403, 404),
        answer=AccountRecord,
        answers={"account": examples.PAGE["items"][0]},
        ids={"id": ACCOUNT},
    ),
]
