"""Moving cards: order, obligations of the destination, history, and the audit trail."""

from datetime import timedelta
from typing import Any

import pytest

from core import audit, cards
from core.cards.delete_stage import delete_stage
from core.cards.errors import (
    ArchivedPipeline,
    DealClosed,
    DealOpen,
    LinksRefused,
    NoLostStage,
    NoteRequired,
    NoWonStage,
    ReasonOutOfPlace,
    ReasonRequired,
    RequiredFieldsMissing,
    UseMove,
)
from core.cards.models import Card, CardHistory
from core.cards.rank import MAX_RANK_LENGTH
from core.foundation.clock import now, wire_time
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.ids import new_id
from core.pipelines import Stage, StageDeletion
from tests.factories.cards import STAGES, Deals, demanding, some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.pipelines import changed_pipeline

TWO_REASONS = ["Preço", {"texto": "Outro", "exigeObservacao": True}]


async def moves_of(deals: Deals) -> list[audit.AuditEntry]:
    return await audit.AuditEntry.filter(action="card.moved").order_by("at", "id")


async def all_stays(deals: Deals, id: str) -> list[tuple[Any, ...]]:
    rows = await CardHistory.filter(card_id=id, entered_at__isnull=False).order_by(
        "entered_at", "id"
    )
    return [(row.kind, row.from_name, row.to_name, row.left_at is None) for row in rows]


async def test_a_card_comes_behind_all_others(deals: Deals) -> None:
    await deals.several(2, "Proposta")
    card = await deals.card()

    moved = await deals.move(card["id"], "Proposta")

    after = moved["card"]
    assert {
        "etapaId": deals.stages["Proposta"],
        "status": "aberto",
        "versao": 2,
    }.items() <= after.items()
    assert (await deals.column("Proposta"))[-1] == card["id"]
    assert moved["movimento"] == {
        "id": moved["movimento"]["id"],
        "tipo": "movido",
        "de": {"etapaId": deals.stages["Novo"], "nome": "Novo"},
        "para": {"etapaId": deals.stages["Proposta"], "nome": "Proposta"},
        "entrouEm": after["etapaDesde"],
        "porId": deals.caller.account_id,
        "porNome": moved["movimento"]["porNome"],
        "em": after["etapaDesde"],
    }
    assert await deals.read(card["id"]) == after


async def test_a_card_stands_where_it_was_dropped(deals: Deals) -> None:
    first, second, third = await deals.several(3, "Proposta")
    one, two = await deals.several(2)

    await deals.move(one, "Proposta", antesDe=first)
    await deals.move(two, "Proposta", depoisDe=second)
    assert await deals.column("Proposta") == [one, first, second, two, third]

    await deals.move(third, "Proposta", antesDe=one)
    await deals.move(one, "Proposta", depoisDe=two)
    assert await deals.column("Proposta") == [third, first, second, two, one]


async def test_within_its_stage_a_card_moves_without_a_stay(deals: Deals) -> None:
    first, second = await deals.several(2)

    moved = await deals.move(second, "Novo", antesDe=first)

    assert "movimento" not in moved
    assert moved["card"]["versao"] == 2
    assert await all_stays(deals, second) == [("criado", None, "Novo", True)]
    assert await moves_of(deals) == []


async def test_to_move_where_it_is_changes_nothing(deals: Deals) -> None:
    card = await deals.card()

    assert await deals.move(card["id"], "Novo") == {"card": card}


@pytest.mark.parametrize("beside", ["antesDe", "depoisDe"])
async def test_a_place_is_beside_another_card_of_the_stage(deals: Deals, beside: str) -> None:
    card = await deals.card()
    other = await deals.card()
    (theirs,) = await (await some_deals(await a_caller())).several(1)

    for anchor in (other["id"], theirs, new_id("crd")):
        with pytest.raises(LinksRefused) as refused:
            await deals.move(card["id"], "Proposta", **{beside: anchor})
        assert [error.where for error in refused.value.errors] == [f"/{beside}"]
    with pytest.raises(LinksRefused):
        await deals.move(card["id"], "Novo", **{beside: card["id"]})
    with pytest.raises(ValidationFailed):
        await deals.move(card["id"], "Novo", antesDe=other["id"], depoisDe=other["id"])
    assert await deals.read(card["id"]) == card


