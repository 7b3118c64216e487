"""Why a message was sent, or why not, as it is read."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.contacts import ContactDenial
from core.decisions import DecisionFilter, RefusalCount, RefusedSend, keep_refusal
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.tenancy import owned_by
from core.foundation.errors import Forbidden, NotFound, ServiceError
from core.foundation.language import note_header
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.privacy import erase_contact
from core.read_models.decisions import get_decision, get_decision_of_message, list_decisions
from tests.factories.batches import ANA, BIA, a_bulk, a_desk
from tests.factories.contacts import a_contact, a_denial
from tests.factories.conversations import a_conversation
from tests.factories.conversations import a_message as a_conversation_message
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch
from tests.factories.sms import a_send, leave_coins
from tests.factories.stored_contacts import stored_contact
from tests.support.sql_tables import rows_of

pytestmark = pytest.mark.usefixtures("clean_slate")


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """Whatever language a test asks for is forgotten after it."""
    yield
    note_header(None)


def outcomes(decision: Any) -> dict[str, str]:
    return {one["regra"].value: one["resultado"].value for one in decision["regras"]}


async def refused_send(caller: Any, **changes: Any) -> str:
    with pytest.raises(ServiceError) as caught:
        await a_send(caller, **changes)
    found = caught.value.decision_id
    assert found is not None
    return found


async def test_a_refusal_tells_what_passed_before_and_what_was_not_asked() -> None:
    caller = await a_caller()
    await a_denial(caller, "+5511987650005")
    id = await refused_send(caller)

    decision = await get_decision(caller, id)

    assert (decision["veredito"], decision["regra"]) == ("recusada", "consentimento")
    assert decision["frase"] == "The recipient asked not to be written to."
    assert decision["codigo"] == "opt_out"
    assert outcomes(decision) == {
        "escopo": "passou",
        "corpo": "passou",
        "idempotencia": "passou",
        "teto_por_segundo": "passou",
        "rota": "passou",
        "provedor": "passou",
        "consentimento": "parou",
        "saldo": "nao_se_aplica",
        "preco": "nao_se_aplica",
        "resposta_do_provedor": "nao_se_aplica",
        "recibo": "nao_se_aplica",
    }


async def test_amounts_are_shown_to_who_may_read_the_wallet() -> None:
    caller = await a_caller()
    await leave_coins(caller, 0)
    id = await refused_send(caller)
    operator = await a_caller(
        organization_id=caller.organization_id, scopes=KEY_SCOPES - {Scope.WALLET_READ}
    )

    shown = [
        [one.get("entradas") for one in decision["regras"] if one["regra"] == "saldo"]
        for decision in (await get_decision(caller, id), await get_decision(operator, id))
    ]

    facts = {"volume": 0, "faixas": [{"segmentos": 1, "unitCoins": 800}]}
    assert shown == [[{"saldoCoins": 0, "necessarioCoins": 800, **facts}], [None]]


async def test_it_speaks_the_language_asked_for() -> None:
    caller = await a_caller()
    await leave_coins(caller, 0)
    id = await refused_send(caller)

    note_header("pt-BR")
    decision = await get_decision(caller, id)

    assert decision["frase"] == "A carteira não cobria o preço."
    assert decision["oQueFazer"] == "Adicione crédito e envie de novo."


async def test_a_message_tells_its_rules_and_what_happened_since() -> None:
    caller = await a_caller()
    sent = await a_send(caller, route="otp")
    at = now() + timedelta(seconds=5)
    await db.execute(
        "UPDATE messages SET status = 'delivered', delivered_at = $2 WHERE id = $1", sent["id"], at
    )

    decision = await get_decision(caller, sent["id"])

    assert decision == await get_decision_of_message(caller, sent["id"])
    assert decision["veredito"] == "enviada"
    assert decision["frase"] == "It passed every rule."
    assert "regra" not in decision
    assert set(outcomes(decision).values()) == {"passou", "nao_se_aplica"}
    assert outcomes(decision)["consentimento"] == "nao_se_aplica", "the route is transactional"
    assert [step["evento"] for step in decision["linha"]] == ["aceita", "enviada", "entregue"]
    (price,) = [one["entradas"] for one in decision["regras"] if one["regra"] == "preco"]
    assert price == {
        "coins": sent["billing"]["coins"],
        "segments": 1,
        "volume": 0,
        "faixas": [{"segmentos": 1, "unitCoins": 950}],
    }
    (ceiling,) = [o["entradas"] for o in decision["regras"] if o["regra"] == "teto_por_segundo"]
    assert ceiling["restantes"] < caller.limits.sms_per_second


@pytest.mark.parametrize(
    ("changes", "verdict", "rule"),
    [
        ("status = 'sending', sent_at = NULL", "enviada", None),
        ("failed_at = now(), status = 'failed', reason = 'expired'", "enviada", "recibo"),
        (
            "failed_at = now(), status = 'failed', reason = 'expired', sent_at = NULL",
            "recusada",
            "validade",
        ),
        (
            "failed_at = now(), status = 'failed', reason = 'opt_out', sent_at = NULL",
            "recusada",
            "consentimento",
        ),
        (
            "failed_at = now(), status = 'failed', reason = 'suppressed', sent_at = NULL, channel = 'email'",
            "recusada",
            "supressao",
        ),
        (
            "failed_at = now(), status = 'failed', reason = 'blacklisted', sent_at = NULL",
            "recusada",
            "resposta_do_provedor",
        ),
        (
            "failed_at = now(), status = 'failed', reason = 'canceled', sent_at = NULL",
            "pulada",
            None,
        ),
    ],
)
async def test_what_became_of_a_message_names_its_rule(
    changes: str, verdict: str, rule: str | None
) -> None:
    caller = await a_caller()
    sent = await a_send(caller)
    await db.execute(f"UPDATE messages SET {changes} WHERE id = $1", sent["id"])

    decision = await get_decision(caller, sent["id"])

    assert (decision["veredito"], decision.get("regra")) == (verdict, rule)


async def test_a_message_that_waits_is_postponed() -> None:
    caller = await a_caller()
    later = now() + timedelta(hours=1)
    waits = await a_send(caller, scheduledAt=later.isoformat())

    decision = await get_decision(caller, waits["id"])

    assert (decision["veredito"], decision["regra"]) == ("adiada", "validade")
    assert decision["frase"] == "It waits for the time that it was asked for."


async def test_a_conversation_asks_its_own_rules() -> None:
    caller = await a_caller()
    number = await a_conversation(caller)
    message = await a_conversation_message(caller, number.id)

    decision = await get_decision(caller, message["id"])

    found = outcomes(decision)
    assert (found["janela_24h"], found["template"]) == ("passou", "nao_se_aplica")
    assert "rota" not in found


async def test_a_consent_is_told_and_by_whom_it_was_given_to_who_may_audit() -> None:
    caller = await a_caller()
    contact = await a_contact(
        caller,
        phone="+5511987650005",
        optIn={"status": "granted", "source": "balcão", "ip": "10.0.0.9"},
    )
    sent = await a_send(caller, contactId=contact["id"])
    auditor = replace(caller, scopes=caller.scopes | {Scope.AUDIT_READ})
    operator = replace(caller, scopes=frozenset({Scope.SMS_READ}))

    async def consent(who: Caller) -> Any:
        decision = await get_decision(who, sent["id"])
        (told,) = [one for one in decision["regras"] if one["regra"] == "consentimento"]
        return told["entradas"]

    told = await consent(auditor)
    assert (told["estado"], told["fonte"], told["ip"]) == ("granted", "balcão", "10.0.0.9")
    assert await consent(operator) == {
        name: value for name, value in told.items() if name not in ("ip", "credencial")
    }


async def test_whom_a_bulk_passed_over_is_told_with_the_denial() -> None:
    caller = await a_caller()
    desk = await a_desk(caller)
    contact = await a_contact(caller, phone=BIA)
    await a_denial(caller, BIA)

    answer = await a_bulk(desk, ANA, {"contactId": contact["id"]}, ANA)

    assert [one["codigo"] for one in answer["recusadas"]] == ["opt_out", "repetido"]
    (told,) = (
        await list_decisions(caller, DecisionFilter.model_validate({"contactId": contact["id"]}))
    )["items"]
    assert (told["veredito"], told["regra"], told["canal"]) == (
        "pulada",
        "consentimento",
        "whatsapp",
    )
    assert told["parteDe"] == answer["batchId"]
    of_batch = DecisionFilter.model_validate({"parteDe": answer["batchId"]})
    assert (await list_decisions(caller, of_batch))["items"] == [told]
    of_another = DecisionFilter.model_validate({"parteDe": "btc_1"})
    assert (await list_decisions(caller, of_another))["items"] == []
    (stopped,) = [one for one in told["regras"] if one["resultado"] == "parou"]
    denial = await rows_of(ContactDenial).get(organization_id=caller.organization_id)
    assert stopped["entradas"]["negativaId"] == str(denial.id)
    assert (await rows_of(RefusalCount).get()).refusals == 1


async def test_whom_a_journey_passed_over_is_told() -> None:
    caller = await a_caller()
    facts = {"veredito": "pulada", "journeyId": "jrn_1", "stepId": "s1"}
    await RefusedSend.create(
        **owned_by(caller),
        id="dec_1",
        channel="sms",
        rule="silencio",
        code="x",
        facts=facts,
        at=now(),
    )

    (told,) = (await list_decisions(caller, DecisionFilter()))["items"]

    assert (told["veredito"], told["parteDe"]) == ("pulada", "jrn_1")
    (stopped,) = [one for one in told["regras"] if one["resultado"] == "parou"]
    assert stopped["entradas"] == {"journeyId": "jrn_1", "stepId": "s1"}


async def test_whom_a_notification_passed_over_is_told() -> None:
    caller = await a_caller()
    await a_contact(caller, externalId="c-1", phone=BIA)
    await a_device(caller, externalId="c-1")
    await a_device(caller)
    await a_denial(caller, BIA)

    sent = await a_dispatch(caller)

    assert sent["metrics"]["reach"] == 1
    (told,) = (await list_decisions(caller, DecisionFilter()))["items"]
    assert (told["veredito"], told["canal"], told["parteDe"]) == ("pulada", "push", sent["id"])


async def test_the_list_is_filtered_and_paged() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1", phone="+5511987650005")
    await a_denial(caller, "+5511987650005")
    first = await refused_send(caller)
    second = await refused_send(caller)
    await keep_refusal(caller, "rcs", Forbidden())

    async def ids(**asked: Any) -> list[str]:
        page = await list_decisions(caller, DecisionFilter.model_validate(asked))
        return [one["id"] for one in page["items"]]

    assert len(await ids()) == 3
    assert await ids(regra="consentimento") == [second, first]
    assert await ids(contactId="cnt_1", limit="1") == [second]
    assert await ids(canal="rcs", regra="consentimento") == []
    page = await list_decisions(
        caller, DecisionFilter.model_validate({"canal": "sms", "limit": "1"})
    )
    rest = await ids(canal="sms", cursor=page["nextCursor"])
    assert rest == [first]
    kept = await RefusedSend.get(id=first)
    assert await ids(to=(kept.at - timedelta(seconds=1)).isoformat()) == []


async def kept(caller: Caller, place: int, rule: str, facts: dict[str, object], part: str) -> None:
    """A refused send, later by its place; `part` is empty where nothing more is known of it."""
    await RefusedSend.create(
        **owned_by(caller),
        id=f"dec_{place:021}",
        channel="sms",
        rule=rule,
        code='x"',
        facts=facts,
        part_of=part or None,
        contact_id=(part and "cnt_1") or None,
        request_id=(part and 'a"b') or None,
        at=now() + timedelta(microseconds=place),
    )


async def test_each_is_listed_as_it_is_read() -> None:
    caller = await a_caller()
    await kept(caller, 1, "saldo", {"coins": 3, "faixas": [[10, 800]], "ção": '"'}, "")
    await kept(caller, 2, "saldo", {}, "psh_1")
    await kept(caller, 3, "silencio", {"veredito": "adiada", "journeyId": "jrn_1"}, "")
    await kept(caller, 4, "silencio", {"here": 0}, "psh_1")

    for reader in (caller, replace(caller, scopes=frozenset({Scope.SMS_READ}))):
        listed = (await list_decisions(reader, DecisionFilter()))["items"]
        assert listed == [await get_decision(reader, one["id"]) for one in listed]
        assert len(listed) == 4


async def test_who_may_not_read_a_channel_is_not_told() -> None:
    caller = await a_caller()
    await leave_coins(caller, 0)
    id = await refused_send(caller)
    of_email = await a_caller(
        organization_id=caller.organization_id, scopes=frozenset({Scope.EMAIL_READ})
    )
    of_nothing = await a_caller(organization_id=caller.organization_id, scopes=frozenset())

    with pytest.raises(NotFound):
        await get_decision(of_email, id)
    assert (await list_decisions(of_email, DecisionFilter()))["items"] == []
    with pytest.raises(Forbidden):
        await list_decisions(of_nothing, DecisionFilter())


@pytest.mark.parametrize("id", ["dec_1", "msg_1", "cnt_1aSd2FgH3jKl4QwEr5TyU", "dec_" + "0" * 21])
async def test_what_is_not_there_is_not_found(id: str) -> None:
    caller = await a_caller()

    with pytest.raises(NotFound):
        await get_decision(caller, id)


async def test_another_organizations_decision_is_not_found() -> None:
    caller, other = await a_caller(), await a_caller()
    await leave_coins(caller, 0)
    id = await refused_send(caller)
    sent = await a_send(other)

    with pytest.raises(NotFound):
        await get_decision(other, id)
    with pytest.raises(NotFound):
        await get_decision(caller, sent["id"])


async def test_the_refusals_of_an_erased_contact_name_nobody() -> None:
    caller = await a_caller()
    id = await stored_contact(caller, phone="+5511987650005")
    await a_denial(caller, "+5511987650005")
    await refused_send(caller)

    await erase_contact(caller, id)

    kept = await RefusedSend.get()
    assert (kept.identity, kept.contact_id, kept.facts) == (None, None, {})
