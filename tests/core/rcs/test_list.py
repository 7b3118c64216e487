"""The list: newest first, by cursor, by status, way and campaign."""

from dataclasses import replace

import pytest

from core import rcs
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from tests.factories.organizations import a_caller
from tests.factories.rcs import FALLBACK, NO_RCS, an_rcs

pytestmark = pytest.mark.usefixtures("clean_slate")


async def ids(caller: Caller, **filter: object) -> list[str]:
    page = await rcs.list_messages(caller, rcs.RcsFilter.model_validate(filter))
    return [item["id"] for item in page["items"]]


async def test_the_newest_is_first_and_the_cursor_leads_on_to_the_end() -> None:
    caller = await a_caller()
    sent = [(await an_rcs(caller))["id"] for _ in range(5)]
    seen: list[str] = []
    cursor = None
    while True:
        page = await rcs.list_messages(caller, rcs.RcsFilter(limit=2, cursor=cursor))
        seen += [item["id"] for item in page["items"]]
        assert "total" not in page
        if (cursor := page.get("nextCursor")) is None:
            break
    assert seen == sent[::-1]


async def test_conditions_narrow_and_unknown_values_match_nothing() -> None:
    caller = await a_caller()
    by_sms = (await an_rcs(caller, to=NO_RCS, fallback=FALLBACK, campaignId="autumn"))["id"]
    by_rcs = (await an_rcs(caller))["id"]
    await rcs.apply_due_reports(at=now().replace(year=2100))
    waiting = (await an_rcs(caller))["id"]
    assert await ids(caller, status="sent") == [waiting]
    assert await ids(caller, status="delivered") == [by_rcs, by_sms]
    assert await ids(caller, channel="sms") == [by_sms]
    assert await ids(caller, channel="rcs", status="delivered") == [by_rcs]
    assert await ids(caller, campaignId="autumn") == [by_sms]
    assert await ids(caller, status="enviada") == await ids(caller, channel="fax") == []


async def test_a_cursor_that_cannot_be_read_gives_an_empty_page() -> None:
    caller = await a_caller()
    await an_rcs(caller)
    assert await rcs.list_messages(caller, rcs.RcsFilter(cursor="x")) == {
        "items": [],
        "warnings": ["cursor_invalido"],
    }


async def test_a_list_holds_its_organization_and_environment_alone_and_masks() -> None:
    caller = await a_caller()
    await an_rcs(caller)
    assert await ids(replace(caller, env="live")) == []
    assert await ids(await a_caller()) == []
    [item] = (await rcs.list_messages(caller, rcs.RcsFilter()))["items"]
    assert item["to"] == ("+5511987650001" if caller.sees_personal_data else "+5511*****0001")
    blind = replace(caller, scopes=caller.scopes - {Scope.PII_FULL})
    [item] = (await rcs.list_messages(blind, rcs.RcsFilter()))["items"]
    assert item["to"] == "+5511*****0001"