async def test_a_stage_is_numbered_anew_when_a_rank_grows_too_long(deals: Deals) -> None:
    first, last, *others = await deals.several(30, "Proposta")
    await Card.filter(id=first).update(rank="V")
    await Card.filter(id=last).update(rank=f"V{'0' * MAX_RANK_LENGTH}1")
    for place, id in enumerate(others):
        await Card.filter(id=id).update(rank=f"W{place:03}1")
    versions = {card.id: card.version for card in await Card.all()}
    card = await deals.card()

    await deals.move(card["id"], "Proposta", depoisDe=first)

    assert await deals.column("Proposta") == [first, card["id"], last, *others]
    ranks = [one.rank for one in await Card.filter(stage_id=deals.stages["Proposta"])]
    assert max(map(len, ranks)) <= 5
    assert {card.id: card.version for card in await Card.filter(id__not=card["id"])} == versions


async def test_a_card_that_is_there_already_is_numbered_anew_too(deals: Deals) -> None:
    first, last, third = await deals.several(3)
    await Card.filter(id=first).update(rank="V")
    await Card.filter(id=last).update(rank=f"V{'0' * MAX_RANK_LENGTH}1")
    await Card.filter(id=third).update(rank="W")

    await deals.move(third, "Novo", antesDe=last)

    assert await deals.column("Novo") == [first, third, last]


@pytest.mark.parametrize("how", ["mover", "ganhar", "mover-lote"])
async def test_the_destination_demands_its_fields(caller: Any, how: str) -> None:
    deals = await some_deals(caller, etapas=demanding("valor", "contato", stage="Ganho"))
    contact = await a_contact(caller)
    card = await deals.card()
    fields = {"valor": 5, "contatoId": contact["id"]}

    if how == "mover-lote":
        answer = await deals.batch([card["id"]], "Ganho", campos={"valor": 5})
        assert [error["codigo"] for error in answer["erros"]] == ["CAMPOS_OBRIGATORIOS_AUSENTES"]
        assert "contato" in answer["erros"][0]["mensagem"]
    else:
        with pytest.raises(RequiredFieldsMissing) as refused:
            await (
                deals.win(card["id"])
                if how == "ganhar"
                else deals.move(card["id"], "Ganho", campos={"valor": 0})
            )
        assert refused.value.meta["campos"] == ["valor", "contato"]
        assert [error.where for error in refused.value.errors] == [
            "/campos/valor",
            "/campos/contatoId",
        ]
    assert await deals.read(card["id"]) == card

    match how:
        case "mover-lote":
            assert await deals.batch([card["id"]], "Ganho", campos=fields) == {
                "movidos": 1,
                "erros": [],
            }
        case "ganhar":
            await deals.win(card["id"], valor=5, campos={"contatoId": contact["id"]})
        case "mover":
            await deals.move(card["id"], "Ganho", campos=fields)
    after = await deals.read(card["id"])
    assert {"status": "ganho", **fields}.items() <= after.items()
    assert {line["campo"] for line in await deals.history(card["id"], tipo="campo")} == {
        "valor",
        "contatoId",
    }


async def test_links_that_fill_a_field_must_be_there(deals: Deals) -> None:
    card = await deals.card()

    with pytest.raises(LinksRefused) as refused:
        await deals.move(
            card["id"],
            "Proposta",
            campos={"contatoId": new_id("cnt"), "responsavelId": new_id("acc")},
        )

    assert {error.where for error in refused.value.errors} == {
        "/campos/contatoId",
        "/campos/responsavelId",
    }
    assert await deals.read(card["id"]) == card


