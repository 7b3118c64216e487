"""A live send: held, handed over with no transaction open, and settled by what the provider says."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from core import sms, wallet
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.errors import (
    Conflict,
    DependencyFailed,
    PaymentRequired,
    PreconditionFailed,
    RateLimited,
    ServiceError,
    ServiceUnavailable,
    ValidationFailed,
)
from core.foundation.security.caller import KEY_SCOPES, Scope
from core.idempotency import KeyReusedWithAnotherBody, concurrent
from core.providers import registry
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    Outgoing,
    OutOfCredit,
    RefusalReason,
    Refused,
    Throttled,
    Unknown,
)
from tests.factories.contacts import a_denial
from tests.factories.live import a_delivery_report, a_live_caller, refused_send
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send
from tests.factories.stored_contacts import stored_contact
from tests.fakes.provider import Crash, ScriptedProvider, accept, crash, reference_of
from tests.support.money import (
    Balances,
    balances_of,
    keys_of,
    moved_for,
    the_message,
    told,
    volume_of,
)
from tests.support.races import outside, somebody_waits
from tests.support.stored import nothing_stored, stored
from tests.support.waiting import eventually

TWO_SEGMENTS = "a" * 161


class Refusal(NamedTuple):
    """What the caller gets for an answer of the provider's."""

    answer: Answer
    kind: type[ServiceError]
    code: str | None = None
    retry_after: int | None = None


CLEAR_REFUSALS = [
    pytest.param(Refusal(Throttled(7), RateLimited, "LIMITE_DO_PROVEDOR", 7), id="throttled"),
    pytest.param(Refusal(OutOfCredit(), ServiceUnavailable), id="out of credit"),
    pytest.param(Refusal(Failed(), DependencyFailed), id="failed"),
]


# Accepted -----------------------------------------------------------------------------------------


