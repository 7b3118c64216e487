"""How many statements an answer takes: a fixed number, however many records it holds."""

from typing import Any

import pytest

from core.foundation.clock import now
from core.foundation.security.caller import Caller
from tests.factories.companies import a_company
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message
from tests.support.graphql import data_of
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

DASHBOARD = """{ contacts(first: 50, filter: {tag: "vip"}) {
  totalCount nodes { id name phone tags createdAt optIn { status } company { id nome }
    messages(first: 5) { nodes { id channel status to createdAt deliveredAt } } } } }"""

WIDE = """{
  contacts(first: 20) {
    totalCount pageInfo { endCursor }
    edges { cursor node {
      id documentos { cpf } lists { id name }
      company { id contagens { contatos valorAberto } contatos(first: 3) { totalCount nodes { name } } }
      messages(first: 5) {
        totalCount pageInfo { hasNextPage } nodes { id ... on SmsMessage { segments } contact { name } } }
      lastMessage { id }
      customerEvents(first: 3) { nodes { name } }
      timeline(first: 5) { totalCount nodes { id at } }
    } }
  }
}"""


async def some(caller: Caller, number: int) -> None:
    for _ in range(number):
        company = await a_company(caller)
        contact = await a_contact(caller, tags=["vip"], companyId=company["id"])
        for _ in range(2):
            await stored_message(caller, now(), contact_id=contact["id"])


async def number_of_statements(caller: Caller, query: str) -> tuple[int, Any]:
    async with statements() as asked:
        data = await data_of(caller, query)
    return len(asked), data


async def test_the_dashboard_page_is_one_statement() -> None:
    caller = await a_caller("test")
    for number in (1, 7):
        await some(caller, number)
        count, data = await number_of_statements(caller, DASHBOARD)
        assert count == 1
    assert data["contacts"]["totalCount"] == len(data["contacts"]["nodes"]) == 8
    assert [len(node["messages"]["nodes"]) for node in data["contacts"]["nodes"]] == [2] * 8


async def test_a_wide_query_takes_as_many_statements_for_many_records_as_for_one() -> None:
    caller = await a_caller("test")
    counts = []
    for number in (1, 7):
        await some(caller, number)
        count, data = await number_of_statements(caller, WIDE)
        counts.append(count)
    # All records in one; what timelines hold in another, and their totals in a third.
    assert counts == [3, 3]
    assert len(data["contacts"]["edges"]) == 8
