"""trackLinks: the addresses of the text and of openUrl buttons become short links, and a click is
told.
"""

from typing import Any

import pytest

from core import short_links
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import PaymentRequired
from tests.factories.organizations import a_caller
from tests.factories.rcs import CARD, an_rcs
from tests.factories.sms import leave_coins

pytestmark = pytest.mark.usefixtures("clean_slate")

PERSON = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
URL = "https://loja.example.com/pedidos/1042"


async def test_the_addresses_of_a_text_become_short_links() -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, content={"text": f"Veja {URL} hoje"}, trackLinks=True)
    [link] = (await short_links.list_links(caller, sent["id"]))["items"]
    assert link["url"] == URL
    assert sent["content"] == {"text": f"Veja {link['shortUrl']} hoje"}


async def test_only_open_url_buttons_of_a_card_become_short_links() -> None:
    caller = await a_caller()
    other = {"type": "openUrl", "text": "Ajuda", "url": "https://loja.example.com/ajuda|1"}
    card: dict[str, Any] = {
        **CARD,
        "description": f"Veja {URL}",
        "suggestions": [*CARD["suggestions"], other],
    }
    card["suggestions"][2] = {**card["suggestions"][0], "text": "De novo"}

    sent = await an_rcs(caller, content={"card": card}, trackLinks=True)

    links = (await short_links.list_links(caller, sent["id"]))["items"]
    assert [link["url"] for link in links] == [URL, other["url"]]
    shown: Any = sent["content"]["card"]
    assert (shown["fileUrl"], shown["description"]) == (CARD["fileUrl"], f"Veja {URL}")
    short, call, again, last = shown["suggestions"]
    assert short["url"] == again["url"] == links[0]["shortUrl"]
    assert last["url"] == links[1]["shortUrl"]
    assert call == card["suggestions"][1]


async def test_without_track_links_nothing_is_replaced() -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, content={"card": CARD})
    assert sent["content"] == {"card": CARD}
    assert (await short_links.list_links(caller, sent["id"]))["items"] == []


async def test_a_click_publishes_rcs_clicked_with_the_message() -> None:
    caller = await a_caller()
    sent = await an_rcs(caller, content={"card": CARD}, trackLinks=True, metadata={"order": "A-1"})
    [link] = (await short_links.list_links(caller, sent["id"]))["items"]
    await short_links.follow_link(
        link["shortUrl"].rsplit("/", 1)[-1], user_agent=PERSON, method="GET", at=now()
    )
    [event] = await db.fetch("SELECT type, data FROM webhook_events WHERE type LIKE '%.clicked'")
    assert event["type"] == "rcs.clicked"
    assert (event["data"]["messageId"], event["data"]["url"]) == (sent["id"], URL)
    assert (event["data"]["metadata"], event["data"]["first"], event["data"]["bot"]) == (
        {"order": "A-1"},
        True,
        False,
    )


async def test_a_replay_keeps_the_links_of_the_first_send_and_a_refusal_leaves_none() -> None:
    caller = await a_caller()
    first = await an_rcs(caller, key="k", content={"card": CARD}, trackLinks=True)
    assert await an_rcs(caller, key="k", content={"card": CARD}, trackLinks=True) == first
    await leave_coins(caller, 1)
    with pytest.raises(PaymentRequired):
        await an_rcs(caller, content={"card": CARD}, trackLinks=True)
    assert await db.fetchval("SELECT count(*) FROM short_links") == 1