async def test_a_contact_that_is_the_principal_one_is_enough(caller: Any) -> None:
    deals = await some_deals(caller, etapas=demanding("contato"))
    contact = await a_contact(caller)
    card = await deals.card(contatos=[{"contatoId": contact["id"], "principal": True}])
    other = await deals.card(contatos=[{"contatoId": contact["id"]}])

    assert (await deals.move(card["id"], "Proposta"))["card"]["etapaId"] == deals.stages["Proposta"]
    with pytest.raises(RequiredFieldsMissing):
        await deals.move(other["id"], "Proposta")


@pytest.mark.parametrize("how", ["mover", "ganhar"])
async def test_to_enter_the_won_stage_is_to_win(deals: Deals, how: str) -> None:
    card = await deals.card(valor=10)

    won = (
        (await deals.move(card["id"], "Ganho"))["card"]
        if how == "mover"
        else await deals.win(card["id"])
    )

    assert {
        "status": "ganho",
        "etapaId": deals.stages["Ganho"],
        "probabilidade": 100,
    }.items() <= won.items()
    assert won["ganhoEm"] == won["etapaDesde"]
    assert won["fechadoPorId"] == deals.caller.account_id
    assert [line["tipo"] for line in await deals.history(card["id"])] == ["ganho", "criado"]


async def test_a_deal_is_won_when_and_for_what_the_caller_says(deals: Deals) -> None:
    card = await deals.card(valor=10)
    past = wire_time(now() - timedelta(days=3))

    won = await deals.win(
        card["id"], valor=12.5, ganhoEm=past, campos={"valor": 3, "dataPrevista": "2027-01-01"}
    )

    assert (won["valor"], won["ganhoEm"], won["dataPrevista"]) == (12.5, past, "2027-01-01")
    assert won["etapaDesde"] > past


@pytest.mark.parametrize(("minutes", "taken"), [(4, True), (6, False)])
async def test_a_deal_is_closed_five_minutes_ahead_at_most(
    deals: Deals, minutes: int, taken: bool
) -> None:
    won, lost = await deals.several(2)
    at = wire_time(now() + timedelta(minutes=minutes))

    if taken:
        assert (await deals.win(won, ganhoEm=at))["ganhoEm"] == at
        assert (await deals.lose(lost, perdidoEm=at))["perdidoEm"] == at
    else:
        for attempt in (deals.win(won, ganhoEm=at), deals.lose(lost, perdidoEm=at)):
            with pytest.raises(ValidationFailed):
                await attempt
        assert {(await deals.read(id))["status"] for id in (won, lost)} == {"aberto"}


@pytest.mark.parametrize("how", ["mover", "perder"])
async def test_to_enter_the_lost_stage_asks_for_a_reason(caller: Any, how: str) -> None:
    deals = await some_deals(caller, motivos=TWO_REASONS)
    other = await some_deals(caller, motivos=["Preço"])
    card = await deals.card()
    price, rest = deals.reasons["Preço"], deals.reasons["Outro"]

    async def lose(**fields: Any) -> dict[str, Any]:
        if how == "perder":
            return await deals.lose(card["id"], **fields)
        moved: dict[str, Any] = (await deals.move(card["id"], "Perdido", **fields))["card"]
        return moved

    with pytest.raises(ReasonRequired):
        await lose()
    for note in (None, "", "  "):
        with pytest.raises(NoteRequired):
            await lose(motivoPerdaId=rest, observacaoPerda=note)
    with pytest.raises(LinksRefused):
        await lose(motivoPerdaId=other.reasons["Preço"])
    assert await deals.read(card["id"]) == card

    lost = await lose(motivoPerdaId=price)
    assert {"status": "perdido", "motivoPerdaId": price, "probabilidade": 0}.items() <= lost.items()
    assert (await deals.history(card["id"]))[0]["motivoPerdaId"] == price


