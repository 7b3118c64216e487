"""The newest messages of several channels are found by the index of each, in one order."""

from dataclasses import replace
from typing import Any

import pytest

from core.dashboards.messages import MESSAGE, readable_channels
from core.foundation.caller import Caller, Scope
from core.messages import Channel
from tests.factories.messages import a_message
from tests.factories.organizations import a_caller
from tests.support.graphql import ask

pytestmark = pytest.mark.usefixtures("clean_slate")

QUERY = """query ($after: String) { messages(first: 2, after: $after%s) {
    totalCount nodes { id } pageInfo { endCursor hasNextPage }
} }"""
BOTH = (Channel.SMS, Channel.RCS)


async def listed(caller: Caller, arguments: str = "") -> list[str]:
    """All pages, one after the other."""
    ids: list[str] = []
    after: Any = None
    while True:
        content = await ask(caller, QUERY % arguments, after=after)
        page = content["data"]["messages"]
        ids += [node["id"] for node in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            assert page["totalCount"] == len(ids)
            return ids
        after = page["pageInfo"]["endCursor"]


async def test_the_channels_that_a_caller_may_read_come_in_one_order_of_time() -> None:
    caller = await a_caller()
    sent = [
        await a_message(caller, channel=channel) for channel in (Channel.SMS, Channel.RCS, Channel.SMS, Channel.RCS)
    ]
    assert await listed(caller) == sent[::-1]
    assert await listed(caller, ", orderBy: CREATED_AT_ASC") == sent
    assert await listed(caller, ", filter: {channel: [RCS]}") == [sent[3], sent[1]]
    assert await listed(caller, ", filter: {channel: [SMS, RCS], status: [SENT]}") == sent[::-1]
    blind = replace(caller, scopes=frozenset({Scope.RCS_READ}))
    assert await listed(blind) == [sent[3], sent[1]]
    assert readable_channels(blind) == ["rcs"]


async def test_a_filter_with_an_index_of_its_own_needs_no_branches() -> None:
    caller = await a_caller()
    assert MESSAGE.branches is not None
    assert MESSAGE.branches(caller, {"campaignId": "autumn"}) == []
    assert set(MESSAGE.branches(caller, {"channel": ["sms", "rcs"]})) == {"channel = 'sms'", "channel = 'rcs'"}
