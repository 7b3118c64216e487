"""Creating, reading, changing and deleting cards."""

from datetime import timedelta
from typing import Any

import pytest

from core import audit, cards
from core.cards.errors import (
    ArchivedPipeline,
    CardExternalIdTaken,
    LinksRefused,
    NoteRequired,
    ReasonOutOfPlace,
    ReasonRequired,
    RequiredFieldsMissing,
)
from core.cards.models import Activity, Card, CardContact, CardFile, CardHistory
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.organizations import Account, AccountStatus
from core.pipelines import Stage
from core.pipelines.errors import VersionOutdated
from tests.factories.accounts import an_account
from tests.factories.cards import Deals, demanding, some_deals
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.pipelines import changed_pipeline

A_NOTE = cards.NewActivity.model_validate({"tipo": "nota", "texto": "Ligou de volta"})


def places(refusal: ServiceError) -> set[tuple[str, str]]:
    return {(error.where, error.code) for error in refusal.errors}


async def test_a_card_starts_in_the_first_open_stage_with_the_currency_of_its_pipeline(
    deals: Deals,
) -> None:
    at = now()

    card = await deals.card(etapaId=None, valor=1500)

    assert card["etapaId"] == deals.stages["Novo"]
    assert {
        "titulo": "Um negócio", "status": "aberto", "moeda": "BRL", "valor": 1500.0, "versao": 1, "diasNaEtapa": 0,
        "atrasado": False, "probabilidade": 10, "origem": "api", "tags": [], "atributos": {}, "contatos": [],
        "createdById": deals.caller.account_id,
    }.items() <= card.items()  # fmt: skip
    assert card["createdAt"] == card["etapaDesde"] >= at.isoformat()[:19]
    assert await deals.read(card["id"]) == card


async def test_every_field_is_kept(deals: Deals) -> None:
    contact = await a_contact(deals.caller)
    other = await a_contact(deals.caller)
    fields = {
        "valor": 10.1, "moeda": "USD", "dataPrevista": "2027-02-28", "probabilidade": 35, "contatoId": contact["id"],
        "contatos": [{"contatoId": other["id"], "papel": "decisor", "principal": True}],
        "responsavelId": deals.caller.account_id, "atributos": {"plano": "ouro", "n": 2, "x": None}, "tags": ["a", "b"],
        "origem": "import", "externalId": "erp-1",
    }  # fmt: skip

    card = await deals.card(**fields)

    assert fields.items() <= card.items()


@pytest.mark.parametrize("value", [10.01, 0.3, 0, 1e3, 999999999999.99])
async def test_a_value_is_kept_as_it_was_sent(deals: Deals, value: float) -> None:
    assert (await deals.card(valor=value))["valor"] == value


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"titulo": " "}, ("/titulo", "too_short")),
        ({"titulo": "x" * 161}, ("/titulo", "too_long")),
        ({"valor": -1}, ("/valor", "too_small")),
        ({"valor": 10.005}, ("/valor", "too_precise")),
        ({"valor": 0.1 + 0.2}, ("/valor", "too_precise")),
        ({"valor": "10"}, ("/valor", "wrong_type")),
        ({"moeda": "XXX"}, ("/moeda", "not_allowed")),
        ({"probabilidade": 101}, ("/probabilidade", "too_large")),
        ({"origem": "email"}, ("/origem", "not_allowed")),
        ({"observacaoPerda": "x" * 1001}, ("/observacaoPerda", "too_long")),
        ({"contatos": [{"contatoId": f"c{n}"} for n in range(21)]}, ("/contatos", "too_many")),
        ({"contatos": [{"contatoId": "c"}, {"contatoId": "c"}]}, ("/contatos", "repeated")),
        (
            {"contatos": [{"contatoId": c, "principal": True} for c in "ab"]},
            ("/contatos", "repeated"),
        ),
        ({"status": "ganho"}, ("/status", "unknown_field")),
    ],
)
async def test_a_wrong_field_is_named(
    deals: Deals, fields: dict[str, Any], wrong: tuple[str, str]
) -> None:
    with pytest.raises(ValidationFailed) as refused:
        await deals.card(**fields)

    assert wrong in places(refused.value)
    assert await Card.all().count() == 0