async def test_an_inactive_reason_is_not_given_any_more(caller: Any) -> None:
    deals = await some_deals(caller, motivos=["Preço", "Prazo"])
    lost, card = await deals.several(2)
    await deals.lose(lost, motivoPerdaId=deals.reasons["Prazo"])
    await changed_pipeline(caller, deals.id, motivos=["Preço"])

    with pytest.raises(LinksRefused):
        await deals.lose(card, motivoPerdaId=deals.reasons["Prazo"])


async def test_without_reasons_none_is_asked_for(deals: Deals) -> None:
    card = await deals.card()

    lost = await deals.lose(card["id"], observacaoPerda="Sumiu")

    assert (lost["status"], lost["observacaoPerda"]) == ("perdido", "Sumiu")


@pytest.mark.parametrize("field", ["motivoPerdaId", "observacaoPerda"])
async def test_a_reason_belongs_to_a_loss(caller: Any, field: str) -> None:
    deals = await some_deals(caller, motivos=TWO_REASONS)
    card = await deals.card()

    for stage in ("Proposta", "Ganho"):
        with pytest.raises(ReasonOutOfPlace):
            await deals.move(card["id"], stage, **{field: deals.reasons["Preço"]})
    assert await deals.read(card["id"]) == card


async def test_to_win_or_lose_again_changes_nothing(caller: Any) -> None:
    deals = await some_deals(caller, motivos=TWO_REASONS)
    won, lost = await deals.several(2)
    as_won = await deals.win(won)
    as_lost = await deals.lose(lost, motivoPerdaId=deals.reasons["Preço"])
    await changed_pipeline(caller, deals.id, arquivado=True)

    assert await deals.win(won, valor=99, ganhoEm="2020-01-01T00:00:00Z") == as_won
    assert (
        await deals.lose(lost, motivoPerdaId=deals.reasons["Preço"], observacaoPerda="x") == as_lost
    )
    for attempt in (
        deals.lose(won, motivoPerdaId=deals.reasons["Preço"]),
        deals.win(lost),
        deals.lose(lost, motivoPerdaId=deals.reasons["Outro"], observacaoPerda="x"),
    ):
        with pytest.raises(DealClosed):
            await attempt
    assert [await deals.read(id) for id in (won, lost)] == [as_won, as_lost]


async def test_a_closed_deal_is_not_closed_the_other_way(deals: Deals) -> None:
    won, lost = await deals.several(2)
    await deals.win(won)
    await deals.lose(lost)

    for id, stage in ((won, "Perdido"), (lost, "Ganho")):
        before = await deals.read(id)
        with pytest.raises(DealClosed):
            await deals.move(id, stage)
        assert await deals.read(id) == before


async def test_a_pipeline_may_lack_the_stages_that_close_deals(caller: Any) -> None:
    deals = await some_deals(caller, etapas=STAGES[:2])
    card = await deals.card()

    with pytest.raises(NoWonStage):
        await deals.win(card["id"])
    with pytest.raises(NoLostStage):
        await deals.lose(card["id"])
    assert await deals.read(card["id"]) == card


async def test_a_reopened_deal_goes_back_to_where_it_was(caller: Any) -> None:
    deals = await some_deals(caller, motivos=TWO_REASONS)
    card = await deals.card()
    await deals.move(card["id"], "Proposta")
    await deals.lose(card["id"], motivoPerdaId=deals.reasons["Outro"], observacaoPerda="Sumiu")

    reopened = await deals.reopen(card["id"])

    assert {
        "status": "aberto",
        "etapaId": deals.stages["Proposta"],
        "probabilidade": 60,
    }.items() <= reopened.items()
    gone = {"perdidoEm", "ganhoEm", "motivoPerdaId", "observacaoPerda", "fechadoPorId"}
    assert not gone & reopened.keys()
    lines = await deals.history(card["id"])
    assert [line["tipo"] for line in lines] == ["reaberto", "perdido", "movido", "criado"]
    assert lines[1]["motivoPerdaId"] == deals.reasons["Outro"]
    with pytest.raises(DealOpen):
        await deals.reopen(card["id"])


