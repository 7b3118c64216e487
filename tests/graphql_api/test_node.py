"""Any record by its id; and how few statements a page of every kind of them costs."""

from dataclasses import replace
from typing import Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType, get_named_type

from core import lists
from core.foundation.clock import now
from core.foundation.security.caller import Caller, Scope
from core.read_models.relations import KINDS
from graphql_api.connections import NodeField
from graphql_api.lookahead import field_kind_of
from graphql_api.schema import graphql_schema
from tests.factories.companies import a_company
from tests.factories.contacts import a_contact, changed_contact
from tests.factories.nodes import (
    MADE,
    a_company_id,
    a_contact_id,
    a_list_id,
    a_segment_id,
    a_webhook_id,
    an_event_id,
)
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message
from tests.support.connections import other_sides
from tests.support.graphql import ask, bare, data_of, every_field
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

NODE = "query($id: ID!) { node(id: $id) { __typename id } }"


def possible_types(type: Any) -> list[GraphQLObjectType]:
    return (
        list(graphql_schema.get_possible_types(type))
        if isinstance(type, GraphQLInterfaceType)
        else []
    )


def shown_by(type: str) -> str | None:
    """The field of the root that shows a record of this type by its id."""
    root = graphql_schema.query_type
    assert root is not None
    for name, field in root.fields.items():
        if isinstance(field_kind_of(field), NodeField):
            shown = get_named_type(field.type)
            if type in [shown.name, *(one.name for one in possible_types(shown))]:
                return str(name)
    return None


def test_every_type_that_is_a_node_is_tried_here() -> None:
    assert set(MADE) == {type.name for type in possible_types(graphql_schema.get_type("Node"))}


def test_whatever_the_root_shows_by_its_id_is_a_node() -> None:
    root = graphql_schema.query_type
    assert root is not None
    shown = [
        how.entity
        for field in root.fields.values()
        if isinstance(how := field_kind_of(field), NodeField)
    ]
    assert shown
    assert [entity.name for entity in shown if KINDS.get(entity.prefix) is not entity] == []


@pytest.mark.parametrize("prefix", list(KINDS))
def test_a_kind_has_the_name_of_its_type(prefix: str) -> None:
    type = graphql_schema.get_type(KINDS[prefix].name)
    assert isinstance(type, GraphQLObjectType | GraphQLInterfaceType)
    assert "Node" in [interface.name for interface in type.interfaces]


async def a_reader(type: str) -> Caller:
    """Whoever may read records of the type: no key looks after people."""
    caller = await a_caller("test")
    more = {
        "ApiKey": Scope.KEYS_MANAGE,
        "Session": Scope.ACCOUNTS_MANAGE,
        "SmppAccount": Scope.KEYS_MANAGE,
    }
    if type not in more:
        return caller
    return replace(caller, scopes=caller.scopes | {more[type]})


@pytest.mark.parametrize("type", list(MADE))
async def test_a_node_is_the_record_of_its_id_with_all_its_fields(type: str) -> None:
    caller = await a_reader(type)
    id = await MADE[type](caller)
    whole = f"__typename ... on {type} {{ {every_field(type)} }}"
    shown = (await data_of(caller, f"query($id: ID!) {{ node(id: $id) {{ {whole} }} }}", id=id))[
        "node"
    ]

    assert (shown["__typename"], shown["id"]) == (type, id)
    if single := shown_by(type):
        query = f"query($id: ID!) {{ {single}(id: $id) {{ {whole} }} }}"
        assert shown == (await data_of(caller, query, id=id))[single]


@pytest.mark.parametrize("type", list(MADE))
async def test_a_node_of_another_organization_or_environment_is_null(type: str) -> None:
    caller = await a_reader(type)
    id = await MADE[type](caller)
    others = await other_sides(caller)
    if type in (
        "Account",
        "ApiKey",
        "Organization",
        "Session",
        "Session",
        "SmppAccount",
    ):  # these are looked after in both environments
        others = [other for other in others if other.organization_id != caller.organization_id]
    for other in others:
        reader = replace(other, scopes=caller.scopes)
        assert (await data_of(reader, NODE, id=id))["node"] is None


