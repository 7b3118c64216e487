"""Cards over GraphQL: the values, the filters, the orders and the refusals of REST."""

from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import cards, companies, contacts
from core.cards import files
from core.cards.models import Activity, Card
from core.foundation.clock import now
from core.foundation.database.pages import cursor_of
from core.foundation.files import Upload
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_body, read_query
from core.pipelines import get_pipeline
from tests.factories.cards import Deals, some_deals
from tests.factories.companies import a_company
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.support.graphql import as_rest, ask, bare, data_of, every_field, refused

PERSON = every_field("CardPerson")
WHOLE = f"{every_field('Card')} contatos {{ {PERSON} }}"
LISTED = """query($first: Int, $after: String, $last: Int, $before: String, $filter: CardFilter, $order: CardOrder) {
  cards(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $order) {
    nodes { id titulo } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }"""


@pytest.fixture
async def deals(clean_slate: None) -> Deals:
    return await some_deals(await a_caller(), motivos=["Preço"])


async def listed(caller: Caller, **variables: Any) -> dict[str, Any]:
    page: dict[str, Any] = (await data_of(caller, LISTED, **variables))["cards"]
    return page


def titles(page: dict[str, Any]) -> str:
    return "".join(node["titulo"] for node in page["nodes"])


async def an_activity(deals: Deals, card_id: str, **fields: Any) -> dict[str, Any]:
    body = {"tipo": "tarefa", "titulo": "Ligar", **fields}
    return dict(
        await cards.add_activity(
            deals.caller, card_id, read_body(cards.NewActivity, orjson.dumps(body))
        )
    )


async def a_full_card(deals: Deals) -> str:
    """With a value in every field that an open deal can have."""
    people = [(await a_contact(deals.caller))["id"] for _ in range(3)]
    card = await deals.card(
        valor=1234.5,
        moeda="USD",
        dataPrevista="2027-03-01",
        probabilidade=35,
        contatoId=people[0],
        contatos=[
            {"contatoId": people[1], "papel": "Decisora", "principal": True},
            {"contatoId": people[2]},
        ],
        companyId=(await a_company(deals.caller))["id"],
        responsavelId=deals.caller.account_id,
        atributos={"origem": "feira", "score": 7},
        tags=["vip", "nova"],
        origem="import",
        externalId="erp-1",
    )
    await an_activity(deals, card["id"], venceEm="2027-01-02T03:04:05.678Z")
    await an_activity(deals, card["id"], titulo="Antes", venceEm="2027-01-01T03:04:05Z")
    await Card.filter(id=card["id"]).update(
        origin_message_id=new_id("msg"), stage_since=now() - timedelta(days=9)
    )
    return str(card["id"])


async def some_cards(deals: Deals) -> dict[str, str]:
    """Cards of every kind, by what they are."""
    lost = (await deals.card())["id"]
    await deals.lose(lost, motivoPerdaId=deals.reasons["Preço"], observacaoPerda="Caro")
    won = (await deals.card())["id"]
    await deals.win(won, valor=10)
    return {
        "plain": (await deals.card("Proposta"))["id"],
        "full": await a_full_card(deals),
        "won": won,
        "lost": lost,
    }


# Values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["plain", "full", "won", "lost"])
async def test_every_field_of_a_card_is_the_one_of_rest(deals: Deals, kind: str) -> None:
    id = (await some_cards(deals))[kind]
    reader = bare(deals.caller, Scope.CRM_READ)
    shown = await data_of(reader, f'{{ card(id: "{id}") {{ {WHOLE} }} }}')
    assert as_rest("Card", shown["card"]) == await cards.get_card(reader, id)


