"""Sessions of browsers: who gets the cookie, who may use it, and how it is attacked in vain."""

import json
from collections.abc import Iterator

import httpx
import pytest

from core import organizations
from core.foundation import settings
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.secrets import new_session_token
from core.organizations.errors import RevokedCredential
from core.organizations.models import SecondFactor, Session
from core.organizations.second_factor.totp import code_of, step_of
from tests.factories.accounts import PASSWORD, a_pending_factor, a_session, an_account
from tests.factories.browsers import (
    COOKIE,
    OWN_PAGE,
    a_browser,
    cookie_of,
    log_in,
    with_cookie,
)
from tests.factories.organizations import a_key
from tests.rest_api.problem_answers import must_not_hold, the_problem
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("at_once")

ME = {"query": "{ me { env } }"}
FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "https://app.svc.test", "Sec-Fetch-Site": "same-site"},
    {"Origin": "https://svc.test.evil.example"},
    {"Origin": "https://svc.test:8443"},
    {"Origin": "http://svc.test"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "https://svc.test", "Sec-Fetch-Site": "cross-site"},
)


def cleared(answer: httpx.Response) -> bool:
    header = answer.headers.get("set-cookie", "")
    return header.startswith(f"{COOKIE}=;") and "Max-Age=0" in header


# Logging in


async def test_a_log_in_sets_a_cookie_that_no_script_and_no_other_site_has(
    rest: httpx.AsyncClient,
) -> None:
    account = await an_account()

    answer = await log_in(rest, account["email"], env="test")

    assert answer.status_code == 201
    _, *attributes = answer.headers["set-cookie"].split("; ")
    assert sorted(attributes) == ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]
    body = answer.json()
    assert (body["account"], body["env"]) == (account, "test")
    assert cookie_of(answer) not in answer.text, "the page never sees the token"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    me = await rest.get("/v2/me", headers={"Authorization": f"Bearer {cookie_of(answer)}"})
    told = {"csrfToken": body["csrfToken"], "expiresAt": body["expiresAt"]}
    assert {**me.json(), **told} == body


