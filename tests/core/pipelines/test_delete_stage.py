"""Deleting a stage, and what becomes of its deals."""

from datetime import timedelta
from typing import Any

import pytest

from core import pipelines
from core.audit.models import AuditEntry
from core.cards.change_stage import change_stage
from core.cards.delete_stage import CEILING, delete_stage
from core.cards.models import Card, CardHistory, CardStatus
from core.cards.stage_rules import Ask
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import Conflict, Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.pipelines import StageDeletion
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline, an_added_stage, changed_pipeline, stage_ids
from tests.factories.stored_cards import a_stored_card
from tests.support.races import outside, somebody_waits

OPEN_ONLY = [{"nome": "A"}, {"nome": "B"}, {"nome": "C"}]


async def deleted(
    caller: Caller, pipeline: dict[str, Any], name: str, *, move_to: str | None = None
) -> None:
    ids = stage_ids(pipeline)
    how = StageDeletion(move_to=ids.get(move_to, move_to) if move_to else None)
    await delete_stage(caller, pipeline["id"], ids[name], how)


async def refused(
    caller: Caller, pipeline: dict[str, Any], name: str, *, move_to: str | None = None
) -> ServiceError:
    """The refusal that a deletion meets; pipeline, cards, history and trail stay as they were."""

    async def everything() -> list[Any]:
        tables = [
            await model.all().order_by("id").values() for model in (Card, CardHistory, AuditEntry)
        ]
        return [await pipelines.get_pipeline(caller, pipeline["id"]), *tables]

    before = await everything()
    with pytest.raises(ServiceError) as refusal:
        await deleted(caller, pipeline, name, move_to=move_to)
    assert await everything() == before
    return refusal.value


async def names_of(caller: Caller, pipeline: dict[str, Any]) -> list[tuple[str, int]]:
    return [
        (stage["nome"], stage["posicao"])
        for stage in (await pipelines.get_pipeline(caller, pipeline["id"]))["etapas"]
    ]


async def test_an_empty_stage_is_deleted_and_the_others_close_up(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)

    await deleted(caller, pipeline, "B")

    assert await names_of(caller, pipeline) == [("A", 0), ("C", 1)]
    assert (await pipelines.get_pipeline(caller, pipeline["id"]))["versao"] == 2
    (entry,) = await AuditEntry.filter(subject_id=stage_ids(pipeline)["B"])
    assert (entry.action, entry.facts) == (
        "stage.deleted",
        {"pipelineId": pipeline["id"], "outcome": "aberta", "moved": 0},
    )
    with pytest.raises(NotFound):
        await deleted(caller, pipeline, "B")
    await an_added_stage(caller, pipeline["id"], nome="B")