@pytest.mark.parametrize(
    "id", ["", "cnt", "cnt_", "nobody_V1StGXR8Z5jdHi6B0myTv", "cnt_V1StGXR8Z5jdHi6B0myTv", "\x00"]
)
async def test_an_id_of_nothing_is_null(id: str) -> None:
    assert (await data_of(await a_caller("test"), NODE, id=id))["node"] is None


async def test_a_node_needs_the_scope_of_its_kind() -> None:
    caller = await a_caller("test")
    contact, webhook = await a_contact_id(caller), await a_webhook_id(caller)
    query = f'{{ contact: node(id: "{contact}") {{ id }} webhook: node(id: "{webhook}") {{ id }} }}'

    content = await ask(bare(caller, Scope.CONTACTS_READ), query)

    assert content["data"] == {"contact": {"id": contact}, "webhook": None}
    (error,) = content["errors"]
    assert error["extensions"]["meta"] == {"escopoExigido": "webhooks:read"}


async def test_a_node_has_what_hangs_on_it_by_fragments_of_its_type() -> None:
    caller = await a_caller("test")
    company = await a_company(caller)
    contact = await a_contact(caller, companyId=company["id"])
    fragments = """query($id: ID!) { node(id: $id) { id ...person ... on Message { status } ... on Webhook { url }
      ... on Company { nome contatos(first: 1) { totalCount } } } }
      fragment person on Contact { createdAt company { nome } lists { id } }"""

    person = (await data_of(caller, fragments, id=contact["id"]))["node"]
    firm = (await data_of(caller, fragments, id=company["id"]))["node"]

    assert person == {
        "id": contact["id"],
        "createdAt": contact["createdAt"],
        "company": {"nome": company["nome"]},
        "lists": [],
    }
    assert firm == {"id": company["id"], "nome": company["nome"], "contatos": {"totalCount": 1}}


WIDE = """query($id: ID!) {
  node(id: $id) { ... on Contact { lists { id } customerEvents(first: 3) { nodes { id } } } }
  contacts(first: 20) { totalCount nodes { company { nome } lists { name contacts(first: 3) { nodes { id } } }
    messages(first: 3) { nodes { id } } lastMessage { status }
    customerEvents(first: 3) { totalCount nodes { attributedMessage { id } } } } }
  companies(first: 20) { nodes { contagens { contatos } contatos(first: 3) { nodes { id } } } }
  messages(first: 20) { nodes { contact { name lists { name } } } }
  lists(first: 20) { nodes { size contacts(first: 3) { totalCount nodes { phone company { nome } } } } }
  segments(first: 10) { nodes { inUse { journeys } contacts(first: 3) { totalCount nodes { name lists { id } } } } }
  webhooks(first: 20) { nodes { url headers { key } } }
  customerEvents(first: 20) { totalCount nodes { contact { name } attributedMessage { contact { id } } } }
}"""


async def a_world(caller: Caller) -> str:
    """One record more of every kind, hung on each other; the id of the contact."""
    company = await a_company_id(caller)
    contact = await a_contact_id(caller)
    await changed_contact(caller, contact, companyId=company, tags=["vip"])
    await stored_message(caller, now(), contact_id=contact)
    await lists.add_members(caller, await a_list_id(caller), lists.Members(contact_ids=[contact]))
    await a_segment_id(caller)
    await a_webhook_id(caller)
    await an_event_id(caller, contact)
    return contact


async def test_a_page_of_every_kind_costs_as_many_statements_for_many_records_as_for_one() -> None:
    caller = await a_caller("test")
    id = await a_world(caller)
    async with statements() as of_one:
        await data_of(caller, WIDE, id=id)
    for _ in range(4):
        await a_world(caller)
    async with statements() as of_many:
        shown = await data_of(caller, WIDE, id=id)

    # One for each field of the root; two for the contacts of segments, their filters and who
    # matches; one for the contacts of lists wherever lists are shown with them, which is twice.
    assert len(of_many) == len(of_one) == len(shown) + 4
    assert {len(page["nodes"]) for name, page in shown.items() if name != "node"} == {5}
    assert _count(shown) > 100


def _count(shown: Any) -> int:
    """How many objects an answer holds."""
    if isinstance(shown, list):
        return sum(map(_count, shown))
    return 1 + sum(map(_count, shown.values())) if isinstance(shown, dict) else 0
