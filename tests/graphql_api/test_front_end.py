"""What a front end needs besides the records of the CRM, each in one statement: conversations, links,
apps and settings.
"""

from typing import Any

import pytest

from core import companies, push, quotes
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from tests.factories.cards import some_deals
from tests.factories.contacts import a_contact
from tests.factories.conversations_inbound import an_inbound
from tests.factories.nodes import a_quote_id
from tests.factories.numbers import a_number
from tests.factories.organizations import a_caller
from tests.factories.push import a_device
from tests.factories.short_links import some_links
from tests.factories.stored_messages import stored_conversation
from tests.support.connections import other_sides
from tests.support.graphql import as_rest, ask, bare, data_of, refused
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")


async def in_one_statement(caller: Caller, query: str, **variables: Any) -> dict[str, Any]:
    async with statements() as asked:
        data = await data_of(caller, query, **variables)
    assert len(asked) == 1
    return data


# Conversations ------------------------------------------------------------------------------------

ANA, BIA = "+5511987650001", "+5511987650002"

CONVERSATIONS = """query($filter: ConversationFilter, $after: String) {
  conversations(first: 1, after: $after, filter: $filter) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes {
      channel contactId numberId lastInboundAt windowEndsAt unread
      contact { id phone } number { id } lastMessage { id direction payload }
      messages(first: 5) { totalCount }
    } } }"""


async def test_conversations_are_paged_by_activity_with_what_hangs_on_them() -> None:
    caller = await a_caller("test")
    number = await a_number(caller)
    await an_inbound(caller, number, **{"from": BIA})
    first = await an_inbound(caller, number, **{"from": ANA})
    last = await an_inbound(caller, number, **{"from": ANA, "payload": {"text": "Alguém?"}})

    newest = (await in_one_statement(caller, CONVERSATIONS))["conversations"]
    older = (await data_of(caller, CONVERSATIONS, after=newest["pageInfo"]["endCursor"]))[
        "conversations"
    ]

    assert (newest["totalCount"], newest["pageInfo"]["hasNextPage"]) == (2, True)
    (of_ana,), (of_bia,) = newest["nodes"], older["nodes"]
    assert (of_ana["contact"]["phone"], of_bia["contact"]["phone"]) == (ANA, BIA)
    assert of_ana["contactId"] == of_ana["contact"]["id"] == first["contactId"]
    assert of_ana["channel"] == "WHATSAPP"
    assert of_ana["numberId"] == of_ana["number"]["id"] == number.id
    assert of_ana["lastMessage"]["id"] == last["id"]
    assert of_ana["lastInboundAt"] < of_ana["windowEndsAt"]
    assert [(one["unread"], one["messages"]["totalCount"]) for one in (of_ana, of_bia)] == [
        (2, 2),
        (1, 1),
    ]


async def test_an_answer_of_ours_ends_what_is_unread() -> None:
    caller = await a_caller("test")
    number = await a_number(caller)
    came = await an_inbound(caller, number)
    await stored_conversation(caller, now(), number_id=number.id, contact_id=came["contactId"])

    (shown,) = (await data_of(caller, CONVERSATIONS))["conversations"]["nodes"]

    assert (shown["unread"], shown["lastMessage"]["direction"]) == (0, "OUTBOUND")


async def test_conversations_are_filtered() -> None:
    caller = await a_caller("test")
    one, other = await a_number(caller), await a_number(caller)
    ana = await an_inbound(caller, one, **{"from": ANA})
    await an_inbound(caller, other, **{"from": BIA})

    async def found(**filter: Any) -> int:
        shown = await data_of(caller, CONVERSATIONS, filter=filter)
        total: int = shown["conversations"]["totalCount"]
        return total

    assert await found(numberId=one.id) == await found(contactId=ana["contactId"]) == 1
    assert await found(numberId=other.id, contactId=ana["contactId"]) == 0
    assert (await found(windowOpen=True), await found(windowOpen=False)) == (2, 0)


async def test_conversations_of_others_are_not_shown_and_need_their_scope() -> None:
    caller = await a_caller("test")
    await an_inbound(caller)
    for other in await other_sides(caller):
        assert (await data_of(other, CONVERSATIONS))["conversations"]["nodes"] == []
    error = await refused(
        bare(caller, Scope.SMS_READ), "{ conversations(first: 1) { totalCount } }"
    )
    assert error["extensions"]["meta"] == {"escopoExigido": "messages:read"}


# A text among the messages of a contact -----------------------------------------------------------

FOUND = """query($filter: MessageFilter) { messages(first: 5, filter: $filter) { totalCount nodes { id } } }"""


