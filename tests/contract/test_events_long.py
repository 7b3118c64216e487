"""The longest that can be told: it fits into a delivery of the documented form, and metadata is not
cut for it.
"""

from typing import Any

import orjson
import pytest

from core import email, short_links, sms
from core.foundation.clock import now
from core.foundation.database import db
from tests.contract.table import Before
from tests.contract.world import World
from tests.factories.contacts import a_contact
from tests.factories.conversations_inbound import an_inbound
from tests.factories.emails import an_email
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription
from tests.rest_api.contract import must_fit, the_closed_document
from tests.support.receiver import Receiver
from tests.support.subscriptions import deliver_all

pytestmark = pytest.mark.usefixtures("clean_slate")

LARGEST = 20_000
WIDE = "😀"
"""Four bytes."""

FULL: dict[str, Any] = {f"k{place:02}".ljust(64, "x"): "x" * 256 for place in range(20)}
"""As much metadata as there may be."""

FULL_AND_WIDE = dict.fromkeys(FULL, WIDE * 256)


async def a_long_reply(world: World) -> None:
    sent = await a_send(world.caller, metadata=FULL, campaignId="c" * 80)
    reply = sms.SandboxReply(in_reply_to=sent["id"], body=WIDE * 1600)
    await sms.reply_in_sandbox(world.caller, reply)


async def a_click_on_a_long_address(world: World) -> None:
    body = "https://example.com/" + "a" * 1_570
    sent = await a_send(world.caller, body=body, trackLinks=True, metadata=FULL)
    [link] = (await short_links.list_links(world.caller, sent["id"]))["items"]
    code = link["shortUrl"].rsplit("/", 1)[-1]
    await short_links.follow_link(
        code, user_agent="Mozilla/5.0 " + "x" * 9_000, method="GET", at=now()
    )


async def a_click_on_an_endless_address(world: World) -> None:
    text = "https://example.com/" + "a" * 60_000
    await an_email(
        world.caller,
        to="click@example.org",
        subject=WIDE * 998,
        text=text,
        trackLinks=True,
        metadata=FULL,
    )
    await email.hand_over_due(at=now())
    for _ in range(3):
        await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
        await email.apply_due_reports(at=now())


async def a_contact_with_all_tags(world: World) -> None:
    tags = [f"{place:02}".ljust(64, WIDE) for place in range(100)]
    await a_contact(world.caller, externalId=WIDE * 200, tags=tags)


async def somebody_writes_much(world: World) -> None:
    await an_inbound(
        world.caller,
        payload={"text": WIDE * 4_096},
        referral={"source_url": "https://x/" + "y" * 1_000},
    )


LONG: dict[str, tuple[Before, bool]] = {
    "sms.received": (a_long_reply, False),
    "sms.clicked": (a_click_on_a_long_address, False),
    "email.opened": (a_click_on_an_endless_address, False),
    "email.clicked": (a_click_on_an_endless_address, True),
    "contact.created": (a_contact_with_all_tags, True),
    "message.received": (somebody_writes_much, False),
}
"""By event: what brings the longest about, and whether it has to be cut."""


async def body_of(
    world: World, receiver: Receiver, name: str, cause: Before
) -> tuple[bytes, dict[str, Any]]:
    """The body that arrives, also read; it has the documented form."""
    await a_subscription(world.caller, receiver.url, events=[name])
    await cause(world)
    await deliver_all()
    (arrival,) = receiver.arrivals
    described = the_closed_document()["webhooks"][name]["post"]["requestBody"]["content"][
        "application/json"
    ]
    must_fit(arrival.event, described["schema"])
    return arrival.body, arrival.event["data"]


@pytest.mark.parametrize("name", LONG)
async def test_the_longest_fits(receiver: Receiver, name: str) -> None:
    cause, is_cut = LONG[name]

    body, data = await body_of(await World.open(), receiver, name, cause)

    assert len(body) <= LARGEST
    assert data.get("truncated", False) is is_cut
    assert data.get("metadata", FULL) == FULL


async def test_metadata_comes_back_whole_even_where_it_alone_is_too_long(
    receiver: Receiver,
) -> None:
    async def an_end(world: World) -> None:
        await a_send(world.caller, metadata=FULL_AND_WIDE)
        await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
        await sms.apply_due_reports(at=now())

    body, data = await body_of(await World.open(), receiver, "sms.delivered", an_end)

    assert data["metadata"] == FULL_AND_WIDE
    assert len(body) - len(orjson.dumps(FULL_AND_WIDE)) <= LARGEST
