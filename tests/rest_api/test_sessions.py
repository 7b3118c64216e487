"""Logging in and out over REST: statuses, headers, and a token that works where a key does."""

import json
from typing import Any

import httpx
import pytest

from core import organizations
from core.foundation.database import db
from core.foundation.security.caller import Scope
from core.organizations.models import Session
from tests.factories.accounts import PASSWORD, a_session, an_account
from tests.factories.organizations import a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem

pytestmark = pytest.mark.usefixtures("at_once")


async def log_in(
    rest: httpx.AsyncClient, email: str, password: str = PASSWORD, **more: Any
) -> httpx.Response:
    return await rest.post("/v2/sessions", json={"email": email, "password": password, **more})


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_a_log_in_needs_no_credential_and_gives_one(rest: httpx.AsyncClient) -> None:
    account = await an_account()

    answer = await log_in(rest, account["email"], env="test")

    assert answer.status_code == 201
    assert answer.json()["account"] == account
    token = answer.json()["token"]
    assert (await rest.get("/v2/sms/messages", headers=bearing(token))).status_code == 200


async def test_a_credential_that_comes_along_is_not_looked_at(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    body = {"email": account["email"], "password": PASSWORD}

    answer = await rest.post("/v2/sessions", json=body, headers=bearing("not a credential"))

    assert answer.status_code == 201


async def test_the_environment_is_live_unless_said_otherwise(rest: httpx.AsyncClient) -> None:
    account = await an_account()

    for more, env in (({}, "live"), ({"env": "test"}, "test")):
        token = (await log_in(rest, account["email"], **more)).json()["token"]
        assert (await rest.get("/v2/me", headers=bearing(token))).json()["env"] == env


async def test_a_wrong_password_and_an_unknown_address_get_the_same_answer(
    rest: httpx.AsyncClient,
) -> None:
    account = await an_account()

    answers = [
        await log_in(rest, account["email"], "a wrong password"),
        await log_in(rest, "nobody@padaria.test"),
    ]

    bodies = [the_problem(answer, 401) for answer in answers]
    for body, answer in zip(bodies, answers, strict=True):
        assert body["meta"] == {"motivo": "credenciais_invalidas"}
        body.pop("requestId")
        must_not_hold(
            answer, ["a wrong password", PASSWORD, account["email"], "nobody@padaria.test"]
        )
    assert bodies[0] == bodies[1]
    assert not await Session.exists()


async def test_the_sixth_attempt_in_a_row_has_to_wait(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    for _ in range(5):
        the_problem(await log_in(rest, account["email"], "a wrong password"), 401)

    answer = await log_in(rest, account["email"])

    assert the_problem(answer, 429)["meta"] == {"code": "LOGIN_BLOQUEADO"}
    assert 890 <= int(answer.headers["retry-after"]) <= 900
    assert not await Session.exists()


async def test_the_lock_is_of_the_clients_address(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    for _ in range(5):
        the_problem(await log_in(rest, account["email"], "a wrong password"), 401)
    elsewhere = httpx.ASGITransport(app=rest._transport.app, client=("203.0.113.9", 4711))  # type: ignore[attr-defined]

    async with httpx.AsyncClient(transport=elsewhere, base_url="http://svc.test") as client:
        assert (await log_in(client, account["email"])).status_code == 201


async def test_where_several_organizations_fit_one_is_asked_for(rest: httpx.AsyncClient) -> None:
    first, second = [await an_account(email="ana@agencia.test") for _ in range(2)]

    problem = the_problem(await log_in(rest, "ana@agencia.test"), 422)
    assert problem["meta"]["code"] == "ORGANIZACAO_AMBIGUA"
    named = [organization["id"] for organization in problem["meta"]["organizacoes"]]
    assert named == [first["organizationId"], second["organizationId"]]

    answer = await log_in(rest, "ana@agencia.test", organizationId=second["organizationId"])
    assert answer.json()["account"]["id"] == second["id"]


# Ending


async def test_whoever_logs_out_comes_in_no_more(rest: httpx.AsyncClient) -> None:
    token = await a_session()

    answer = await rest.delete("/v2/sessions/current", headers=bearing(token))

    assert (answer.status_code, answer.content) == (204, b"")
    for again in (
        await rest.delete("/v2/sessions/current", headers=bearing(token)),
        await rest.get("/v2/me", headers=bearing(token)),
    ):
        assert the_problem(again, 401)["meta"] == {"motivo": "revogada"}


# What a session may do


async def test_an_operator_may_read_and_not_send_sms(rest: httpx.AsyncClient) -> None:
    operator = bearing(await a_session(role="operator"))

    assert (await rest.get("/v2/sms/messages", headers=operator)).status_code == 200
    refused = await rest.post(
        "/v2/sms/messages", headers={**operator, "Idempotency-Key": "k"}, json={}
    )
    assert the_problem(refused, 403)["meta"] == {"escopoExigido": "sms:send"}


async def test_a_session_sees_only_its_environment(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    body = {"to": "+5511987650005", "body": "Olá", "route": "premium"}
    test, live = [
        (await log_in(rest, account["email"], env=env)).json()["token"] for env in ("test", "live")
    ]
    sent = await rest.post(
        "/v2/sms/messages", json=body, headers={**bearing(test), "Idempotency-Key": "k"}
    )
    assert sent.status_code == 201

    assert (
        await rest.get(f"/v2/sms/messages/{sent.json()['id']}", headers=bearing(test))
    ).status_code == 200
    the_problem(await rest.get(f"/v2/sms/messages/{sent.json()['id']}", headers=bearing(live)), 404)


async def test_a_suspended_persons_session_opens_nothing(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    token = (await log_in(rest, account["email"])).json()["token"]
    suspended = organizations.AccountStatus.SUSPENDED
    await organizations.change_account(
        account["id"], organizations.AccountChanges(status=suspended)
    )
    organizations.clear_credential_cache()

    assert the_problem(await rest.get("/v2/me", headers=bearing(token)), 401)["meta"] == {
        "motivo": "revogada"
    }
    the_problem(await log_in(rest, account["email"]), 401)


# Keys with a list of networks


async def test_a_key_is_refused_from_another_address_than_its_list_names(
    rest: httpx.AsyncClient,
) -> None:
    key = await a_key(scopes=frozenset({Scope.SMS_READ}))
    await db.execute("UPDATE api_keys SET ips = ARRAY['203.0.113.0/24']")

    forged = {**bearing(key), "X-Forwarded-For": "203.0.113.5", "Forwarded": "for=203.0.113.5"}
    assert the_problem(await rest.get("/v2/me", headers=forged), 401)["meta"] == {
        "motivo": "ip_nao_permitido"
    }

    await db.execute("UPDATE api_keys SET ips = ARRAY['127.0.0.1']")
    organizations.clear_credential_cache()
    assert (await rest.get("/v2/me", headers=forged)).status_code == 200


async def test_nothing_of_a_log_in_reaches_the_log(
    rest: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    account = await an_account(email="ana.segredo@padaria.test")
    token = (await log_in(rest, account["email"])).json()["token"]
    await log_in(rest, account["email"], "a wrong password")

    logged = json.dumps(capsys.readouterr())
    for secret in (token, PASSWORD, "a wrong password", "ana.segredo", "127.0.0.1"):
        assert secret not in logged