async def test_a_text_is_found_among_the_messages_of_a_contact_without_its_accents() -> None:
    caller = await a_caller("test")
    number = await a_number(caller)
    came = await an_inbound(caller, number, payload={"text": "Não recebi o pedido"})
    await an_inbound(caller, number)

    filter = {"q": "nao RECEBI", "contactId": came["contactId"]}
    shown = (await in_one_statement(caller, FOUND, filter=filter))["messages"]

    assert shown == {"totalCount": 1, "nodes": [{"id": came["id"]}]}


async def test_a_text_is_not_looked_for_among_all_messages() -> None:
    error = await refused(await a_caller("test"), FOUND, filter={"q": "pedido"})
    (wrong,) = error["extensions"]["errors"]
    assert (wrong["pointer"], wrong["code"]) == ("/filter/q", "required")


# What hangs on messages and devices, and what is set ----------------------------------------------


async def test_a_message_shows_its_links() -> None:
    caller = await a_caller("test")
    id, links = await some_links(
        caller, "Veja https://shop.example.com/b e https://shop.example.com/a"
    )
    query = "query($id: ID!) { message(id: $id) { links { shortUrl url clicks botClicks lastClickedAt } } }"

    shown = (await in_one_statement(caller, query, id=id))["message"]["links"]

    assert [link["url"] for link in shown] == [
        "https://shop.example.com/b",
        "https://shop.example.com/a",
    ]
    assert [link["shortUrl"].rpartition("/")[2] for link in shown] == [link.code for link in links]
    assert shown[0] | {"shortUrl": "", "url": ""} == {
        "shortUrl": "",
        "url": "",
        "clicks": 0,
        "botClicks": 0,
        "lastClickedAt": None,
    }


async def test_apps_are_listed_and_hang_on_their_devices() -> None:
    caller = await a_caller("test")
    await push.create_app(caller, push.NewApp.model_validate({"appId": "loja", "name": "Loja"}))
    await a_device(caller, "token-of-ana", appId="loja")
    query = """{ pushApps(first: 5) { nodes { appId name providers } } }"""

    apps = (await in_one_statement(caller, query))["pushApps"]["nodes"]
    devices = await in_one_statement(
        caller, "{ pushDevices(first: 5) { nodes { app { name } contact { id } } } }"
    )

    assert apps == [{"appId": "loja", "name": "Loja", "providers": []}]
    assert devices["pushDevices"]["nodes"] == [{"app": {"name": "Loja"}, "contact": None}]


QUIET = {
    "janelaSilencio": {"inicio": "22:00", "fim": "08:00", "fuso": "America/Sao_Paulo"},
    "excecoes": [],
}


async def test_quiet_hours_are_those_that_were_set() -> None:
    caller = await a_caller("test")
    await push.put_settings(caller, push.PushSettings.model_validate(QUIET))
    query = "{ pushSettings { janelaSilencio { inicio fim fuso } excecoes } }"
    assert (await in_one_statement(caller, query))["pushSettings"] == QUIET


async def test_definitions_of_attributes_are_read() -> None:
    caller = await a_caller("test")
    defs = [{"key": "porte", "label": "Porte", "type": "string"}]
    told = await companies.replace_definitions(
        caller, companies.AttributeDefinitions.model_validate({"defs": defs})
    )
    query = "{ companyAttributes { defs { key label } } }"
    shown = (await in_one_statement(caller, query))["companyAttributes"]
    assert shown["defs"] == [{"key": told["defs"][0]["key"], "label": told["defs"][0]["label"]}]


async def test_each_needs_its_scope() -> None:
    caller = bare(await a_caller("test"), Scope.CONTACTS_READ)
    content = await ask(
        caller,
        "{ pushApps(first: 1) { totalCount } pushSettings { excecoes }"
        "companyAttributes { defs { key } } }",
    )
    assert {
        error["path"][0]: error["extensions"]["meta"]["escopoExigido"]
        for error in content["errors"]
    } == {
        "pushApps": "push:settings",
        "pushSettings": "push:settings",
        "companyAttributes": "crm:read",
    }


async def test_fields_of_contacts_are_read() -> None:
    caller = await a_caller("test")
    await a_contact(caller, attributes={"time": "Bahia"})
    shown = await in_one_statement(caller, "{ contactFields { items { key label } } }")
    assert {"phone", "time"} <= {one["key"] for one in shown["contactFields"]["items"]}


# Timelines ----------------------------------------------------------------------------------------