async def test_every_link_must_be_there(deals: Deals) -> None:
    stranger = await a_contact(await a_caller())
    live = await a_contact(await a_caller("live", organization_id=deals.caller.organization_id))

    with pytest.raises(LinksRefused) as refused:
        await deals.card(
            contatoId=stranger["id"],
            contatos=[{"contatoId": live["id"]}],
            companyId=new_id("emp"),
            responsavelId=new_id("acc"),
            origemMessageId=new_id("msg"),
        )

    code = "VINCULO_INVALIDO"
    pointers = (
        "/contatoId",
        "/contatos/0/contatoId",
        "/companyId",
        "/responsavelId",
        "/origemMessageId",
    )
    assert places(refused.value) == {(pointer, code) for pointer in pointers}
    assert refused.value.meta == {"code": code}
    assert await Card.all().count() == 0


@pytest.mark.parametrize("whose", ["another organization's", "the other environment's", "nobody's"])
async def test_pipeline_and_stage_must_be_the_callers(deals: Deals, whose: str) -> None:
    other = {
        "another organization's": await a_caller(),
        "the other environment's": await a_caller(
            "live", organization_id=deals.caller.organization_id
        ),
        "nobody's": deals.caller,
    }[whose]
    theirs = await some_deals(other)
    pipeline_id = new_id("pip") if whose == "nobody's" else theirs.id

    with pytest.raises(LinksRefused) as in_pipeline:
        await deals.card(pipelineId=pipeline_id, etapaId=None)
    with pytest.raises(LinksRefused) as in_stage:
        await deals.card(etapaId=theirs.stages["Novo"])

    assert places(in_pipeline.value) == {("/pipelineId", "VINCULO_INVALIDO")}
    assert places(in_stage.value) == {("/etapaId", "VINCULO_INVALIDO")}
    assert await Card.all().count() == 0


@pytest.mark.parametrize("status", [AccountStatus.SUSPENDED, AccountStatus.INVITED])
async def test_only_an_active_member_is_made_responsible(
    deals: Deals, status: AccountStatus
) -> None:
    member = await an_account(deals.caller.organization_id)
    card = await deals.card(responsavelId=member["id"])
    bare = await deals.card()
    await Account.filter(id=member["id"]).update(status=status)

    assert (await deals.change(card["id"], responsavelId=member["id"], titulo="Outro"))[
        "titulo"
    ] == "Outro"
    for attempt in (
        deals.card(responsavelId=member["id"]),
        deals.change(bare["id"], responsavelId=member["id"]),
    ):
        with pytest.raises(LinksRefused) as refused:
            await attempt
        assert places(refused.value) == {("/responsavelId", "VINCULO_INVALIDO")}
    assert (await deals.read(card["id"]))["responsavelId"] == member["id"]


async def test_an_archived_pipeline_takes_no_card(deals: Deals) -> None:
    card = await deals.card()
    await changed_pipeline(deals.caller, deals.id, arquivado=True, forcar=True)

    for attempt in (
        deals.card(),
        deals.move(card["id"], "Proposta"),
        deals.win(card["id"]),
        deals.lose(card["id"]),
    ):
        with pytest.raises(ArchivedPipeline):
            await attempt
    assert await Card.all().count() == 1
    assert (await deals.read(card["id"])) == card