@pytest.mark.parametrize("headers", [{}, *FOREIGN], ids=str)
async def test_a_page_of_another_origin_logs_nobody_in(
    rest: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    account = await an_account()
    body = {"email": account["email"], "password": PASSWORD}

    async with nothing_stored():
        answer = await rest.post("/console/session", json=body, headers=headers)

    assert the_problem(answer, 403)["meta"] == {"code": "ORIGEM_NAO_PERMITIDA"}
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_what_a_form_of_any_page_can_send_is_no_log_in(
    rest: httpx.AsyncClient, media: str
) -> None:
    account = await an_account()
    raw = json.dumps({"email": account["email"], "password": PASSWORD})

    async with nothing_stored():
        answer = await rest.post(
            "/console/session", content=raw, headers={**OWN_PAGE, "Content-Type": media}
        )

    the_problem(answer, 415)


async def test_nothing_tells_whether_an_address_is_known(rest: httpx.AsyncClient) -> None:
    account = await an_account()

    answers = [
        await log_in(rest, account["email"], "a wrong password"),
        await log_in(rest, "nobody@padaria.test"),
    ]

    bodies = [the_problem(answer, 401) for answer in answers]
    for body, answer in zip(bodies, answers, strict=True):
        assert body.pop("requestId")
        assert "set-cookie" not in answer.headers
        must_not_hold(answer, ["a wrong password", account["email"], "nobody@padaria.test"])
    assert bodies[0] == bodies[1]


async def test_every_wrong_field_is_named(rest: httpx.AsyncClient) -> None:
    body = {"email": "no address", "env": "prod", "other": 1}

    answer = await rest.post("/console/session", json=body, headers=OWN_PAGE)

    pointers = {error["pointer"] for error in the_problem(answer, 422)["errors"]}
    assert pointers == {"/email", "/password", "/env", "/other"}
    must_not_hold(answer, ["no address", "prod"])


async def test_attempts_count_together_with_those_of_the_api(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    for _ in range(3):
        the_problem(await log_in(rest, account["email"], "a wrong password"), 401)
    for _ in range(2):
        wrong = {"email": account["email"], "password": "a wrong password"}
        the_problem(await rest.post("/v2/sessions", json=wrong), 401)

    answer = await log_in(rest, account["email"])

    assert the_problem(answer, 429)["meta"] == {"code": "LOGIN_BLOQUEADO"}
    assert int(answer.headers["retry-after"]) > 800
    assert not await Session.exists()


async def test_a_second_factor_opens_once(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    secret = await a_pending_factor(account["organizationId"], account["id"])
    await SecondFactor.filter(account_id=account["id"]).update(confirmed_at=now())
    code = code_of(secret, step_of(now()))

    asked = await log_in(rest, account["email"])
    opened = await log_in(rest, account["email"], code=code)
    replayed = await log_in(rest, account["email"], code=code)

    assert the_problem(asked, 401)["meta"] == {"motivo": "segundo_fator_exigido"}
    assert opened.status_code == 201
    assert the_problem(replayed, 401)["meta"] == {"motivo": "segundo_fator_invalido"}
    assert await Session.all().count() == 1


async def test_where_several_organizations_fit_one_is_asked_for(rest: httpx.AsyncClient) -> None:
    first, second = [await an_account(email="ana@agencia.test") for _ in range(2)]

    problem = the_problem(await log_in(rest, "ana@agencia.test"), 422)
    answer = await log_in(rest, "ana@agencia.test", organizationId=second["organizationId"])

    assert [one["id"] for one in problem["meta"]["organizacoes"]] == [
        first["organizationId"],
        second["organizationId"],
    ]
    assert answer.json()["account"]["id"] == second["id"]


async def test_a_planted_cookie_is_replaced_and_its_session_ends(rest: httpx.AsyncClient) -> None:
    planted = await a_session()
    account = await an_account()

    answer = await log_in(rest, account["email"], headers={"Cookie": f"{COOKIE}={planted}"})

    assert cookie_of(answer) != planted
    assert answer.json()["account"]["id"] == account["id"]
    with pytest.raises(RevokedCredential):
        await organizations.authenticate(planted, request_id=None)


async def test_a_log_in_that_fails_leaves_the_one_before(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    account = await an_account()

    refused = await log_in(
        rest, account["email"], "a wrong password", headers={"Cookie": f"{COOKIE}={token}"}
    )

    assert "set-cookie" not in refused.headers
    asked = await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf))
    assert asked.status_code == 200


async def test_there_is_no_dry_run_of_a_log_in(rest: httpx.AsyncClient) -> None:
    account = await an_account()

    async with nothing_stored():
        answer = await log_in(rest, account["email"], headers={"X-SVC-Dry-Run": "true"})

    assert the_problem(answer, 400)["meta"] == {"code": "SIMULACAO_NAO_SUPORTADA"}
    assert "set-cookie" not in answer.headers


# Who is logged in


async def test_a_browser_without_a_cookie_is_told_nothing(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/console/session", headers={"Sec-Fetch-Site": "same-origin"})

    assert (answer.status_code, answer.content) == (204, b"")
    assert "set-cookie" not in answer.headers


async def test_each_tab_gets_a_csrf_token_and_all_of_them_are_good(
    rest: httpx.AsyncClient,
) -> None:
    token, first = await a_browser(rest)

    answers = [await rest.get("/console/session", headers=with_cookie(token)) for _ in range(2)]

    tokens = {first, *(answer.json()["csrfToken"] for answer in answers)}
    assert len(tokens) == 3
    for csrf in tokens:
        asked = await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf))
        assert asked.json()["data"] == {"me": {"env": "TEST"}}


async def test_a_page_of_another_origin_is_not_told_who_it_is(rest: httpx.AsyncClient) -> None:
    token, _ = await a_browser(rest)

    for headers in FOREIGN:
        answer = await rest.get(
            "/console/session", headers={**headers, "Cookie": f"{COOKIE}={token}"}
        )
        the_problem(answer, 403)
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("value", ["", "svc_sess_", new_session_token(), "x" * 3_000, "a=b"])
async def test_a_cookie_that_opens_nothing_is_taken_away(
    rest: httpx.AsyncClient, value: str
) -> None:
    answer = await rest.get("/console/session", headers=with_cookie(value))

    assert the_problem(answer, 401)["meta"] == {"motivo": "invalida"}
    assert cleared(answer)


async def test_an_api_key_is_not_taken_from_a_cookie(rest: httpx.AsyncClient) -> None:
    key = await a_key()

    the_problem(await rest.get("/console/session", headers=with_cookie(key)), 401)
    the_problem(await rest.post("/graphql", json=ME, headers=with_cookie(key)), 401)


async def test_two_cookies_of_one_name_are_none(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    headers = with_cookie(token, csrf)
    headers["Cookie"] += f"; {COOKIE}={await a_session()}"

    the_problem(await rest.post("/graphql", json=ME, headers=headers), 401)


async def test_a_session_that_ended_elsewhere_takes_the_cookie_away(
    rest: httpx.AsyncClient,
) -> None:
    token, csrf = await a_browser(rest)
    await rest.delete("/v2/sessions/current", headers={"Authorization": f"Bearer {token}"})

    for answer in (
        await rest.get("/console/session", headers=with_cookie(token)),
        await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf)),
    ):
        assert the_problem(answer, 401)["meta"] == {"motivo": "revogada"}
        assert cleared(answer)


