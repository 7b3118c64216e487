"""Lists of cards, activities, and the board."""

import base64
from datetime import timedelta
from typing import Any

import orjson
import pytest

from core import cards
from core.cards.errors import LinksRefused
from core.cards.models import Activity, Card
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import FieldError, Forbidden, NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.foundation.validation.inputs import read_body, read_query
from core.messaging.models import Message
from tests.factories.cards import Deals, some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send


def titles(page: dict[str, Any]) -> list[str]:
    return [item["titulo"] for item in page["items"]]


async def titled(deals: Deals, query: dict[str, str]) -> list[str]:
    page = await deals.listed(**query)
    assert page["total"] == len(page["items"])
    return sorted(titles(page))


async def test_every_filter_narrows(deals: Deals) -> None:
    other = await some_deals(deals.caller)
    contact, second = (await a_contact(deals.caller))["id"], (await a_contact(deals.caller))["id"]
    me = deals.caller.account_id
    await deals.card(
        titulo="A", valor=10, dataPrevista="2027-01-01", responsavelId=me, externalId="erp-1"
    )
    await deals.card("Proposta", titulo="B", valor=20, dataPrevista="2027-02-01", contatoId=contact)
    await deals.card("Ganho", titulo="C", valor=30, contatos=[{"contatoId": contact}])
    await other.card(titulo="D", contatoId=second)
    company = new_id("emp")
    await Card.filter(title="D").update(company_id=company)

    for query, expected in (
        ({}, "ABCD"),
        ({"pipelineId": deals.id}, "ABC"),
        ({"etapaId": deals.stages["Proposta"]}, "B"),
        ({"status": "ganho"}, "C"),
        ({"responsavelId": str(me)}, "A"),
        ({"contatoId": contact}, "BC"),
        ({"companyId": company}, "D"),
        ({"externalId": "erp-1"}, "A"),
        ({"valorMin": "20"}, "BC"),
        ({"valorMax": "20"}, "AB"),
        ({"valorMin": "10.01", "valorMax": "29.99"}, "B"),
        ({"previstoDe": "2027-01-02"}, "B"),
        ({"previstoAte": "2027-02-01"}, "AB"),
        ({"pipelineId": "nonsense"}, ""),
        ({"contatoId": "nonsense"}, ""),
        ({"pipelineId": deals.id, "status": "aberto", "valorMin": "11"}, "B"),
    ):
        assert await titled(deals, query) == list(expected), query


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("renovacao", True),
        ("RENOVAÇÃO", True),
        ("ção da", True),
        ("100%", True),
        ("1.0", False),
        ("renovado", False),
    ],
)
async def test_a_title_is_found_by_any_part_in_any_spelling(
    deals: Deals, q: str, found: bool
) -> None:
    await deals.card(titulo="Renovação da Ana 100%")
    await deals.card(titulo="Outra coisa")

    assert (await deals.listed(q=q))["total"] == int(found)


async def test_a_text_longer_than_any_title_finds_nothing_whatever_its_length(deals: Deals) -> None:
    await deals.card(titulo="y" * 160)

    assert (await deals.listed(q="y" * 160))["total"] == 1
    assert (await deals.listed(q="y" * 60_000))["total"] == 0


ORDERS = {
    "ordem": "ABCD",
    "-ordem": "DCBA",
    "createdAt": "ABCD",
    "-createdAt": "DCBA",
    "updatedAt": "BCDA",
    "-updatedAt": "ADCB",
    "valor": "CBAD",
    "-valor": "ABCD",
    "dataPrevista": "BACD",
    "-dataPrevista": "ABDC",
}


async def four(deals: Deals) -> None:
    values = {"A": (30, "2027-03-01"), "B": (20, "2027-02-01"), "C": (10, None), "D": (None, None)}
    for title, (value, expected) in values.items():
        await deals.card(titulo=title, valor=value, dataPrevista=expected)
    # Cards without a value stand by their ids.
    for place, title in enumerate("CD"):
        await db.execute("UPDATE cards SET id = $1 WHERE title = $2", f"crd_{place:021}", title)
    await Card.filter(title="A").update(updated_at=now())