TIMELINE = """query($id: ID!) { contact(id: $id) { timeline(first: 10) { nodes {
  ... on MessageEntry { id message { id status } number { id } }
  ... on StageMoveEntry { cardId card { id titulo } pipeline { id } por { id } motivoPerda { texto } } } } } }"""


async def test_the_record_of_an_entry_hangs_beside_it() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller)
    number = await a_number(caller)
    sent = [
        await stored_conversation(caller, now(), number_id=number.id, contact_id=contact["id"])
        for _ in range(2)
    ]
    deals = await some_deals(caller)
    card = await deals.card(contatoId=contact["id"])

    async with statements() as asked:
        shown = await data_of(caller, TIMELINE, id=contact["id"])
    entries = shown["contact"]["timeline"]["nodes"]
    moves = [entry for entry in entries if "card" in entry]
    messages = [entry for entry in entries if "message" in entry]

    assert sorted(entry["message"]["id"] for entry in messages) == sorted(sent)
    assert [entry["message"]["id"] for entry in messages] == [entry["id"] for entry in messages]
    assert {entry["number"]["id"] for entry in messages} == {number.id}
    (move,) = moves
    assert move["card"] == {"id": card["id"], "titulo": card["titulo"]}
    assert (move["pipeline"], move["por"]) == ({"id": deals.id}, {"id": caller.account_id})
    assert move["motivoPerda"] is None
    # The contact, its timeline, and the records of each kind for all entries together.
    assert len(asked) == 2 + len(("messages", "numbers", "cards", "pipelines", "accounts"))


async def test_what_may_not_be_read_costs_the_field_and_not_the_timeline() -> None:
    caller = await a_caller("test")
    contact = await a_contact(caller)
    await stored_conversation(
        caller, now(), number_id=(await a_number(caller)).id, contact_id=contact["id"]
    )
    reader = bare(caller, Scope.CONTACTS_READ, Scope.MESSAGES_READ)

    content = await ask(reader, TIMELINE, id=contact["id"])

    (entry,) = content["data"]["contact"]["timeline"]["nodes"]
    assert entry["message"]["id"] == entry["id"]
    assert entry["number"] is None
    (error,) = content["errors"]
    assert error["extensions"]["meta"] == {"escopoExigido": "numbers:read"}


# Quotes -------------------------------------------------------------------------------------------


async def test_quotes_are_listed_as_they_are_read() -> None:
    caller = await a_caller("test")
    older, newer = [await a_quote_id(caller) for _ in range(2)]
    query = """query($filter: QuoteFilter) { quotes(first: 5, filter: $filter) { totalCount nodes {
      id coins restante reservado reservadoCoins canceladaEm itens { canal rota quantidade segmentos restante coins
        faixas { segmentos unitCoins } } } } }"""

    shown = (await in_one_statement(caller, query))["quotes"]
    over = (await data_of(caller, query, filter={"valida": False}))["quotes"]

    assert [one["id"] for one in shown["nodes"]] == [newer, older]
    record = await quotes.get_quote(caller, newer)
    told = as_rest("Quote", shown["nodes"][0])
    assert told == {name: record[name] for name in told}  # type: ignore[literal-required]
    assert over == {"totalCount": 0, "nodes": []}
    for other in await other_sides(caller):
        assert (await data_of(other, query))["quotes"]["nodes"] == []


# Numbers ------------------------------------------------------------------------------------------

FIGURES = """query($id: ID!) {
  numberHealth(id: $id) { id status podeEnviar fonte problemas { codigo } }
  numberUsage(id: $id, input: {window: _7D}) { window sent marketingSent }
  numberUsageSeries(id: $id, input: {bucket: HOUR}) { window bucket points { at sent } } }"""


async def test_a_number_tells_how_it_fares_and_what_it_sent() -> None:
    caller = await a_caller("test")
    number = await a_number(caller)
    await stored_conversation(caller, now(), number_id=number.id)

    shown = await data_of(caller, FIGURES, id=number.id)

    assert (shown["numberHealth"]["id"], shown["numberHealth"]["podeEnviar"]) == (number.id, True)
    usage, series = shown["numberUsage"], shown["numberUsageSeries"]
    assert (usage["window"], usage["sent"]) == ("_7D", 1)
    assert (series["window"], series["bucket"]) == ("_24H", "HOUR")
    assert sum(point["sent"] for point in series["points"]) == 1
    for other in await other_sides(caller):
        content = await ask(other, FIGURES, id=number.id)
        assert [error["extensions"]["code"] for error in content["errors"]] == ["NOT_FOUND"] * 3
