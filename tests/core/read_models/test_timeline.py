"""The timeline of a contact: what stands in it, in which order, and who sees which part."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tortoise.backends.base.client import TransactionalDBClient
from tortoise.connection import get_connection

from core import cards, privacy
from core.foundation.clock import wire_time
from core.foundation.errors import Forbidden
from core.foundation.ids import new_id
from core.foundation.run_id import key_of_run
from core.foundation.security.caller import Caller, Scope
from core.messaging import Status
from core.read_models.timeline import Kind, TimelinePage, count_timelines, read_timelines
from tests.factories.cards import some_deals
from tests.factories.contacts import a_contact, a_denial, changed_contact
from tests.factories.journeys import a_running_journey, enrolled, in_a_row
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact, stored_contacts
from tests.factories.stored_messages import stored_message, stored_reply
from tests.factories.timelines import (
    put_on_card,
    stored_click,
    stored_consent,
    stored_deal,
    stored_event,
)

AT = datetime(2026, 1, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
READER = frozenset({Scope.CONTACTS_READ, Scope.SMS_READ, Scope.PUSH_READ, Scope.CRM_READ})
ALL_BUT_MESSAGES = tuple(kind for kind in Kind if kind is not Kind.MESSAGE)
"""Each stored click brings a message of its own, of long before."""


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


@pytest.fixture
async def contact(caller: Caller) -> str:
    return await stored_contact(caller)


async def page_of(caller: Caller, contact: str, **arguments: Any) -> TimelinePage:
    if "last" not in arguments:
        arguments.setdefault("first", 100)
    return (await read_timelines(caller, [contact], **arguments))[contact]


async def nodes(caller: Caller, contact: str, **arguments: Any) -> list[dict[str, Any]]:
    return (await page_of(caller, contact, **arguments))["nodes"]


async def one(caller: Caller, contact: str, kind: Kind) -> dict[str, Any]:
    (node,) = await nodes(caller, contact, kinds=[kind])
    return node


async def one_of_each(caller: Caller, contact: str) -> None:
    """An entry of every kind, and the message that the link was in."""
    await stored_reply(caller, AT, contact_id=contact, content={"text": "Yes"})
    await stored_click(caller, contact, AT + MINUTE)
    await stored_event(caller, contact, AT + 2 * MINUTE)
    await stored_deal(await some_deals(caller), AT + 3 * MINUTE, contact_id=contact)
    await stored_consent(caller, contact, AT + 4 * MINUTE)


EACH = ["consent", "stage_move", "customer_event", "click", "message", "message"]


def kinds(found: list[dict[str, Any]]) -> list[str]:
    return [node["kind"] for node in found]


class TestEntries:
    async def test_all_kinds_stand_in_one_order_newest_first(
        self, caller: Caller, contact: str
    ) -> None:
        await one_of_each(caller, contact)

        found = await nodes(caller, contact)

        assert kinds(found) == EACH
        assert [node["at"] for node in found[:5]] == [
            wire_time(AT + n * MINUTE) for n in (4, 3, 2, 1, 0)
        ]
        assert [node["__typename"] for node in found[:5]] == [
            "ConsentEntry",
            "StageMoveEntry",
            "CustomerEventEntry",
            "ClickEntry",
            "MessageEntry",
        ]

    async def test_a_message_shows_where_it_went_and_what_became_of_it(
        self, caller: Caller, contact: str
    ) -> None:
        id = await stored_message(
            caller,
            AT,
            contact_id=contact,
            campaign_id="autumn",
            status=Status.FAILED,
            reason="expired",
            failed_at=AT,
        )

        assert await one(caller, contact, Kind.MESSAGE) == {
            "__typename": "MessageEntry",
            "kind": "message",
            "at": "2026-01-20T12:00:00.000Z",
            "id": id,
            "channel": "sms",
            "direction": "outbound",
            "status": "failed",
            "reason": "expired",
            "failure": "expired",
            "to": "+5511987650005",
            "from": None,
            "body": None,
            "subject": None,
            "type": None,
            "numberId": None,
            "templateId": None,
            "inReplyTo": None,
            "campaignId": "autumn",
            "journeyId": None,
            "journeyStepId": None,
            "journeyRunId": None,
            "sentAt": "2026-01-20T12:00:00.000Z",
            "deliveredAt": None,
            "readAt": None,
            "failedAt": "2026-01-20T12:00:00.000Z",
        }

    async def test_a_message_of_a_journey_names_its_step_and_run(
        self, caller: Caller, contact: str
    ) -> None:
        program = await a_running_journey(caller, **in_a_row({"tipo": "saida", "config": {}}))
        (run,) = await enrolled(program, [contact])
        await stored_message(
            caller, AT, contact_id=contact, journey_run=key_of_run(run), journey_step=1
        )

        shown = await one(caller, contact, Kind.MESSAGE)

        told = (shown["journeyId"], shown["journeyStepId"], shown["journeyRunId"])
        assert told == (program.version_id, "s0", run)

    async def test_only_what_came_in_shows_a_text_and_a_sender(
        self, caller: Caller, contact: str
    ) -> None:
        await stored_message(caller, AT, contact_id=contact, content={"text": "Our secret"})
        await stored_reply(
            caller, AT + MINUTE, contact_id=contact, content={"text": "Yes"}, in_reply_to="msg_1"
        )

        reply, sent = await nodes(caller, contact)

        assert (reply["body"], reply["from"], reply["to"]) == ("Yes", "+5511987650005", None)
        assert (reply["inReplyTo"], sent["body"]) == ("msg_1", None)

    async def test_a_link_is_an_entry_once_however_often_it_is_followed(
        self, caller: Caller, contact: str
    ) -> None:
        code = await stored_click(
            caller, contact, AT, clicks=3_000_000_000, bot_clicks=2, last_clicked_at=AT + 5 * MINUTE
        )

        entry = await one(caller, contact, Kind.CLICK)

        assert entry.pop("messageId").startswith("msg_")
        assert entry == {
            "__typename": "ClickEntry",
            "kind": "click",
            "at": wire_time(AT),
            "id": code,
            "channel": "sms",
            "shortUrl": f"http://svc.test/l/{code}",
            "url": "https://shop.example.com/a?b=1",
            "host": "shop.example.com",
            "clicks": 3_000_000_000,
            "botClicks": 2,
            "lastClickedAt": wire_time(AT + 5 * MINUTE),
        }

    async def test_the_host_of_an_address_without_scheme_is_known(
        self, caller: Caller, contact: str
    ) -> None:
        await stored_click(caller, contact, AT, url="www.loja-maçã.com.br/x")

        assert (await one(caller, contact, Kind.CLICK))["host"] == "www.xn--loja-ma-3wa9a.com.br"

    async def test_a_link_that_nobody_or_only_a_machine_followed_is_no_entry(
        self, caller: Caller, contact: str
    ) -> None:
        for bots in (0, 5):
            await stored_click(
                caller,
                contact,
                AT,
                clicks=0,
                bot_clicks=bots,
                first_clicked_at=None,
                last_clicked_at=None,
            )

        assert await nodes(caller, contact, kinds=[Kind.CLICK]) == []

    async def test_a_customer_event_shows_what_rest_shows(
        self, caller: Caller, contact: str
    ) -> None:
        touch = {"messageId": "msg_1", "channel": "sms"}
        id = await stored_event(caller, contact, AT, event_id="order-1", attribution=touch)
        await stored_event(
            caller,
            contact,
            AT - MINUTE,
            name="visit",
            value=None,
            currency=None,
            properties=None,
            event_id="visit-1",
        )

        event, bare = await nodes(caller, contact)

        assert event == {
            "__typename": "CustomerEventEntry",
            "kind": "customer_event",
            "at": wire_time(AT),
            "id": id,
            "name": "purchase",
            "eventId": "order-1",
            "value": 99.9,
            "currency": "BRL",
            "properties": {"items": 2},
            "attribution": touch,
        }
        assert [bare[name] for name in ("value", "currency", "properties", "attribution")] == [
            None
        ] * 4

    async def test_a_card_is_told_by_where_it_came_and_not_by_its_fields(
        self, caller: Caller, contact: str
    ) -> None:
        deals = await some_deals(caller, motivos=["Preço"])
        card = await deals.card(titulo="Big deal", contatoId=contact)
        await deals.move(card["id"], "Proposta")
        await deals.change(card["id"], titulo="Bigger deal")
        await deals.lose(card["id"], motivoPerdaId=deals.reasons["Preço"])
        await deals.reopen(card["id"])
        await deals.win(card["id"])

        found = await nodes(caller, contact)

        history = [line for line in await deals.history(card["id"]) if line["tipo"] != "campo"]
        assert [node["tipo"] for node in found] == [
            "ganho",
            "reaberto",
            "perdido",
            "movido",
            "criado",
        ]
        assert {(node["titulo"], node["cardId"], node["pipelineId"]) for node in found} == {
            ("Bigger deal", card["id"], deals.id)
        }
        for node, line in zip(found, history, strict=True):
            assert node["at"] == line["em"]
            for name in ("id", "tipo", "de", "para", "motivoPerdaId", "porId", "porNome"):
                assert node[name] == line.get(name)

    async def test_cards_of_a_person_are_those_that_name_it_first_or_besides(
        self, caller: Caller, contact: str
    ) -> None:
        deals = await some_deals(caller)
        other = await stored_contact(caller)
        first = await stored_deal(deals, AT, contact_id=contact)
        besides = await stored_deal(deals, AT + MINUTE, contact_id=other)
        for card in (first, besides):  # twice on the first
            await put_on_card(caller, card, contact)

        assert [node["cardId"] for node in await nodes(caller, contact)] == [besides, first]
        assert [node["cardId"] for node in await nodes(caller, other)] == [besides]

    async def test_consent_is_told_as_it_moved(self, caller: Caller) -> None:
        granted = {"status": "granted", "source": "form", "at": "2025-05-01T10:00:00Z"}
        contact = await a_contact(caller, optIn=granted)
        denied = {
            "status": "denied",
            "revokedAt": "2025-06-01T10:00:00Z",
            "revokedReason": "Too many",
        }
        await a_denial(caller, contact["phone"], "sms")
        await changed_contact(caller, contact["id"], optIn=denied)

        closed, ended, began = await nodes(caller, contact["id"])

        assert closed["canal"] == "sms"
        del ended["id"]
        assert ended == {
            "__typename": "ConsentEntry",
            "kind": "consent",
            "at": "2025-06-01T10:00:00.000Z",
            "canal": "todos",
            "optInStatus": "denied",
            "source": ended["source"],
            "reason": "Too many",
        }
        assert (began["optInStatus"], began["source"], began["at"]) == (
            "granted",
            "form",
            "2025-05-01T10:00:00.000Z",
        )

    async def test_only_the_kinds_asked_for_are_shown(self, caller: Caller, contact: str) -> None:
        await one_of_each(caller, contact)

        assert kinds(await nodes(caller, contact, kinds=[Kind.CLICK, "consent"])) == [
            "consent",
            "click",
        ]
        assert await nodes(caller, contact, kinds=[]) == []


class TestWhoSees:
    async def test_who_may_not_read_contacts_reads_no_timeline(
        self, caller: Caller, contact: str
    ) -> None:
        for read in (read_timelines(narrowed(caller, READER - {Scope.CONTACTS_READ}), [contact], first=1),
                     count_timelines(narrowed(caller, READER - {Scope.CONTACTS_READ}), [contact])):  # fmt: skip
            with pytest.raises(Forbidden) as refusal:
                await read
            assert refusal.value.meta == {"escopoExigido": "contacts:read"}

    @pytest.mark.parametrize(
        ("missing", "left", "warnings"),
        [
            (
                Scope.SMS_READ,
                EACH[:3],
                ["message_omitido_requer_sms_read", "click_omitido_requer_sms_read"],
            ),
            (
                Scope.CRM_READ,
                [kind for kind in EACH if kind != "stage_move"],
                ["stage_move_omitido_requer_crm_read"],
            ),
        ],
    )
    async def test_what_a_scope_is_missing_for_is_left_out_and_said(
        self, caller: Caller, contact: str, missing: Scope, left: list[str], warnings: list[str]
    ) -> None:
        await one_of_each(caller, contact)
        reader = narrowed(caller, READER - {missing})

        page = await page_of(reader, contact)

        assert (kinds(page["nodes"]), page["warnings"]) == (left, warnings)
        assert await count_timelines(reader, [contact]) == {contact: len(left)}
        assert (await page_of(narrowed(caller, READER), contact))["warnings"] == []
        assert (await page_of(reader, contact, kinds=[Kind.CONSENT]))["warnings"] == []

    async def test_links_of_a_channel_need_the_scope_of_the_channel(
        self, caller: Caller, contact: str
    ) -> None:
        for channel in ("sms", "rcs"):
            await stored_click(caller, contact, AT, channel=channel)

        for scope, channels in ((Scope.SMS_READ, ["sms"]), (Scope.RCS_READ, ["rcs"])):
            reader = narrowed(caller, {Scope.CONTACTS_READ, scope})
            found = await nodes(reader, contact, kinds=[Kind.CLICK])
            assert [node["channel"] for node in found] == channels
            assert await count_timelines(reader, [contact], kinds=[Kind.CLICK]) == {contact: 1}

    async def test_phones_are_masked_unless_the_caller_sees_personal_data(
        self, caller: Caller, contact: str
    ) -> None:
        await stored_reply(caller, AT + MINUTE, contact_id=contact)
        await stored_message(caller, AT, contact_id=contact)

        for scopes, phone in (
            (READER, "+5511*****0005"),
            (READER | {Scope.PII_FULL}, "+5511987650005"),
        ):
            reply, sent = await nodes(narrowed(caller, scopes), contact)
            assert (reply["from"], sent["to"]) == (phone, phone)

    async def test_others_see_nothing_of_it_and_add_nothing_to_it(
        self, caller: Caller, contact: str
    ) -> None:
        await one_of_each(caller, contact)
        strangers = [
            await a_caller(),
            await a_caller("live", organization_id=caller.organization_id),
        ]
        for stranger in strangers:
            assert await nodes(stranger, contact) == []
            assert await count_timelines(stranger, [contact]) == {contact: 0}

        for stranger in strangers:  # rows of theirs that name the contact
            await one_of_each(stranger, contact)
            await put_on_card(stranger, await stored_deal(await some_deals(stranger), AT), contact)

        assert kinds(await nodes(caller, contact)) == EACH

    async def test_a_foreign_card_or_link_is_not_reached_through_a_row_of_ones_own(
        self, caller: Caller, contact: str
    ) -> None:
        stranger = await a_caller()
        await put_on_card(caller, await stored_deal(await some_deals(stranger), AT), contact)
        await stored_click(caller, contact, AT, organization_id=stranger.organization_id)

        assert await nodes(caller, contact, kinds=ALL_BUT_MESSAGES) == []

    async def test_nothing_is_left_of_who_was_erased(self, caller: Caller, contact: str) -> None:
        await one_of_each(caller, contact)

        await privacy.erase_contact(caller, contact)

        page = await page_of(caller, contact)
        assert page["edges"] == []
        assert page["pageInfo"] == {
            "hasNextPage": False,
            "hasPreviousPage": False,
            "startCursor": None,
            "endCursor": None,
        }
        assert await count_timelines(caller, [contact]) == {contact: 0}

    async def test_a_deleted_card_takes_its_moves_with_it(
        self, caller: Caller, contact: str
    ) -> None:
        deals = await some_deals(caller)
        card = await deals.card(contatoId=contact)
        assert kinds(await nodes(caller, contact)) == ["stage_move"]

        await cards.delete_card(caller, card["id"])

        assert await nodes(caller, contact) == []


class TestMany:
    async def test_many_timelines_are_one_statement(self, caller: Caller) -> None:
        ids = await stored_contacts(caller, [{} for _ in range(50)])
        for place, id in enumerate(ids):
            await stored_event(caller, id, AT + place * MINUTE)
            await stored_message(caller, AT - MINUTE, contact_id=id)

        async with statements() as said:
            pages = await read_timelines(caller, ids, first=10)
            totals = await count_timelines(caller, ids)

        assert len(said) == 2
        assert list(pages) == ids
        assert [kinds(page["nodes"]) for page in pages.values()] == [
            ["customer_event", "message"]
        ] * 50
        assert [page["nodes"][0]["at"] for page in pages.values()] == [
            wire_time(AT + n * MINUTE) for n in range(50)
        ]
        assert totals == dict.fromkeys(ids, 2)

    async def test_each_contact_has_its_own_pages(self, caller: Caller) -> None:
        busy, quiet, unknown = (
            await stored_contact(caller),
            await stored_contact(caller),
            new_id("cnt"),
        )
        for place in range(3):
            await stored_event(caller, busy, AT + place * MINUTE)
        await stored_event(caller, quiet, AT)

        pages = await read_timelines(caller, [busy, quiet, unknown, busy, "no id"], first=2)

        shown = {
            id: (len(page["nodes"]), page["pageInfo"]["hasNextPage"]) for id, page in pages.items()
        }
        assert shown == {
            busy: (2, True),
            quiet: (1, False),
            unknown: (0, False),
            "no id": (0, False),
        }


def narrowed(caller: Caller, scopes: frozenset[Scope] | set[Scope]) -> Caller:
    """The same organization, asked by a key of these scopes."""
    return Caller(caller.organization_id, caller.env, frozenset(scopes))


@asynccontextmanager
async def statements() -> AsyncIterator[list[str]]:
    """What is said to the database meanwhile; the list is filled at the end."""
    said: list[str] = []
    client = get_connection("default")
    assert isinstance(client, TransactionalDBClient)
    with client._connection.query_logger(lambda query: said.append(query.query)):
        yield said
        await asyncio.sleep(0)  # it is told by the loop
    # On Citus the first use of a statement has one.
    said[:] = [one for one in said if "svc_first_use" not in one]
