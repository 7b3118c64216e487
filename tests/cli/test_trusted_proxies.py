"""Whose word about the client's address is taken: nobody's, but that of the proxies that a setting
names.
"""

import json

import pytest

from tests.support.processes import svc
from tests.support.service import Api, Service

INSIDE, OUTSIDE = "203.0.113.7", "198.51.100.7"


async def a_key_for_one_network(service: Service) -> str:
    """The text of a key that opens only from the network of INSIDE."""
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    key = await service.svc("key", "create", "--org", org, "--env", "test")
    await (await service.books()).execute(
        "UPDATE api_keys SET ips = ARRAY['203.0.113.0/24'] WHERE id = $1", key["id"]
    )
    return str(key["key"])


async def me(service: Service, api: Api, key: str, forwarded: str) -> int:
    """The status of a request that says where it comes from."""
    headers = {"Authorization": f"Bearer {key}", "X-Forwarded-For": forwarded}
    async with service.http.get(f"{api.url}/v2/me", headers=headers) as answer:
        return answer.status


async def test_what_a_client_says_of_its_address_is_not_believed(service: Service) -> None:
    api, key = await service.api(), await a_key_for_one_network(service)

    assert await me(service, api, key, INSIDE) == 401


async def test_the_proxy_that_is_named_tells_the_clients_address(service: Service) -> None:
    service.environment["SVC_TRUSTED_PROXIES"] = "127.0.0.1, 10.0.0.0/8"
    api, key = await service.api(), await a_key_for_one_network(service)

    assert await me(service, api, key, INSIDE) == 200
    assert await me(service, api, key, f"{INSIDE}, 10.1.2.3") == 200, "a chain of our own proxies"
    assert await me(service, api, key, OUTSIDE) == 401
    assert await me(service, api, key, f"{INSIDE}, {OUTSIDE}") == 401, (
        "what stands before the last one, the client said"
    )


async def test_another_proxy_than_the_named_ones_is_a_client(service: Service) -> None:
    service.environment["SVC_TRUSTED_PROXIES"] = "10.0.0.0/8"
    api, key = await service.api(), await a_key_for_one_network(service)

    assert await me(service, api, key, INSIDE) == 401


@pytest.mark.parametrize("value", ["nginx", "10.0.0.0/33", "10.0.0.1/8"])
async def test_what_is_no_network_is_refused_at_the_start(service: Service, value: str) -> None:
    environment = {**service.environment, "SVC_TRUSTED_PROXIES": value}

    status, out, err = await svc(["api", "--json"], environment=environment)

    assert (status, out) == (1, "")
    assert "SVC_TRUSTED_PROXIES" in err
    assert err.count("\n") == 1


async def test_the_setting_is_listed(service: Service) -> None:
    _, out, _ = await svc(
        ["settings", "--json"],
        environment={**service.environment, "SVC_TRUSTED_PROXIES": "10.0.0.1"},
    )

    [entry] = [
        entry for entry in json.loads(out)["settings"] if entry["name"] == "SVC_TRUSTED_PROXIES"
    ]
    assert (entry["value"], entry["default"]) == ("10.0.0.1", "")
