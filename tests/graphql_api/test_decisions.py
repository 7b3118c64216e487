"""Why a message was sent, or why not, over GraphQL."""

import pytest

from core.decisions import RefusedSend
from core.foundation.errors import ServiceError
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support.graphql import data_of
from tests.support.statements import statements

pytestmark = pytest.mark.usefixtures("clean_slate")

DECISION = """query($id: ID!) { decision(id: $id) {
  id veredito canal regra frase oQueFazer codigo regras { regra resultado entradas } linha { evento } } }"""


async def test_a_refused_send_is_told_in_one_statement() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650005")
    with pytest.raises(ServiceError):
        await a_send(caller)
    kept = await RefusedSend.get()

    async with statements() as asked:
        found = (await data_of(caller, DECISION, id=kept.id))["decision"]

    assert len(asked) == 1
    assert (found["veredito"], found["regra"], found["codigo"]) == (
        "RECUSADA",
        "CONSENTIMENTO",
        "opt_out",
    )
    (stopped,) = [one for one in found["regras"] if one["resultado"] == "PAROU"]
    assert stopped["entradas"]["motivo"] == "opt_out"
    assert found["linha"] == []


async def test_a_message_is_told_with_what_happened_since() -> None:
    caller = await a_caller()
    sent = await a_send(caller)

    found = (await data_of(caller, DECISION, id=sent["id"]))["decision"]

    assert (found["veredito"], found["regra"]) == ("ENVIADA", None)
    assert [step["evento"] for step in found["linha"]] == ["aceita", "enviada"]


async def test_anothers_is_not_found() -> None:
    caller, other = await a_caller(), await a_caller()
    sent = await a_send(other)

    assert await data_of(caller, DECISION, id=sent["id"]) == {"decision": None}
