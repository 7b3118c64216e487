"""Nobody makes the service call its own network: whatever is written as an address, and whatever
its name becomes.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import ValidationError
from yarl import URL

from core import webhooks
from core.foundation import http_client
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import ValidationFailed
from core.webhooks import SubscriptionStatus, WebhookSubscription
from tests.core.foundation.http_client.hostile import (
    HOSTILE,
    LEADS_INSIDE,
    PUBLIC,
    PUBLIC_V6,
    REFUSED_AS_WRITTEN,
    Hostile,
)
from tests.core.foundation.http_client.network import Network, a_network
from tests.core.foundation.http_client.peers import a_peer, answer
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_new_subscription, a_subscription, an_event
from tests.support.receiver import Receiver
from tests.support.subscriptions import changed, deliver_all

pytestmark = pytest.mark.usefixtures("clean_slate")

Verdicts = dict[str, str | int | None]
"""By URL: the word for what was wrong, or the status that the endpoint answered with where there is
no word.
"""
Way = Callable[[Sequence[str]], Awaitable[Verdicts]]


@pytest.fixture
async def network(database: None) -> AsyncIterator[Network]:
    """What is looked up and connected to during the test."""
    with a_network() as network:
        yield network


def known_to(network: Network, rows: Sequence[Hostile]) -> None:
    """Let the names of these rows lead where the rows say."""
    for row in rows:
        if row.leads:
            network.leads[URL(row.url).raw_host or ""] = [list(row.leads)]


def storable(rows: Sequence[Hostile]) -> list[Hostile]:
    """Those whose text the database could hold at all: neither NUL nor half characters."""
    return [row for row in rows if not re.search(r"[\x00\ud800-\udfff]", row.url)]


# The ways in which the service calls an address that a customer named ------------------------------


async def by_validating(urls: Sequence[str]) -> Verdicts:
    """POST /webhooks/validate."""
    verdicts: Verdicts = {}
    for url in urls:
        verdict = await webhooks.validate_endpoint(
            await a_caller(), webhooks.EndpointCheck(url=url)
        )
        assert verdict["ok"] is ("reason" not in verdict)
        verdicts[url] = verdict.get("reason")
    return verdicts


async def subscribed_to(
    urls: Sequence[str], status: SubscriptionStatus = SubscriptionStatus.ACTIVE
) -> dict[str, str]:
    """Subscriptions whose addresses passed once, under other rules or by a fault of ours; their
    ids.
    """
    caller = await a_caller()
    ids = {}
    for url in urls:
        ids[url] = (await a_subscription(caller, "https://hooks.example.com/hook"))["webhook"]["id"]
        await WebhookSubscription.filter(id=ids[url]).update(url=url, status=status)
    await an_event(caller)
    return ids


async def outcomes_of(ids: dict[str, str]) -> Verdicts:
    """What was saved of the one delivery of each subscription."""
    rows = await db.fetch(
        "SELECT * FROM webhook_deliveries WHERE subscription_id = ANY ($1)", list(ids.values())
    )
    told = {row["subscription_id"]: row["last_error"] or row["last_status_code"] for row in rows}
    return {url: told[id] for url, id in ids.items()}


async def by_delivering(urls: Sequence[str]) -> Verdicts:
    """A delivery by the dispatcher."""
    ids = await subscribed_to(urls)
    await deliver_all()
    return await outcomes_of(ids)


async def by_probing(urls: Sequence[str]) -> Verdicts:
    """A probe of a failing subscription."""
    ids = await subscribed_to(urls, SubscriptionStatus.FAILING)
    await WebhookSubscription.filter(id__in=ids.values()).update(probe_at=now())
    while await WebhookSubscription.filter(
        id__in=ids.values(), status="failing", probe_at__lte=now()
    ).exists():
        await deliver_all()
    return await outcomes_of(ids)


async def by_resuming(urls: Sequence[str]) -> Verdicts:
    """PATCH of a revoked subscription, which pings."""
    ids = await subscribed_to(urls, SubscriptionStatus.REVOKED)
    verdicts: Verdicts = {}
    for url, id in ids.items():
        subscription = await WebhookSubscription.get(id=id)
        caller = await a_caller(organization_id=subscription.organization_id)
        try:
            await changed(caller, id, status="active")
        except ValidationFailed as refusal:
            verdicts[url] = (refusal.meta or {})["motivo"]
        else:
            verdicts[url] = None
    return verdicts


async def by_sampling(urls: Sequence[str]) -> Verdicts:
    """POST /webhooks/{id}/test."""
    verdicts: Verdicts = {}
    for url in urls:
        ((_, id),) = (await subscribed_to([url])).items()
        subscription = await WebhookSubscription.get(id=id)
        caller = await a_caller(organization_id=subscription.organization_id)
        verdict = await webhooks.send_sample(
            caller, id, webhooks.Sample(event=webhooks.EventType.SMS_DELIVERED)
        )
        verdicts[url] = verdict.get("reason")
    return verdicts


WAYS: dict[str, Way] = {
    "validate": by_validating,
    "deliver": by_delivering,
    "probe": by_probing,
    "PATCH active": by_resuming,
    "test": by_sampling,
}
EACH_WAY = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


# The table ----------------------------------------------------------------------------------------


def test_the_table_is_long_and_nothing_stands_in_it_twice() -> None:
    assert len(HOSTILE) >= 60
    assert len({row.url for row in HOSTILE}) == len(HOSTILE)


@EACH_WAY
async def test_none_of_the_table_is_connected_to(
    nothing_private: None, network: Network, way: Way
) -> None:
    rows = HOSTILE if way is by_validating else storable(HOSTILE)
    known_to(network, rows)

    assert await way([row.url for row in rows]) == {row.url: row.reason for row in rows}

    assert network.connected == []


@EACH_WAY
async def test_what_is_refused_as_written_is_not_even_looked_up(
    nothing_private: None, network: Network, way: Way
) -> None:
    await way([row.url for row in storable(REFUSED_AS_WRITTEN)])

    assert network.asked == []


@pytest.mark.parametrize("row", REFUSED_AS_WRITTEN, ids=str)
def test_nobody_subscribes_what_is_refused_as_written(nothing_private: None, row: Hostile) -> None:
    with pytest.raises(ValidationError) as refusal:
        a_new_subscription(row.url)

    assert {error["type"] for error in refusal.value.errors()} <= {row.reason, "string_unicode"}


@EACH_WAY
@pytest.mark.usefixtures("nothing_private")
@pytest.mark.parametrize(
    ("url", "leads", "connected"),
    [
        ("https://hooks.example.com/", [PUBLIC], [(PUBLIC, 443)]),
        ("https://hooks.example.com:8443/", [PUBLIC], [(PUBLIC, 8443)]),
        ("https://hooks.example.com:1024/", [PUBLIC_V6], [(PUBLIC_V6, 1024)]),
        (f"https://{PUBLIC}/", [], [(PUBLIC, 443)]),
        (f"https://[{PUBLIC_V6}]:65535/", [], [(PUBLIC_V6, 65535)]),
    ],
)
async def test_a_public_address_is_connected_to_where_it_was_judged(
    network: Network, way: Way, url: str, leads: list[str], connected: list[tuple[str, int]]
) -> None:
    # The proof that the network of these tests would have noticed.
    network.leads["hooks.example.com"] = [leads]

    assert await way([url]) == {url: "unreachable"}

    assert network.connected == connected
    assert network.asked == (["hooks.example.com"] if leads else [])


# Names that change their mind ---------------------------------------------------------------------


@EACH_WAY
@pytest.mark.parametrize(
    "later", [["127.0.0.1"], ["10.0.0.7"], ["::1"], [PUBLIC, "169.254.169.254"]], ids=" ".join
)
async def test_a_name_that_led_outside_when_it_was_validated_is_judged_again(
    nothing_private: None, network: Network, way: Way, later: list[str]
) -> None:
    url = "https://rebinding.example.com/hook"
    network.leads["rebinding.example.com"] = [[PUBLIC], later]
    assert await by_validating([url]) == {url: "unreachable"}
    assert network.connected == [(PUBLIC, 443)]
    network.forget()

    assert await way([url]) == {url: "ssrf_blocked"}

    assert network.asked == ["rebinding.example.com"]
    assert network.connected == []


async def test_each_attempt_at_a_delivery_looks_again(
    nothing_private: None, network: Network
) -> None:
    network.leads["rebinding.example.com"] = [[PUBLIC], ["127.0.0.1"], [PUBLIC]]
    (id,) = (await subscribed_to(["https://rebinding.example.com/hook"])).values()
    errors = []
    for _ in range(3):
        await db.execute("UPDATE webhook_deliveries SET due_at = now() WHERE due_at IS NOT NULL")
        await deliver_all()
        errors.append(
            await db.fetchval(
                "SELECT last_error FROM webhook_deliveries WHERE subscription_id = $1", id
            )
        )

    assert errors == ["unreachable", "ssrf_blocked", "unreachable"]
    assert network.connected == [(PUBLIC, 443), (PUBLIC, 443)]
    assert len(network.asked) == 3


@EACH_WAY
async def test_one_look_up_decides_and_no_second_one_is_made(
    nothing_private: None, network: Network, way: Way
) -> None:
    # Public for whoever judges, private for whoever connects: nobody asks a second time.
    network.leads["rebinding.example.com"] = [[PUBLIC], ["127.0.0.1"]]

    await way(["https://rebinding.example.com/hook"])

    assert network.connected == [(PUBLIC, 443)]
    assert len(network.asked) == 1


async def test_a_refused_name_does_not_tell_where_it_led(
    nothing_private: None, network: Network
) -> None:
    known_to(network, LEADS_INSIDE)

    for row in LEADS_INSIDE:
        check = webhooks.EndpointCheck(url=row.url)
        verdict = await webhooks.validate_endpoint(await a_caller(), check)
        assert set(verdict) == {"ok", "reason", "message"}
        assert not any(address in verdict["message"] for address in row.leads)


# What an endpoint answers -------------------------------------------------------------------------


@EACH_WAY
@pytest.mark.parametrize("status", ["300 A", "301 B", "302 C", "303 D", "305 E", "307 F", "308 G"])
async def test_an_endpoint_leads_nobody_further(
    receiver: Receiver, network: Network, way: Way, status: str
) -> None:
    moved = answer(b"", status, f"Location: {receiver.url}", f"Refresh: 0; url={receiver.url}")
    async with a_peer(moved) as peer:
        network.open_ports = {peer.port, urlsplit(receiver.url).port or 0}
        (verdict,) = (await way([peer.url()])).values()

    assert verdict in ("non_2xx", int(status[:3]))
    assert network.connected == [("127.0.0.1", peer.port)]
    assert receiver.arrivals == []


# What stands in the environment of the process ----------------------------------------------------


@pytest.fixture
async def afresh(database: None) -> AsyncIterator[None]:
    """Clients that are opened during the test, and none that were before."""
    await http_client.close_clients()
    yield
    await http_client.close_clients()


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts this proxy into the environment, and the passwords of whoever runs the service."""
    file = tmp_path / "netrc"
    file.write_text("default login operator password hidden\n")
    file.chmod(0o600)
    monkeypatch.setenv("NETRC", str(file))

    def use(proxy: str) -> None:
        for name in ("http_proxy", "https_proxy", "all_proxy", "ws_proxy"):
            monkeypatch.setenv(name, proxy)
            monkeypatch.setenv(name.upper(), proxy)

    return use