@pytest.mark.parametrize(
    ("field", "fills", "does_not"),
    [
        ("valor", {"valor": 0.01}, {"valor": 0}),
        ("dataPrevista", {"dataPrevista": "2027-01-01"}, {"dataPrevista": None}),
        ("responsavel", {"responsavelId": "<me>"}, {"responsavelId": None}),
        ("contato", {"contatoId": "<contact>"}, {"contatos": [{"contatoId": "<contact>"}]}),
        ("contato", {"contatos": [{"contatoId": "<contact>", "principal": True}]}, {}),
    ],
)
async def test_a_card_has_what_its_stage_demands(
    caller: Caller, field: str, fills: dict[str, Any], does_not: dict[str, Any]
) -> None:
    deals = await some_deals(caller, etapas=demanding(field))
    contact = (await a_contact(caller))["id"]

    def real(value: Any) -> Any:
        match value:
            case dict():
                return {name: real(inner) for name, inner in value.items()}
            case list():
                return [real(inner) for inner in value]
        return {"<me>": caller.account_id, "<contact>": contact}.get(value, value)

    with pytest.raises(RequiredFieldsMissing) as refused:
        await deals.card("Proposta", **real(does_not))
    card = await deals.card("Proposta", **real(fills))

    assert refused.value.meta == {"code": "CAMPOS_OBRIGATORIOS_AUSENTES", "campos": [field]}
    with pytest.raises(RequiredFieldsMissing):
        await deals.change(
            card["id"], **{name: [] if name == "contatos" else None for name in fills}
        )
    assert await deals.read(card["id"]) == card


async def test_a_field_that_has_been_missing_may_go_on_missing(deals: Deals) -> None:
    card = await deals.card(valor=10)
    await Stage.filter(id=deals.stages["Novo"]).update(required_fields=["valor", "dataPrevista"])

    assert (await deals.change(card["id"], titulo="Novo título"))["titulo"] == "Novo título"
    with pytest.raises(RequiredFieldsMissing) as refused:
        await deals.change(card["id"], valor=None, dataPrevista=None)
    assert refused.value.meta["campos"] == ["valor"]


async def test_a_card_may_start_won(deals: Deals) -> None:
    card = await deals.card("Ganho")

    assert (card["status"], card["probabilidade"]) == ("ganho", 100)
    assert card["ganhoEm"] == card["createdAt"]
    assert card["fechadoPorId"] == deals.caller.account_id


async def test_a_card_that_starts_lost_says_why(caller: Caller) -> None:
    deals = await some_deals(caller, motivos=["Preço", {"texto": "Outro", "exigeObservacao": True}])
    other = await some_deals(caller, motivos=["Preço"])

    with pytest.raises(ReasonRequired):
        await deals.card("Perdido")
    with pytest.raises(NoteRequired):
        await deals.card("Perdido", motivoPerdaId=deals.reasons["Outro"], observacaoPerda=" ")
    with pytest.raises(LinksRefused):
        await deals.card("Perdido", motivoPerdaId=other.reasons["Preço"])
    for field in ("motivoPerdaId", "observacaoPerda"):
        with pytest.raises(ReasonOutOfPlace):
            await deals.card(**{field: deals.reasons["Preço"]})
    assert await Card.all().count() == 0
    card = await deals.card(
        "Perdido", motivoPerdaId=deals.reasons["Outro"], observacaoPerda="Mudou de ideia"
    )

    assert (card["status"], card["observacaoPerda"]) == ("perdido", "Mudou de ideia")
    assert card["perdidoEm"] == card["createdAt"]


async def test_an_external_id_belongs_to_one_card(deals: Deals) -> None:
    await deals.card(externalId="erp-1")

    with pytest.raises(CardExternalIdTaken):
        await deals.card(externalId="erp-1")


async def test_an_external_id_is_not_changed_into_a_taken_one(deals: Deals) -> None:
    await deals.card(externalId="erp-1")
    second = await deals.card(externalId="erp-2")

    with pytest.raises(CardExternalIdTaken):
        await deals.change(second["id"], externalId="erp-1")


async def test_the_other_environment_may_have_the_same_external_id(deals: Deals) -> None:
    await deals.card(externalId="erp-1")
    live = await some_deals(await a_caller("live", organization_id=deals.caller.organization_id))

    assert (await live.card(externalId="erp-1"))["externalId"] == "erp-1"


