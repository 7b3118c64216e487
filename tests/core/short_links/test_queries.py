"""Reading the links of a message."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core import short_links
from core.foundation.clock import wire_time
from core.foundation.database.db import execute
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Scope
from tests.factories.organizations import a_caller
from tests.factories.short_links import a_link, some_links

AT = datetime(2030, 1, 1, 12, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("clean_slate")


async def test_links_are_listed_in_the_order_of_the_text() -> None:
    caller = await a_caller()
    message_id, links = await some_links(
        caller, " ".join(f"https://{n}.example.com" for n in range(20))
    )

    page = await short_links.list_links(caller, message_id)

    assert page["items"] == [
        {"shortUrl": f"http://svc.test/l/{link.code}", "url": link.url, "clicks": 0, "botClicks": 0}
        for link in links
    ]


async def test_the_list_tells_clicks_bots_and_the_last_click() -> None:
    caller = await a_caller()
    message_id, link = await a_link(caller)
    for user_agent in ("Opera/9.80 (J2ME/MIDP; Opera Mini/9)", "curl/8"):
        await short_links.follow_link(link.code, user_agent=user_agent, method="GET", at=AT)

    (item,) = (await short_links.list_links(caller, message_id))["items"]

    assert (item["clicks"], item["botClicks"], item["lastClickedAt"]) == (1, 1, wire_time(AT))


async def test_a_message_without_links_has_an_empty_list() -> None:
    caller = await a_caller()
    message_id, _ = await some_links(caller, "no address here")

    assert await short_links.list_links(caller, message_id) == {"items": []}


async def test_a_message_of_nobody_or_of_somebody_else_is_not_found() -> None:
    owner = await a_caller()
    message_id, _ = await a_link(owner)

    for caller, id in (
        (owner, "msg_000000000000000000000"),
        (await a_caller(), message_id),
        (replace(owner, env="live"), message_id),
    ):
        with pytest.raises(NotFound):
            await short_links.list_links(caller, id)


async def test_reading_needs_the_scope_of_the_messages_channel() -> None:
    owner = await a_caller()
    message_id, _ = await a_link(owner)
    sms, rcs, neither = (
        replace(owner, scopes=frozenset({scope}))
        for scope in (Scope.SMS_READ, Scope.RCS_READ, Scope.SMS_SEND)
    )

    await short_links.list_links(sms, message_id)
    for caller in (rcs, neither):
        with pytest.raises(Forbidden) as refused:
            await short_links.list_links(caller, message_id)
        assert refused.value.meta == {"escopoExigido": "sms:read"}

    await execute("UPDATE messages SET channel = 'rcs' WHERE id = $1", message_id)
    await short_links.list_links(rcs, message_id)
    with pytest.raises(Forbidden):
        await short_links.list_links(sms, message_id)


async def test_without_any_such_scope_nothing_is_told_about_the_message() -> None:
    caller = replace(await a_caller(), scopes=frozenset({Scope.SMS_SEND}))

    with pytest.raises(Forbidden):
        await short_links.list_links(caller, "msg_000000000000000000000")