@pytest.mark.parametrize(("order", "expected"), ORDERS.items())
async def test_cards_come_in_any_order_page_by_page(
    deals: Deals, order: str, expected: str
) -> None:
    await four(deals)
    query = {"etapaId": deals.stages["Novo"], "ordenarPor": order}

    whole = titles(await deals.listed(**query))
    by_cursor: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await deals.listed(**query, limit="1", **cursor)
        by_cursor += titles(page)
        assert page["total"] == 4
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    skipped = [
        titles(await deals.listed(**query, limit="1", skip=str(place)))[0] for place in range(4)
    ]

    assert "".join(whole) == expected
    assert by_cursor == skipped == whole


async def test_a_page_may_end_with_a_deal_that_is_worth_nothing(deals: Deals) -> None:
    for value in (0, 5):
        await deals.card(titulo=f"{value}", valor=value)

    first = await deals.listed(ordenarPor="valor", limit="1")
    second = await deals.listed(ordenarPor="valor", limit="1", cursor=first["nextCursor"])

    assert titles(first) + titles(second) == ["0", "5"]


async def test_a_stage_comes_by_rank_and_everything_else_newest_first(deals: Deals) -> None:
    first, second = await deals.several(2)
    await deals.move(second, "Novo", antesDe=first)

    assert titles(await deals.listed(etapaId=deals.stages["Novo"])) == ["Negócio 1", "Negócio 0"]
    assert titles(await deals.listed(pipelineId=deals.id)) == ["Negócio 1", "Negócio 0"]
    assert titles(await deals.listed(pipelineId=deals.id, ordenarPor="createdAt")) == [
        "Negócio 0",
        "Negócio 1",
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", "0"), ("limit", "101"), ("limit", "x"), ("skip", "-1"), ("status", "open"), ("ordenarPor", "nome"),
        ("valorMin", "-1"), ("valorMax", "NaN"), ("previstoDe", "amanhã"), ("previstoAte", "1795824000"),
        ("atrasado", "maybe"), ("cursor", "nonsense"),
    ],
)  # fmt: skip
async def test_a_wrong_parameter_is_named(deals: Deals, name: str, value: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await deals.listed(**{name: value})

    assert [(error.kind, error.where) for error in refused.value.errors] == [("parameter", name)]


async def test_a_cursor_belongs_to_its_order(deals: Deals) -> None:
    await four(deals)
    cursors = {
        order: (await deals.listed(ordenarPor=order, limit="1"))["nextCursor"]
        for order in ("valor", "-valor", "createdAt", "dataPrevista", "ordem")
    }

    for order in cursors:
        for of_order, cursor in cursors.items():
            if of_order != order:
                with pytest.raises(ValidationFailed):
                    await deals.listed(ordenarPor=order, cursor=cursor)


FORGED: list[Any] = [
    [],
    None,
    ["valor", "NaN", "x", 1],
    ["valor", "1e99", "x", 1],
    ["valor", "0e9999", "x", 1],
    ["valor", "1e-99999", "x", 1],
    ["createdAt", "0001-01-01T00:00:00+14:00", "x", 1],
    ["valor", "x", "x", 1],
    ["valor", "1", "\x00", 1],
    ["valor", "1", 1, 1],
    ["valor", "1", "x", -1],
    ["valor", "1", "x", 10**15],
    ["valor", 1, "x", 1],
]


@pytest.mark.parametrize("forged", FORGED)
async def test_a_forged_cursor_is_refused(deals: Deals, forged: Any) -> None:
    cursor = base64.urlsafe_b64encode(orjson.dumps(forged)).decode().rstrip("=")

    order = "createdAt" if forged and forged[0] == "createdAt" else "valor"

    with pytest.raises(ValidationFailed):
        await deals.listed(ordenarPor=order, cursor=cursor)


async def test_the_default_page_has_25_cards(deals: Deals) -> None:
    await deals.several(26)

    page = await deals.listed()

    assert (len(page["items"]), page["total"], "nextCursor" in page) == (25, 26, True)


# The board ------------------------------------------------------------------------------------------------------


async def test_the_board_has_the_first_cards_of_each_stage_and_totals_of_all(deals: Deals) -> None:
    ids = await deals.several(5)
    await deals.change(ids[0], valor=10)
    await deals.change(ids[1], valor=5.5, moeda="USD")
    await deals.change(ids[4], valor=1)
    await Card.filter(id__in=ids[:2]).update(stage_since=now() - timedelta(days=9))
    won = await deals.card("Ganho", valor=7)
    await (await some_deals(deals.caller)).card(valor=1000)

    board = await cards.read_board(deals.caller, deals.id, first=2)

    assert [stage["stageId"] for stage in board] == list(deals.stages.values())
    new, proposal, of_won, of_lost = board
    assert (new["count"], new["late"]) == (5, 2)
    assert new["sums"] == [{"moeda": "BRL", "valor": 11}, {"moeda": "USD", "valor": 5.5}]
    assert [card["id"] for card in new["cards"]] == ids[:2]
    assert new["cards"] == [await deals.read(id) for id in ids[:2]]
    assert proposal == of_lost | {"stageId": deals.stages["Proposta"]}
    assert (proposal["count"], proposal["late"], proposal["sums"], proposal["cards"]) == (
        0,
        0,
        [],
        [],
    )
    assert of_won["cards"] == [won]
    following = await deals.listed(etapaId=deals.stages["Novo"], cursor=new["nextCursor"])
    assert [item["id"] for item in following["items"]] == ids[2:]
    assert [stage["stageId"] for stage in board if "nextCursor" in stage] == [deals.stages["Novo"]]


async def test_a_board_is_its_organizations(deals: Deals) -> None:
    stranger = await a_caller()
    live = await a_caller("live", organization_id=deals.caller.organization_id)
    nobody = await a_caller(organization_id=deals.caller.organization_id, scopes=frozenset())

    for caller, id in (
        (stranger, deals.id),
        (live, deals.id),
        (deals.caller, "pip_x"),
        (deals.caller, new_id("pip")),
    ):
        with pytest.raises(NotFound):
            await cards.read_board(caller, id)
    with pytest.raises(Forbidden):
        await cards.read_board(nobody, deals.id)


# Activities -----------------------------------------------------------------------------------------------------


async def an_activity(caller: Caller, card_id: str, **fields: Any) -> dict[str, Any]:
    body = orjson.dumps({"tipo": "tarefa", "titulo": "Ligar", **fields})
    return dict(await cards.add_activity(caller, card_id, read_body(cards.NewActivity, body)))


async def changed(caller: Caller, id: str, **fields: Any) -> dict[str, Any]:
    return dict(
        await cards.change_activity(
            caller, id, read_body(cards.ActivityChanges, orjson.dumps(fields))
        )
    )


async def activities(deals: Deals, id: str, **query: str) -> dict[str, Any]:
    return dict(
        await cards.list_activities(
            deals.caller, id, read_query(cards.ActivityFilter, query.items())
        )
    )


async def test_an_activity_is_added_changed_done_and_deleted(deals: Deals) -> None:
    caller, card = deals.caller, await deals.card()
    sms = await a_send(caller)
    fields = {
        "tipo": "mensagem", "titulo": "Proposta", "texto": "Enviei", "venceEm": "2027-01-01T12:00:00.000Z",
        "responsavelId": caller.account_id, "messageId": sms["id"],
    }  # fmt: skip

    created = await an_activity(caller, card["id"], **fields)
    assert {
        **fields,
        "cardId": card["id"],
        "createdById": caller.account_id,
    }.items() <= created.items()
    assert (await deals.read(card["id"]))["proximaAtividade"] == {
        "id": created["id"], "tipo": "mensagem", "titulo": "Proposta", "venceEm": "2027-01-01T12:00:00.000Z",
    }  # fmt: skip
    done = await changed(caller, created["id"], concluida=True, titulo=None)
    assert (done["concluidaEm"], "titulo" in done) == (done["updatedAt"], False)
    assert await changed(caller, created["id"], concluida=True) == done
    assert "proximaAtividade" not in await deals.read(card["id"])
    assert "concluidaEm" not in await changed(caller, created["id"], concluida=False)
    await cards.delete_activity(caller, created["id"])

    assert await activities(deals, card["id"]) == {"items": [], "total": 0}
    assert (await deals.read(card["id"]))["versao"] == 1


async def test_open_activities_come_by_due_time_then_done_ones_latest_first(deals: Deals) -> None:
    card = await deals.card()
    for title, more in {
        "c": {},
        "b": {"venceEm": "2027-02-01T00:00:00Z"},
        "a": {"venceEm": "2027-01-01T00:00:00Z"},
        "e": {"concluidaEm": "2026-01-01T00:00:00Z", "tipo": "nota"},
        "d": {"concluidaEm": "2026-02-01T00:00:00Z", "venceEm": "2025-01-01T00:00:00Z"},
    }.items():
        await an_activity(deals.caller, card["id"], titulo=title, **more)
    await an_activity(deals.caller, (await deals.card())["id"], titulo="of another card")

    for query, expected, total in (
        ({}, "abcde", 5),
        ({"concluida": "true"}, "de", 2),
        ({"concluida": "false"}, "abc", 3),
        ({"tipo": "nota"}, "e", 1),
        ({"limit": "2", "skip": "1"}, "bc", 5),
    ):
        page = await activities(deals, card["id"], **query)
        assert ("".join(titles(page)), page["total"]) == (expected, total), query


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"titulo": None}, ("", "required")),
        ({"titulo": " "}, ("/titulo", "too_short")),
        ({"titulo": "x" * 201}, ("/titulo", "too_long")),
        ({"texto": "x" * 10_001}, ("/texto", "too_long")),
        ({"tipo": "visita"}, ("/tipo", "not_allowed")),
        ({"concluidaEm": "2999-01-01T00:00:00Z"}, ("/concluidaEm", "in_the_future")),
        ({"cor": "azul"}, ("/cor", "unknown_field")),
    ],
)
async def test_a_wrong_activity_is_refused(
    deals: Deals, fields: dict[str, Any], wrong: tuple[str, str]
) -> None:
    card = await deals.card()

    with pytest.raises(ValidationFailed) as refused:
        await an_activity(deals.caller, card["id"], **fields)

    assert [(error.where, error.code) for error in refused.value.errors] == [wrong]
    assert await Activity.all().count() == 0


