"""Who may come in: 401 and 403 before anything else is looked at."""

from datetime import timedelta

import httpx
import pytest

from core import organizations
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.foundation.security.secrets import new_api_key, new_session_token
from rest_api.app import OPERATIONS
from tests.factories.keys import an_admin, an_issued_key
from tests.factories.organizations import a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.support.stored import nothing_stored

PUBLIC = {
    "/v2/sessions",
    "/v2/accounts/accept",
    "/v2/sessions/password-reset",
    "/v2/sessions/password-reset/confirm",
    "/media/uploads/{ticket}",
}
WITHOUT_SCOPE = {
    "/v2/decisions",
    "/v2/decisions/explicar",
    "/v2/decisions/{id}",
    "/v2/messages/{id}/decisao",
    "/v2/me",
    "/v2/quotes",
    "/v2/quotes/{id}",
    "/v2/quotes/{id}/cancel",
    "/v2/sessions/current",
    "/v2/sessions/{id}",
    "/v2/me/second-factor",
    "/v2/me/second-factor/confirm",
    "/v2/me/second-factor/remove",
}


def test_only_these_operations_need_no_credential_and_only_those_no_scope() -> None:
    assert {operation.path for operation in OPERATIONS if operation.public} == PUBLIC
    assert {
        operation.path for operation in OPERATIONS if operation.scope is None
    } == PUBLIC | WITHOUT_SCOPE


def with_a_typo(key: str) -> str:
    return key[:-10] + ("A" if key[-10] != "A" else "B") + key[-9:]


@pytest.mark.parametrize(
    "header",
    [
        "Basic dXNlcjpzZWNyZXQ=",
        "Bearer",
        "Bearer ",
        "Bearer  ",
        "Bearer not-a-key",
        "Bearer svc_test_",
        f"Bearer {new_api_key('test')}",
        f"Bearer {new_api_key('live')}",
        f"Bearer {with_a_typo(new_api_key('test'))}",
        f"Bearer {new_session_token()}",
        f"Token {new_api_key('test')}",
        f"{new_api_key('test')}",
        "Bearer " + "x" * 5_000,
    ],
)
async def test_what_is_no_credential_of_ours_is_refused(
    rest: httpx.AsyncClient, header: str
) -> None:
    async with nothing_stored():
        answer = await rest.get("/v2/sms/messages", headers={"Authorization": header})

    problem = the_problem(answer, 401)
    assert problem["meta"] == {"motivo": "invalida"}
    assert ("Authorization: Bearer" in problem["detail"]) == (
        not header.startswith("Bearer ") or not header[6:].strip()
    )
    must_not_hold(answer, [word for word in header.split() if len(word) > 10])


async def test_bytes_that_are_no_text_are_no_credential(rest: httpx.AsyncClient) -> None:
    answer = await rest.get(
        "/v2/sms/messages", headers=[(b"Authorization", b"Bearer \xff\xfe\x80")]
    )

    assert the_problem(answer, 401)["meta"] == {"motivo": "invalida"}


async def test_a_real_key_with_a_typo_is_refused(rest: httpx.AsyncClient) -> None:
    key = await a_key()

    answer = await rest.get(
        "/v2/sms/messages", headers={"Authorization": f"Bearer {with_a_typo(key)}"}
    )

    assert the_problem(answer, 401)["meta"] == {"motivo": "invalida"}


async def issued() -> organizations.IssuedKey:
    return await an_issued_key(await an_admin())


async def test_a_revoked_key_opens_nothing(rest: httpx.AsyncClient) -> None:
    key = await issued()
    headers = {"Authorization": f"Bearer {key['key']}"}
    assert (await rest.get("/v2/sms/messages", headers=headers)).status_code == 200
    await organizations.revoke_key(await organizations.owner_of_key(key["id"]), key["id"])
    organizations.clear_credential_cache()

    answer = await rest.get("/v2/sms/messages", headers=headers)

    assert the_problem(answer, 401)["meta"] == {"motivo": "revogada"}
    must_not_hold(answer, [key["key"]])


async def test_an_expired_key_opens_nothing(rest: httpx.AsyncClient) -> None:
    key = await issued()
    await db.execute(
        "UPDATE api_keys SET expires_at = $2 WHERE id = $1", key["id"], now() - timedelta(seconds=1)
    )

    answer = await rest.get("/v2/sms/messages", headers={"Authorization": f"Bearer {key['key']}"})

    assert the_problem(answer, 401)["meta"] == {"motivo": "expirada"}


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_may_be_written_in_any_case(rest: httpx.AsyncClient, scheme: str) -> None:
    answer = await rest.get(
        "/v2/sms/messages", headers={"Authorization": f"{scheme} {await a_key()}"}
    )

    assert answer.status_code == 200


async def test_the_credential_is_judged_before_the_key_of_the_request(
    rest: httpx.AsyncClient,
) -> None:
    no_scope = await a_key(scopes=frozenset({Scope.SMS_READ}))

    unknown = await rest.post("/v2/sms/messages", content=b"{")
    forbidden = await rest.post(
        "/v2/sms/messages", content=b"{", headers={"Authorization": f"Bearer {no_scope}"}
    )

    the_problem(unknown, 401)
    the_problem(forbidden, 403)