async def test_a_suspended_account_has_no_cookie_any_more(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    opened = await log_in(rest, account["email"], env="test")
    token, csrf = cookie_of(opened), opened.json()["csrfToken"]

    suspended = organizations.AccountChanges.model_validate({"status": "suspended"})
    await organizations.change_account(account["id"], suspended)
    organizations.clear_credential_cache()

    for answer in (
        await rest.get("/console/session", headers=with_cookie(token)),
        await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf)),
        await rest.get("/graphql", params=ME, headers=with_cookie(token, csrf)),
    ):
        assert the_problem(answer, 401)["code"] == "UNAUTHORIZED"
        assert cleared(answer)
    the_problem(await log_in(rest, account["email"], env="test"), 401)


async def test_an_expired_session_takes_the_cookie_away(rest: httpx.AsyncClient) -> None:
    token, _ = await a_browser(rest)
    await db.execute("UPDATE sessions SET expires_at = $1", now())
    organizations.clear_credential_cache()

    answer = await rest.get("/console/session", headers=with_cookie(token))

    assert the_problem(answer, 401)["meta"] == {"motivo": "expirada"}
    assert cleared(answer)


# Logging out


async def test_logging_out_ends_the_session_and_takes_the_cookie_away(
    rest: httpx.AsyncClient,
) -> None:
    token, csrf = await a_browser(rest)

    answer = await rest.delete("/console/session", headers=with_cookie(token, csrf))
    again = await rest.delete("/console/session", headers=with_cookie(token, csrf))
    without = await rest.delete("/console/session", headers=OWN_PAGE)

    assert (answer.status_code, again.status_code, without.status_code) == (204, 204, 204)
    assert cleared(answer)
    assert cleared(again)
    me = await rest.get("/v2/me", headers={"Authorization": f"Bearer {token}"})
    the_problem(me, 401)


async def test_nobody_else_logs_somebody_out(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    cookie = {"Cookie": f"{COOKIE}={token}"}

    for headers in ({}, *FOREIGN):
        answer = await rest.delete(
            "/console/session", headers={**headers, **cookie, "X-CSRF-Token": csrf}
        )
        assert the_problem(answer, 403)["meta"] == {"code": "ORIGEM_NAO_PERMITIDA"}
    answer = await rest.delete("/console/session", headers={**OWN_PAGE, **cookie})
    assert the_problem(answer, 403)["meta"] == {"code": "CSRF_INVALIDO"}
    assert "set-cookie" not in answer.headers

    asked = await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf))
    assert asked.status_code == 200


async def test_a_dry_run_logs_nobody_out(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    headers = {**with_cookie(token, csrf), "X-SVC-Dry-Run": "true"}

    async with nothing_stored():
        answer = await rest.delete("/console/session", headers=headers)

    assert (answer.status_code, answer.headers["x-svc-dry-run"]) == (204, "true")
    assert "set-cookie" not in answer.headers
    asked = await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf))
    assert asked.status_code == 200


# GraphQL