async def test_what_a_card_is_linked_to_is_shown_as_rest_shows_it(deals: Deals) -> None:
    id = await a_full_card(deals)
    contact = every_field("Contact") + " optOuts { canal em motivo origem }"
    links = f"""{{ card(id: "{id}") {{
        company {{ {every_field("Company")} }} contato {{ {contact} }}
        contatos {{ contatoId contato {{ {contact} }} }}
        etapa {{ id nome pipeline {{ id }} }} pipeline {{ id nome }} responsavel {{ id }} motivoPerda {{ id }} }} }}"""
    for more in ((), (Scope.PII_FULL,)):
        reader = bare(deals.caller, Scope.CRM_READ, Scope.CONTACTS_READ, *more)
        card = await cards.get_card(reader, id)
        shown = (await data_of(reader, links))["card"]
        company = await companies.get_company(reader, card["companyId"])
        counted = {name: value for name, value in company["contagens"].items() if value is not None}
        assert as_rest("Company", shown["company"]) == {**company, "contagens": counted}
        assert as_rest("Contact", shown["contato"]) == await contacts.get_contact(
            reader, card["contatoId"]
        )
        assert [person["contatoId"] for person in shown["contatos"]] == [
            person["contatoId"] for person in card["contatos"]
        ]
        for person in shown["contatos"]:
            assert as_rest("Contact", person["contato"]) == await contacts.get_contact(
                reader, person["contatoId"]
            )
        assert shown["etapa"] == {
            "id": deals.stages["Novo"],
            "nome": "Novo",
            "pipeline": {"id": deals.id},
        }
        assert shown["pipeline"] == {"id": deals.id, "nome": deals.pipeline["nome"]}
        assert shown["responsavel"] == {"id": deals.caller.account_id}
        assert shown["motivoPerda"] is None


async def test_a_lost_deal_shows_its_reason(deals: Deals) -> None:
    id = (await some_cards(deals))["lost"]
    query = f'{{ card(id: "{id}") {{ motivoPerda {{ {every_field("LostReason")} }} company {{ id }} contato {{ id }} }} }}'
    shown = (await data_of(deals.caller, query))["card"]
    assert (
        as_rest("LostReason", shown["motivoPerda"])
        == (await get_pipeline(deals.caller, deals.id))["motivos"][0]
    )
    assert (shown["company"], shown["contato"]) == (None, None)


async def test_activities_come_in_the_order_of_rest_page_by_page_both_ways(deals: Deals) -> None:
    id = (await deals.card())["id"]
    for due in ("2027-01-02T00:00:00Z", None, "2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z", None):
        await an_activity(deals, id, venceEm=due)
    for done in ("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z"):
        await an_activity(
            deals,
            id,
            tipo="nota",
            concluidaEm=done,
            texto="Feito",
            responsavelId=deals.caller.account_id,
        )
    # Two of each place were created in the same instant: their ids decide.
    await Activity.filter(card_id=id).update(created_at=now())

    rest = (await cards.list_activities(deals.caller, id, read_query(cards.ActivityFilter, [])))[
        "items"
    ]
    fields = (
        f"nodes {{ {every_field('Activity')} }} pageInfo {{ startCursor endCursor }} totalCount"
    )
    forward, backward = await both_ways(
        deals.caller, f'card(id: "{id}")', "atividades", fields, size=3
    )
    assert [as_rest("Activity", node) for node in forward] == rest
    assert backward == forward
    for filter, expected in (("concluida: true", 3), ("concluida: false", 5), ("tipo: NOTA", 3)):
        query = f'{{ card(id: "{id}") {{ atividades(first: 9, filter: {{{filter}}}) {{ totalCount nodes {{ id }} }} }} }}'
        page = (await data_of(deals.caller, query))["card"]["atividades"]
        assert page["totalCount"] == len(page["nodes"]) == expected
    shown = await data_of(
        deals.caller,
        f'{{ card(id: "{id}") {{ atividades(last: 1) {{ nodes {{ responsavel {{ id }} }} }} }} }}',
    )
    assert shown["card"]["atividades"]["nodes"] == [
        {"responsavel": {"id": deals.caller.account_id}}
    ]


