"""Planning links is pure; storing them is one statement."""

import asyncpg
import pytest

from core import short_links
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.short_links import LinksOfMessage, PlannedLink, ShortLink
from tests.factories.organizations import a_caller
from tests.support.sql_tables import rows_of

BASE = "https://svc.test"


def test_each_address_becomes_a_short_link() -> None:
    text, links = short_links.plan_links("Veja https://a.com/x e www.b.com.", BASE)

    assert [link.url for link in links] == ["https://a.com/x", "www.b.com"]
    assert text == f"Veja {BASE}/l/{links[0].code} e {BASE}/l/{links[1].code}."


def test_the_same_address_twice_is_one_link() -> None:
    text, links = short_links.plan_links("https://a.com https://b.com https://a.com", BASE)

    assert len(links) == 2
    assert text.split() == [f"{BASE}/l/{links[place].code}" for place in (0, 1, 0)]


def test_a_text_without_addresses_stays_as_it_is() -> None:
    assert short_links.plan_links("ana@example.com", BASE) == ("ana@example.com", ())


def test_codes_are_ten_characters_of_base62_and_drawn_anew() -> None:
    codes = {short_links.plan_links("https://a.com", BASE).links[0].code for _ in range(1000)}

    assert len(codes) == 1000
    assert all(len(code) == 10 and code.isascii() and code.isalnum() for code in codes)


@pytest.mark.usefixtures("clean_slate")
class TestStoring:
    async def test_links_of_many_messages_are_stored_together(self) -> None:
        at = now()
        sent = [
            LinksOfMessage(
                "msg_1",
                "org_1",
                "test",
                "sms",
                (PlannedLink("a" * 10, "u1"), PlannedLink("b" * 10, "u2")),
            ),
            LinksOfMessage("msg_2", "org_2", "live", "rcs", (PlannedLink("c" * 10, "u1"),)),
            LinksOfMessage("msg_3", "org_2", "live", "rcs", ()),
        ]

        await short_links.store_links(sent, at=at)

        stored = await rows_of(ShortLink).order_by("code")
        assert [
            (link.code, link.organization_id, link.env, link.channel, link.url, link.position)
            for link in stored
        ] == [
            ("a" * 10, "org_1", "test", "sms", "u1", 0),
            ("b" * 10, "org_1", "test", "sms", "u2", 1),
            ("c" * 10, "org_2", "live", "rcs", "u1", 0),
        ]
        assert {
            (link.clicks, link.bot_clicks, link.first_clicked_at, link.created_at)
            for link in stored
        } == {(0, 0, None, at)}

    async def test_nothing_to_store_asks_nothing_of_the_database(self) -> None:
        await short_links.store_links([], at=now())

        assert await rows_of(ShortLink).count() == 0

    async def test_links_belong_to_the_caller_of_their_message(self) -> None:
        owner, stranger = await a_caller(), await a_caller()
        link = (PlannedLink("a" * 10, "u"),)
        await short_links.store_links(
            [LinksOfMessage("msg_1", owner.organization_id, owner.env, "sms", link)], at=now()
        )

        assert await rows_of(ShortLink).filter(**owned_by(owner)).count() == 1
        assert await rows_of(ShortLink).filter(**owned_by(stranger)).count() == 0

    async def test_two_links_that_drew_the_same_code_are_not_both_stored(self) -> None:
        one, other = (
            LinksOfMessage(id, "org_1", "test", "sms", (PlannedLink("a" * 10, url),))
            for id, url in (("msg_1", "https://one.com"), ("msg_2", "https://other.com"))
        )
        await short_links.store_links([one], at=now())

        with pytest.raises(asyncpg.UniqueViolationError):
            async with transaction():
                await short_links.store_links([other], at=now())

        assert (await rows_of(ShortLink).get(code="a" * 10)).url == "https://one.com"
