"""Pipelines over GraphQL: the values, the order and the refusals of REST."""

from typing import Any

import pytest

from core import cards, organizations, pipelines
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_query
from tests.factories.accounts import an_account
from tests.factories.cards import some_deals
from tests.factories.companies import a_company
from tests.factories.organizations import a_caller
from tests.factories.pipelines import a_pipeline, changed_pipeline
from tests.support.graphql import as_rest, ask, bare, data_of, every_field, refused

pytestmark = pytest.mark.usefixtures("clean_slate")

STAGE_OF_REST = (
    "id pipelineId nome posicao resultado probabilidade tempoMaximoDias camposObrigatorios cor"
)
WHOLE = f"{every_field('Pipeline')} etapas {{ {STAGE_OF_REST} }} motivos {{ {every_field('LostReason')} }}"
LISTED = """query($first: Int, $after: String, $last: Int, $before: String, $all: Boolean) {
  pipelines(first: $first, after: $after, last: $last, before: $before, includeArchived: $all) {
    nodes { nome } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }"""

STAGES: list[dict[str, Any]] = [
    {
        "nome": "Novo",
        "probabilidade": 10,
        "tempoMaximoDias": 7,
        "cor": "#ffcc00",
        "camposObrigatorios": ["valor"],
    },
    {"nome": "Ganho", "resultado": "ganho"},
    {"nome": "Perdido", "resultado": "perda"},
]


def names(page: dict[str, Any]) -> list[str]:
    return [node["nome"] for node in page["nodes"]]


async def test_every_field_of_a_pipeline_is_the_one_of_rest() -> None:
    owner = await a_caller()
    reader = bare(owner, Scope.CRM_READ)
    for facts in (
        {
            "descricao": "Vendas do ano",
            "moeda": "USD",
            "etapas": STAGES,
            "motivos": ["Preço", "Prazo"],
        },
        {},
    ):
        id = (await a_pipeline(owner, **facts))["id"]
        shown = await data_of(reader, f'{{ pipeline(id: "{id}") {{ {WHOLE} }} }}')
        assert as_rest("Pipeline", shown["pipeline"]) == await pipelines.get_pipeline(reader, id)


async def test_pipelines_come_as_rest_lists_them_and_archived_ones_only_when_asked_for() -> None:
    caller = await a_caller()
    for name in "ABCD":
        await a_pipeline(caller, nome=name)
    second = (await data_of(caller, "{ pipelines(first: 2) { nodes { id } } }"))["pipelines"][
        "nodes"
    ][1]["id"]
    await changed_pipeline(caller, second, arquivado=True)

    for all, expected in ((False, ["A", "C", "D"]), (True, ["A", "B", "C", "D"])):
        query = read_query(pipelines.PipelineFilter, [("includeArchived", str(all))])
        listed = await cards.list_pipelines(caller, query)
        page = (await data_of(caller, LISTED, first=10, all=all))["pipelines"]
        assert names(page) == [item["nome"] for item in listed["items"]] == expected
        assert page["totalCount"] == listed["total"] == len(expected)
    archived = await data_of(caller, f'{{ pipeline(id: "{second}") {{ nome arquivado }} }}')
    assert archived["pipeline"] == {"nome": "B", "arquivado": True}


async def test_pages_of_pipelines_follow_each_other_both_ways() -> None:
    caller = await a_caller()
    for name in "ABC":
        await a_pipeline(caller, nome=name)
    first = (await data_of(caller, LISTED, first=2))["pipelines"]
    rest = (await data_of(caller, LISTED, first=2, after=first["pageInfo"]["endCursor"]))[
        "pipelines"
    ]
    last = (await data_of(caller, LISTED, last=2))["pipelines"]
    before = (await data_of(caller, LISTED, last=2, before=last["pageInfo"]["startCursor"]))[
        "pipelines"
    ]
    assert (names(first), names(rest), names(last), names(before)) == (
        ["A", "B"],
        ["C"],
        ["B", "C"],
        ["A"],
    )
    assert [page["pageInfo"]["hasNextPage"] for page in (first, rest)] == [True, False]
    assert [page["pageInfo"]["hasPreviousPage"] for page in (last, before)] == [True, False]


@pytest.mark.parametrize(
    "asked", [{}, {"first": 0}, {"first": 101}, {"first": 1, "last": 1}, {"first": 1, "after": "x"}]
)
async def test_a_page_of_pipelines_that_cannot_be_is_refused(asked: dict[str, Any]) -> None:
    error = await refused(await a_caller(), LISTED, **asked)
    assert error["extensions"]["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize("kind", ["pipeline", "etapas", "motivos"])
async def test_a_pipeline_and_its_parts_are_nodes(kind: str) -> None:
    caller = await a_caller()
    pipeline = await a_pipeline(caller, motivos=["Preço"])
    record = pipeline if kind == "pipeline" else pipeline[kind][0]
    name = {"pipeline": "Pipeline", "etapas": "Stage", "motivos": "LostReason"}[kind]
    query = f'{{ node(id: "{record["id"]}") {{ __typename id }} }}'
    assert await data_of(caller, query) == {"node": {"__typename": name, "id": record["id"]}}
    assert await data_of(await a_caller(), query) == {"node": None}
    other = Caller(caller.organization_id, "live", caller.scopes)
    assert await data_of(other, query) == {"node": None}


async def test_another_organizations_and_environments_pipelines_do_not_exist() -> None:
    owner = await a_caller()
    deals = await some_deals(owner)
    await deals.card()
    query = f'{{ pipeline(id: "{deals.id}") {{ id }} pipelines(first: 5, includeArchived: true) {{ totalCount }} }}'
    for stranger in (await a_caller(), Caller(owner.organization_id, "live", owner.scopes)):
        assert await data_of(stranger, query) == {"pipeline": None, "pipelines": {"totalCount": 0}}


async def test_without_the_scope_the_fields_are_null_and_the_rest_is_answered() -> None:
    owner = await a_caller()
    pipeline = await a_pipeline(owner)
    content = await ask(
        bare(owner, Scope.CONTACTS_READ),
        f'{{ me {{ env }} pipelines(first: 1) {{ totalCount }} pipeline(id: "{pipeline["id"]}") {{ id }} }}',
    )
    assert content["data"] == {"me": {"env": "TEST"}, "pipelines": None, "pipeline": None}
    assert [error["extensions"]["meta"] for error in content["errors"]] == [
        {"escopoExigido": "crm:read"}
    ] * 2


@pytest.mark.parametrize("scopes", [(Scope.CRM_READ,), (Scope.CRM_READ, Scope.PII_FULL)])
async def test_who_is_responsible_is_shown_as_rest_shows_accounts(
    scopes: tuple[Scope, ...],
) -> None:
    owner = await a_caller()
    member = await an_account(owner.organization_id, email="ana@padaria.test", role="operator")
    company = await a_company(owner, responsavelId=member["id"])
    deals = await some_deals(owner)
    card = await deals.card(responsavelId=member["id"])
    reader = bare(owner, *scopes)
    fields = every_field("Account")
    shown = await data_of(
        reader,
        f'{{ card(id: "{card["id"]}") {{ responsavel {{ {fields} }} }} '
        f'company(id: "{company["id"]}") {{ responsavel {{ {fields} }} }} }}',
    )
    listed = await organizations.list_accounts(
        reader, read_query(organizations.AccountFilter, [("role", "operator")])
    )
    for record in shown.values():
        assert as_rest("Account", record["responsavel"]) == listed["items"][0]
    assert (listed["items"][0]["email"] == "ana@padaria.test") is (Scope.PII_FULL in scopes)