async def test_a_deal_is_reopened_where_the_caller_says_or_at_the_beginning(deals: Deals) -> None:
    card = await deals.card("Ganho")

    for stage in ("Ganho", "Perdido"):
        with pytest.raises(LinksRefused):
            await deals.reopen(card["id"], etapaId=deals.stages[stage])
    assert (await deals.reopen(card["id"]))["etapaId"] == deals.stages["Novo"]
    await deals.win(card["id"])
    assert (await deals.reopen(card["id"], etapaId=deals.stages["Proposta"]))[
        "etapaId"
    ] == deals.stages["Proposta"]


async def test_a_deal_dragged_out_of_a_closing_stage_is_reopened(deals: Deals) -> None:
    card = await deals.card()
    await deals.win(card["id"])

    moved = await deals.move(card["id"], "Novo")

    assert (moved["card"]["status"], moved["movimento"]["tipo"]) == ("aberto", "reaberto")
    assert "ganhoEm" not in moved["card"]


async def test_an_open_deal_is_transferred_to_another_pipeline(deals: Deals) -> None:
    other = await some_deals(deals.caller, moeda="USD")
    card = await deals.card(valor=10)

    moved = await deals.transfer(card["id"], other)

    assert {
        "pipelineId": other.id,
        "etapaId": other.stages["Novo"],
        "moeda": "BRL",
    }.items() <= moved.items()
    (line, _) = await deals.history(card["id"])
    assert line["tipo"] == "transferido"
    assert line["de"] == {"etapaId": deals.stages["Novo"], "nome": "Novo"}
    assert line["para"] == {"etapaId": other.stages["Novo"], "nome": "Novo"}


async def test_what_cannot_be_transferred_stays(deals: Deals) -> None:
    other = await some_deals(deals.caller, etapas=demanding("valor", stage="Novo"))
    archived = await some_deals(deals.caller)
    await changed_pipeline(deals.caller, archived.id, arquivado=True)
    theirs = await some_deals(await a_caller())
    won, card = await deals.several(2)
    await deals.win(won)
    before = [await deals.read(id) for id in (won, card)]

    for kind, attempt in (
        (DealClosed, deals.transfer(won, other, campos={"valor": 1})),
        (RequiredFieldsMissing, deals.transfer(card, other)),
        (ArchivedPipeline, deals.transfer(card, archived)),
        (UseMove, deals.transfer(card, deals, etapaId=deals.stages["Proposta"])),
        (LinksRefused, deals.transfer(card, theirs)),
        (LinksRefused, deals.transfer(card, other, etapaId=deals.stages["Proposta"])),
        (LinksRefused, deals.transfer(card, other, etapaId=other.stages["Ganho"])),
    ):
        with pytest.raises(kind):
            await attempt
    assert [await deals.read(id) for id in (won, card)] == before
    assert (await deals.transfer(card, other, campos={"valor": 1}))["pipelineId"] == other.id


async def test_a_deal_leaves_an_archived_pipeline_by_a_transfer(deals: Deals) -> None:
    other = await some_deals(deals.caller)
    card = await deals.card()
    await changed_pipeline(deals.caller, deals.id, arquivado=True, forcar=True)

    assert (await deals.transfer(card["id"], other))["pipelineId"] == other.id


async def test_a_card_moves_to_a_stage_of_its_own_pipeline(deals: Deals) -> None:
    other = await some_deals(deals.caller)
    card = await deals.card()

    with pytest.raises(LinksRefused) as refused:
        await other.move(card["id"], "Proposta")

    assert [error.where for error in refused.value.errors] == ["/etapaId"]
    assert await deals.read(card["id"]) == card


