"""Subscribing, reading and ending subscriptions; what of them nobody may ever read."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from core import webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.webhooks.signing.secret_box import open_headers, open_secret
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_new_subscription, a_subscription, an_event
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")

EVENTS = tuple(webhooks.EventType)


async def the_row(id: str) -> Any:
    return await db.fetchrow("SELECT * FROM webhook_subscriptions WHERE id = $1", id)


async def listed(caller: Caller, **query: Any) -> Mapping[str, Any]:
    return await webhooks.list_subscriptions(
        caller, webhooks.SubscriptionFilter.model_validate(query)
    )


async def ids(caller: Caller, **query: Any) -> list[str]:
    return [item["id"] for item in (await listed(caller, **query))["items"]]


def refused_fields(**changes: Any) -> list[tuple[tuple[str | int, ...], str]]:
    """(place, kind) of everything that is wrong with this input."""
    with pytest.raises(ValidationError) as refused:
        a_new_subscription(**changes)
    return [(error["loc"], error["type"]) for error in refused.value.errors()]


# Subscribing --------------------------------------------------------------------------------------


async def test_a_new_subscription_is_active_and_counts_from_nothing() -> None:
    caller = await a_caller()
    before = now()

    new = await a_subscription(
        caller, "http://127.0.0.1:9009/a", events=["sms.delivered", "sms.failed"]
    )

    record = new["webhook"]
    assert is_id("wbh", record["id"])
    assert wire_time(before) <= record["createdAt"] <= wire_time(now())
    assert record == {
        "id": record["id"],
        "organizationId": caller.organization_id,
        "url": "http://127.0.0.1:9009/a",
        "secretCipher": record["secretCipher"],
        "secretVersion": 1,
        "headers": [],
        "events": ["sms.delivered", "sms.failed"],
        "status": "active",
        "retry": {"maxAttempts": 8, "backoffSeconds": 30},
        "piiFull": True,
        "apiVersion": webhooks.API_VERSION,
        "createdById": caller.account_id,
        "consecutiveFailures": 0,
        "createdAt": record["createdAt"],
        "updatedAt": record["createdAt"],
    }
    assert new["reveal"] == {
        "id": record["id"],
        "secret": new["reveal"]["secret"],
        "secretVersion": 1,
        "createdAt": record["createdAt"],
    }


async def test_what_the_caller_said_is_kept() -> None:
    caller = await a_caller()

    new = await a_subscription(
        caller, description="For the shop", retry={"maxAttempts": 12, "backoffSeconds": 3600}
    )

    assert new["webhook"]["description"] == "For the shop"
    assert new["webhook"]["retry"] == {"maxAttempts": 12, "backoffSeconds": 3600}
    assert await webhooks.get_subscription(caller, new["webhook"]["id"]) == new["webhook"]


async def test_the_secret_is_shown_once_and_stored_encrypted() -> None:
    caller = await a_caller()

    new = await a_subscription(caller)

    secret, id = new["reveal"]["secret"], new["webhook"]["id"]
    assert re.fullmatch(r"whsec_[A-Za-z0-9]{32}", secret)
    row = await the_row(id)
    assert secret not in str(row)
    assert secret[6:] not in str(row)
    assert open_secret(id, row["secret_cipher"]) == secret
    assert new["webhook"]["secretCipher"] == row["secret_cipher"]
    assert secret not in str([await webhooks.get_subscription(caller, id), await listed(caller)])


async def test_every_subscription_has_a_secret_of_its_own() -> None:
    caller = await a_caller()

    secrets = {(await a_subscription(caller))["reveal"]["secret"] for _ in range(5)}

    assert len(secrets) == 5


async def test_header_values_are_encrypted_and_read_back_as_stars() -> None:
    caller = await a_caller()

    new = await a_subscription(
        caller,
        headers=[
            {"key": "Authorization", "value": "Bearer hunter2"},
            {"key": "X-Shop", "value": "hunter2"},
        ],
    )

    id = new["webhook"]["id"]
    row = await the_row(id)
    assert "hunter2" not in str(row)
    assert open_headers(id, row["headers"]) == {
        "Authorization": "Bearer hunter2",
        "X-Shop": "hunter2",
    }
    for record in (
        new["webhook"],
        await webhooks.get_subscription(caller, id),
        *(await listed(caller))["items"],
    ):
        assert record["headers"] == [
            {"key": "Authorization", "value": "***"},
            {"key": "X-Shop", "value": "***"},
        ]


async def test_who_does_not_see_personal_data_is_not_told_any() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.PII_FULL})

    new = await a_subscription(caller)

    assert new["webhook"]["piiFull"] is False


async def test_subscribing_needs_the_scope() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.WEBHOOKS_WRITE})

    async with nothing_stored():
        with pytest.raises(Forbidden) as refused:
            await a_subscription(caller)

    assert refused.value.meta == {"escopoExigido": "webhooks:write"}


# What may be said ---------------------------------------------------------------------------------


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_of_the_closed_set_may_be_named(event: str) -> None:
    assert a_new_subscription(events=[event]).events == [event]


@pytest.mark.parametrize(
    "event",
    [
        "webhook.ping",
        "contact.consent_changed",
        "company.deleted",
        "sms.*",
        "SMS.DELIVERED",
        "",
        "sms.sent",
    ],
)
def test_no_other_event_may_be_named(event: str) -> None:
    assert refused_fields(events=["sms.failed", event]) == [(("events", 1), "enum")]


def test_events_are_named_at_least_once_and_kept_once() -> None:
    assert refused_fields(events=[]) == [(("events",), "too_short")]
    assert a_new_subscription(events=["sms.failed", "sms.delivered", "sms.failed"]).events == [
        "sms.failed",
        "sms.delivered",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "X-SVC-Signature", "x-svc-anything", "X-Svc-", "Host", "host", "Content-Type", "content-length",
        "Content-Encoding", "webhook-id", "Webhook-Signature", "webhook-timestamp", "Transfer-Encoding", "Connection",
        "Upgrade", "TE", "Trailer", "Keep-Alive", "Proxy-Authorization", "Expect", "User-Agent", "Date",
    ],
)  # fmt: skip
def test_the_names_that_the_delivery_needs_for_itself_are_reserved(name: str) -> None:
    assert refused_fields(headers=[{"key": name, "value": "x"}]) == [
        (("headers", 0, "key"), "reserved_header")
    ]


@pytest.mark.parametrize(
    "name", ["", "with space", "colon:", "é", "line\nbreak", "nul\x00", "x" * 65, "semi;colon"]
)
def test_a_header_name_is_a_token(name: str) -> None:
    assert refused_fields(headers=[{"key": name, "value": "x"}]) == [
        (("headers", 0, "key"), "string_pattern_mismatch")
    ]


@pytest.mark.parametrize("value", ["line\r\nX-Injected: 1", "line\n", "é", "nul\x00", "tab\t"])
def test_a_header_value_is_printable_ascii(value: str) -> None:
    assert refused_fields(headers=[{"key": "X-Shop", "value": value}]) == [
        (("headers", 0, "value"), "string_pattern_mismatch")
    ]


@pytest.mark.parametrize(
    "name", ["Authorization", "X-Api-Key", "Cookie", "X-Shop", "X-Svcx", "hosting"]
)
def test_other_headers_are_free(name: str) -> None:
    headers = a_new_subscription(headers=[{"key": name, "value": ""}]).headers

    assert headers is not None
    assert headers[0].key == name


def test_there_is_room_for_twenty_headers() -> None:
    many = [{"key": f"X-{number}", "value": "x"} for number in range(21)]

    assert len(a_new_subscription(headers=many[:20]).headers or []) == 20
    assert refused_fields(headers=many) == [(("headers",), "too_long")]


@pytest.mark.parametrize(
    ("retry", "wrong"),
    [
        ({"maxAttempts": 0, "backoffSeconds": 30}, "maxAttempts"),
        ({"maxAttempts": 13, "backoffSeconds": 30}, "maxAttempts"),
        ({"maxAttempts": 8, "backoffSeconds": 4}, "backoffSeconds"),
        ({"maxAttempts": 8, "backoffSeconds": 3601}, "backoffSeconds"),
        ({"maxAttempts": "8", "backoffSeconds": 30}, "maxAttempts"),
        ({"maxAttempts": 8.5, "backoffSeconds": 30}, "maxAttempts"),
        ({"maxAttempts": 8}, "backoffSeconds"),
    ],
)
def test_the_retry_setting_has_bounds(retry: dict[str, Any], wrong: str) -> None:
    assert [place for place, _ in refused_fields(retry=retry)] == [("retry", wrong)]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.com/hooks", "insecure_scheme"),
        ("ftp://example.com/", "insecure_scheme"),
        ("https://example.com:80/", "ssrf_blocked"),
        ("https://example.com:25/", "ssrf_blocked"),
        ("https://example.com:1023/", "ssrf_blocked"),
        ("https://127.0.0.1/", "ssrf_blocked"),
        ("https://127.0.0.1:8443/", "ssrf_blocked"),
        ("https://10.0.0.1/", "ssrf_blocked"),
        ("https://172.16.0.1/", "ssrf_blocked"),
        ("https://192.168.1.1/", "ssrf_blocked"),
        ("https://169.254.169.254/latest/meta-data", "ssrf_blocked"),
        ("https://100.64.0.1/", "ssrf_blocked"),
        ("https://0.0.0.0/", "ssrf_blocked"),
        ("https://2130706433/", "ssrf_blocked"),
        ("https://0x7f000001/", "ssrf_blocked"),
        ("https://[::1]/", "ssrf_blocked"),
        ("https://[::ffff:127.0.0.1]/", "ssrf_blocked"),
        ("https://[fd00::1]/", "ssrf_blocked"),
        ("https://localhost/", "ssrf_blocked"),
        ("https://database.internal/", "ssrf_blocked"),
        ("https://user:hunter2@example.com/", "invalid_url"),
        ("https://user@example.com/", "invalid_url"),
        ("https://", "invalid_url"),
        ("example.com/hooks", "invalid_url"),
        ("//example.com/hooks", "invalid_url"),
        ("javascript:alert(1)", "invalid_url"),
        ("https://exa mple.com/", "invalid_url"),
        ("https://example.com/\nX-Injected: 1", "invalid_url"),
        ("https://example.com:99999/", "invalid_url"),
        ("", "invalid_url"),
        ("https://example.com/" + "x" * 2048, "string_too_long"),
    ],
)
def test_an_address_that_must_not_be_called_is_refused(
    nothing_private: None, url: str, reason: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        a_new_subscription(url)

    (error,) = refused.value.errors()
    assert (error["loc"], error["type"]) == (("url",), reason)
    assert "hunter2" not in error["msg"]
    assert not url or url not in error["msg"]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/hooks",
        "https://example.com:443/hooks?token=a",
        "https://example.com:8443/",
        "https://example.com:1024/",
        "https://93.184.215.14/hooks",
        "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/",
        "https://lojá.com.br/hooks",
    ],
)
def test_a_public_https_address_is_taken(nothing_private: None, url: str) -> None:
    assert a_new_subscription(url).url.startswith("https://")


def test_plain_http_reaches_only_the_networks_that_the_operator_allowed() -> None:
    assert a_new_subscription("http://127.0.0.1:9009/").url == "http://127.0.0.1:9009/"
    assert refused_fields(url="http://93.184.215.14/") == [(("url",), "insecure_scheme")]


# Reading ------------------------------------------------------------------------------------------


async def test_subscriptions_are_listed_newest_first() -> None:
    caller = await a_caller()
    all_ids = []
    for place in range(4):
        id = (await a_subscription(caller))["webhook"]["id"]
        await db.execute(
            "UPDATE webhook_subscriptions SET created_at = $2 WHERE id = $1",
            id,
            now() - timedelta(seconds=place),
        )
        all_ids.append(id)

    assert await ids(caller) == all_ids
    assert await ids(caller, limit=2) == all_ids[:2]
    assert await ids(caller, skip=1, limit=2) == all_ids[1:3]
    assert (await listed(caller, skip=9))["total"] == 4


async def test_filters_take_what_they_name_and_an_unknown_value_matches_nothing() -> None:
    caller = await a_caller()
    both = (await a_subscription(caller, events=["sms.delivered", "sms.failed"]))["webhook"]["id"]
    paused = (await a_subscription(caller, events=["sms.failed"]))["webhook"]["id"]
    await db.execute("UPDATE webhook_subscriptions SET status = 'paused' WHERE id = $1", paused)

    assert await ids(caller, status="active") == [both]
    assert await ids(caller, status="paused") == [paused]
    assert await ids(caller, event="sms.delivered") == [both]
    assert sorted(await ids(caller, event="sms.failed")) == sorted([both, paused])
    assert await ids(caller, status="paused", event="sms.delivered") == []
    for unknown in (
        {"status": "nope"},
        {"status": "x" * 5_000},
        {"event": "nope"},
        {"event": ""},
        {"status": ""},
    ):
        assert await listed(caller, **unknown) == {"items": [], "total": 0}


async def test_cursors_leave_no_gap_and_repeat_nothing() -> None:
    caller, at = await a_caller(), now()
    all_ids = {(await a_subscription(caller))["webhook"]["id"] for _ in range(5)}
    await db.execute("UPDATE webhook_subscriptions SET created_at = $1", at)

    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    while True:
        page = await listed(caller, **query)
        assert page["total"] == 5
        seen += [item["id"] for item in page["items"]]
        if "nextCursor" not in page:
            break
        query["cursor"] = page["nextCursor"]

    assert len(seen) == 5
    assert set(seen) == all_ids


@pytest.mark.parametrize("cursor", ["", "abc", "\ufffd", "WzEsMl0"])
async def test_an_unreadable_cursor_is_an_empty_page_with_a_warning(cursor: str) -> None:
    caller = await a_caller()
    await a_subscription(caller)

    page = await listed(caller, cursor=cursor)

    assert page == {"items": [], "total": 0, "warnings": ["cursor_invalido"]}


async def test_another_organization_and_the_other_environment_see_nothing() -> None:
    owner, stranger = await a_caller(), await a_caller()
    live = await a_caller("live", organization_id=owner.organization_id)
    id = (await a_subscription(owner))["webhook"]["id"]

    for other in (stranger, live):
        assert await listed(other) == {"items": [], "total": 0}
        with pytest.raises(NotFound):
            await webhooks.get_subscription(other, id)
        async with nothing_stored():
            with pytest.raises(NotFound):
                await webhooks.unsubscribe(other, id)

    assert await ids(owner) == [id]


@pytest.mark.parametrize(
    "id", ["", "nope", "wbh_", "wbh_" + "x" * 22, "wbh_" + "x" * 5_000, "msg_" + "x" * 21, "\x00"]
)
async def test_an_id_that_is_none_is_not_found(id: str) -> None:
    caller = await a_caller()

    with pytest.raises(NotFound):
        await webhooks.get_subscription(caller, id)
    with pytest.raises(NotFound):
        await webhooks.unsubscribe(caller, id)


async def test_reading_and_ending_need_their_scopes() -> None:
    caller = await a_caller()
    id = (await a_subscription(caller))["webhook"]["id"]
    nobody = await a_caller(scopes=frozenset(), organization_id=caller.organization_id)

    with pytest.raises(Forbidden):
        await webhooks.get_subscription(nobody, id)
    with pytest.raises(Forbidden):
        await listed(nobody)
    with pytest.raises(Forbidden):
        await webhooks.unsubscribe(nobody, id)
    assert await ids(caller) == [id]


# Ending -------------------------------------------------------------------------------------------


async def test_unsubscribing_removes_the_secret_and_what_was_queued_and_leaves_the_others() -> None:
    caller = await a_caller()
    ended = (await a_subscription(caller))["webhook"]["id"]
    stays = (await a_subscription(caller))["webhook"]["id"]
    await an_event(caller)

    await webhooks.unsubscribe(caller, ended)

    assert await ids(caller) == [stays]
    assert await the_row(ended) is None
    left = await db.fetch("SELECT subscription_id FROM webhook_deliveries")
    assert [row["subscription_id"] for row in left] == [stays]
    with pytest.raises(NotFound):
        await webhooks.unsubscribe(caller, ended)