async def test_only_what_is_sent_changes(deals: Deals) -> None:
    contact = await a_contact(deals.caller)
    card = await deals.card(
        valor=10, dataPrevista="2027-01-01", tags=["a"], atributos={"n": 1}, externalId="x"
    )

    changed = await deals.change(card["id"], titulo="Maior", contatoId=contact["id"], tags=["b"])

    same = {"titulo": "Maior", "contatoId": contact["id"], "tags": ["b"], "versao": 2}
    assert changed == {**card, **same, "updatedAt": changed["updatedAt"]}
    assert [line["campo"] for line in await deals.history(card["id"], tipo="campo")] != []
    assert {line["campo"] for line in await deals.history(card["id"], tipo="campo")} == {
        "titulo",
        "contatoId",
        "tags",
    }


async def test_null_clears(deals: Deals) -> None:
    contact = await a_contact(deals.caller)
    optional = {
        "valor": 10, "dataPrevista": "2027-01-01", "probabilidade": 50, "contatoId": contact["id"],
        "responsavelId": deals.caller.account_id, "externalId": "x",
    }  # fmt: skip
    filled = {
        **optional,
        "contatos": [{"contatoId": contact["id"]}],
        "tags": ["a"],
        "atributos": {"n": 1},
    }
    card = await deals.card(**filled)

    cleared = await deals.change(card["id"], **dict.fromkeys(filled))

    assert not cleared.keys() & (optional.keys() - {"probabilidade"})
    assert (
        cleared["probabilidade"],
        cleared["contatos"],
        cleared["tags"],
        cleared["atributos"],
    ) == (10, [], [], {})


@pytest.mark.parametrize("field", ["titulo", "moeda", "versao"])
async def test_what_a_card_always_has_cannot_be_cleared(deals: Deals, field: str) -> None:
    card = await deals.card()

    with pytest.raises(ValidationFailed) as refused:
        await deals.change(card["id"], **{field: None})

    assert [error.where for error in refused.value.errors] == [f"/{field}"]


@pytest.mark.parametrize("field", ["etapaId", "status"])
async def test_a_stage_is_changed_by_moving_only(deals: Deals, field: str) -> None:
    card = await deals.card()

    with pytest.raises(ValidationFailed) as refused:
        await deals.change(card["id"], **{field: card[field]})

    assert refused.value.meta == {"code": "USE_MOVER"}


async def test_a_change_that_changes_nothing_leaves_no_trace(deals: Deals) -> None:
    card = await deals.card(valor=10, atributos={"n": 1}, tags=["a"])

    assert (
        await deals.change(
            card["id"], valor=10.0, atributos={"n": 1}, tags=["a"], titulo=card["titulo"]
        )
        == card
    )
    assert (await deals.change(card["id"], atributos={"n": True}))["versao"] == 2


async def test_an_outdated_version_is_refused(deals: Deals) -> None:
    card = await deals.card()
    await deals.change(card["id"], titulo="B", versao=1)

    for attempt in (
        deals.change(card["id"], titulo="C", versao=1),
        deals.move(card["id"], "Proposta", versao=1),
    ):
        with pytest.raises(VersionOutdated) as refused:
            await attempt
        assert refused.value.meta == {"code": "VERSAO_DESATUALIZADA", "versaoAtual": 2}
    assert (await deals.read(card["id"]))["titulo"] == "B"


async def test_people_are_replaced_and_checked_only_when_new(deals: Deals) -> None:
    one, two = await a_contact(deals.caller), await a_contact(deals.caller)
    card = await deals.card(contatos=[{"contatoId": one["id"], "papel": "decisor"}])

    changed = await deals.change(
        card["id"], contatos=[{"contatoId": two["id"], "principal": True}, {"contatoId": one["id"]}]
    )

    assert changed["contatos"] == [
        {"contatoId": two["id"], "principal": True},
        {"contatoId": one["id"], "principal": False},
    ]
    with pytest.raises(LinksRefused) as refused:
        await deals.change(
            card["id"], contatos=[{"contatoId": one["id"]}, {"contatoId": new_id("cnt")}]
        )
    assert places(refused.value) == {("/contatos/1/contatoId", "VINCULO_INVALIDO")}
    assert await deals.read(card["id"]) == changed