async def test_an_activity_keeps_saying_something(deals: Deals) -> None:
    card = await deals.card()
    activity = await an_activity(deals.caller, card["id"])

    with pytest.raises(ValidationFailed) as refused:
        await changed(deals.caller, activity["id"], titulo=None)

    assert refused.value.errors == (
        FieldError("pointer", "", "required", refused.value.errors[0].message),
    )
    assert (await Activity.get()).title == "Ligar"


async def test_links_of_an_activity_must_be_there(deals: Deals) -> None:
    card = await deals.card()
    activity = await an_activity(deals.caller, card["id"])
    theirs = await a_send(await a_caller())

    with pytest.raises(LinksRefused) as refused:
        await an_activity(
            deals.caller, card["id"], responsavelId=new_id("acc"), messageId=theirs["id"]
        )
    assert [error.where for error in refused.value.errors] == ["/responsavelId", "/messageId"]
    with pytest.raises(LinksRefused):
        await changed(deals.caller, activity["id"], responsavelId=new_id("acc"))
    assert await Message.all().count() == 1
    assert await Activity.all().count() == 1


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_activities_of_others_are_not_there(deals: Deals, whose: str) -> None:
    card = await deals.card()
    activity = await an_activity(deals.caller, card["id"])
    stranger = await (
        a_caller()
        if whose == "another organization"
        else a_caller("live", organization_id=deals.caller.organization_id)
    )

    for attempt in (
        changed(stranger, activity["id"], titulo="Meu"),
        cards.delete_activity(stranger, activity["id"]),
        cards.delete_activity(deals.caller, "atv_x"),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert (await Activity.get()).title == "Ligar"


async def test_activities_need_their_scopes(deals: Deals) -> None:
    card = await deals.card()
    activity = await an_activity(deals.caller, card["id"])
    nobody = await a_caller(organization_id=deals.caller.organization_id, scopes=frozenset())

    for attempt, scope in (
        (changed(nobody, activity["id"], titulo="x"), "crm:write"),
        (cards.delete_activity(nobody, activity["id"]), "crm:delete"),
    ):
        with pytest.raises(Forbidden) as refused:
            await attempt
        assert refused.value.meta == {"escopoExigido": scope}
    assert await Activity.all().count() == 1