async def test_the_stays_of_a_card_follow_each_other_without_a_gap(deals: Deals) -> None:
    card = await deals.card()
    for stage in ("Proposta", "Novo", "Ganho", "Proposta"):
        await deals.move(card["id"], stage)

    rows = await CardHistory.filter(card_id=card["id"]).order_by("entered_at", "id")

    assert [row.left_at for row in rows[:-1]] == [row.entered_at for row in rows[1:]]
    assert [row.left_at is None for row in rows] == [False] * 4 + [True]
    for row in rows[:-1]:
        assert row.left_at is not None
        assert row.entered_at is not None
        assert row.seconds == (row.left_at - row.entered_at).total_seconds() // 1
    assert rows[-1].entered_at == (await Card.get(id=card["id"])).stage_since


async def test_every_move_is_in_the_audit_trail_without_a_title(deals: Deals) -> None:
    card = await deals.card(titulo="Segredo de Ana")
    await deals.win(card["id"])

    (entry,) = await moves_of(deals)

    assert (entry.subject_id, entry.facts) == (
        card["id"],
        {
            "pipelineId": deals.id,
            "from": deals.stages["Novo"],
            "to": deals.stages["Ganho"],
            "kind": "ganho",
        },
    )


async def test_history_is_read_page_by_page_and_by_kind(deals: Deals) -> None:
    card = await deals.card()
    for number in range(5):
        await deals.move(card["id"], "Proposta" if number % 2 == 0 else "Novo")
    await deals.change(card["id"], titulo="Outro")

    seen: list[str] = []
    cursor = None
    while True:
        page = await cards.list_history(
            deals.caller, card["id"], cards.HistoryFilter(limit=2, cursor=cursor)
        )
        seen += [line["tipo"] for line in page["items"]]
        cursor = page.get("nextCursor")
        if cursor is None:
            break

    assert seen == ["campo", *["movido"] * 5, "criado"]
    assert [line["tipo"] for line in await deals.history(card["id"], tipo="criado")] == ["criado"]


async def test_names_of_stages_in_the_history_are_those_of_the_time(deals: Deals) -> None:
    card = await deals.card()
    await deals.move(card["id"], "Proposta")
    await Stage.filter(id=deals.stages["Novo"]).update(name="Entrada")
    await delete_stage(deals.caller, deals.id, deals.stages["Novo"], StageDeletion())

    lines = await deals.history(card["id"])

    assert [line["para"]["nome"] for line in lines] == ["Proposta", "Novo"]


# Many at once --------------------------------------------------------------------------------------------------


async def test_in_a_batch_the_good_ones_move_in_their_order(caller: Any) -> None:
    deals = await some_deals(caller, etapas=demanding("valor"))
    other = await some_deals(caller)
    waiting = await deals.card("Proposta", valor=1)
    good = [(await deals.card(valor=number))["id"] for number in (1, 2, 3)]
    without = await deals.card()
    foreign = await other.card(valor=1)
    nobody = new_id("crd")

    answer = await deals.batch(
        [good[2], without["id"], nobody, good[0], foreign["id"], good[1], good[2]], "Proposta"
    )

    assert answer["movidos"] == 3
    assert {error["cardId"]: error["codigo"] for error in answer["erros"]} == {
        without["id"]: "CAMPOS_OBRIGATORIOS_AUSENTES",
        nobody: "NOT_FOUND",
        foreign["id"]: "VINCULO_INVALIDO",
    }
    assert all(error["mensagem"] for error in answer["erros"])
    assert await deals.column("Proposta") == [waiting["id"], good[2], good[0], good[1]]
    assert await deals.read(without["id"]) == without
    assert await other.read(foreign["id"]) == foreign
    assert {entry.subject_id for entry in await moves_of(deals)} == set(good)