async def test_the_history_is_that_of_rest_page_by_page_both_ways(deals: Deals) -> None:
    id = (await deals.card())["id"]
    await deals.move(id, "Proposta")
    await deals.change(id, titulo="Outro")
    await deals.lose(id, motivoPerdaId=deals.reasons["Preço"])
    rest = await deals.history(id)
    fields = f"nodes {{ {every_field('CardHistoryEntry')} }} pageInfo {{ startCursor endCursor }} totalCount"
    forward, backward = await both_ways(
        deals.caller, f'card(id: "{id}")', "historico", fields, size=3
    )
    assert [as_rest("CardHistoryEntry", node) for node in forward] == rest
    assert backward == forward
    shown = await data_of(
        deals.caller,
        f'{{ card(id: "{id}") {{ historico(first: 9, filter: {{tipo: CAMPO}}) {{ nodes {{ campo }} }} }} }}',
    )
    assert shown["card"]["historico"]["nodes"] == [{"campo": "titulo"}]


async def test_files_are_shown_with_an_address_and_without_their_bytes(deals: Deals) -> None:
    id = (await deals.card())["id"]
    for name in ("a.pdf", "b.pdf"):
        await files.attach_file(deals.caller, id, Upload(name, "application/pdf", b"%PDF-1.7\n"))
    listed = await files.list_files(deals.caller, id, files.FilePage())
    rest = [dict[str, Any](one) for one in listed["items"]]
    query = f'{{ card(id: "{id}") {{ arquivos(first: 5) {{ totalCount nodes {{ {every_field("CardFile")} url }} }} }} }}'
    page = (await data_of(deals.caller, query))["card"]["arquivos"]
    shown = [as_rest("CardFile", node) for node in page["nodes"]]
    # An address is signed for an hour from the moment it is asked for.
    addresses = [
        (file.pop("url").partition("?")[0], of_rest.pop("url").partition("?")[0])
        for file, of_rest in zip(shown, rest, strict=True)
    ]
    assert (shown, page["totalCount"]) == (rest, 2)
    assert all(ours == theirs for ours, theirs in addresses)


async def both_ways(
    caller: Caller, of: str, field: str, fields: str, *, size: int
) -> tuple[list[Any], list[Any]]:
    """What pages of this size show from the beginning on, and what they show from the end
    backwards.
    """
    forward: list[Any] = []
    backward: list[Any] = []
    after = before = None
    while True:
        query = f"query($after: String) {{ {of} {{ {field}(first: {size}, after: $after) {{ {fields} }} }} }}"
        [record] = (await data_of(caller, query, after=after)).values()
        page = record[field]
        forward += page["nodes"]
        if len(forward) == page["totalCount"]:
            break
        after = page["pageInfo"]["endCursor"]
    while len(backward) < len(forward):
        query = f"query($before: String) {{ {of} {{ {field}(last: {size}, before: $before) {{ {fields} }} }} }}"
        [record] = (await data_of(caller, query, before=before)).values()
        page = record[field]
        assert page["nodes"]
        backward = page["nodes"] + backward
        before = page["pageInfo"]["startCursor"]
    return forward, backward


# Filters --------------------------------------------------------------------------------------------------------


