"""trackLinks: addresses become short links before the text is counted, and a click is told."""

import pytest

from core import short_links, sms
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import PaymentRequired
from tests.factories.organizations import a_caller
from tests.factories.sms import leave_coins

pytestmark = pytest.mark.usefixtures("clean_slate")

LONG = "https://loja.example.com/ofertas/de/verao?" + "&".join(
    f"parametro{n}=valor{n}" for n in range(12)
)


def tracked(body: str = f"Veja {LONG} hoje", **changes: object) -> sms.NewSms:
    return sms.NewSms.model_validate(
        {"to": "+5511987650005", "body": body, "route": "otp", "trackLinks": True, **changes}
    )


async def test_the_count_is_that_of_the_text_with_short_links() -> None:
    caller = await a_caller()
    plain = await sms.send_message(caller, tracked(trackLinks=False), idempotency_key="plain")
    short = await sms.send_message(caller, tracked(), idempotency_key="short")

    assert (plain["segments"], short["segments"]) == (2, 1)
    assert short["billing"] == {"coins": 950}
    [link] = (await short_links.list_links(caller, short["id"]))["items"]
    assert link["url"] == LONG
    assert short["length"] == len(f"Veja {link['shortUrl']} hoje")


async def test_a_click_publishes_sms_clicked_with_the_message() -> None:
    caller = await a_caller()
    sent = await sms.send_message(caller, tracked(metadata={"order": "A-1"}), idempotency_key="k")
    [link] = (await short_links.list_links(caller, sent["id"]))["items"]

    await short_links.follow_link(
        link["shortUrl"].rsplit("/", 1)[-1],
        user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
        method="GET",
        at=now(),
    )

    [event] = await db.fetch("SELECT type, data FROM webhook_events WHERE type = 'sms.clicked'")
    assert event["data"]["messageId"] == sent["id"]
    assert event["data"]["metadata"] == {"order": "A-1"}
    assert (event["data"]["first"], event["data"]["bot"]) == (True, False)


async def test_a_replay_keeps_the_links_of_the_first_send() -> None:
    caller = await a_caller()
    first = await sms.send_message(caller, tracked(), idempotency_key="k")
    again = await sms.send_message(caller, tracked(), idempotency_key="k")

    assert (again["id"], again["replayed"]) == (first["id"], True)
    assert await db.fetchval("SELECT count(*) FROM short_links") == 1


async def test_a_refused_send_leaves_no_link() -> None:
    caller = await a_caller()
    await leave_coins(caller, 1)

    with pytest.raises(PaymentRequired):
        await sms.send_message(caller, tracked(), idempotency_key="k")

    assert await db.fetchval("SELECT count(*) FROM short_links") == 0
