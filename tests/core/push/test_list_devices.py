"""The list of devices, over REST and GraphQL."""

from typing import Any

import pytest

from core import push
from core.foundation.database import db
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_query
from core.push.device_record import token_end
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, opt_out
from tests.support.graphql import bare, data_of

pytestmark = pytest.mark.usefixtures("clean_slate")


async def listed(caller: Caller, **asked: str) -> Any:
    return await push.list_devices(caller, read_query(push.DeviceFilter, list(asked.items())))


async def ids(caller: Caller, **asked: str) -> list[str]:
    return [item["id"] for item in (await listed(caller, **asked))["items"]]


async def test_it_runs_from_the_newest_to_the_oldest_page_by_page_and_then_ends() -> None:
    caller = await a_caller()
    made = [(await a_device(caller))["id"] for _ in range(3)]
    await a_device(await a_caller())

    first = await listed(caller, limit="2")
    last = await listed(caller, limit="2", cursor=first["nextCursor"])

    assert [item["id"] for item in (*first["items"], *last["items"])] == made[::-1]
    assert "nextCursor" not in last


async def test_each_filter_leaves_those_that_meet_it() -> None:
    caller = await a_caller()
    contact = (await a_contact(caller))["id"]
    of_contact = (await a_device(caller, contactId=contact))["id"]
    ios = (await a_device(caller, platform="ios", appId="outra"))["id"]
    out = (await a_device(caller, "out"))["id"]
    gone = (await a_device(caller))["id"]
    await opt_out(caller, "out")
    await db.execute("UPDATE push_devices SET deactivated_at = now() WHERE id = $1", gone)

    assert await ids(caller, contactId=contact) == [of_contact]
    assert await ids(caller, appId="outra") == await ids(caller, platform="ios") == [ios]
    assert await ids(caller, active="true") == [ios, of_contact]
    assert await ids(caller, active="false") == [gone, out]
    assert await ids(caller, contactId=contact, active="false") == []


async def test_of_a_token_its_end_is_shown_and_never_more_than_half() -> None:
    caller = await a_caller()
    await a_device(caller, "a-token-of-an-installation", userName="Ana")

    (item,) = (await listed(caller))["items"]

    assert item["tokenEnd"] == "lation"
    assert "a-token" not in str(item)
    assert "Ana" not in str(item)
    assert [token_end(token) for token in ("t", "t1", "abcde")] == ["", "1", "de"]


FIELDS = """id appId platform tokenEnd active optedIn optedOutAt deactivatedAt env contactId externalId topics createdAt
updatedAt"""


async def test_graphql_shows_the_same_by_the_same_filters() -> None:
    caller = await a_caller()
    contact = (await a_contact(caller))["id"]
    await a_device(caller, "of-a-contact", contactId=contact, topics=["ofertas"])
    await opt_out(caller, "of-a-contact")
    await a_device(caller, platform="ios")
    query = f"query($f: PushDeviceFilter) {{ pushDevices(first: 5, filter: $f) {{ nodes {{ {FIELDS} }} }} }}"
    asked = {"contactId": contact, "appId": "loja", "platform": "ANDROID", "active": False}

    (node,) = (await data_of(caller, query, f=asked))["pushDevices"]["nodes"]

    shown = {name: value for name, value in node.items() if value is not None}
    (item,) = (await listed(caller, contactId=contact))["items"]
    assert shown == {**item, "platform": "ANDROID", "env": item["env"].upper()}
    assert len((await data_of(caller, query))["pushDevices"]["nodes"]) == 2


async def test_it_takes_a_scope() -> None:
    caller = await a_caller()

    with pytest.raises(Forbidden):
        await listed(bare(caller, Scope.PUSH_SEND))
