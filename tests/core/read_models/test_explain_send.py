"""What would become of a send is what becomes of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.decisions import SendQuestion
from core.foundation.clock import clock_set_to, now
from core.foundation.errors import Forbidden, ServiceError, ValidationFailed
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.messaging import NoSuchContact
from core.read_models.decisions import get_decision
from core.read_models.explain_send import explain_send
from tests.contract.replay import nothing_left
from tests.factories.contacts import a_denial
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.factories.stored_contacts import stored_contact

pytestmark = pytest.mark.usefixtures("clean_slate")


async def explained(caller: Caller, **asked: Any) -> Any:
    async with nothing_left():
        return await explain_send(
            caller, SendQuestion.model_validate({"canal": "sms", "to": "+5511987650005"} | asked)
        )


def outcomes(decision: Any) -> dict[str, str]:
    return {one["regra"].value: one["resultado"].value for one in decision["regras"]}


async def test_what_would_be_sent_passes_every_rule_and_asks_no_provider() -> None:
    caller = await a_caller()
    em = datetime(2026, 12, 1, 15, tzinfo=UTC)

    answer = await explained(caller, em=em)

    assert (answer["veredito"], answer["podeEm"]) == ("enviada", "2026-12-01T15:00:00.000Z")
    assert "regra" not in answer
    assert outcomes(answer)["resposta_do_provedor"] == "nao_se_aplica"
    assert outcomes(answer)["saldo"] == "passou"


async def test_what_would_be_refused_names_the_rule_and_what_to_do() -> None:
    caller = await a_caller()
    await leave_coins(caller, 799)

    answer = await explained(caller)

    assert (answer["veredito"], answer["regra"], answer["codigo"]) == (
        "recusada",
        "saldo",
        "PAYMENT_REQUIRED",
    )
    assert answer["oQueFazer"] == "Add credit, and send again."
    assert "podeEm" not in answer, "time alone changes nothing"


async def test_a_contact_is_asked_about_at_its_address() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1", phone="+5511987650005")
    await a_denial(caller, "+5511987650005")

    answer = await explained(caller, contactId="cnt_1", to=None)
    by_otp = await explained(caller, contactId="cnt_1", to=None, rota="otp")

    assert answer["regra"] == "consentimento"
    assert by_otp["veredito"] == "enviada"
    with pytest.raises(NoSuchContact):
        await explained(caller, contactId="cnt_2", to=None)
    with pytest.raises(ValidationFailed) as caught:
        await explained(caller, canal="email", contactId="cnt_1", to=None)
    assert [error.where for error in caught.value.errors] == ["/contactId"]


async def test_faults_of_a_question_are_named_as_it_names_its_fields() -> None:
    caller = await a_caller()

    with pytest.raises(ValidationFailed) as caught:
        await explained(caller, to="12", rota="expresso")

    assert [error.where for error in caught.value.errors] == ["/to", "/rota"]
    with pytest.raises(ValidationFailed) as caught:
        await explained(caller, canal="push")
    assert [error.where for error in caught.value.errors] == ["/canal"]


async def test_who_reads_a_channel_may_ask_and_nobody_else() -> None:
    caller = await a_caller()
    reader = await a_caller(
        organization_id=caller.organization_id, scopes=frozenset({Scope.SMS_READ})
    )
    sender = await a_caller(scopes=KEY_SCOPES - {Scope.SMS_READ})

    answer = await explained(reader)

    assert answer["veredito"] == "enviada"
    price = next(one for one in answer["regras"] if one["regra"] == "preco")
    assert "entradas" not in price, "amounts are of the wallet"
    with pytest.raises(Forbidden):
        await explained(sender)


async def decided(caller: Caller, **changes: Any) -> str:
    """Where the decision about a send is read."""
    try:
        sent = await a_send(caller, body="Olá!", **changes)
    except ServiceError as refusal:
        return refusal.decision_id or ""
    id: str = sent["id"]
    return id


ROUTES = st.sampled_from(["premium", "otp", "la_dedicada"])
PHONES = st.sampled_from(["+5511987650005", "+5511987650006", "+5511987650114"])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    route=ROUTES,
    phone=PHONES,
    denied=st.booleans(),
    coins=st.sampled_from([0, 799, 800, 100_000]),
    hours=st.integers(-2_000, 2_000),
)
async def test_a_question_about_the_instant_of_a_send_is_answered_as_the_send_was(
    route: str, phone: str, denied: bool, coins: int, hours: int
) -> None:
    caller = await a_caller()
    await leave_coins(caller, coins)
    if denied:
        await a_denial(caller, phone)
    at = now() + timedelta(hours=hours)

    answer = await explained(caller, to=phone, rota=route, em=at, body="Olá!")
    with clock_set_to(at):
        decision = await get_decision(caller, await decided(caller, to=phone, route=route))

    assert (answer["veredito"], answer.get("regra")) == (
        decision["veredito"],
        decision.get("regra") if decision["veredito"] != "enviada" else None,
    )
    asked = outcomes(answer)
    assert {rule: told for rule, told in outcomes(decision).items() if asked[rule] == "passou"} == {
        rule: told for rule, told in asked.items() if told == "passou"
    }
