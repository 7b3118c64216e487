"""Pages of other origins: which may call the service from a browser, and what they may see."""

from collections.abc import Iterator

import httpx
import pytest

from core.foundation import settings
from tests.rest_api.speaking import a_client

APP = "https://app.example.com"
NEW = {"to": "+5511987650005", "body": "Olá", "route": "premium"}


@pytest.fixture
def let_in(database: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("SVC_CORS_ORIGINS", f"{APP},http://localhost:5173")
        settings.current.cache_clear()
        yield
    settings.current.cache_clear()


def asking(method: str, origin: str = APP) -> dict[str, str]:
    """What a browser sends before a page may call."""
    asked = "authorization,content-type,idempotency-key"
    return {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": asked,
    }


def words(answer: httpx.Response, name: str) -> set[str]:
    return {word for word in answer.headers.get(name, "").lower().split(", ") if word}


def told_of_origins(answer: httpx.Response) -> set[str]:
    return {name for name in answer.headers if name.startswith("access-control-")}


async def test_nobody_is_let_in_without_the_setting(rest: httpx.AsyncClient) -> None:
    for answer in (
        await rest.options("/v2/sms/messages", headers=asking("POST")),
        await rest.get("/v2/me", headers={"Origin": APP}),
    ):
        assert told_of_origins(answer) == set()
        assert "origin" not in words(answer, "vary")


@pytest.mark.usefixtures("let_in")
@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/v2/sms/messages", "POST"),
        ("/graphql", "POST"),
        ("/graphql", "GET"),
        ("/v2/wallet", "GET"),
        ("/openapi.json", "GET"),
        ("/contacts/cnt_1", "PATCH"),
        ("/contacts/cnt_1", "DELETE"),
    ],
)
async def test_a_browser_is_told_what_its_page_may_send(
    rest: httpx.AsyncClient, path: str, method: str
) -> None:
    answer = await rest.options(path, headers=asking(method))

    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == APP
    assert words(answer, "access-control-allow-methods") >= {method.lower(), "options"}
    assert words(answer, "access-control-allow-headers") >= {
        "authorization", "content-type", "idempotency-key", "x-request-id", "x-filename", "x-content-type",
    }  # fmt: skip
    assert answer.headers["access-control-max-age"] == "7200"
    assert "access-control-allow-credentials" not in answer.headers, (
        "credentials are headers, never cookies"
    )
    assert "origin" in words(answer, "vary")


@pytest.mark.usefixtures("let_in")
async def test_a_page_sees_the_answer_and_its_headers(rest: httpx.AsyncClient) -> None:
    await a_client(rest)
    headers = {"Origin": APP, "Idempotency-Key": "k-1"}

    sent = await rest.post("/v2/sms/messages", json=NEW, headers=headers)
    asked = await rest.post("/graphql", json={"query": "{ me { env } }"}, headers={"Origin": APP})

    assert (sent.status_code, asked.status_code) == (201, 200)
    for answer in (sent, asked):
        assert answer.headers["access-control-allow-origin"] == APP
        assert words(answer, "access-control-expose-headers") >= {
            "ratelimit", "ratelimit-policy", "retry-after", "x-request-id", "idempotent-replayed", "deprecation",
            "sunset", "www-authenticate",
        }  # fmt: skip


@pytest.mark.usefixtures("let_in")
async def test_every_header_that_is_documented_may_be_read(rest: httpx.AsyncClient) -> None:
    answer = await rest.get("/openapi.json", headers={"Origin": APP})
    document = answer.json()

    documented = {
        name.lower()
        for operations in document["paths"].values()
        for operation in operations.values()
        for response in operation["responses"].values()
        for name in response.get("headers", {})
    }
    assert documented - words(answer, "access-control-expose-headers") == set()


@pytest.mark.usefixtures("let_in")
async def test_every_header_that_is_documented_may_be_sent(rest: httpx.AsyncClient) -> None:
    document = (await rest.get("/openapi.json")).json()
    sent = {
        parameter["name"].lower()
        for operations in document["paths"].values()
        for operation in operations.values()
        for parameter in operation["parameters"]
        if parameter["in"] == "header"
    }

    answer = await rest.options("/v2/sms/messages", headers=asking("POST"))

    assert sent
    assert sent - words(answer, "access-control-allow-headers") == set()


@pytest.mark.usefixtures("let_in")
async def test_a_page_sees_refusals_too(rest: httpx.AsyncClient) -> None:
    for path in ("/v2/me", "/v2/nothing", "/graphql?query={me{env}}"):
        answer = await rest.get(path, headers={"Origin": "http://localhost:5173"})

        assert answer.status_code in (401, 404)
        assert answer.headers["access-control-allow-origin"] == "http://localhost:5173"


@pytest.mark.usefixtures("let_in")
@pytest.mark.parametrize(
    "origin", ["https://evil.example", f"{APP}.evil.example", f"{APP}:8443", "null", "*", ""]
)
async def test_other_origins_are_told_nothing(rest: httpx.AsyncClient, origin: str) -> None:
    for answer in (
        await rest.options("/v2/sms/messages", headers=asking("POST", origin)),
        await rest.get("/v2/me", headers={"Origin": origin}),
        await rest.get("/v2/me"),
    ):
        assert told_of_origins(answer) == set()
        assert "origin" in words(answer, "vary"), (
            "what a cache keeps for them is not for a page that is let in"
        )
