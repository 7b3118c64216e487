"""What failed for a passing reason is sent again, once; everything else says why not."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import conversations, idempotency, wallet
from core.conversations.batches import resendable
from core.conversations.reasons import FailureReason
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Scope
from core.numbers import Number
from tests.factories.batches import (
    ANA,
    BIA,
    CAIO,
    Desk,
    a_bulk,
    a_desk,
    a_failed_batch,
    a_resend,
    failed,
    messages_of,
)
from tests.factories.contacts import a_denial
from tests.factories.conversations_inbound import an_inbound
from tests.factories.media import a_file
from tests.factories.organizations import a_caller
from tests.factories.sms import leave_coins
from tests.factories.stored_messages import stored_message
from tests.factories.templates import a_template
from tests.support.counted import counted
from tests.support.money import balances_of, moved_for, the_message

TEMPORARY = [FailureReason.THROTTLED, FailureReason.UPSTREAM, FailureReason.NUMBER_UNAVAILABLE]
PERMANENT = [one for one in FailureReason if one not in (*TEMPORARY, FailureReason.WINDOW_CLOSED)]


async def motives_of(desk: Desk, **body: Any) -> dict[str, str]:
    answer = await a_resend(desk.caller, **body)
    assert (answer["batchId"], answer["reenviadas"], answer["coinsEstimados"]) == (None, 0, 0)
    return {one["id"]: one["motivo"] for one in answer["ignoradas"]}


async def a_failed_text(desk: Desk, *, reason: FailureReason = FailureReason.THROTTLED) -> str:
    """A text that failed, to somebody who never wrote."""
    return await stored_message(
        desk.caller,
        now(),
        channel="whatsapp",
        status="failed",
        sent_at=None,
        recipient=ANA,
        type="text",
        content={"text": "Oi"},
        number_id=desk.number_id,
        reason=reason,
        last_error="The platform takes no more for now.",
        priority="normal",
    )


@pytest.mark.parametrize("reason", TEMPORARY)
async def test_a_new_message_stands_in_for_the_failed_one(
    clean_slate: None, reason: FailureReason
) -> None:
    desk = await a_desk(await a_caller())
    sent = await a_bulk(desk, {"to": ANA, "metadata": {"order": 1}}, campaignId="natal")
    (old,) = await messages_of(sent["batchId"])
    await failed([old["id"]], reason)

    answer = await a_resend(desk.caller, messageIds=[old["id"]])

    assert answer == {
        "batchId": answer["batchId"],
        "reenviadas": 1,
        "ignoradas": [],
        "coinsEstimados": 400,
    }
    (new,) = await messages_of(answer["batchId"])
    kept = (
        "recipient",
        "type",
        "number_id",
        "template_id",
        "template_vars",
        "campaign_id",
        "metadata",
        "priority",
    )
    assert [new[name] for name in kept] == [old[name] for name in kept]
    assert new["content"] == old["content"]
    assert (new["status"], new["reprocessed"], new["attempts"], new["last_error"]) == (
        "queued",
        True,
        0,
        None,
    )
    assert await moved_for(new["id"]) == [("reserva", 400)]
    replaced = await the_message(old["id"])
    assert (replaced["status"], replaced["replaced_by"]) == ("failed", new["id"])
    batch = await conversations.get_batch(desk.caller, answer["batchId"])
    assert (batch["kind"], batch["aceitas"], batch["campaignId"]) == ("resend", 1, "natal")


async def test_the_file_of_a_header_goes_along(clean_slate: None) -> None:
    plain = await a_desk(await a_caller())
    components = [
        {
            "type": "HEADER",
            "payload": {"format": "DOCUMENT", "example": "https://cdn.example.com/a.pdf"},
        },
        {"type": "BODY", "payload": {"text": "Olá {{1}}, até já.", "example": ["Ana"]}},
    ]
    template = await a_template(
        plain.caller, plain.number_id, status="approved", components=components
    )
    desk = replace(plain, template_id=template["id"])
    file = await a_file(desk.caller, number_id=desk.number_id)
    (old,) = await a_failed_batch(
        desk, ANA, payload={"media": {"id": file.id, "filename": "folheto.pdf"}}
    )
    (new,) = await messages_of((await a_resend(desk.caller, messageIds=[old]))["batchId"])
    assert file.id in str(new["content"])
    assert new["content"] == (await the_message(old))["content"]


async def test_the_place_in_a_header_goes_along(clean_slate: None) -> None:
    plain = await a_desk(await a_caller())
    components = [
        {"type": "HEADER", "payload": {"format": "LOCATION"}},
        {"type": "BODY", "payload": {"text": "Olá {{1}}, até já.", "example": ["Ana"]}},
    ]
    template = await a_template(
        plain.caller, plain.number_id, status="approved", components=components
    )
    desk = replace(plain, template_id=template["id"])
    place = {"latitude": -23.5, "longitude": -46.6, "name": "Loja", "address": "Rua A, 1"}
    (old,) = await a_failed_batch(desk, ANA, payload={"location": place})
    (new,) = await messages_of((await a_resend(desk.caller, messageIds=[old]))["batchId"])
    header = {"type": "header", "parameters": [{"type": "location", "location": place}]}
    assert new["content"]["components"][0] == header
    assert new["content"] == (await the_message(old))["content"]


async def test_the_first_error_is_carried_on_for_ever(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    (first,) = await a_failed_batch(desk, ANA)
    (second,) = await messages_of((await a_resend(desk.caller, messageIds=[first]))["batchId"])
    assert second["original_error"] == "The platform takes no more for now."
    await failed(
        [second["id"]],
        original_error="The platform takes no more for now.",
        last_error="Another error.",
    )
    (third,) = await messages_of(
        (await a_resend(desk.caller, messageIds=[second["id"]]))["batchId"]
    )
    assert third["original_error"] == "The platform takes no more for now."
    assert (await the_message(first))["original_error"] == "The platform takes no more for now."


async def test_repeating_it_sends_nothing_new(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    (id,) = await a_failed_batch(desk, ANA)
    await a_resend(desk.caller, messageIds=[id, id])
    assert await motives_of(desk, messageIds=[id, id]) == {id: "ja_substituida"}
    assert await motives_of(desk, filtro={"from": "2020-01-01T00:00:00Z"}) == {id: "ja_substituida"}
    assert await db.fetchval("SELECT count(*) FROM messages") == 2
    assert (await balances_of(desk.caller)).held == 800


async def test_calls_that_meet_send_each_message_once(real_commits: None) -> None:
    desk = await a_desk(await a_caller())
    ids = await a_failed_batch(desk, ANA, BIA, CAIO)
    answers = await asyncio.gather(
        *(a_resend(desk.caller, messageIds=order) for order in (ids, ids[::-1], ids[1:], ids[:2]))
    )
    assert sum(answer["reenviadas"] for answer in answers) == 3
    assert await db.fetchval("SELECT count(*) FROM messages WHERE reprocessed") == 3
    assert {(await the_message(id))["replaced_by"] is not None for id in ids} == {True}


@pytest.mark.parametrize("reason", PERMANENT)
async def test_what_would_fail_again_is_left(clean_slate: None, reason: FailureReason) -> None:
    desk = await a_desk(await a_caller())
    (id,) = await a_failed_batch(desk, ANA, reason=reason)
    assert await motives_of(desk, messageIds=[id]) == {id: "permanente"}
    assert (await the_message(id))["replaced_by"] is None


async def test_what_has_not_failed_or_is_nobodys_is_left(clean_slate: None) -> None:
    desk, stranger = await a_desk(await a_caller()), await a_desk(await a_caller())
    (queued,) = await messages_of((await a_bulk(desk, ANA))["batchId"])
    (of_others,) = await a_failed_batch(stranger, ANA)
    sms = await stored_message(desk.caller, now(), status="failed", reason="throttled")
    (erased,) = await a_failed_batch(desk, BIA)
    await db.execute("UPDATE messages SET recipient = right(recipient, 4) WHERE id = $1", erased)
    ids = [queued["id"], of_others, sms, erased, "msg_000000000000000000000", "nonsense"]
    assert await motives_of(desk, messageIds=ids) == dict.fromkeys(ids, "permanente")
    assert (await the_message(of_others))["replaced_by"] is None


async def test_a_week_is_the_limit(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    old, young, scheduled = await a_failed_batch(desk, ANA, BIA, CAIO)
    week = timedelta(days=7)
    for id, created_at, scheduled_at in (
        (old, now() - week, None),
        (young, now() - week + timedelta(minutes=1), None),
        (scheduled, now() - 2 * week, now() - timedelta(days=1)),
    ):
        await db.execute(
            "UPDATE messages SET created_at = $2, scheduled_at = $3 WHERE id = $1",
            id,
            created_at,
            scheduled_at,
        )
    answer = await a_resend(desk.caller, messageIds=[old, young, scheduled])
    assert (answer["reenviadas"], answer["ignoradas"]) == (2, [{"id": old, "motivo": "antiga"}])


async def test_who_said_no_meanwhile_is_left(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    ana, bia = await a_failed_batch(desk, ANA, BIA)
    await a_denial(desk.caller, ANA)
    answer = await a_resend(desk.caller, messageIds=[ana, bia])
    assert (answer["reenviadas"], answer["ignoradas"]) == (1, [{"id": ana, "motivo": "opt_out"}])


async def test_a_closed_window_is_told_and_a_template_may_go_instead(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    late, throttled = (
        await a_failed_text(desk, reason=FailureReason.WINDOW_CLOSED),
        await a_failed_text(desk),
    )
    assert await motives_of(desk, messageIds=[late, throttled]) == {
        late: "janela",
        throttled: "janela",
    }
    answer = await a_resend(
        desk.caller, messageIds=[late, throttled], templateId=desk.template_id, templateVars=["Ana"]
    )
    assert (answer["reenviadas"], answer["coinsEstimados"]) == (2, 800)
    assert {(row["type"], row["recipient"]) for row in await messages_of(answer["batchId"])} == {
        ("template", ANA)
    }


async def test_a_window_that_opened_meanwhile_lets_the_text_go(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    id = await a_failed_text(desk, reason=FailureReason.WINDOW_CLOSED)
    await an_inbound(desk.caller, await Number.get(id=desk.number_id), **{"from": ANA})
    answer = await a_resend(
        desk.caller, messageIds=[id], templateId=desk.template_id, templateVars=["Ana"]
    )
    (row,) = await messages_of(answer["batchId"])
    assert (row["type"], row["content"], answer["coinsEstimados"]) == ("text", {"text": "Oi"}, 0)


@pytest.mark.parametrize(
    "wrong",
    [{"templateId": "tpl_000000000000000000000"}, {"templateVars": ["a", "b"]}],
    ids=["template", "variables"],
)
async def test_a_template_that_does_not_fit_refuses_the_call(
    clean_slate: None, wrong: dict[str, Any]
) -> None:
    desk = await a_desk(await a_caller())
    id = await a_failed_text(desk)
    with pytest.raises(ValidationFailed):
        await a_resend(
            desk.caller,
            **{
                "messageIds": [id],
                "templateId": desk.template_id,
                "templateVars": ["Ana"],
                **wrong,
            },
        )
    assert (await the_message(id))["replaced_by"] is None


async def test_a_number_that_is_still_away_is_told(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    (id,) = await a_failed_batch(desk, ANA, reason=FailureReason.NUMBER_UNAVAILABLE)
    await Number.filter(id=desk.number_id).update(status="disconnected")
    assert await motives_of(desk, messageIds=[id]) == {id: "indisponivel"}


async def test_a_simulation_answers_the_same_and_changes_nothing(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    ana, bia = await a_failed_batch(desk, ANA, BIA)
    await failed([bia], FailureReason.REJECTED)
    before = await balances_of(desk.caller)
    with counted("svc_sends") as risen:
        simulated = await a_resend(desk.caller, messageIds=[ana, bia], simular=True)
    assert risen == {}
    assert await balances_of(desk.caller) == before
    assert (
        await db.fetchval(
            "SELECT count(*) FROM messages WHERE reprocessed OR replaced_by IS NOT NULL"
        )
        == 0
    )
    with counted("svc_sends") as risen:
        real = await a_resend(desk.caller, messageIds=[ana, bia])
    assert risen == {("svc_sends_total", "whatsapp", "test", "queued"): 1}
    assert simulated == {**real, "batchId": None}
    assert real["reenviadas"] == 1


@pytest.mark.parametrize("key", [None, "k"])
async def test_a_balance_that_does_not_cover_all_sends_nothing_again(
    clean_slate: None, key: str | None
) -> None:
    desk = await a_desk(await a_caller())
    ids = await a_failed_batch(desk, ANA, BIA)
    await leave_coins(desk.caller, 799)
    with pytest.raises(wallet.InsufficientBalance) as refusal:
        await a_resend(desk.caller, key=key, messageIds=ids)
    assert refusal.value.meta == {"saldoCoins": 799, "necessarioCoins": 800}
    assert {(await the_message(id))["replaced_by"] for id in ids} == {None}
    assert (
        await db.fetchval("SELECT count(*) FROM webhook_events WHERE type = 'wallet.depleted'") == 1
    )
    assert (
        await db.fetchval(
            "SELECT count(*) FROM idempotency_keys WHERE route = 'POST /messages/bulk-resend'"
        )
        == 0
    )


async def test_with_a_key_the_answer_of_the_first_call_comes_again(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    ids = await a_failed_batch(desk, ANA, BIA)

    first = await a_resend(desk.caller, key="k", messageIds=ids)
    keyless = await a_resend(desk.caller, messageIds=ids)

    assert (first["reenviadas"], keyless["reenviadas"]) == (2, 0)
    assert await a_resend(desk.caller, key="k", messageIds=ids) == first
    with pytest.raises(idempotency.KeyReusedWithAnotherBody):
        await a_resend(desk.caller, key="k", messageIds=ids, simular=True)


@pytest.mark.parametrize("field", ["batchId", "campaignId", "numberId", "erro", "from", "to"])
async def test_a_filter_takes_what_it_says(clean_slate: None, field: str) -> None:
    desk = await a_desk(await a_caller())
    (other,) = await a_failed_batch(await a_desk(desk.caller), BIA, campaignId="other")
    (id,) = await a_failed_batch(desk, ANA, campaignId="natal")
    hour = timedelta(hours=1)
    await failed(
        [other],
        upstream_code="500",
        last_error="x",
        created_at=now() + (-hour if field == "from" else hour),
    )
    batch_id = (await the_message(id))["batch_id"]
    value = {
        "batchId": batch_id,
        "campaignId": "natal",
        "numberId": desk.number_id,
        "erro": "130429",
        "from": (now() - hour / 2).isoformat(),
        "to": (now() + hour / 2).isoformat(),
    }[field]
    answer = await a_resend(desk.caller, filtro={field: value})
    assert (answer["reenviadas"], answer["ignoradas"]) == (1, [])
    assert (await the_message(other))["replaced_by"] is None
    assert (await the_message(id))["replaced_by"] is not None


async def test_a_filter_takes_what_may_go_first_and_of_a_week_only(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resendable, "MAX_RESENT", 2)
    desk = await a_desk(await a_caller())
    permanent, old, *others = await a_failed_batch(
        desk, ANA, BIA, CAIO, "+5511987650104", campaignId="natal"
    )
    await failed([permanent], FailureReason.REJECTED)
    await db.execute(
        "UPDATE messages SET created_at = created_at - interval '8 days' WHERE id = $1", old
    )
    answer = await a_resend(desk.caller, filtro={"campaignId": "natal"})
    assert (answer["reenviadas"], answer["ignoradas"]) == (2, [])
    assert {(await the_message(id))["replaced_by"] is not None for id in others} == {True}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messageIds": []},
        {"messageIds": ["msg_1"] * 1001},
        {"messageIds": ["msg_1"], "filtro": {"erro": "x"}},
        {"filtro": {}},
        {"messageIds": ["msg_1"], "templateVars": ["x"]},
    ],
)
async def test_what_cannot_be_read_is_refused(clean_slate: None, body: dict[str, Any]) -> None:
    with pytest.raises(ValidationFailed):
        await a_resend(await a_caller(), **body)


async def test_it_needs_the_right_to_send(clean_slate: None) -> None:
    desk = await a_desk(await a_caller())
    (id,) = await a_failed_batch(desk, ANA)
    reader = await a_caller(
        scopes=frozenset({Scope.MESSAGES_READ}), organization_id=desk.caller.organization_id
    )
    with pytest.raises(Forbidden):
        await a_resend(reader, messageIds=[id])
    assert (await the_message(id))["replaced_by"] is None
