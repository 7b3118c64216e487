"""Following a link: where it leads, what is counted, who is told."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import short_links
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import NotFound
from core.foundation.jobs import Job
from core.short_links import ShortLink
from core.short_links.follow import Click, count_clicks
from core.webhooks import WebhookDelivery, WebhookEvent
from tests.factories.organizations import a_caller
from tests.factories.short_links import a_link
from tests.factories.stored_contacts import stored_contact
from tests.factories.webhooks import a_subscription
from tests.fakes.queue import RecordedQueue
from tests.support.sql_tables import rows_of

PERSON = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1"
)
BOT = "WhatsApp/2.24.11.79 A"
HOOK = "http://127.0.0.1:9999/hooks"
AT = datetime(2030, 1, 1, 12, tzinfo=UTC)


async def follow(
    code: str, *, user_agent: str = PERSON, method: str = "GET", at: datetime = AT
) -> str:
    return await short_links.follow_link(code, user_agent=user_agent, method=method, at=at)


async def clicked() -> list[dict[str, Any]]:
    return [
        event.data
        for event in await WebhookEvent.filter(type="sms.clicked").order_by("occurred_at", "id")
    ]


@pytest.mark.usefixtures("clean_slate")
class TestOneByOne:
    async def test_a_code_leads_to_its_address(self) -> None:
        _, link = await a_link(await a_caller(), "https://shop.example.com/ação?x=1#y")

        assert await follow(link.code) == "https://shop.example.com/a%C3%A7%C3%A3o?x=1#y"

    @pytest.mark.parametrize("behind", [",", ")", ".", "/", "…", "?x", "/../x"])
    async def test_what_a_telephone_took_for_a_part_of_the_link_is_left_out(
        self, behind: str
    ) -> None:
        _, link = await a_link(await a_caller())

        assert await follow(link.code + behind) == link.url

    @pytest.mark.parametrize(
        "code",
        [
            "",
            "0000000000",
            "short",
            "0" * 11,
            "00000\x0000000",
            "000000000é",
            "../../etc",
            "%",
            "'; --",
        ],
    )
    async def test_an_unknown_code_leads_nowhere(self, code: str) -> None:
        await a_link(await a_caller())

        with pytest.raises(NotFound):
            await follow(code)

        assert await clicked() == []

    async def test_clicks_of_people_and_of_bots_are_counted_apart(self) -> None:
        _, link = await a_link(await a_caller())

        for minute, user_agent in enumerate([BOT, PERSON, PERSON, BOT, PERSON, BOT]):
            await follow(link.code, user_agent=user_agent, at=AT + timedelta(minutes=minute))

        stored = await rows_of(ShortLink).get(code=link.code)
        assert (stored.clicks, stored.bot_clicks) == (3, 3)
        assert stored.first_clicked_at == AT + timedelta(minutes=1)
        assert stored.last_clicked_at == AT + timedelta(minutes=4)

    async def test_a_look_without_a_page_is_no_click(self) -> None:
        _, link = await a_link(await a_caller())

        assert await follow(link.code, method="HEAD") == link.url

        assert (await rows_of(ShortLink).get(code=link.code)).clicks == 0

    async def test_the_first_click_is_the_first_of_a_person(self) -> None:
        _, link = await a_link(await a_caller())

        for minute, user_agent in enumerate([BOT, PERSON, BOT, PERSON]):
            await follow(link.code, user_agent=user_agent, at=AT + timedelta(minutes=minute))

        assert [(event["bot"], event["first"]) for event in await clicked()] == [
            (True, False),
            (False, True),
            (True, False),
            (False, False),
        ]

    async def test_every_click_is_told_with_what_the_message_carries(self) -> None:
        caller = await a_caller()
        await stored_contact(caller, id="cnt_1")
        message_id, link = await a_link(
            caller, campaignId="spring", contactId="cnt_1", metadata={"order": "A-1", "vip": True}
        )

        await follow(link.code)

        assert await clicked() == [
            {
                "messageId": message_id,
                "url": link.url,
                "clickedAt": wire_time(AT),
                "first": True,
                "bot": False,
                "userAgent": PERSON,
                "env": "test",
                "metadata": {"order": "A-1", "vip": True},
                "contactId": "cnt_1",
                "campaignId": "spring",
            }
        ]
        event = await WebhookEvent.get(type="sms.clicked")
        assert (event.organization_id, event.env, event.occurred_at) == (
            caller.organization_id,
            caller.env,
            AT,
        )

    async def test_what_the_message_does_not_carry_is_absent(self) -> None:
        _, link = await a_link(await a_caller())

        await follow(link.code, user_agent="")

        (event,) = await clicked()
        assert event.keys() == {"messageId", "url", "clickedAt", "first", "bot", "env"}

    async def test_a_link_outlives_its_message(self) -> None:
        message_id, link = await a_link(await a_caller(), campaignId="spring")
        await db.execute("DELETE FROM messages WHERE id = $1", message_id)

        assert await follow(link.code) == link.url

        assert "campaignId" not in (await clicked())[0]

    async def test_the_channel_names_the_event(self) -> None:
        _, link = await a_link(await a_caller())
        await rows_of(ShortLink).filter(code=link.code).update(channel="rcs")

        await follow(link.code)

        assert await WebhookEvent.filter(type="rcs.clicked").count() == 1

    @pytest.mark.parametrize(
        ("sent", "told"),
        [("x" * 5000, "x" * 256), ("a\x00b\r\nc\x7f", "abc"), ("é" * 300, "é" * 256)],
    )
    async def test_the_user_agent_is_cut_and_cleaned(self, sent: str, told: str) -> None:
        _, link = await a_link(await a_caller())

        await follow(link.code, user_agent=sent)

        assert (await clicked())[0]["userAgent"] == told

    async def test_who_listens_gets_a_delivery(self, queue: RecordedQueue) -> None:
        caller, stranger = await a_caller(), await a_caller()
        subscription = await a_subscription(caller, HOOK, events=["sms.clicked"])
        await a_subscription(stranger, HOOK, events=["sms.clicked"])
        _, link = await a_link(caller)

        await follow(link.code)
        await asyncio.sleep(0.1)

        (delivery,) = await WebhookDelivery.all()
        assert delivery.subscription_id == subscription["webhook"]["id"]
        assert queue.jobs == [Job.DELIVER_WEBHOOKS]


@pytest.mark.usefixtures("clean_slate")
class TestTogether:
    async def test_clicks_of_one_batch_are_counted_as_if_they_came_one_by_one(self) -> None:
        caller = await a_caller()
        (_, one), (_, two) = await a_link(caller), await a_link(caller, "https://two.example.com")
        await follow(two.code, at=AT - timedelta(days=1))

        clicks = [
            Click(code, "x", bot, AT + timedelta(seconds=second))
            for second, (code, bot) in enumerate(
                [
                    (one.code, True),
                    ("0" * 10, False),
                    (one.code, False),
                    (two.code, False),
                    (one.code, False),
                ]
            )
        ]
        answers = await count_clicks(clicks)

        assert [answer if isinstance(answer, str) else type(answer) for answer in answers] == [
            one.url, NotFound, one.url, two.url, one.url,
        ]  # fmt: skip
        stored = {link.code: link for link in await rows_of(ShortLink)}
        assert (stored[one.code].clicks, stored[one.code].bot_clicks) == (2, 1)
        assert (stored[one.code].first_clicked_at, stored[one.code].last_clicked_at) == (
            clicks[2].at,
            clicks[4].at,
        )
        assert (stored[two.code].clicks, stored[two.code].first_clicked_at) == (
            2,
            AT - timedelta(days=1),
        )
        assert [(event["url"], event["first"]) for event in (await clicked())[1:]] == [
            (one.url, False), (one.url, True), (two.url, False), (one.url, False),
        ]  # fmt: skip

    async def test_an_earlier_clock_does_not_turn_the_last_click_back(self) -> None:
        _, link = await a_link(await a_caller())

        await follow(link.code, at=AT)
        await follow(link.code, at=AT - timedelta(seconds=5))

        assert (await rows_of(ShortLink).get(code=link.code)).last_clicked_at == AT


@pytest.mark.usefixtures("real_commits")
class TestRaces:
    async def test_of_clicks_in_many_processes_one_is_the_first_and_none_is_lost(self) -> None:
        caller = await a_caller()
        links = [
            (await a_link(caller, f"https://{name}.example.com"))[1]
            for name in ("one", "two", "three")
        ]
        at = now()

        # Each call is a transaction on a connection of its own, as in another process.
        await asyncio.gather(
            *(
                count_clicks(
                    [Click(link.code, "x", bot, at) for link in order for bot in (False, True)]
                )
                for order in [links, links[::-1]] * 10
            )
        )

        stored = await rows_of(ShortLink)
        assert {(link.clicks, link.bot_clicks) for link in stored} == {(20, 20)}
        told = [event for event in await clicked() if event["first"]]
        assert sorted(event["url"] for event in told) == sorted(link.url for link in links)
        assert not any(event["bot"] for event in told)
        assert len(await clicked()) == 120

    async def test_clicks_through_the_door_are_combined_and_all_counted(self) -> None:
        _, link = await a_link(await a_caller())

        answers = await asyncio.gather(*(follow(link.code) for _ in range(200)))

        assert set(answers) == {link.url}
        assert (await rows_of(ShortLink).get(code=link.code)).clicks == 200
        assert sum(event["first"] for event in await clicked()) == 1

    async def test_a_click_that_cannot_be_told_is_not_counted(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, link = await a_link(await a_caller())

        async def fail(*arguments: Any, **named: Any) -> None:
            raise RuntimeError("the event cannot be written")

        monkeypatch.setattr("core.webhooks.publish_many", fail)
        with pytest.raises(RuntimeError):
            await follow(link.code)

        assert (await rows_of(ShortLink).get(code=link.code)).clicks == 0
