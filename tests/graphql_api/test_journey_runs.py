"""Runs over GraphQL: of a journey, of a contact, by themselves, with their trails."""

import pytest

from core import journeys
from core.foundation.database import db
from core.foundation.run_id import key_of_run
from tests.factories.journeys import a_running_journey, enrolled
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts
from tests.support.graphql import data_of, refused
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

JOURNEYS = """query($filter: JourneyRunFilter, $after: String) { journeys(first: 5) { nodes {
  id execucoes { ativa cancelada } passos { id metricas { entraram aguardando } }
  runs(first: 2, after: $after, filter: $filter) {
    totalCount pageInfo { endCursor hasNextPage }
    nodes { id estado passo trilha { passo resultado } contact { id } journey { id } } } } } }"""


async def test_journeys_are_shown_with_who_is_on_the_way_in_few_statements() -> None:
    caller = await a_caller()
    contacts = await stored_contacts(caller, [{}] * 3)
    program, other = await a_running_journey(caller), await a_running_journey(caller)
    runs = await enrolled(program, contacts)
    await enrolled(other, contacts[:1])
    await journeys.take_out(caller, program.version_id, runs[0])
    await db.execute("UPDATE journey_runs SET step = 2 WHERE id = $1", key_of_run(runs[2]))

    async with statements() as asked:
        shown = {one["id"]: one for one in (await data_of(caller, JOURNEYS))["journeys"]["nodes"]}
    assert len(asked) == 2  # the root, and their runs with their trails
    one = shown[program.version_id]
    assert one["execucoes"] == {"ativa": 2, "cancelada": 1}
    assert one["passos"][0] == {"id": "ola", "metricas": {"entraram": 0, "aguardando": 0}}
    page = one["runs"]
    assert (page["totalCount"], page["pageInfo"]["hasNextPage"]) == (3, True)
    newest = sorted(runs, reverse=True)
    assert [node["id"] for node in page["nodes"]] == newest[:2]
    assert shown[other.version_id]["runs"]["totalCount"] == 1

    after = page["pageInfo"]["endCursor"]
    rest = (await data_of(caller, JOURNEYS, after=after))["journeys"]["nodes"]
    assert newest[2] in {node["id"] for node in rest[1]["runs"]["nodes"]}

    for filter, ids in (
        ({"estado": "CANCELADA"}, [runs[0]]),
        ({"estado": "ATIVA"}, [runs[1], runs[2]]),
        ({"passo": "pausa"}, [runs[2]]),
        ({"passo": "nada"}, []),
    ):
        found = (await data_of(caller, JOURNEYS, filter=filter))["journeys"]["nodes"]
        (page,) = [one["runs"] for one in found if one["id"] == program.version_id]
        assert [node["id"] for node in page["nodes"]] == ids
    gone = (await data_of(caller, JOURNEYS, filter={"estado": "CANCELADA"}))["journeys"]["nodes"]
    (node,) = [node for one in gone for node in one["runs"]["nodes"]]
    assert node["contact"] == {"id": contacts[0]}
    assert node["journey"] == {"id": program.version_id}
    assert node["trilha"] == [{"passo": None, "resultado": "ENCERRADA"}]


async def test_a_contact_shows_its_runs_and_one_is_taken_out() -> None:
    caller, stranger = await a_caller(), await a_caller()
    (contact,) = await stored_contacts(caller, [{}])
    programs = [await a_running_journey(caller) for _ in range(2)]
    runs = [(await enrolled(program, [contact]))[0] for program in programs]
    delete = "mutation($j: ID!, $id: ID!) { deleteJourneyRun(journeyId: $j, id: $id) { id } }"

    refusal = await refused(stranger, delete, j=programs[0].version_id, id=runs[0])
    gone = await data_of(caller, delete, j=programs[0].version_id, id=runs[0])

    assert refusal["extensions"]["code"] == "NOT_FOUND"
    assert gone == {"deleteJourneyRun": {"id": runs[0]}}
    query = """query($id: ID!, $f: ContactJourneyRunFilter) { contact(id: $id) {
      journeyRuns(first: 5, filter: $f) { totalCount nodes { id } } } }"""
    everything = (await data_of(caller, query, id=contact))["contact"]["journeyRuns"]
    active = (await data_of(caller, query, id=contact, f={"estado": "ATIVA"}))["contact"]
    assert [node["id"] for node in everything["nodes"]] == sorted(runs, reverse=True)
    assert active["journeyRuns"] == {"totalCount": 1, "nodes": [{"id": runs[1]}]}


async def test_a_change_answers_the_steps_with_their_figures() -> None:
    caller = await a_caller()
    change = """mutation($i: CreateJourneyInput!) { createJourney(input: $i) {
      id passos { id metricas { entraram pulados puladosPorMotivo { motivo quantidade } } } } }"""
    step = {"id": "p1", "tipo": "espera", "config": {"duracaoHoras": 1}}
    new = {"name": "A", "gatilho": {"nome": "signup"}, "passos": [step], "entradaPasso": "p1"}

    made = (await data_of(caller, change, i=new))["createJourney"]

    assert made["passos"] == [
        {"id": "p1", "metricas": {"entraram": 0, "pulados": {}, "puladosPorMotivo": []}}
    ]