async def test_graphql_takes_the_cookie_with_a_csrf_token_alone(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    _, anothers = await a_browser(rest)
    nonce, _, proof = csrf.partition(".")
    wrong = [None, "", anothers, f"{nonce}.{proof[::-1]}", f"{nonce}.", "x" * 5_000, f"é.{proof}"]

    for given in wrong:
        headers = {k.encode(): v.encode() for k, v in with_cookie(token, given).items()}
        answer = await rest.post("/graphql", json=ME, headers=headers)
        assert the_problem(answer, 403)["meta"] == {"code": "CSRF_INVALIDO"}
        assert answer.json()["errors"]
        assert "set-cookie" not in answer.headers
    answer = await rest.post("/graphql", json=ME, headers=with_cookie(token, csrf))

    assert answer.json()["data"] == {"me": {"env": "TEST"}}


async def test_graphql_by_get_asks_for_the_same(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    page = {"Sec-Fetch-Site": "same-origin", "Cookie": f"{COOKIE}={token}"}

    refused = await rest.get("/graphql", params=ME, headers=page)
    answer = await rest.get("/graphql", params=ME, headers={**page, "X-CSRF-Token": csrf})

    assert the_problem(refused, 403)["meta"] == {"code": "CSRF_INVALIDO"}
    assert answer.json()["data"] == {"me": {"env": "TEST"}}
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("headers", [{}, *FOREIGN], ids=str)
async def test_graphql_takes_no_cookie_from_another_page(
    rest: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    token, csrf = await a_browser(rest)
    sent = {**headers, "Cookie": f"{COOKIE}={token}", "X-CSRF-Token": csrf}

    posted = await rest.post("/graphql", json=ME, headers=sent)

    assert the_problem(posted, 403)["meta"] == {"code": "ORIGEM_NAO_PERMITIDA"}
    if headers:
        got = await rest.get("/graphql", params=ME, headers=sent)
        assert the_problem(got, 403)["meta"] == {"code": "ORIGEM_NAO_PERMITIDA"}


async def test_authorization_counts_alone(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    live = await a_key("live")

    by_key = await rest.post(
        "/graphql",
        json=ME,
        headers={**with_cookie(token), "Authorization": f"Bearer {live}"},
    )
    wrong = await rest.post(
        "/graphql",
        json=ME,
        headers={**with_cookie(token, csrf), "Authorization": "Bearer nothing"},
    )

    assert by_key.json()["data"] == {"me": {"env": "LIVE"}}
    assert the_problem(wrong, 401)["meta"] == {"motivo": "invalida"}
    assert "set-cookie" not in wrong.headers, "the cookie was not looked at"


async def test_the_rest_api_takes_no_cookie(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)

    for method, path in (("GET", "/v2/me"), ("DELETE", "/v2/sessions/current")):
        answer = await rest.request(method, path, headers=with_cookie(token, csrf))
        assert the_problem(answer, 401)["meta"] == {"motivo": "ausente"}


# Other origins, other addresses


@pytest.fixture
def let_in(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A page of another origin may call the service, with a header."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_CORS_ORIGINS", "https://app.example.com")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


@pytest.mark.usefixtures("let_in")
async def test_an_origin_that_is_let_in_has_no_cookie_of_ours(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    page = {"Origin": "https://app.example.com", "Sec-Fetch-Site": "cross-site"}
    cookie = {"Cookie": f"{COOKIE}={token}", "X-CSRF-Token": csrf}

    asked = await rest.options(
        "/graphql", headers={**page, "Access-Control-Request-Method": "POST"}
    )
    posted = await rest.post("/graphql", json=ME, headers={**page, **cookie})

    assert "x-csrf-token" not in asked.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-credentials" not in asked.headers
    assert the_problem(posted, 403)["meta"] == {"code": "ORIGEM_NAO_PERMITIDA"}


@pytest.fixture
def at_home(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The service as a developer has it."""
    with monkeypatch.context() as patched:
        patched.setenv("SVC_BASE_URL", "http://127.0.0.1:8000")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


@pytest.mark.usefixtures("at_home")
async def test_on_the_own_machine_it_works_without_tls(rest: httpx.AsyncClient) -> None:
    account = await an_account()
    page = {"Host": "127.0.0.1:8000", "Origin": "http://127.0.0.1:8000"}
    body = {"email": account["email"], "password": PASSWORD, "env": "test"}

    answer = await rest.post("/console/session", json=body, headers=page)

    name, *attributes = answer.headers["set-cookie"].split("; ")
    assert name.startswith(f"{COOKIE}=svc_sess_")
    assert "Secure" in attributes, "browsers take it from the own machine over http"
    sent = {**page, "Cookie": name, "X-CSRF-Token": answer.json()["csrfToken"]}
    assert (await rest.post("/graphql", json=ME, headers=sent)).status_code == 200
    other = {**sent, "Origin": "http://127.0.0.1:3000"}
    assert (await rest.post("/graphql", json=ME, headers=other)).status_code == 403


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize("host", ["svc.test", "localhost.evil.example", "", "[", "10.0.0.5:8000"])
async def test_under_another_name_it_is_as_strict_as_anywhere(
    rest: httpx.AsyncClient, host: str
) -> None:
    account = await an_account()
    body = {"email": account["email"], "password": PASSWORD}

    plain = await rest.post(
        "/console/session", json=body, headers={"Host": host, "Origin": f"http://{host}"}
    )

    assert (plain.status_code, plain.json()["code"]) == (403, "FORBIDDEN")
    assert "set-cookie" not in plain.headers


async def test_nothing_of_it_reaches_the_log(
    rest: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    token, csrf = await a_browser(rest, email="ana.segredo@padaria.test")
    await rest.get("/console/session", headers=with_cookie(token))
    await rest.delete("/console/session", headers=with_cookie(token, csrf))

    logged = json.dumps(capsys.readouterr())
    for secret in (token, csrf, PASSWORD, "ana.segredo", "127.0.0.1"):
        assert secret not in logged


# The other environment


async def test_a_person_goes_on_in_the_other_environment_without_logging_in(
    rest: httpx.AsyncClient,
) -> None:
    token, csrf = await a_browser(rest)
    before = await Session.get()

    answer = await rest.put(
        "/console/session", json={"env": "live"}, headers=with_cookie(token, csrf)
    )

    body, new = answer.json(), cookie_of(answer)
    assert (answer.status_code, body["env"]) == (200, "live")
    after = await Session.get(ended_at__isnull=True)
    assert (after.created_at, after.account_id) == (before.created_at, before.account_id)
    assert after.id != before.id
    rest.cookies.clear()
    asked = await rest.post("/graphql", json=ME, headers=with_cookie(new, body["csrfToken"]))
    assert asked.json()["data"] == {"me": {"env": "LIVE"}}
    with pytest.raises(RevokedCredential):
        await organizations.authenticate(token, request_id=None)
    entries = await db.fetch("SELECT action, env FROM audit_entries ORDER BY at")
    assert sorted(tuple(row.values()) for row in entries[-2:]) == [
        ("session.ended", "test"),
        ("session.opened", "live"),
    ]


async def test_going_on_needs_the_proofs_of_a_write(rest: httpx.AsyncClient) -> None:
    token, csrf = await a_browser(rest)
    stays = with_cookie(token, csrf)
    foreign = {**with_cookie(token, csrf), "Origin": "https://evil.example"}

    async with nothing_stored():
        without = await rest.put(
            "/console/session", json={"env": "live"}, headers=with_cookie(token)
        )
        elsewhere = await rest.put("/console/session", json={"env": "live"}, headers=foreign)
        nobody = await rest.put("/console/session", json={"env": "live"}, headers=OWN_PAGE)
        wrong = await rest.put("/console/session", json={"env": "prod"}, headers=stays)
        same = await rest.put("/console/session", json={"env": "test"}, headers=stays)

    assert the_problem(without, 403)["meta"] == {"code": "CSRF_INVALIDO"}
    assert the_problem(elsewhere, 403)["meta"] == {"code": "ORIGEM_NAO_PERMITIDA"}
    the_problem(nobody, 401)
    assert [one["pointer"] for one in the_problem(wrong, 422)["errors"]] == ["/env"]
    assert (same.status_code, "set-cookie" in same.headers) == (200, False)