async def test_every_filter_finds_what_rest_finds(deals: Deals) -> None:
    other = await some_deals(deals.caller)
    contact, second = [(await a_contact(deals.caller))["id"] for _ in range(2)]
    company, me = (await a_company(deals.caller))["id"], str(deals.caller.account_id)
    await deals.card(
        titulo="A", valor=10, dataPrevista="2027-01-01", responsavelId=me, externalId="erp-1"
    )
    await deals.card("Proposta", titulo="B", valor=20, dataPrevista="2027-02-01", contatoId=contact)
    await deals.card("Ganho", titulo="C", valor=30, contatos=[{"contatoId": contact}])
    await other.card(titulo="Dação", contatoId=second, companyId=company)
    await Card.filter(title="A").update(stage_since=now() - timedelta(days=9))

    for query, filter, expected in (
        ({}, {}, "CBADação"),
        ({"pipelineId": deals.id}, {}, "CBA"),
        ({"etapaId": deals.stages["Proposta"]}, {}, "B"),
        ({"status": "ganho"}, {"status": "GANHO"}, "C"),
        ({"responsavelId": me}, {}, "A"),
        ({"contatoId": contact}, {}, "CB"),
        ({"companyId": company}, {}, "Dação"),
        ({"externalId": "erp-1"}, {}, "A"),
        ({"valorMin": "20"}, {"valorMin": 20}, "CB"),
        ({"valorMax": "20"}, {"valorMax": 20}, "BA"),
        ({"valorMin": "10.01", "valorMax": "29.99"}, {"valorMin": 10.01, "valorMax": 29.99}, "B"),
        ({"previstoDe": "2027-01-02"}, {"dataPrevista": {"from": "2027-01-02"}}, "B"),
        ({"previstoAte": "2027-02-01"}, {"dataPrevista": {"to": "2027-02-01"}}, "BA"),
        ({"atrasado": "true"}, {"atrasado": True}, "A"),
        ({"atrasado": "false"}, {"atrasado": False}, "CBDação"),
        ({"q": "DACAO"}, {}, "Dação"),
        ({"pipelineId": "nonsense"}, {}, ""),
        (
            {"pipelineId": deals.id, "status": "aberto", "valorMin": "11"},
            {"status": "ABERTO", "valorMin": 11},
            "B",
        ),
    ):
        asked = (
            filter if filter and filter.keys() != {"status", "valorMin"} else {**query, **filter}
        )
        page = await listed(deals.caller, first=10, filter=asked)
        rest = await deals.listed(**query, ordenarPor="-createdAt")
        assert sorted(titles(page)) == sorted(expected), query
        assert [node["id"] for node in page["nodes"]] == [item["id"] for item in rest["items"]], (
            query
        )
        assert page["totalCount"] == rest["total"], query


async def test_a_filter_that_is_null_is_none(deals: Deals) -> None:
    await deals.card(titulo="A")
    for filter in (
        None,
        {"status": None, "dataPrevista": None, "q": None},
        {"dataPrevista": {"from": None}},
    ):
        assert titles(await listed(deals.caller, first=1, filter=filter)) == "A"


@pytest.mark.parametrize("filter", [{"valorMin": -1}, {"valorMax": 1e13}, {"q": "\x00"}])
async def test_a_filter_that_rest_refuses_is_refused(deals: Deals, filter: dict[str, Any]) -> None:
    error = await refused(deals.caller, LISTED, first=1, filter=filter)
    assert error["extensions"]["code"] == "VALIDATION_ERROR"


# Orders ---------------------------------------------------------------------------------------------------------

BY = {
    "ORDEM": "ordem",
    "VALOR": "valor",
    "DATA_PREVISTA": "dataPrevista",
    "UPDATED_AT": "updatedAt",
    "CREATED_AT": "createdAt",
}
ORDERS = {
    f"{word}_{way}": f"{sign}{name}"
    for word, name in BY.items()
    for way, sign in (("ASC", ""), ("DESC", "-"))
}


