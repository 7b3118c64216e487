"""People and their log-ins over GraphQL."""

import pytest

from tests.factories.accounts import a_person, logged_in
from tests.factories.organizations import a_caller
from tests.support.graphql import ask, data_of, refused
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

PEOPLE = "{ accounts(first: 10, filter: {role: OPERATOR}) { totalCount nodes { id role status } } }"
SESSIONS = """query($who: ID) { sessions(first: 10, filter: {accountId: $who}) {
  totalCount nodes { id env accountId account { id name } } } }"""
ME = """{ me { account { id email } credential { id kind nome } limits { smsPerSecond } expiresAt
  organization { id nome } } }"""


async def test_people_are_read_with_a_filter_in_one_statement() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")

    async with statements() as asked:
        found = (await data_of(owner, PEOPLE))["accounts"]

    assert len(asked) == 1
    assert found == {
        "totalCount": 1,
        "nodes": [{"id": operator.account_id, "role": "OPERATOR", "status": "ACTIVE"}],
    }


async def test_ones_own_sessions_of_both_environments_in_one_statement() -> None:
    person = await a_person()
    live = await logged_in(person.organization_id, person.account_id or "", env="live")

    async with statements() as asked:
        found = (await data_of(person, SESSIONS))["sessions"]

    assert len(asked) == 1
    assert [(node["id"], node["env"]) for node in found["nodes"]] == [
        (live.credential_id, "LIVE"),
        (person.credential_id, "TEST"),
    ]
    assert {node["account"]["id"] for node in found["nodes"]} == {person.account_id}


async def test_those_of_others_need_the_scope_and_their_ids_tell_nothing() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")
    node = "query($id: ID!) { node(id: $id) { id } }"

    error = await refused(operator, SESSIONS, who=owner.account_id)

    assert error["extensions"]["meta"] == {"escopoExigido": "accounts:manage"}
    theirs = {"id": owner.credential_id}
    assert (await data_of(operator, node, **theirs))["node"] is None
    assert (await data_of(owner, node, id=operator.credential_id))["node"] is not None


async def test_a_key_has_no_sessions() -> None:
    content = await ask(await a_caller(), SESSIONS)

    assert content["data"] == {"sessions": None}
    assert content["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_me_tells_whose_credential_it_is() -> None:
    person = await a_person(email="ana@padaria.test")

    me = (await data_of(person, ME))["me"]

    assert me["account"] == {"id": person.account_id, "email": "ana@padaria.test"}
    assert me["credential"] == {"id": person.credential_id, "kind": "SESSION", "nome": None}
    assert me["limits"] == {"smsPerSecond": 50}
    assert me["organization"]["id"] == person.organization_id
    assert me["expiresAt"]
