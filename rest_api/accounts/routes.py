"""Logging in and out, who is calling, and the people of an organization."""

from typing import Any

from core import organizations
from core.foundation.security.caller import Scope
from rest_api.accounts import examples
from rest_api.accounts.shapes import AccountPage, Me, OpenedSession
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def open_session(call: Call) -> dict[str, Any]:
    return await organizations.open_session(
        call.body, address=call.address, request_id=call.caller.request_id
    )


async def end_session(call: Call) -> None:
    await organizations.end_session(call.caller)


async def get_me(call: Call) -> dict[str, Any]:
    return await organizations.get_me(call.caller)


async def list_accounts(call: Call) -> dict[str, Any]:
    return await organizations.list_accounts(call.caller, call.query)


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
        body=organizations.NewSession,
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
        "/v2/me",
        get_me,
        None,
        "Read what the credential is and may do",
        "Accounts",
        description="Any API key or session, whatever its scopes.",
        errors=(401,),
        answer=Me,
        answers=examples.ME,
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
        query=organizations.AccountFilter,
        answer=AccountPage,
        answers={"one page": examples.PAGE},
    ),
]
