"""Reading keys: the whole organization's, in pages, without the keys themselves."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.foundation.clock import now
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import KEY_SCOPES, Caller
from core.foundation.validation.inputs import read_query
from core.organizations import ApiKey, KeyFilter, NoSuchKey, get_key, list_keys, revoke_key
from tests.factories.keys import an_admin, an_issued_key, ends
from tests.factories.organizations import a_caller

pytestmark = pytest.mark.usefixtures("clean_slate")


async def listed(admin: Caller, **query: Any) -> Mapping[str, Any]:
    return await list_keys(
        admin, read_query(KeyFilter, [(name, str(value)) for name, value in query.items()])
    )


async def ids(admin: Caller, **query: Any) -> list[str]:
    return [item["id"] for item in (await listed(admin, **query))["items"]]


async def some_keys(admin: Caller, number: int) -> list[str]:
    """Issued one after the other; newest first."""
    return [(await an_issued_key(admin))["id"] for _ in range(number)][::-1]


async def test_keys_of_both_environments_are_listed_newest_first_without_the_keys() -> None:
    admin = await an_admin("test")
    first, second = await an_issued_key(admin, env="test"), await an_issued_key(admin, env="live")
    await an_issued_key(await an_admin())

    page = await listed(admin)

    assert [(key["id"], key["env"]) for key in page["items"]] == [
        (second["id"], "live"),
        (first["id"], "test"),
    ]
    assert page["total"] == 2
    assert "nextCursor" not in page
    assert all(
        "key" not in item and issued["key"] not in str(page)
        for item in page["items"]
        for issued in (first, second)
    )


async def test_one_key_reads_as_it_is_listed() -> None:
    admin = await an_admin("test")
    issued = await an_issued_key(admin, env="live", ips=["203.0.113.7"])

    record = await get_key(admin, issued["id"])

    assert record["webhooks"] == []
    shown = {name: value for name, value in record.items() if name != "webhooks"}
    assert {**shown, "key": issued["key"]} == issued
    assert (await listed(admin))["items"] == [shown]


@pytest.mark.parametrize(
    "id", ["key_unknown", "x", "", "key_" + "x" * 100, "key_000000000000000000000"]
)
async def test_an_unknown_key_is_not_found(id: str) -> None:
    with pytest.raises(NoSuchKey):
        await get_key(await an_admin(), id)


async def test_another_organizations_key_is_not_found() -> None:
    issued = await an_issued_key(await an_admin())
    stranger = await an_admin()

    with pytest.raises(NoSuchKey):
        await get_key(stranger, issued["id"])
    assert await listed(stranger) == {"items": [], "total": 0}


async def test_a_key_reads_no_keys() -> None:
    caller = await a_caller(scopes=KEY_SCOPES)

    for reading in (get_key(caller, "key_1"), list_keys(caller, KeyFilter())):
        with pytest.raises(Forbidden):
            await reading


async def test_keys_are_found_by_environment_and_status() -> None:
    admin = await an_admin()
    active = await an_issued_key(admin, env="live")
    ending = await an_issued_key(admin)
    await ends(ending, now() + timedelta(minutes=1))
    expired = await an_issued_key(admin)
    await ends(expired, now() - timedelta(seconds=1))
    revoked, both = await an_issued_key(admin), await an_issued_key(admin, env="live")
    await revoke_key(admin, revoked["id"])
    await revoke_key(admin, both["id"])
    await ends(both, now() - timedelta(seconds=1))

    assert await ids(admin, status="ativa") == [ending["id"], active["id"]]
    assert await ids(admin, status="expirada") == [expired["id"]]
    assert await ids(admin, status="revogada") == [both["id"], revoked["id"]]
    assert await ids(admin, env="live") == [both["id"], active["id"]]
    assert await ids(admin, env="test", status="ativa") == [ending["id"]]
    for status in ("ativa", "expirada", "revogada"):
        page = await listed(admin, status=status)
        assert {item["status"] for item in page["items"]} == {status}
        assert page["total"] == len(page["items"])


@pytest.mark.parametrize(
    "query", [{"status": "active"}, {"env": "prod"}, {"limit": "0"}, {"cursor": "x"}]
)
async def test_a_filter_that_does_not_exist_is_refused(query: dict[str, str]) -> None:
    admin = await an_admin()

    with pytest.raises(ValidationFailed) as refused:
        await listed(admin, **query)

    assert [error.where for error in refused.value.errors] == list(query)


async def test_pages_by_skip_and_by_cursor_hold_every_key_once() -> None:
    admin = await an_admin()
    keys = await some_keys(admin, 5)

    assert await ids(admin, limit=2) == keys[:2]
    assert await ids(admin, limit=2, skip=3) == keys[3:]
    assert await ids(admin, skip=5) == []
    page, seen = await listed(admin, limit=2), list[str]()
    while True:
        seen += [item["id"] for item in page["items"]]
        assert page["total"] == 5
        if "nextCursor" not in page:
            break
        page = await listed(admin, limit=2, cursor=page["nextCursor"])
    assert seen == keys


async def test_keys_of_one_instant_are_paged_by_their_id() -> None:
    admin = await an_admin()
    keys = sorted(await some_keys(admin, 3), reverse=True)
    await ApiKey.all().update(created_at=now())

    page = await listed(admin, limit=1)

    assert [item["id"] for item in page["items"]] == keys[:1]
    assert await ids(admin, cursor=page["nextCursor"]) == keys[1:]


async def test_the_environment_of_the_session_hides_no_key() -> None:
    admin = await an_admin("live")
    issued = await an_issued_key(admin, env="test")

    for env in ("live", "test"):
        assert await ids(replace(admin, env=env)) == [issued["id"]]