async def test_an_accepted_message_is_sent_and_paid(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    await stored_contact(caller, id="cnt_1")
    before = now()

    sent = await a_send(
        caller, body=TWO_SEGMENTS, contactId="cnt_1", campaignId="autumn", metadata={"order": "A-1"}
    )

    created, left = sent.pop("createdAt"), sent.pop("sentAt")
    assert wire_time(before) <= created <= left <= wire_time(now())
    id = sent.pop("id")
    assert sent == {
        "status": "sent",
        "env": "live",
        "route": "premium",
        "to": "+5511987650005",
        "provider": "gateway",
        "encoding": "GSM-7",
        "length": 161,
        "segments": 2,
        "contactId": "cnt_1",
        "campaignId": "autumn",
        "metadata": {"order": "A-1"},
        "billing": {"coins": 1600},
        "replayed": False,
    }
    assert await moved_for(id) == [("reserva", 1600), ("captura", 1600)]
    assert await balances_of(caller) == Balances(8_400, 0, 1_600, 0)
    assert await volume_of(caller) == 2
    row = await the_message(id)
    assert (row["provider_reference"], row["coins"], row["settle_at"]) == (
        reference_of(id),
        1600,
        None,
    )
    assert await told(caller) == []


async def test_the_provider_gets_the_text_as_it_shall_reach_the_device(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()

    sent = await a_send(caller, body="Promoção “só hoje”", route="otp", senderId="Loja")

    assert provider.asked == [
        Outgoing(
            sent["id"],
            "sms",
            "+5511987650005",
            'Promocao "so hoje"',
            None,
            "otp",
            "Loja",
            organization_id=caller.organization_id,
        )
    ]


async def test_a_read_shows_what_the_send_answered(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller, metadata={"order": "A-1"})

    read = await sms.get_message(caller, sent["id"])

    del sent["billing"], sent["replayed"]
    assert read == {**sent, "origem": {"tipo": "api"}}


async def test_a_repeat_is_answered_from_memory_and_sends_nothing(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    first = await a_send(caller, key="k", metadata={"order": "A-1"})

    async with nothing_stored():
        again = await a_send(caller, key="k", metadata={"order": "A-1"})
        with pytest.raises(KeyReusedWithAnotherBody):
            await a_send(caller, key="k", metadata={"order": "A-2"})

    assert again == {**first, "replayed": True}
    assert len(provider.asked) == 1


async def test_the_answer_is_masked_for_whoever_may_not_see_phones(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    masked = replace(caller, scopes=KEY_SCOPES - {Scope.PII_FULL})

    first = await a_send(masked, key="k")

    assert first["to"] == "+5511*****0005"
    assert provider.asked[0].to == "+5511987650005"
    assert (await a_send(masked, key="k"))["to"] == "+5511*****0005"
    assert (await a_send(caller, key="k"))["to"] == "+5511987650005"


async def test_a_test_key_never_reaches_the_provider(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_caller("test")

    sent = await a_send(caller)

    assert sent["provider"] == "svc-sandbox"
    assert provider.asked == []
    assert await volume_of(caller) == 0


async def test_without_billing_a_live_send_moves_no_money(
    clean_slate: None, billing_off: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(0)
    transfers = (await stored())["transfers"]

    sent = await a_send(caller)
    provider.will(Refused("blacklisted"))
    refused = await a_send(caller)

    assert (sent["status"], sent["billing"]) == ("sent", {"coins": 0})
    assert (refused["status"], refused["billing"]) == ("failed", {"coins": 0})
    assert (await stored())["transfers"] == transfers


async def test_the_price_is_held_and_nothing_is_locked_while_the_provider_is_asked(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    seen: dict[str, Any] = {}

    async def look(outgoing: Outgoing) -> Answer:
        async def from_beside() -> None:
            seen["message"] = await the_message(outgoing.id)
            seen["balances"] = await balances_of(caller)
            seen["moved"] = await moved_for(outgoing.id)
            seen["keys"] = await keys_of(caller)
            seen["open"] = await db.fetchval(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND usename = current_user "
                "AND state LIKE 'idle in transaction%'"
            )

        await outside(from_beside())
        return await accept(outgoing)

    provider.will(look)
    sent = await a_send(caller, key="k")

    row = seen["message"]
    assert (row["status"], row["coins"], row["provider"]) == ("sending", 800, "gateway")
    assert (row["sent_at"], row["provider_reference"]) == (None, None)
    assert row["settle_at"] - row["created_at"] == timedelta(seconds=60)
    assert seen["balances"] == Balances(9_200, 800, 0, 0)
    assert seen["moved"] == [("reserva", 800)]
    assert seen["keys"] == {"k": sent["id"]}
    assert seen["open"] == 0


# Refused because of the recipient -----------------------------------------------------------------


@pytest.mark.parametrize("reason", ["invalid_number", "carrier_rejected", "blacklisted"])
async def test_a_recipient_that_cannot_be_reached_is_a_failed_message_that_costs_nothing(
    clean_slate: None, provider: ScriptedProvider, reason: RefusalReason
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(Refused(reason))

    answer = await a_send(caller, metadata={"order": "A-1"})

    id = answer["id"]
    assert (answer["status"], answer["reason"], answer["billing"]) == (
        "failed",
        reason,
        {"coins": 0},
    )
    assert answer["failedAt"] >= answer["createdAt"]
    assert "sentAt" not in answer
    assert await moved_for(id) == [("reserva", 800), ("liberacao", 800)]
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert await volume_of(caller) == 0
    assert await told(caller) == [
        (
            "sms.failed",
            {
                "id": id,
                "to": "+5511987650005",
                "route": "premium",
                "status": "failed",
                "reason": reason,
                "segments": 1,
                "failedAt": answer["failedAt"],
                "env": "live",
                "metadata": {"order": "A-1"},
            },
        )
    ]
    row = await the_message(id)
    assert (row["coins"], row["settle_at"], row["provider_reference"]) == (0, None, None)


async def test_a_refused_recipient_is_an_answer_that_is_said_again(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Refused("invalid_number"))
    first = await a_send(caller, key="k")

    async with nothing_stored():
        again = await a_send(caller, key="k")

    assert again == {**first, "replayed": True}
    assert len(provider.asked) == 1


# Refused because of the provider ------------------------------------------------------------------


@pytest.mark.parametrize("expected", CLEAR_REFUSALS)
async def test_a_clear_refusal_leaves_a_failed_message_without_a_reason_and_gives_the_money_back(
    clean_slate: None, provider: ScriptedProvider, expected: Refusal
) -> None:
    caller = await a_live_caller(10_000)
    before = await stored()
    provider.will(expected.answer)

    refusal = await refused_send(caller, key="k", metadata={"order": "A-1"})

    assert isinstance(refusal, expected.kind)
    assert (refusal.meta.get("code"), refusal.retry_after) == (expected.code, expected.retry_after)
    id = refusal.meta["messageId"]
    read = await sms.get_message(caller, id)
    assert read == {
        "id": id,
        "status": "failed",
        "env": "live",
        "to": "+5511987650005",
        "provider": "gateway",
        "route": "premium",
        "encoding": "GSM-7",
        "length": 5,
        "segments": 1,
        "metadata": {"order": "A-1"},
        "createdAt": read["createdAt"],
        "failedAt": read["failedAt"],
        "origem": {"tipo": "api"},
    }
    assert await moved_for(id) == [("reserva", 800), ("liberacao", 800)]
    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert await volume_of(caller) == 0
    assert (await the_message(id))["coins"] == 0
    assert await stored() == {
        **before,
        "messages": before["messages"] + 1,
        "transfers": before["transfers"] + 2,
    }, "no event, no key"


@pytest.mark.parametrize("expected", CLEAR_REFUSALS)
async def test_after_a_clear_refusal_the_same_key_is_a_new_send(
    clean_slate: None, provider: ScriptedProvider, expected: Refusal
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(expected.answer, expected.answer)
    first = await refused_send(caller, key="k")
    second = await refused_send(caller, key="k")

    sent = await a_send(caller, key="k", body="Other")

    ids = [first.meta["messageId"], second.meta["messageId"], sent["id"]]
    assert len(set(ids)) == 3
    assert [outgoing.id for outgoing in provider.asked] == ids
    assert (sent["status"], sent["replayed"]) == ("sent", False)
    assert await keys_of(caller) == {"k": sent["id"]}
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)


async def test_a_refused_message_is_never_asked_about(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Throttled(1), OutOfCredit(), Failed())
    for _ in range(3):
        await refused_send(caller)
    provider.will(Refused("blacklisted"))
    await a_send(caller)

    assert await sms.reconcile(at=now() + timedelta(days=30)) == 0

    assert provider.looked_up == []


# Unknown ------------------------------------------------------------------------------------------


async def test_an_unknown_outcome_keeps_message_money_and_key(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(Unknown())

    refusal = await refused_send(caller, key="k")

    assert isinstance(refusal, DependencyFailed)
    assert refusal.meta["code"] == "RESULTADO_DESCONHECIDO"
    id = refusal.meta["messageId"]
    read = await sms.get_message(caller, id)
    assert read["status"] == "sending"
    assert not {"sentAt", "failedAt", "reason"} & set(read)
    assert await moved_for(id) == [("reserva", 800)]
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)
    assert await keys_of(caller) == {"k": id}
    assert await volume_of(caller) == 0
    assert await told(caller) == []


async def test_a_repeat_of_an_unknown_outcome_answers_its_message_and_sends_nothing(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    refusal = await refused_send(caller, key="k")

    async with nothing_stored():
        again = await a_send(caller, key="k")
        with pytest.raises(KeyReusedWithAnotherBody):
            await a_send(caller, key="k", body="Other")

    assert (again["id"], again["status"], again["replayed"]) == (
        refusal.meta["messageId"],
        "sending",
        True,
    )
    assert again["billing"] == {"coins": 800}
    assert len(provider.asked) == 1


async def test_the_repeat_is_masked_too(clean_slate: None, provider: ScriptedProvider) -> None:
    caller = replace(await a_live_caller(), scopes=KEY_SCOPES - {Scope.PII_FULL})
    provider.will(Unknown())
    await refused_send(caller, key="k")

    assert (await a_send(caller, key="k"))["to"] == "+5511*****0005"


async def test_a_report_that_overtakes_the_silence_makes_the_send_a_success(
    real_commits: None, provider: ScriptedProvider
) -> None:
    """The provider reported the message before the wait for its answer was over: the outcome is
    known.
    """
    caller = await a_live_caller(10_000)

    async def report_and_fall_silent(outgoing: Outgoing) -> Answer:
        await outside(
            sms.receive_reports(
                caller.organization_id, "gateway", [a_delivery_report(outgoing.id)], at=now()
            )
        )
        return Unknown()

    provider.will(report_and_fall_silent)
    sent = await a_send(caller, key="k")

    assert (sent["status"], sent["billing"], sent["replayed"]) == (
        "delivered",
        {"coins": 800},
        False,
    )
    assert await a_send(caller, key="k") == {**sent, "replayed": True}
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]


@pytest.mark.parametrize("answer", [Throttled(7), OutOfCredit(), Failed()])
async def test_a_refusal_after_a_report_frees_nothing(
    real_commits: None, provider: ScriptedProvider, answer: Answer
) -> None:
    """A provider that contradicts itself: what it reported is paid, so the same key must not send
    again.
    """
    caller = await a_live_caller(10_000)

    async def report_and_refuse(outgoing: Outgoing) -> Answer:
        await outside(
            sms.receive_reports(
                caller.organization_id, "gateway", [a_delivery_report(outgoing.id)], at=now()
            )
        )
        return answer

    provider.will(report_and_refuse)
    sent = await a_send(caller, key="k")

    assert (sent["status"], sent["billing"]) == ("delivered", {"coins": 800})
    assert (await a_send(caller, key="k"))["replayed"] is True
    assert len(provider.asked) == 1
    assert await moved_for(sent["id"]) == [("reserva", 800), ("captura", 800)]


# The process dies ---------------------------------------------------------------------------------


async def test_a_claim_whose_process_died_answers_its_message_once_the_lease_is_over(
    clean_slate: None, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(concurrent, "WAIT_TIMEOUT_SECONDS", 0.15)
    caller = await a_live_caller(10_000)
    provider.will(crash)
    with pytest.raises(Crash):
        await a_send(caller, key="k")

    async with nothing_stored():
        under_way = await refused_send(caller, key="k")
    assert isinstance(under_way, Conflict)
    assert (under_way.meta["code"], under_way.retry_after) == ("IDEMPOTENCIA_EM_ANDAMENTO", 1)

    await db.execute("UPDATE idempotency_keys SET lease_until = $1", now())
    async with nothing_stored():
        again = await a_send(caller, key="k")
    assert (again["status"], again["replayed"], again["id"]) == (
        "sending",
        True,
        (await keys_of(caller))["k"],
    )
    assert len(provider.asked) == 1
    assert await balances_of(caller) == Balances(9_200, 800, 0, 0)


async def test_the_lease_of_a_claim_lasts_a_minute(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(crash)
    with pytest.raises(Crash):
        await a_send(caller, key="k")

    row = await db.fetchrow(
        "SELECT * FROM idempotency_keys WHERE organization_id = $1", caller.organization_id
    )

    assert row is not None
    assert row["lease_until"] - row["created_at"] == timedelta(seconds=60)
    assert row["answer"] is None


# The same key at once -----------------------------------------------------------------------------


class Gate:
    """A provider's answer that waits until the test lets it go."""

    def __init__(self, answer: Answer | None = None) -> None:
        self._answer = answer
        self.reached, self.open = asyncio.Event(), asyncio.Event()

    async def __call__(self, outgoing: Outgoing) -> Answer:
        self.reached.set()
        await self.open.wait()
        return self._answer or Accepted(reference_of(outgoing.id))


async def two_with_one_key(
    provider: ScriptedProvider, answer: Answer | None
) -> tuple[dict[str, Any] | ServiceError, dict[str, Any] | ServiceError]:
    """The outcomes of a send and of its repeat, which comes while the provider still thinks about
    the first.
    """
    caller = await a_live_caller(10_000)
    gate = Gate(answer)
    provider.will(gate)

    async def outcome() -> dict[str, Any] | ServiceError:
        try:
            return await a_send(caller, key="k")
        except ServiceError as refusal:
            return refusal

    first = asyncio.create_task(outcome())
    await gate.reached.wait()
    second = asyncio.create_task(outcome())
    await eventually(lambda: concurrent._waiters == 1, "the repeat waits")
    gate.open.set()
    return await first, await second


async def test_a_repeat_waits_for_the_provider_and_hears_the_same(
    real_commits: None, provider: ScriptedProvider
) -> None:
    first, second = await two_with_one_key(provider, None)

    assert isinstance(first, dict)
    assert second == {**first, "replayed": True}
    assert len(provider.asked) == 1


async def test_a_repeat_that_waited_for_an_unknown_outcome_is_told_the_message(
    real_commits: None, provider: ScriptedProvider
) -> None:
    first, second = await two_with_one_key(provider, Unknown())

    assert isinstance(first, DependencyFailed)
    assert isinstance(second, dict), second
    assert (second["id"], second["status"], second["replayed"]) == (
        first.meta["messageId"],
        "sending",
        True,
    )
    assert len(provider.asked) == 1


async def test_a_repeat_that_waited_for_a_clear_refusal_is_a_new_send(
    real_commits: None, provider: ScriptedProvider
) -> None:
    first, second = await two_with_one_key(provider, Throttled(3))

    assert isinstance(first, RateLimited)
    assert isinstance(second, dict), second
    assert (second["status"], second["replayed"]) == ("sent", False)
    assert len(provider.asked) == 2
    assert (
        await db.fetchval(
            "SELECT count(*) FROM wallet_transfers WHERE kind = 'captura' AND env = 'live'"
        )
        == 1
    )


async def test_sends_do_not_wait_for_each_others_provider(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    gate = Gate()
    provider.will(gate)
    slow = asyncio.create_task(a_send(caller))
    await gate.reached.wait()

    quick = await asyncio.gather(*(a_send(caller) for _ in range(5)))

    assert not slow.done()
    assert {answer["status"] for answer in quick} == {"sent"}
    gate.open.set()
    assert (await slow)["status"] == "sent"


async def test_one_batch_takes_every_kind_of_answer(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(100_000)
    answers: dict[str, Answer] = {
        "throttled": Throttled(2),
        "credit": OutOfCredit(),
        "failed": Failed(),
        "unknown": Unknown(),
        "refused": Refused("blacklisted"),
    }

    async def by_text(outgoing: Outgoing) -> Answer:
        return answers.get(str(outgoing.text)) or await accept(outgoing)

    provider.always = by_text
    names = [*answers, "one", "two"]
    outcomes = await asyncio.gather(
        *(a_send(caller, body=name) for name in names), return_exceptions=True
    )

    assert {
        name: type(outcome).__name__ for name, outcome in zip(names, outcomes, strict=True)
    } == {
        "throttled": "ProviderThrottled",
        "credit": "ProviderOutOfCredit",
        "failed": "ProviderRefused",
        "unknown": "OutcomeUnknown",
        "refused": "dict",
        "one": "dict",
        "two": "dict",
    }
    assert await balances_of(caller) == Balances(100_000 - 3 * 800, 800, 1_600, 0)


# Refused before the provider ----------------------------------------------------------------------


async def test_what_is_refused_beforehand_never_reaches_the_provider(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(799)
    await a_denial(caller, "+5511987650006")

    async with nothing_stored():
        with pytest.raises(PaymentRequired) as refused:
            await a_send(caller, key="k")
        with pytest.raises(ValidationFailed):
            await a_send(caller, key="k", to="+5511987650006")
        with pytest.raises(PreconditionFailed):
            await a_send(caller, key="k", route="la_dedicada")

    assert refused.value.meta == {"saldoCoins": 799, "necessarioCoins": 800}
    assert provider.asked == []


async def test_an_opted_out_recipient_is_reached_on_otp(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await a_denial(caller, "+5511987650005")

    assert (await a_send(caller, route="otp"))["status"] == "sent"


async def test_without_a_provider_nothing_is_stored_and_the_key_stays_free(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await registry.close_providers()

    async with nothing_stored():
        refusal = await refused_send(caller, key="k")

    assert isinstance(refusal, ServiceUnavailable)
    assert refusal.meta == {}
    registry.register(provider, "sms")
    assert (await a_send(caller, key="k", body="Other"))["replayed"] is False


async def test_a_provider_of_another_channel_does_not_serve_sms(clean_slate: None) -> None:
    caller = await a_live_caller()
    provider = ScriptedProvider()
    registry.register(provider, "rcs")
    try:
        async with nothing_stored():
            assert isinstance(await refused_send(caller), ServiceUnavailable)
    finally:
        await registry.close_providers()

    assert provider.asked == []


async def test_money_that_comes_back_while_a_send_waits_for_the_wallet_pays_it(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(800)
    provider.will(Unknown())
    held = (await refused_send(caller)).meta["messageId"]
    owner = (caller.organization_id, "live")

    async with transaction():
        await wallet.book([wallet.release(owner, held, 800)], at=now())
        sending = outside(a_send(caller))
        await somebody_waits()

    assert (await sending)["status"] == "sent"
    assert await balances_of(caller) == Balances(0, 0, 800, 0)