async def test_a_deleted_card_takes_everything_along(deals: Deals) -> None:
    contact = await a_contact(deals.caller)
    card = await deals.card(contatos=[{"contatoId": contact["id"]}], titulo="Segredo de Ana")
    other = await deals.card()
    for id in (card["id"], card["id"], other["id"]):
        await cards.add_activity(deals.caller, id, A_NOTE)

    await cards.delete_card(deals.caller, card["id"])

    with pytest.raises(NotFound):
        await deals.read(card["id"])
    for model in (Card, CardHistory, Activity):
        assert await model.all().count() == 1, model
    assert await CardContact.all().count() == await CardFile.all().count() == 0
    (entry,) = await audit.AuditEntry.filter(action="card.deleted")
    assert (entry.subject_id, entry.facts) == (
        card["id"],
        {"pipelineId": deals.id, "activities": 2, "files": 0, "contacts": 1},
    )


async def test_a_card_is_late_once_it_lay_longer_than_its_stage_allows(deals: Deals) -> None:
    card = await deals.card()
    for days, hours, late in ((7, 0, False), (7, 23, False), (8, 0, True)):
        since = now() - timedelta(days=days, hours=hours, seconds=5)
        await Card.filter(id=card["id"]).update(stage_since=since)

        read = await deals.read(card["id"])

        assert (read["diasNaEtapa"], read["atrasado"]) == (days, late)
        assert (await deals.listed(atrasado="true"))["total"] == int(late)
        assert (await deals.listed(atrasado="false"))["total"] == int(not late)


async def everything(deals: Deals, caller: Caller, id: str) -> list[Any]:
    """Every use case on one card, by another caller."""
    theirs = Deals(caller, deals.pipeline)
    return [
        theirs.read(id),
        theirs.change(id, titulo="Meu"),
        theirs.move(id, "Proposta"),
        theirs.win(id),
        theirs.lose(id),
        theirs.reopen(id),
        theirs.transfer(id, theirs),
        theirs.history(id),
        cards.list_activities(caller, id, cards.ActivityFilter()),
        cards.add_activity(caller, id, A_NOTE),
        cards.delete_card(caller, id),
    ]


@pytest.mark.parametrize("whose", ["another organization", "the other environment"])
async def test_cards_of_others_are_not_there(deals: Deals, whose: str) -> None:
    card = await deals.card()
    stranger = await (
        a_caller()
        if whose == "another organization"
        else a_caller("live", organization_id=deals.caller.organization_id)
    )

    for attempt in await everything(deals, stranger, card["id"]):
        with pytest.raises(NotFound):
            await attempt
    theirs = await some_deals(stranger)
    assert await theirs.batch([card["id"]], "Novo") == {
        "movidos": 0,
        "erros": [
            {"cardId": card["id"], "codigo": "NOT_FOUND", "mensagem": NotFound.default_detail}
        ],
    }
    assert await theirs.listed() == {"items": [], "total": 0}
    assert await deals.read(card["id"]) == card
    assert await audit.AuditEntry.filter(action__startswith="card.").count() == 0


async def test_every_use_case_asks_for_its_scope(deals: Deals) -> None:
    card = await deals.card()
    nobody = await a_caller(organization_id=deals.caller.organization_id, scopes=frozenset())
    scopes = []

    for attempt in await everything(deals, nobody, card["id"]):
        with pytest.raises(Forbidden) as refused:
            await attempt
        scopes.append(refused.value.meta["escopoExigido"])

    read, write = Scope.CRM_READ.value, Scope.CRM_WRITE.value
    assert scopes == [read, *[write] * 6, read, read, write, Scope.CRM_DELETE.value]
