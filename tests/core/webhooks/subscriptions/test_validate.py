"""Trying an endpoint: one signed ping, one word for what is wrong, one sentence for what to do."""

import logging
import re
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial
from typing import Any

import pytest
import structlog

import core.webhooks.subscriptions.ping as pings
from core import webhooks
from core.foundation import http_client, settings
from core.foundation.database import db
from core.foundation.errors import Forbidden, RateLimited, ValidationFailed
from core.foundation.http_client.resolver import Resolver
from core.foundation.security.caller import KEY_SCOPES, Scope
from core.foundation.security.secrets import new_webhook_secret
from core.foundation.validation.inputs import read_body
from core.webhooks.errors import TooManyValidations
from tests.core.foundation.http_client.peers import Names, a_peer, hangs
from tests.core.foundation.http_client.peers import answer as an_answer
from tests.factories.organizations import a_caller
from tests.support.receiver import a_receiver, signed_by
from tests.support.subscriptions import refused_fields, standard_accepts

REASONS = {"invalid_url", "insecure_scheme", "ssrf_blocked", "non_2xx", "timeout", "unreachable"}


async def verdict_on(url: str, *headers: tuple[str, str]) -> Mapping[str, Any]:
    """What a fresh organization learns of the address."""
    check = webhooks.EndpointCheck.model_validate(
        {"url": url, "headers": [{"key": key, "value": value} for key, value in headers]}
    )
    return await webhooks.validate_endpoint(await a_caller(), check)


def must_help(verdict: Mapping[str, Any], reason: str, *hidden: str) -> None:
    """A refusal in the documented form: a known reason, and a sentence that reveals nothing."""
    assert verdict["ok"] is False
    assert (verdict["reason"], reason in REASONS) == (reason, True)
    assert verdict["message"].endswith(".")
    assert not re.search(r"\d+\.\d+\.\d+\.\d+|::|//", verdict["message"])
    for text in hidden:
        assert text not in repr(verdict)


