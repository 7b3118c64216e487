"""What was decided about contacts, and what would be, over GraphQL: questions have connections of their own."""

from datetime import datetime, timedelta

import pytest

from core.decisions import RefusedSend
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Scope
from tests.factories.contacts import a_contact, a_denial
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.support.graphql import ask, bare

pytestmark = pytest.mark.usefixtures("real_commits")

OF_CONTACTS = """query($em: DateTime) { contacts(first: 5) { nodes { id
  decisoes(first: 2) { id veredito regra requestId }
  podeReceber(canal: SMS, categoria: "marketing", em: $em) { veredito regra em podeEm regras { entradas } }
  otp: podeReceber(canal: SMS, categoria: "transacional") { veredito regra }
  email: podeReceber(canal: EMAIL) { veredito } } } }"""


async def test_a_contact_tells_what_was_decided_and_what_would_be() -> None:
    caller = await a_caller()
    denied = await a_contact(caller, phone="+5511987650005")
    other = await a_contact(caller, phone="+5511987650006", email="bia@example.org")
    await a_denial(caller, "+5511987650005")
    sent = [(await a_send(caller, contactId=other["id"], to=other["phone"]))["id"] for _ in "123"]
    with pytest.raises(ServiceError):
        await a_send(caller)
    kept = await RefusedSend.get()
    em = (now() + timedelta(days=3)).replace(microsecond=0)

    answer = await ask(caller, OF_CONTACTS, em=em.isoformat())

    found = {one["id"]: one for one in answer["data"]["contacts"]["nodes"]}
    of_denied, of_other = found[denied["id"]], found[other["id"]]
    assert [one["id"] for one in of_denied["decisoes"]] == [kept.id]
    assert [one["id"] for one in of_other["decisoes"]] == sent[:0:-1]
    assert (of_denied["podeReceber"]["veredito"], of_denied["podeReceber"]["regra"]) == (
        "RECUSADA",
        "CONSENTIMENTO",
    )
    assert of_other["podeReceber"]["veredito"] == of_denied["otp"]["veredito"] == "ENVIADA"
    assert datetime.fromisoformat(of_other["podeReceber"]["podeEm"]) == em
    assert of_denied["email"] is None
    assert [error["path"][-1] for error in answer["errors"]] == ["email"]
    assert await RefusedSend.all().count() == 1


async def test_who_may_not_read_a_channel_is_told_no_decision_of_it() -> None:
    caller = await a_caller()
    await a_contact(caller, phone="+5511987650005")
    reader = bare(caller, Scope.CONTACTS_READ)

    answer = await ask(reader, OF_CONTACTS)

    (node,) = answer["data"]["contacts"]["nodes"]
    assert (node["decisoes"], node["podeReceber"]) == (None, None)
    assert {error["extensions"]["code"] for error in answer["errors"]} == {"FORBIDDEN"}