async def seven(deals: Deals) -> None:
    """With ties in every order, cards without a value, and ranks that only bytes put right."""
    at = now()
    for place, (value, expected) in enumerate(
        [
            (10, "2027-01-01"),
            (10, "2027-01-01"),
            (20, None),
            (None, None),
            (None, "2027-02-01"),
            (None, None),
            (9.5, None),
        ]
    ):
        card = await deals.card(titulo=f"{place}", valor=value, dataPrevista=expected)
        rank = ("U", "b", "Z", "a", "UU", "0z", "z")[place]
        same = at - timedelta(seconds=place // 2)
        await Card.filter(id=card["id"]).update(rank=rank, created_at=same, updated_at=same)


@pytest.mark.parametrize(("order", "of_rest"), ORDERS.items())
async def test_cards_come_in_any_order_of_rest_page_by_page_both_ways(
    deals: Deals, order: str, of_rest: str
) -> None:
    await seven(deals)
    rest = [item["id"] for item in (await deals.listed(ordenarPor=of_rest))["items"]]

    whole = [node["id"] for node in (await listed(deals.caller, first=100, order=order))["nodes"]]
    from_the_end = [
        node["id"] for node in (await listed(deals.caller, last=100, order=order))["nodes"]
    ]
    assert len(rest) == 7
    assert whole == from_the_end == rest
    for size in (1, 2, 3):
        forward: list[str] = []
        backward: list[str] = []
        page = await listed(deals.caller, first=size, order=order)
        while True:
            forward += [node["id"] for node in page["nodes"]]
            if not page["pageInfo"]["hasNextPage"]:
                break
            page = await listed(
                deals.caller, first=size, order=order, after=page["pageInfo"]["endCursor"]
            )
        page = await listed(deals.caller, last=size, order=order)
        while True:
            backward = [node["id"] for node in page["nodes"]] + backward
            if not page["pageInfo"]["hasPreviousPage"]:
                break
            page = await listed(
                deals.caller, last=size, order=order, before=page["pageInfo"]["startCursor"]
            )
        assert forward == backward == rest, size


async def test_a_cursor_belongs_to_its_order(deals: Deals) -> None:
    await deals.several(2)
    cursors = {
        order: (await listed(deals.caller, first=1, order=order))["pageInfo"]["endCursor"]
        for order in ORDERS
    }
    for order in ORDERS:
        for of_order, cursor in cursors.items():
            if of_order != order:
                error = await refused(deals.caller, LISTED, first=1, order=order, after=cursor)
                assert error["extensions"]["code"] == "VALIDATION_ERROR"
    for day in (1_795_824_000, "1795824000"):
        error = await refused(deals.caller, LISTED, first=1, filter={"dataPrevista": {"to": day}})
        assert "YYYY-MM-DD" in error["message"]
    by_day, a_week = "DATA_PREVISTA_ASC", cursor_of(["dataPrevista", "2026-W01-1", "crd_1"])
    error = await refused(deals.caller, LISTED, first=1, order=by_day, after=a_week)
    assert error["extensions"]["code"] == "VALIDATION_ERROR"


# Where else cards are shown -------------------------------------------------------------------------------------


async def test_contacts_show_the_cards_they_are_on_in_any_part(deals: Deals) -> None:
    contact, other = [(await a_contact(deals.caller))["id"] for _ in range(2)]
    about = (await deals.card(titulo="A", contatoId=contact))["id"]
    on = (await deals.card("Proposta", titulo="B", contatos=[{"contatoId": contact}]))["id"]
    both = (await deals.card(titulo="C", contatoId=contact, contatos=[{"contatoId": contact}]))[
        "id"
    ]
    await deals.card(titulo="D", contatoId=other)
    query = """query($id: ID!, $filter: CardFilter) { contact(id: $id) {
        cards(first: 5, filter: $filter, orderBy: CREATED_AT_ASC) { totalCount nodes { id } } } }"""
    for filter, expected in ({}, [about, on, both]), ({"etapaId": deals.stages["Proposta"]}, [on]):
        page = (await data_of(deals.caller, query, id=contact, filter=filter))["contact"]["cards"]
        assert page == {"totalCount": len(expected), "nodes": [{"id": id} for id in expected]}


async def test_companies_and_pipelines_show_their_cards(deals: Deals) -> None:
    company = (await a_company(deals.caller))["id"]
    first, second = [(await deals.card(companyId=company))["id"] for _ in range(2)]
    await (await some_deals(deals.caller)).card()
    query = f"""{{ company(id: "{company}") {{ cards(first: 1) {{ totalCount nodes {{ id }} }} }}
        pipeline(id: "{deals.id}") {{ cards(last: 1) {{ totalCount nodes {{ id }} }} }} }}"""
    shown = await data_of(deals.caller, query)
    assert shown["company"]["cards"] == {"totalCount": 2, "nodes": [{"id": second}]}
    assert shown["pipeline"]["cards"] == {"totalCount": 2, "nodes": [{"id": first}]}


# Who may see what -----------------------------------------------------------------------------------------------


async def test_cards_of_others_and_of_the_other_environment_do_not_exist(deals: Deals) -> None:
    id = await a_full_card(deals)
    query = f'{{ card(id: "{id}") {{ id }} cards(first: 5) {{ totalCount nodes {{ id }} }} node(id: "{id}") {{ id }} }}'
    live = Caller(deals.caller.organization_id, "live", deals.caller.scopes)
    for stranger in (await a_caller(), live):
        nothing = {"card": None, "cards": {"totalCount": 0, "nodes": []}, "node": None}
        assert await data_of(stranger, query) == nothing
    assert await data_of(deals.caller, '{ card(id: "crd_x") { id } }') == {"card": None}


async def test_what_is_kept_of_a_card_is_a_node_of_its_organization_alone(deals: Deals) -> None:
    id = await a_full_card(deals)
    await files.attach_file(deals.caller, id, Upload("a.pdf", "application/pdf", b"%PDF-1.7\n"))
    kept = f"""{{ card(id: "{id}") {{ responsavel {{ id __typename }}
        atividades(first: 1) {{ nodes {{ id __typename }} }}
        historico(first: 1) {{ nodes {{ id __typename }} }} arquivos(first: 1) {{ nodes {{ id __typename }} }} }} }}"""
    shown = (await data_of(deals.caller, kept))["card"]
    nodes = [shown.pop("responsavel"), *(page["nodes"][0] for page in shown.values())]
    assert [node["__typename"] for node in nodes] == [
        "Account",
        "Activity",
        "CardHistoryEntry",
        "CardFile",
    ]
    for node in nodes:
        query = f'{{ node(id: "{node["id"]}") {{ id __typename }} }}'
        assert await data_of(deals.caller, query) == {"node": node}
        assert await data_of(await a_caller(), query) == {"node": None}


async def test_a_missing_scope_nulls_what_needs_it_and_the_rest_is_answered(deals: Deals) -> None:
    id = await a_full_card(deals)
    contact = (await cards.get_card(deals.caller, id))["contatoId"]

    without_contacts = await ask(
        bare(deals.caller, Scope.CRM_READ),
        f'{{ card(id: "{id}") {{ titulo contato {{ id }} company {{ nome }} '
        "contatos { papel contato { id } } } }",
    )
    card = without_contacts["data"]["card"]
    assert (card["titulo"], card["contato"], card["company"]) == (
        "Um negócio",
        None,
        {"nome": "Padaria Estrela"},
    )
    assert card["contatos"] == [
        {"papel": "Decisora", "contato": None},
        {"papel": None, "contato": None},
    ]
    assert {error["extensions"]["code"] for error in without_contacts["errors"]} == {"FORBIDDEN"}
    assert [error["path"] for error in without_contacts["errors"]] == [
        ["card", "contato"], ["card", "contatos", 0, "contato"], ["card", "contatos", 1, "contato"],
    ]  # fmt: skip

    without_deals = await ask(
        bare(deals.caller, Scope.CONTACTS_READ),
        f'{{ contact(id: "{contact}") {{ id cards(first: 1) {{ totalCount }} company {{ id }} }} '
        f'card(id: "{id}") {{ id }} cards(first: 1) {{ totalCount }} }}',
    )
    assert without_deals["data"] == {
        "contact": {"id": contact, "cards": None, "company": None}, "card": None, "cards": None,
    }  # fmt: skip
    refusals = without_deals["errors"]
    assert {tuple(error["path"]) for error in refusals} >= {
        ("contact", "cards"),
        ("card",),
        ("cards",),
    }
    assert {error["extensions"]["meta"]["escopoExigido"] for error in refusals} == {"crm:read"}