@pytest.fixture
async def names(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[dict[str, Resolver]]:
    """Set `names["are"]`: the name server that the pings of this test ask."""
    resolvers: dict[str, Resolver] = {}
    sessions = []

    def client_for(policy: http_client.OutboundPolicy) -> Any:
        sessions.append(http_client.open_client(policy, resolver=resolvers["are"]))
        return sessions[-1]

    monkeypatch.setattr(pings, "client_for", client_for)
    yield resolvers
    for session in sessions:
        await session.close()


@pytest.fixture
def production(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The policy without exceptions."""
    monkeypatch.delenv("SVC_WEBHOOK_ALLOW_NETWORKS")
    monkeypatch.delenv("SVC_WEBHOOK_ALLOW_HTTP")
    settings.current.cache_clear()
    webhooks.policy.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()
    webhooks.policy.cache_clear()


# The ping -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("env", ["test", "live"])
async def test_one_ping_of_the_documented_form_leaves(clean_slate: None, env: Any) -> None:
    caller = await a_caller(env)
    async with a_receiver() as receiver:
        verdict = await webhooks.validate_endpoint(caller, webhooks.EndpointCheck(url=receiver.url))

        assert set(verdict) == {"ok", "statusCode", "latencyMs"}
        assert (verdict["ok"], verdict["statusCode"]) == (True, 200)
        assert 0 <= verdict["latencyMs"] < 15_000
        (ping,) = receiver.arrivals
        assert list(ping.event) == [
            "id",
            "type",
            "timestamp",
            "env",
            "organizationId",
            "apiVersion",
            "data",
        ]
        assert ping.event == {
            "id": ping.event["id"],
            "type": "webhook.ping",
            "timestamp": ping.event["timestamp"],
            "env": env,
            "organizationId": caller.organization_id,
            "apiVersion": webhooks.API_VERSION,
            "data": {},
        }
        assert re.fullmatch(r"evt_[0-9A-Za-z]{21}", ping.event["id"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", ping.event["timestamp"])
        assert b": " not in ping.body


async def test_the_ping_has_the_headers_of_a_delivery(clean_slate: None) -> None:
    async with a_receiver() as receiver:
        await verdict_on(
            receiver.url, ("Authorization", "Bearer of the endpoint"), ("X-Tenant", "a")
        )

        headers = receiver.arrivals[0].headers
        assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", headers["x-svc-signature"])
        assert re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", headers["webhook-signature"])
        assert headers["webhook-id"] == receiver.arrivals[0].event["id"]
        assert re.fullmatch(r"wbh_[0-9A-Za-z]{21}", headers["x-svc-webhook-id"])
        assert re.fullmatch(r"dlv_[0-9A-Za-z]{21}", headers["x-svc-delivery-id"])
        assert (headers["x-svc-event"], headers["x-svc-attempt"]) == ("webhook.ping", "1")
        assert headers["content-type"] == "application/json"
        assert (headers["authorization"], headers["x-tenant"]) == ("Bearer of the endpoint", "a")


async def test_the_ping_is_signed_with_a_secret_of_its_own(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def remember() -> str:
        drawn.append(new_webhook_secret())
        return drawn[-1]

    monkeypatch.setattr("core.webhooks.subscriptions.validate.new_webhook_secret", remember)
    async with a_receiver() as receiver:
        verdicts = [await verdict_on(receiver.url) for _ in range(2)]

        assert len(set(drawn)) == 2
        for secret, ping, verdict in zip(drawn, receiver.arrivals, verdicts, strict=True):
            assert signed_by(secret, ping)
            assert standard_accepts(secret, ping)
            assert secret not in repr(verdict)


async def test_nothing_is_stored(clean_slate: None) -> None:
    async with a_receiver() as receiver:
        await verdict_on(receiver.url)

    for table in ("webhook_subscriptions", "webhook_events", "webhook_deliveries"):
        assert await db.fetchval(f"SELECT count(*) FROM {table}") == 0


# What is wrong ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "invalid_url"),
        ("not a url", "invalid_url"),
        ("https://", "invalid_url"),
        ("https://user:secret@example.com/", "invalid_url"),
        ("https://example.com:99999/", "invalid_url"),
        ("https://" + "a" * 2100 + ".example.com/", "invalid_url"),
        ("ftp://example.com/", "insecure_scheme"),
        ("http://8.8.8.8/", "insecure_scheme"),
        ("https://10.0.0.1/", "ssrf_blocked"),
        ("https://169.254.169.254/latest/meta-data", "ssrf_blocked"),
        ("https://[::ffff:10.0.0.1]/", "ssrf_blocked"),
        ("https://[fd00::1]/", "ssrf_blocked"),
        ("https://example.com:25/", "ssrf_blocked"),
        ("https://0x7f.1/", "ssrf_blocked"),
    ],
)
async def test_a_bad_address_is_an_answer(clean_slate: None, url: str, reason: str) -> None:
    verdict = await verdict_on(url)

    assert set(verdict) == {"ok", "reason", "message"}
    must_help(verdict, reason, "10.0.0.1", "169.254", "example.com", "secret")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.com/", "insecure_scheme"),
        ("http://127.0.0.1:9009/", "insecure_scheme"),
        ("https://127.0.0.1:9009/", "ssrf_blocked"),
        ("https://localhost:9009/", "ssrf_blocked"),
        ("https://intranet/", "ssrf_blocked"),
        ("https://printer.local/", "ssrf_blocked"),
    ],
)
async def test_without_exceptions_of_the_operator_nothing_inside_is_called(
    clean_slate: None, production: None, url: str, reason: str
) -> None:
    must_help(await verdict_on(url), reason, "127.0.0.1", "localhost", "printer")


@pytest.mark.parametrize(
    "found", [["10.1.2.3"], ["93.184.215.14", "10.1.2.3"], ["fd00::1"], ["169.254.169.254"]]
)
async def test_a_name_that_leads_inside_is_refused_without_telling_where(
    clean_slate: None, names: dict[str, Resolver], found: list[str]
) -> None:
    names["are"] = Names(found)

    verdict = await verdict_on("https://hooks.example.com/")

    assert "latencyMs" not in verdict
    must_help(verdict, "ssrf_blocked", *found)


async def test_plain_http_to_a_public_address_is_refused_when_the_name_is_known(
    clean_slate: None, names: dict[str, Resolver]
) -> None:
    names["are"] = Names(["93.184.215.14"])

    must_help(await verdict_on("http://hooks.example.com/"), "insecure_scheme", "93.184")


@pytest.mark.parametrize("status", [201, 204, 299])
async def test_every_2xx_is_a_yes(clean_slate: None, status: int) -> None:
    async with a_receiver() as receiver:
        receiver.answer = lambda _: status

        verdict = await verdict_on(receiver.url)

        assert (verdict["ok"], verdict["statusCode"]) == (True, status)


@pytest.mark.parametrize("status", [300, 304, 400, 401, 404, 410, 429, 500, 503])
async def test_another_status_is_told(clean_slate: None, status: int) -> None:
    async with a_receiver() as receiver:
        receiver.answer = lambda _: status

        verdict = await verdict_on(receiver.url)

        assert verdict["statusCode"] == status
        assert verdict["latencyMs"] >= 0
        must_help(verdict, "non_2xx")
        assert len(receiver.arrivals) == 1


async def test_a_redirect_is_not_followed_and_the_sentence_says_so(clean_slate: None) -> None:
    async with a_receiver() as receiver:
        moved = an_answer(b"", "307 Temporary Redirect", f"Location: {receiver.url}")
        async with a_peer(moved) as peer:
            verdict = await verdict_on(peer.url())

        assert receiver.arrivals == []
        must_help(verdict, "non_2xx")
        assert "Redirects are not followed" in verdict["message"]


async def test_an_endpoint_that_does_not_answer_in_time_is_told(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pings, "post", partial(http_client.post, timeout=0.3))
    async with a_peer(hangs) as peer:
        verdict = await verdict_on(peer.url())

    assert 250 <= verdict["latencyMs"] < 5_000
    assert "statusCode" not in verdict
    must_help(verdict, "timeout")


def test_the_sentence_names_the_times_that_the_dispatcher_gives() -> None:
    times = http_client.post.__kwdefaults__
    assert times is not None
    assert (
        f"connection within {times['connect_timeout']} seconds"
        in pings.MESSAGES[webhooks.EndpointProblem.TIMEOUT]
    )
    assert (
        f"answer within {times['timeout']} seconds"
        in pings.MESSAGES[webhooks.EndpointProblem.TIMEOUT]
    )


async def test_a_port_where_nobody_listens_is_unreachable(clean_slate: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]

        must_help(await verdict_on(f"http://127.0.0.1:{port}/"), "unreachable", str(port))


async def test_an_endpoint_without_tls_is_unreachable_by_https(clean_slate: None) -> None:
    async with a_receiver() as receiver:
        must_help(await verdict_on(receiver.url.replace("http://", "https://")), "unreachable")


async def test_a_name_that_nobody_knows_is_unreachable(
    clean_slate: None, names: dict[str, Resolver]
) -> None:
    names["are"] = Names(OSError("no such name"))

    must_help(await verdict_on("https://hooks.example.com/"), "unreachable", "no such name")


# Refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        (b"{}", ("/url", "required")),
        (b'{"url":1}', ("/url", "wrong_type")),
        (b'{"url":null}', ("/url", "wrong_type")),
        (b'{"url":"","events":[]}', ("/events", "unknown_field")),
        (b'{"url":"","headers":{}}', ("/headers", "wrong_type")),
        (
            b'{"url":"","headers":[{"key":"X-SVC-Event","value":"a"}]}',
            ("/headers/0/key", "reserved_header"),
        ),
        (b'{"url":"","headers":[{"key":"a b","value":"a"}]}', ("/headers/0/key", "wrong_format")),
        (
            b'{"url":"","headers":[{"key":"X-A","value":"\\r\\n"}]}',
            ("/headers/0/value", "wrong_format"),
        ),
        (
            b'{"url":"","headers":[{"key":"A","value":""},{"key":"a","value":""}]}',
            ("/headers", "repeated"),
        ),
    ],
)
def test_a_body_of_another_form_is_refused(body: bytes, refused: tuple[str, str]) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(webhooks.EndpointCheck, body)

    assert refused_fields(refusal.value) == [refused]


async def test_a_key_that_only_reads_pings_nobody(clean_slate: None) -> None:
    reader = await a_caller(scopes=KEY_SCOPES - {Scope.WEBHOOKS_WRITE})
    async with a_receiver() as receiver:
        with pytest.raises(Forbidden):
            await webhooks.validate_endpoint(reader, webhooks.EndpointCheck(url=receiver.url))

        assert receiver.arrivals == []


async def test_the_eleventh_within_a_minute_waits_for_its_turn(clean_slate: None) -> None:
    caller = await a_caller()
    both = [caller, await a_caller("live", organization_id=caller.organization_id)]
    async with a_receiver() as receiver:
        check = webhooks.EndpointCheck(url=receiver.url)
        for turn in range(10):
            await webhooks.validate_endpoint(both[turn % 2], check)

        for one in both:
            with pytest.raises(TooManyValidations) as refusal:
                await webhooks.validate_endpoint(one, check)
            assert isinstance(refusal.value, RateLimited)
            assert refusal.value.retry_after in (5, 6)

        assert len(receiver.arrivals) == 10
        assert (await webhooks.validate_endpoint(await a_caller(), check))["ok"]


async def test_neither_secrets_nor_header_values_reach_the_logs(
    clean_slate: None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = ["whsec_" + "A" * 32]
    monkeypatch.setattr("core.webhooks.subscriptions.validate.new_webhook_secret", lambda: drawn[0])
    caplog.set_level(logging.DEBUG)
    with structlog.testing.capture_logs() as lines:
        async with a_receiver() as receiver:
            await verdict_on(receiver.url, ("Authorization", "Bearer of the endpoint"))
        await verdict_on(receiver.url, ("Authorization", "Bearer of the endpoint"))

    for secret in (*drawn, "Bearer of the endpoint"):
        assert secret not in caplog.text
        assert secret not in repr(lines)