async def test_a_stage_with_deals_needs_one_that_takes_them(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    cards = [await a_stored_card(caller, pipeline["etapas"][1]) for _ in range(11)]

    held = await refused(caller, pipeline, "B")

    assert isinstance(held, Conflict)
    assert held.meta == {
        "code": "ETAPA_COM_NEGOCIOS",
        "quantidade": 11,
        "exemplos": sorted(card.id for card in cards)[:10],
    }


async def test_deals_move_in_their_order_behind_those_that_are_there(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    a, b, c = pipeline["etapas"]
    there = await a_stored_card(caller, c)
    cards = [await a_stored_card(caller, b, at=now() - timedelta(days=2)) for _ in range(12)]
    elsewhere = await a_stored_card(caller, a)

    await deleted(caller, pipeline, "B", move_to="C")

    rows = await db.fetch(
        'SELECT id FROM cards WHERE stage_id = $1 ORDER BY rank COLLATE "C"', c["id"]
    )
    assert [row["id"] for row in rows] == [there.id, *(card.id for card in cards)]
    moved = await Card.get(id=cards[0].id)
    assert (moved.status, moved.version) == (CardStatus.OPEN, 2)
    assert moved.stage_since > cards[0].stage_since
    assert (await Card.get(id=elsewhere.id)).stage_id == a["id"]
    assert await names_of(caller, pipeline) == [("A", 0), ("C", 1)]
    (entry,) = await AuditEntry.filter(action="stage.deleted")
    assert entry.facts == {"pipelineId": pipeline["id"], "outcome": "aberta", "moved": 12}


async def test_the_history_keeps_the_name_of_a_deleted_stage(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    a, b, _ = pipeline["etapas"]
    card = await a_stored_card(caller, b, at=now() - timedelta(hours=1))

    await deleted(caller, pipeline, "B", move_to="A")

    old, new = await CardHistory.filter(card_id=card.id).order_by("at")
    assert (old.to_stage_id, old.to_name) == (b["id"], "B")
    assert old.left_at == new.entered_at
    assert old.seconds is not None
    assert 3600 <= old.seconds < 3700
    assert (new.kind, new.from_stage_id, new.from_name) == ("movido", b["id"], "B")
    assert (new.to_stage_id, new.to_name, new.left_at) == (a["id"], "A", None)


async def test_deals_of_a_stage_that_closed_them_are_reopened(caller: Caller) -> None:
    pipeline = await a_pipeline(caller)
    won = pipeline["etapas"][4]
    card = await a_stored_card(caller, won, won_at=now())

    await deleted(caller, pipeline, "Ganho", move_to="Negociação")

    after = await Card.get(id=card.id)
    assert (after.status, after.won_at, after.stage_id) == (
        CardStatus.OPEN,
        None,
        stage_ids(pipeline)["Negociação"],
    )


@pytest.mark.parametrize("move_to", ["B", "Ganho", "Perdido", "x", new_id("etp"), "other"])
async def test_deals_move_only_to_another_open_stage_of_the_pipeline(
    caller: Caller, move_to: str
) -> None:
    pipeline = await a_pipeline(
        caller,
        etapas=[
            {"nome": "A"},
            {"nome": "B"},
            {"nome": "Ganho", "resultado": "ganho"},
            {"nome": "Perdido", "resultado": "perda"},
        ],
    )
    await a_stored_card(caller, pipeline["etapas"][1])
    if move_to == "other":
        move_to = stage_ids(await a_pipeline(caller, etapas=OPEN_ONLY))["A"]

    wrong = await refused(caller, pipeline, "B", move_to=move_to)

    assert isinstance(wrong, ValidationFailed)
    assert [(error.kind, error.where, error.code) for error in wrong.errors] == [
        ("parameter", "moverPara", "VINCULO_INVALIDO")
    ]
    assert (await refused(caller, pipeline, "Ganho", move_to="Perdido")).meta == {
        "code": "VINCULO_INVALIDO"
    }


async def test_one_deal_that_lacks_what_is_demanded_keeps_all_of_them(caller: Caller) -> None:
    pipeline = await a_pipeline(
        caller,
        etapas=[{"nome": "A"}, {"nome": "B", "camposObrigatorios": ["valor", "responsavel"]}],
    )
    stage = pipeline["etapas"][0]
    for value in ("10.00", "0.00", None):
        await a_stored_card(caller, stage, value=value, owner_id="acc_1")

    stay = await refused(caller, pipeline, "A", move_to="B")

    assert isinstance(stay, ValidationFailed)
    assert stay.meta["code"] == "CAMPOS_OBRIGATORIOS_AUSENTES"
    assert (stay.meta["campos"], stay.meta["quantidade"], len(stay.meta["exemplos"])) == (
        ["valor"],
        2,
        2,
    )
    await Card.filter(stage_id=stage["id"]).update(value="1.00")
    await deleted(caller, pipeline, "A", move_to="B")


async def test_what_a_pipeline_cannot_be_without_stays(caller: Caller) -> None:
    pipeline = await a_pipeline(
        caller, etapas=[{"nome": "A"}, {"nome": "Lost", "resultado": "perda"}], motivos=["Preço"]
    )

    last = await refused(caller, pipeline, "A")
    assert isinstance(last, Conflict)
    assert last.meta == {"code": "ULTIMA_ETAPA_ABERTA"}
    needed = await refused(caller, pipeline, "Lost")
    assert isinstance(needed, Conflict)
    assert needed.meta == {"code": "MOTIVOS_SEM_ETAPA_DE_PERDA"}
    await changed_pipeline(caller, pipeline["id"], motivos=[{"texto": "Preço", "ativo": False}])
    await deleted(caller, pipeline, "Lost")


async def test_a_stage_of_an_archived_pipeline_is_emptied_too(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    card = await a_stored_card(caller, pipeline["etapas"][0])
    await changed_pipeline(caller, pipeline["id"], arquivado=True, forcar=True)

    await deleted(caller, pipeline, "A", move_to="B")

    assert (await Card.get(id=card.id)).stage_id == stage_ids(pipeline)["B"]


async def many_cards(caller: Caller, stage: dict[str, Any], count: int) -> None:
    """Copies of one card, each with its stay."""
    card = await a_stored_card(caller, stage)
    await db.execute(
        "INSERT INTO cards SELECT r.* FROM cards t, generate_series(1, $2::int) AS n, LATERAL jsonb_populate_record("
        "t, jsonb_build_object('id', 'crd_copy' || n, 'rank', lpad(n::text, 6, '0') || '1')) AS r WHERE t.id = $1",
        card.id,
        count - 1,
    )
    await db.execute(
        "INSERT INTO card_history SELECT r.* FROM card_history t, generate_series(1, $2::int) AS n, "
        "LATERAL jsonb_populate_record(t, jsonb_build_object('id', 'his_copy' || n, 'card_id', 'crd_copy' || n)) AS r "
        "WHERE t.card_id = $1",
        card.id,
        count - 1,
    )


async def test_five_thousand_deals_move_and_one_more_is_too_many(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    a, b, _ = pipeline["etapas"]
    await many_cards(caller, a, CEILING)
    extra = await a_stored_card(caller, a)

    many = await refused(caller, pipeline, "A", move_to="B")
    assert isinstance(many, Conflict)
    assert many.meta == {"code": "MUITOS_NEGOCIOS", "quantidade": CEILING + 1}

    await Card.filter(id=extra.id).delete()
    await deleted(caller, pipeline, "A", move_to="B")
    assert await Card.filter(stage_id=b["id"]).count() == CEILING
    assert await CardHistory.filter(to_stage_id=b["id"], left_at=None).count() == CEILING


@pytest.mark.parametrize("env", ["test", "live"])
async def test_a_stage_of_others_is_not_there(caller: Caller, env: Any) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    stranger = await a_caller(
        env, organization_id=caller.organization_id if env == "live" else None
    )

    with pytest.raises(NotFound):
        await deleted(stranger, pipeline, "A")

    assert await pipelines.get_pipeline(caller, pipeline["id"]) == pipeline


async def test_deleting_needs_its_scope(caller: Caller) -> None:
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    writer = await a_caller(
        scopes=KEY_SCOPES - {Scope.CRM_DELETE}, organization_id=caller.organization_id
    )

    with pytest.raises(Forbidden) as refusal:
        await deleted(writer, pipeline, "A")

    assert refusal.value.meta == {"escopoExigido": "crm:delete"}
    assert await pipelines.get_pipeline(caller, pipeline["id"]) == pipeline


async def moved(caller: Caller, pipeline: dict[str, Any], card: Card, name: str) -> Any:
    """What becomes of a card that is moved to a stage of the name."""
    async with transaction():
        board = await pipelines.hold_board(caller, pipeline["id"])
        stage = board.get_stage(stage_ids(pipeline)[name])
        return (await change_stage(caller, board, stage, [card.id], Ask()))[card.id]


async def test_a_deal_that_moves_into_a_stage_while_it_is_deleted_finds_it_gone(
    real_commits: None,
) -> None:
    caller = await a_caller()
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    card = await a_stored_card(caller, pipeline["etapas"][0])
    async with transaction():
        await deleted(caller, pipeline, "B", move_to="C")
        moving = outside(moved(caller, pipeline, card, "B"))
        await somebody_waits()

    with pytest.raises(NotFound):
        await moving

    assert (await Card.get(id=card.id)).stage_id == stage_ids(pipeline)["A"]


async def test_a_deal_that_moved_into_a_stage_before_its_deletion_moves_on(
    real_commits: None,
) -> None:
    caller = await a_caller()
    pipeline = await a_pipeline(caller, etapas=OPEN_ONLY)
    card = await a_stored_card(caller, pipeline["etapas"][0])
    async with transaction():
        await moved(caller, pipeline, card, "B")
        deleting = outside(deleted(caller, pipeline, "B", move_to="C"))
        await somebody_waits()
    await deleting

    after = await Card.get(id=card.id)
    assert (after.stage_id, after.version) == (stage_ids(pipeline)["C"], 3)
    assert await CardHistory.filter(card_id=card.id, left_at=None).count() == 1