@EACH_WAY
@pytest.mark.usefixtures("afresh")
async def test_neither_proxies_nor_passwords_of_the_environment_are_used(
    receiver: Receiver, network: Network, way: Way, environment: Callable[[str], None]
) -> None:
    port = urlsplit(receiver.url).port or 0
    async with a_peer(answer(b"ok")) as proxy:
        network.open_ports = {proxy.port, port}
        environment(proxy.url(""))

        (verdict,) = (await way([receiver.url])).values()

    assert verdict in (None, 200)
    assert network.connected == [("127.0.0.1", port)]
    assert "authorization" not in receiver.arrivals[0].headers


@EACH_WAY
async def test_the_name_that_was_judged_is_the_host_that_is_spoken_to(
    receiver: Receiver, network: Network, way: Way
) -> None:
    port = urlsplit(receiver.url).port or 0
    network.open_ports = {port}
    network.leads["hooks.example.com"] = [["127.0.0.1"], [PUBLIC]]

    await way([f"http://Hooks.Example.com:{port}/hook"])

    assert [arrival.headers["host"] for arrival in receiver.arrivals] == [
        f"hooks.example.com:{port}"
    ]


@pytest.mark.parametrize(
    "name", ["Host", "HOST", "Proxy-Authorization", "Connection", "Transfer-Encoding", "Upgrade"]
)
def test_no_header_of_a_customer_speaks_to_another_host(name: str) -> None:
    headers: list[dict[str, Any]] = [{"key": name, "value": "127.0.0.1"}]

    with pytest.raises(ValidationError) as refusal:
        webhooks.EndpointCheck.model_validate(
            {"url": "https://hooks.example.com/", "headers": headers}
        )

    assert [error["type"] for error in refusal.value.errors()] == ["reserved_header"]
