"""A journey is rehearsed: of one contact every step, of a sample what is expected; nothing is done."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import contacts, segments
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import NotFound, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.journeys.rehearsal_inputs import RehearsalOfOne, RehearsalOfSample
from core.messaging import NoSuchContact
from core.read_models.rehearse_journey import forecast_journey, rehearse_journey
from tests.factories.contacts import a_contact, a_denial
from tests.factories.journeys import a_journey
from tests.factories.nodes import a_list_id, a_segment_id
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contacts
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")

AT = (datetime.now(UTC) + timedelta(days=3)).replace(hour=12, minute=0, second=0, microsecond=0)
VIP = {"kind": "leaf", "filter": {"field": "tag", "operator": "is", "value": "vip"}}
STEPS: list[dict[str, Any]] = [
    {"id": "hi", "tipo": "mensagem", "config": {"canal": "sms", "texto": "Oi"}, "proximo": "day"},
    {"id": "day", "tipo": "espera", "config": {"duracaoHoras": 24}, "proximo": "nine"},
    {"id": "nine", "tipo": "espera", "config": {"ate": {"hora": "09:00"}}, "proximo": "tag"},
    {"id": "tag", "tipo": "atualizarContato", "config": {"tags": ["seen"]}, "proximo": "buys"},
    {"id": "buys", "tipo": "aguardarEvento", "config": {
        "evento": "purchase", "filtros": {"loja": "centro"}, "prazoHoras": 48, "seOcorrer": "vip", "seExpirar": "end"}},
    {"id": "vip", "tipo": "condicao", "config": {"filterTree": VIP, "seSim": "gift", "seNao": "end"}},
    {"id": "gift", "tipo": "mensagem", "config": {"canal": "sms", "texto": "Presente"}, "proximo": "end"},
    {"id": "end", "tipo": "saida", "config": {"motivo": "acabou"}},
]  # fmt: skip


async def the_journey(caller: Caller, **changes: Any) -> str:
    return (await a_journey(caller, passos=STEPS, entradaPasso="hi", **changes))["id"]


async def way_of(caller: Caller, id: str, contact: str, **asked: Any) -> list[tuple[Any, ...]]:
    """Each step with when it is reached, what becomes of the contact there, and which way or why."""
    told = RehearsalOfOne.model_validate({"contactId": contact, "em": wire_time(AT), **asked})
    async with nothing_stored():
        rehearsed = await rehearse_journey(caller, id, told)
    return [
        (
            step["passo"],
            datetime.fromisoformat(step["em"]) - AT,
            step["resultado"].value,
            step.get("caminho") or step.get("motivo"),
        )
        for step in rehearsed["passos"]
    ]


async def test_a_contact_is_walked_along_its_way_with_what_it_does_meanwhile() -> None:
    caller = await a_caller()
    contact = (await a_contact(caller, tags=["vip"]))["id"]
    id = await the_journey(caller)
    bought = {
        "nome": "purchase",
        "em": wire_time(AT + timedelta(hours=50)),
        "properties": {"loja": "centro"},
    }
    elsewhere = {**bought, "em": wire_time(AT + timedelta(hours=49)), "properties": {"loja": "sul"}}
    start, day, bought_at = timedelta(0), timedelta(hours=24), timedelta(hours=50)

    assert await way_of(caller, id, contact, eventos=[elsewhere, bought]) == [
        ("hi", start, "seguiu", None),
        ("day", start, "seguiu", None),
        ("nine", day, "seguiu", None),  # until 09:00 in São Paulo, 12:00 in UTC, of the next day
        ("tag", 2 * day, "seguiu", None),
        ("buys", 2 * day, "seguiu", "seOcorrer"),
        ("vip", bought_at, "seguiu", "seSim"),
        ("gift", bought_at, "seguiu", None),
        ("end", bought_at, "encerrada", "acabou"),
    ]
    assert (await way_of(caller, id, contact))[-2:] == [
        ("buys", 2 * day, "seguiu", "seExpirar"),
        ("end", 4 * day, "encerrada", "acabou"),
    ]


async def test_what_a_contact_reaches_in_more_than_a_year_is_walked_but_not_explained() -> None:
    caller = await a_caller()
    contact = (await a_contact(caller))["id"]
    wait = {"id": "wait", "tipo": "espera", "config": {"duracaoHoras": 48}, "proximo": "bye"}
    bye = {
        "id": "bye",
        "tipo": "mensagem",
        "config": {"canal": "sms", "texto": "Tchau"},
        "proximo": "end",
    }
    id = (
        await a_journey(
            caller,
            entradaPasso="hi",
            passos=[{**STEPS[0], "proximo": "wait"}, wait, bye, STEPS[-1]],
        )
    )["id"]
    almost = RehearsalOfOne.model_validate(
        {"contactId": contact, "em": wire_time(now() + timedelta(days=364))}
    )

    rehearsed = await rehearse_journey(caller, id, almost)

    assert {step["passo"]: "decisao" in step for step in rehearsed["passos"]} == {
        "hi": True, "wait": False, "bye": False, "end": False,
    }  # fmt: skip


async def test_the_goal_ends_the_way_and_an_opt_out_passes_the_message_over() -> None:
    caller = await a_caller()
    contact = await a_contact(caller)
    await a_denial(caller, phone=contact["phone"], channel="sms")
    id = await the_journey(caller, meta={"evento": "signed"})
    signed = {"nome": "signed", "em": wire_time(AT + timedelta(hours=5))}

    told = RehearsalOfOne.model_validate(
        {"contactId": contact["id"], "em": wire_time(AT), "eventos": [signed]}
    )
    rehearsed = await rehearse_journey(caller, id, told)

    hi, day = rehearsed["passos"]
    assert (hi["resultado"], hi["decisao"]["regra"]) == ("pulada", "consentimento")
    assert (day["resultado"], day["motivo"], day["ate"]) == (
        "encerrada",
        "meta",
        wire_time(AT + timedelta(hours=5)),
    )
    assert rehearsed["coins"] == 0
    blind = replace(caller, scopes=frozenset({Scope.CAMPAIGNS_READ}))
    assert "decisao" not in (await rehearse_journey(blind, id, told))["passos"][0]


async def test_silence_is_kept_in_the_zone_of_the_contact() -> None:
    caller = await a_caller()
    contact = (await a_contact(caller, attributes={"fuso": "America/Rio_Branco"}))["id"]
    id = await the_journey(caller, silencio={"inicio": "22:00", "fim": "08:00"})

    told = RehearsalOfOne.model_validate({"contactId": contact, "em": wire_time(AT)})
    hi = (await rehearse_journey(caller, id, told))["passos"][0]

    assert hi["ate"] == wire_time(AT + timedelta(hours=1))  # 07:00 there


async def test_a_sample_tells_what_is_expected_of_those_who_would_enter() -> None:
    caller = await a_caller()
    await stored_contacts(caller, [{"tags": ["vip"]}] * 6)
    await stored_contacts(caller, [{}] * 4)
    segment = await a_segment_id(caller)  # the tag vip
    id = await the_journey(caller, gatilho={"segmentId": segment})

    async with nothing_stored():
        forecast = await forecast_journey(caller, id, RehearsalOfSample(n=3))

    assert (forecast["publico"], forecast["amostra"]) == (6, 3)
    expected = {step["passo"]: step["pessoas"] for step in forecast["passos"]}
    assert expected == {
        "hi": 6, "day": 6, "nine": 6, "tag": 6, "buys": 6, "end": 6, "vip": 0, "gift": 0,
    }  # fmt: skip
    assert forecast["coins"] > 0
    assert datetime.fromisoformat(forecast["termino"]) > now() + timedelta(hours=72)
    await segments.remove_segment(caller, segment)
    empty = await forecast_journey(caller, id, RehearsalOfSample())
    assert (empty["publico"], empty["amostra"], empty["coins"]) == (0, 0, 0)
    assert "termino" not in empty


async def test_whom_an_event_or_a_list_brings_is_sampled() -> None:
    caller = await a_caller()
    (contact, other) = await stored_contacts(caller, [{}] * 2)
    list_id = await a_list_id(caller)
    await db.execute(
        "INSERT INTO contact_list_members (organization_id, env, list_id, contact_id, created_at) "
        "VALUES ($1, $2, $3, $4, now())",
        caller.organization_id, caller.env, list_id, contact,
    )  # fmt: skip
    by_list = await the_journey(caller, gatilho={"listId": list_id})
    by_event = await the_journey(caller)

    assert (await forecast_journey(caller, by_list, RehearsalOfSample()))["publico"] == 1
    assert (await forecast_journey(caller, by_event, RehearsalOfSample()))["publico"] == 0
    assert other != contact


async def test_nothing_of_others_is_rehearsed_and_a_segment_that_is_gone_is_told() -> None:
    caller, stranger = await a_caller(), await a_caller()
    contact, foreign = (await a_contact(caller))["id"], (await a_contact(stranger))["id"]
    segment = await a_segment_id(caller)
    leaf = {"kind": "leaf", "filter": {"field": "segment", "operator": "is", "value": segment}}
    step = {"id": "ask", "tipo": "condicao", "config": {"filterTree": leaf}}
    id = (await a_journey(caller, passos=[step], entradaPasso="ask"))["id"]

    with pytest.raises(NotFound):
        await rehearse_journey(stranger, id, RehearsalOfOne(contact_id=foreign))
    with pytest.raises(NoSuchContact):
        await rehearse_journey(caller, id, RehearsalOfOne(contact_id=foreign))
    await segments.remove_segment(caller, segment)
    with pytest.raises(ValidationFailed):
        await rehearse_journey(caller, id, RehearsalOfOne(contact_id=contact))
    assert await contacts.Contact.filter(id=contact).count() == 1
