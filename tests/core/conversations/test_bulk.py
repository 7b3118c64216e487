"""One template for many: each recipient for itself, the price for all."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from core import conversations, idempotency, wallet
from core.conversations.sending import accept
from core.foundation import turns
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, NotFound, ServiceError, ValidationFailed
from core.foundation.security.caller import Scope
from core.messaging import NoProvider
from core.messaging.queue.rows import QueuedMessage, enqueue
from core.numbers import Number
from core.templates.models import Template
from tests.factories.batches import ANA, BIA, CAIO, Desk, a_bulk, a_desk, a_new_bulk, messages_of
from tests.factories.contacts import a_contact, a_denial
from tests.factories.conversations import waiting_ids
from tests.factories.organizations import a_caller
from tests.factories.sms import leave_coins
from tests.factories.templates import a_template
from tests.support.money import balances_of, moved_for

PRICE = 400


async def nothing_taken(desk: Desk) -> bool:
    counts = await db.fetchrow(
        "SELECT (SELECT count(*) FROM messages WHERE organization_id = $1) AS messages, "
        "(SELECT count(*) FROM message_batches WHERE organization_id = $1) AS batches, "
        "(SELECT count(*) FROM waiting_messages WHERE organization_id = $1) AS waiting",
        desk.caller.organization_id,
    )
    return (
        counts is not None
        and set(counts.values()) == {0}
        and (await balances_of(desk.caller)).held == 0
    )


async def a_template_that_shows_a_place(desk: Desk) -> str:
    components = [
        {"type": "HEADER", "payload": {"format": "LOCATION"}},
        {"type": "BODY", "payload": {"text": "Olá {{1}}, até já.", "example": ["Ana"]}},
    ]
    return str(
        (await a_template(desk.caller, desk.number_id, status="approved", components=components))[
            "id"
        ]
    )


async def test_everybody_gets_the_template_with_their_own_words(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    recipients = (
        {"to": ANA, "templateVars": ["Ana"], "metadata": {"order": 1}},
        {"to": BIA, "templateVars": ["Bia"]},
    )
    answer = await a_bulk(desk, *recipients, campaignId="natal")
    assert answer == {
        "batchId": answer["batchId"],
        "aceitas": 2,
        "recusadas": [],
        "coinsEstimados": 2 * PRICE,
    }
    first, second = await messages_of(answer["batchId"])
    assert [
        (row["recipient"], row["template_vars"], row["metadata"]) for row in (first, second)
    ] == [
        (ANA, ["Ana"], {"order": 1}),
        (BIA, ["Bia"], None),
    ]
    for row in (first, second):
        shared = {
            name: row[name]
            for name in ("status", "priority", "campaign_id", "type", "template_id", "number_id")
        }
        assert shared == {
            "status": "queued",
            "priority": "bulk",
            "campaign_id": "natal",
            "type": "template",
            "template_id": desk.template_id,
            "number_id": desk.number_id,
        }
        assert await moved_for(row["id"]) == [("reserva", PRICE)]
    assert (await balances_of(desk.caller)).held == 2 * PRICE


async def test_who_is_refused_stops_nobody_else(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    contact = await a_contact(desk.caller, phone=BIA)
    await a_denial(desk.caller, CAIO)
    answer = await a_bulk(
        desk,
        ANA,
        {"to": "not a phone"},
        {"to": "+55***0101"},
        {"to": "+5511987650109", "templateVars": []},
        {"contactId": "cnt_000000000000000000000"},
        CAIO,
        {"contactId": contact["id"]},
        {"to": BIA},
        {"to": ANA.replace("+55", "")},
    )
    assert answer["recusadas"] == [
        {"indice": 1, "codigo": "invalid_phone"},
        {"indice": 2, "codigo": "VALOR_MASCARADO"},
        {"indice": 3, "codigo": "VARIAVEIS_DIVERGENTES"},
        {"indice": 4, "codigo": "CONTATO_INEXISTENTE"},
        {"indice": 5, "codigo": "opt_out"},
        {"indice": 7, "codigo": "repetido"},
        {"indice": 8, "codigo": "repetido"},
    ]
    assert answer["aceitas"] == 2
    assert answer["coinsEstimados"] == (await balances_of(desk.caller)).held == 2 * PRICE
    rows = await messages_of(answer["batchId"])
    assert [(row["recipient"], row["contact_id"]) for row in rows] == [
        (ANA, None),
        (BIA, contact["id"]),
    ]


async def test_a_balance_that_does_not_cover_all_takes_nobody_in(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    await leave_coins(desk.caller, 2 * PRICE - 1)
    with pytest.raises(wallet.InsufficientBalance) as refusal:
        await a_bulk(desk, ANA, BIA, {"to": "not a phone"}, key="k")
    assert refusal.value.meta == {"saldoCoins": 2 * PRICE - 1, "necessarioCoins": 2 * PRICE}
    assert await nothing_taken(desk)
    await leave_coins(desk.caller, 2 * PRICE)
    assert (await a_bulk(desk, ANA, BIA, key="k"))["aceitas"] == 2


async def test_a_scheduled_bulk_waits_for_its_time(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    with pytest.raises(ValidationFailed):
        a_new_bulk(desk, scheduledAt="2999-01-01T00:00:00Z")
    later = (await db.fetchval("SELECT now() + interval '1 day'")).replace(microsecond=0)
    answer = await a_bulk(desk, scheduledAt=later.isoformat(), priority="critical")
    (row,) = await messages_of(answer["batchId"])
    assert (row["scheduled_at"], row["priority"]) == (later, "critical")
    assert (
        await db.fetchval("SELECT due_at FROM waiting_messages WHERE message_id = $1", row["id"])
        == later
    )


def wrong_for_all(stranger: Desk) -> list[tuple[dict[str, Any], type[ServiceError]]]:
    """What another organization has, and a file that nobody has."""
    return [
        ({"numberId": stranger.number_id}, NotFound),
        ({"templateId": stranger.template_id}, ValidationFailed),
        ({"payload": {"media": {"id": "med_000000000000000000000"}}}, ValidationFailed),
    ]


async def test_what_concerns_all_refuses_the_call(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    stranger = await a_desk(await a_caller())
    for body, kind in wrong_for_all(stranger):
        with pytest.raises(kind):
            await a_bulk(desk, ANA, BIA, **body)
    await Template.filter(id=desk.template_id).update(status="paused")
    with pytest.raises(Conflict) as refusal:
        await a_bulk(desk, ANA, BIA)
    assert refusal.value.meta["code"] == "TEMPLATE_INDISPONIVEL"
    await Number.filter(id=desk.number_id).update(status="disconnected")
    with pytest.raises(Conflict) as refusal:
        await a_bulk(desk, "not a phone")
    assert refusal.value.meta["code"] == "NUMERO_INDISPONIVEL"
    assert await nothing_taken(desk)


NOBODY = (
    {"to": "not a phone"},
    {"contactId": "cnt_000000000000000000000"},
    {"to": ANA, "templateVars": []},
)
"""Recipients who are refused for themselves alone."""


@pytest.mark.parametrize("recipient", NOBODY)
async def test_what_concerns_all_refuses_the_call_whoever_the_recipients_are(
    clean_slate: None, recipient: dict[str, Any]
) -> None:
    desk = await a_desk(await a_caller())
    stranger = await a_desk(await a_caller())
    for body, kind in wrong_for_all(stranger):
        with pytest.raises(kind):
            await a_bulk(desk, recipient, **body)
    with pytest.raises(ValidationFailed) as missing:
        await a_bulk(
            replace(desk, template_id=await a_template_that_shows_a_place(desk)), recipient
        )
    assert [error.where for error in missing.value.errors] == ["/payload/location"]
    await Template.filter(id=desk.template_id).update(status="paused")
    with pytest.raises(Conflict) as refusal:
        await a_bulk(desk, recipient)
    assert refusal.value.meta["code"] == "TEMPLATE_INDISPONIVEL"
    assert await nothing_taken(desk)


async def test_nobody_need_be_sent_to(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    answer = await a_bulk(desk, *NOBODY)
    assert (answer["aceitas"], answer["coinsEstimados"]) == (0, 0)
    assert [one["codigo"] for one in answer["recusadas"]] == [
        "invalid_phone",
        "CONTATO_INEXISTENTE",
        "VARIAVEIS_DIVERGENTES",
    ]


async def test_of_the_same_person_the_first_that_may_go_is_sent(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    contact = await a_contact(desk.caller, phone=BIA)
    answer = await a_bulk(
        desk,
        {"to": ANA, "templateVars": []},
        {"to": ANA, "templateVars": ["Ana"]},
        {"to": ANA, "templateVars": ["Anita"]},
        {"to": ANA, "templateVars": []},
        {"to": BIA, "contactId": "cnt_000000000000000000000"},
        {"contactId": contact["id"]},
        {"to": BIA},
        {"to": CAIO, "templateVars": []},
        {"to": CAIO, "templateVars": ["two", "many"]},
    )
    assert answer["recusadas"] == [
        {"indice": 0, "codigo": "VARIAVEIS_DIVERGENTES"},
        {"indice": 2, "codigo": "repetido"},
        {"indice": 3, "codigo": "repetido"},
        {"indice": 4, "codigo": "CONTATO_INEXISTENTE"},
        {"indice": 6, "codigo": "repetido"},
        {"indice": 7, "codigo": "VARIAVEIS_DIVERGENTES"},
        {"indice": 8, "codigo": "VARIAVEIS_DIVERGENTES"},
    ]
    rows = await messages_of(answer["batchId"])
    assert [(row["recipient"], row["template_vars"]) for row in rows] == [
        (ANA, ["Ana"]),
        (BIA, ["Ana"]),
    ]
    assert answer["coinsEstimados"] == (await balances_of(desk.caller)).held == 2 * PRICE


async def test_production_without_a_platform_takes_nothing(clean_slate: None) -> None:
    desk = await a_desk(await a_caller("live"))
    for recipient in (ANA, "not a phone"):
        with pytest.raises(NoProvider):
            await a_bulk(desk, recipient)
    assert await nothing_taken(desk)


@pytest.mark.parametrize(
    "fields",
    [
        {"recipients": []},
        {"recipients": [{"to": ANA}] * 1001},
        {"recipients": [{"templateVars": []}]},
        {"recipients": [{"to": ANA, "metadata": {"1": "x"}}]},
        {"templateId": ...},
        {"numberId": ...},
        {"priority": "urgent"},
    ],
)
async def test_what_cannot_be_read_is_refused_as_a_whole(
    clean_slate: None, fields: dict[str, Any]
) -> None:
    desk = await a_desk(await a_caller())
    with pytest.raises(ValidationFailed):
        a_new_bulk(desk, **fields)


async def test_a_thousand_are_taken_in_one_call(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    answer = await a_bulk(desk, *(f"+55119876{place:05d}" for place in range(1000)))
    assert (answer["aceitas"], answer["recusadas"]) == (1000, [])


async def test_what_is_written_in_parts_is_taken_as_a_whole(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accept, "WRITE_BATCH_SIZE", 2)
    desk = await a_desk(await a_caller())
    phones = [f"+55119876{place:05d}" for place in range(5)]
    parts: list[int] = []

    async def fails_at_the_last(rows: Sequence[QueuedMessage]) -> None:
        parts.append(len(rows))
        if len(rows) == 1:
            raise RuntimeError
        await enqueue(rows)

    with monkeypatch.context() as failing:
        failing.setattr(accept, "enqueue", fails_at_the_last)
        with pytest.raises(RuntimeError):
            await a_bulk(desk, *phones)
    assert parts == [2, 2, 1]
    assert await nothing_taken(desk)

    answer = await a_bulk(desk, *phones)

    assert answer["aceitas"] == 5
    assert (await balances_of(desk.caller)).held == answer["coinsEstimados"]
    assert sorted(await waiting_ids()) == sorted(
        row["id"] for row in await messages_of(answer["batchId"])
    )


async def test_a_batch_gives_way_between_its_parts(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accept, "WRITE_BATCH_SIZE", 2)
    desk = await a_desk(await a_caller())
    rests: list[tuple[int, bool]] = []

    async def give_way(worked: float) -> None:
        rests.append((await db.fetchval("SELECT count(*) FROM messages"), worked > 0))

    monkeypatch.setattr(turns, "give_way", give_way)
    await a_bulk(desk, *(f"+55119876{place:05d}" for place in range(5)))

    held, written = [(0, True)] * 2, [(2, True), (4, True)]
    assert rests == held + written, "as long as it worked, and not behind the last part"


async def test_beside_light_requests_the_log_of_a_batch_is_flushed_part_by_part(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its commit would write all of it at once, and theirs would wait for that."""
    light = True
    monkeypatch.setattr(accept, "SMALL_WRITE_SIZE", 2)
    monkeypatch.setattr(accept, "is_beside_light_requests", lambda: light)
    monkeypatch.setattr(turns, "is_beside_light_requests", lambda: light)
    desk = await a_desk(await a_caller())
    flushed: list[int] = []

    async def flush_log() -> None:
        flushed.append(await db.fetchval("SELECT count(*) FROM messages"))

    monkeypatch.setattr(accept, "flush_log", flush_log)
    await a_bulk(desk, *(f"+55119876{place:05d}" for place in range(5)))
    light = False
    await a_bulk(desk, *(f"+55119877{place:05d}" for place in range(5)))

    assert flushed == [2, 4, 5]


async def test_a_key_sends_once(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    first = await a_bulk(desk, ANA, BIA, key="k")
    assert await a_bulk(desk, ANA, BIA, key="k") == first
    assert len(await messages_of(first["batchId"])) == 2
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await a_bulk(desk, ANA, key="k")
    assert (await a_bulk(desk, ANA, BIA))["batchId"] != first["batchId"]


async def test_twins_with_one_key_send_once(real_commits: None) -> None:
    desk = await a_desk(await a_caller())
    answers = await asyncio.gather(*(a_bulk(desk, ANA, BIA, key="k") for _ in range(4)))
    assert len({answer["batchId"] for answer in answers}) == 1
    assert await db.fetchval("SELECT count(*) FROM messages") == 2


async def test_it_needs_the_right_to_send(clean_slate: None) -> None:
    owner = await a_caller()
    desk = await a_desk(owner)
    reader = await a_caller(
        scopes=frozenset({Scope.MESSAGES_READ}), organization_id=owner.organization_id
    )
    with pytest.raises(Forbidden):
        await conversations.send_bulk(reader, a_new_bulk(desk))
    assert await nothing_taken(desk)