async def test_what_is_there_already_counts_as_no_move(deals: Deals) -> None:
    ids = await deals.several(2, "Proposta")
    before = await deals.column("Proposta")

    assert await deals.batch(list(reversed(ids)), "Proposta") == {"movidos": 0, "erros": []}
    assert await deals.column("Proposta") == before


async def test_those_that_come_stand_behind_those_that_are_there_already(deals: Deals) -> None:
    there = await deals.several(3, "Proposta")
    come = await deals.several(2)

    assert await deals.batch([come[0], *there, come[1]], "Proposta") == {"movidos": 2, "erros": []}
    assert await deals.column("Proposta") == [*there, *come]


async def test_a_batch_into_the_lost_stage_needs_a_pipeline_without_reasons(caller: Any) -> None:
    strict, free = await some_deals(caller, motivos=TWO_REASONS), await some_deals(caller)
    (one,), (two,) = await strict.several(1), await free.several(1)

    refused = await strict.batch([one], "Perdido")
    moved = await free.batch([two], "Perdido")

    assert [error["codigo"] for error in refused["erros"]] == ["MOTIVO_OBRIGATORIO"]
    assert moved == {"movidos": 1, "erros": []}
    assert [(await deals.read(id))["status"] for deals, id in ((strict, one), (free, two))] == [
        "aberto",
        "perdido",
    ]


async def test_two_hundred_move_at_once(deals: Deals) -> None:
    ids = await deals.several(200)

    assert await deals.batch(ids, "Proposta") == {"movidos": 200, "erros": []}
    assert (await deals.column("Proposta")) == ids[:100]
    with pytest.raises(ValidationFailed):
        await deals.batch([*ids, "one more"], "Novo")
    with pytest.raises(ValidationFailed):
        await deals.batch([], "Novo")


async def test_a_batch_goes_to_a_stage_of_the_caller_that_is_not_archived(deals: Deals) -> None:
    theirs = await some_deals(await a_caller())
    ids = await deals.several(1)

    with pytest.raises(LinksRefused):
        await Deals(deals.caller, theirs.pipeline).batch(ids, "Novo")
    await changed_pipeline(deals.caller, deals.id, arquivado=True, forcar=True)
    with pytest.raises(ArchivedPipeline):
        await deals.batch(ids, "Proposta")


# Deleting a stage ----------------------------------------------------------------------------------------------


async def test_the_cards_of_a_deleted_stage_move_in_their_order(deals: Deals) -> None:
    waiting = await deals.several(2, "Proposta")
    ids = await deals.several(5)
    await deals.move(ids[4], "Novo", antesDe=ids[0])

    await delete_stage(
        deals.caller,
        deals.id,
        deals.stages["Novo"],
        StageDeletion(move_to=deals.stages["Proposta"]),
    )

    assert await deals.column("Proposta") == [*waiting, ids[4], *ids[:4]]
    (line, _) = await deals.history(ids[0])
    assert (line["tipo"], line["de"]["nome"]) == ("movido", "Novo")
    assert len(await moves_of(deals)) == 5


async def test_the_stage_of_an_archived_pipeline_is_emptied_too(deals: Deals) -> None:
    ids = await deals.several(2)
    await changed_pipeline(deals.caller, deals.id, arquivado=True, forcar=True)

    await delete_stage(
        deals.caller,
        deals.id,
        deals.stages["Novo"],
        StageDeletion(move_to=deals.stages["Proposta"]),
    )

    assert await deals.column("Proposta") == ids


async def test_a_card_that_is_gone_is_not_found(deals: Deals) -> None:
    card = await deals.card()
    await cards.delete_card(deals.caller, card["id"])

    for attempt in (
        deals.move(card["id"], "Proposta"),
        deals.win(card["id"]),
        deals.move("crd_x", "Proposta"),
    ):
        with pytest.raises(NotFound):
            await attempt
