"""A send that is refused leaves a trace of what stopped it, and nothing else."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from core import decisions
from core.decisions import RefusalCount, RefusedSend
from core.decisions.keep_refusals import KeepRefusals
from core.email.errors import NoRelay
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Forbidden, Internal, ServiceError, ValidationFailed
from core.foundation.rules import Rule
from core.foundation.security.caller import KEY_SCOPES, Scope
from core.messaging import Channel, RecipientOptedOut
from core.wallet import InsufficientBalance
from tests.factories.contacts import a_denial
from tests.factories.emails import an_email
from tests.factories.organizations import a_caller
from tests.factories.rcs import an_rcs
from tests.factories.sms import a_send, leave_coins
from tests.factories.stored_contacts import stored_contact
from tests.support.sql_tables import rows_of
from tests.support.stored import nothing_stored

pytestmark = pytest.mark.usefixtures("clean_slate")


async def refused(sending: Any, kind: type[ServiceError] = ServiceError) -> ServiceError:
    with pytest.raises(kind) as caught:
        await sending
    return caught.value


async def test_what_stopped_a_send_is_kept_and_named_in_its_problem() -> None:
    caller = await a_caller()
    await stored_contact(caller, id="cnt_1")
    await leave_coins(caller, 799)

    async with nothing_stored():
        refusal = await refused(a_send(caller, contactId="cnt_1"), InsufficientBalance)

    kept = await RefusedSend.get()
    assert refusal.decision_id == kept.id
    assert kept.id.startswith("dec_")
    assert (kept.channel, kept.rule, kept.contact_id) == ("sms", Rule.BALANCE, "cnt_1")
    assert (kept.organization_id, kept.env) == (caller.organization_id, caller.env)
    assert kept.facts == {
        "saldoCoins": 799,
        "necessarioCoins": 800,
        "volume": 0,
        "faixas": [[1, 800]],
    }
    assert kept.identity is not None
    count = await rows_of(RefusalCount).get()
    assert (count.channel, count.rule, count.refusals) == ("sms", Rule.BALANCE, 1)


async def test_a_missing_scope_and_a_denial_are_rules_too() -> None:
    caller = await a_caller(scopes=KEY_SCOPES - {Scope.RCS_SEND})
    await a_denial(caller, "+5511987650005")

    await refused(an_rcs(caller), Forbidden)
    await refused(a_send(caller), ValidationFailed)

    kept = await RefusedSend.all().order_by("at")
    assert [(one.channel, one.rule) for one in kept] == [
        ("rcs", Rule.SCOPE),
        ("sms", Rule.CONSENT),
    ]


async def test_an_email_that_nobody_carries_is_kept() -> None:
    caller = await a_caller("live")

    await refused(an_email(caller), NoRelay)

    assert (await RefusedSend.get()).rule == Rule.PROVIDER


async def test_a_refusal_whose_message_is_stored_is_the_trace_of_that_message() -> None:
    caller = await a_caller()

    refusal = await refused(a_send(caller, to="+5511987650114"))

    assert refusal.decision_id == refusal.meta["messageId"]
    assert not await RefusedSend.exists()
    assert (await rows_of(RefusalCount).get()).rule == Rule.ANSWER


async def test_a_fault_of_ours_is_no_decision() -> None:
    caller = await a_caller()

    with pytest.raises(Internal):
        async with KeepRefusals(caller, Channel.SMS):
            raise Internal

    assert not await rows_of(RefusalCount).exists()


async def test_a_storm_is_counted_whole_and_kept_in_part() -> None:
    caller, other = await a_caller(), await a_caller()
    errors = [Forbidden() for _ in range(60)]
    theirs = Forbidden()

    await asyncio.gather(
        *(decisions.keep_refusal(caller, "sms", error) for error in errors),
        decisions.keep_refusal(other, "sms", theirs),
    )

    assert await RefusedSend.filter(organization_id=caller.organization_id).count() == 50
    assert sum(error.decision_id is not None for error in errors) == 50
    assert theirs.decision_id is not None, "another's storm"
    counted = await rows_of(RefusalCount).filter(organization_id=caller.organization_id)
    assert sum(one.refusals for one in counted) == 60


async def test_whom_a_batch_passed_over_is_kept_beside_a_storm() -> None:
    caller = await a_caller()
    skips = [decisions.Skip(RecipientOptedOut(), contact_id=f"cnt_{n}") for n in range(70)]

    await decisions.keep_skips(caller, "whatsapp", skips, part_of="btc_1")
    refusal = Forbidden()
    await decisions.keep_refusal(caller, "sms", refusal)

    assert await RefusedSend.filter(part_of="btc_1").count() == 70
    assert refusal.decision_id is not None, "they are no storm"


async def test_long_facts_are_left_out() -> None:
    caller = await a_caller()

    await decisions.keep_refusal(caller, "sms", Forbidden(meta={"lines": list(range(200))}))

    assert (await RefusedSend.get()).facts == {}


async def test_a_database_that_is_away_hides_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = await a_caller()

    async def away(*_: Any) -> Any:
        raise ConnectionError

    monkeypatch.setattr(db, "fetch", away)
    refusal = Forbidden()

    await decisions.keep_refusal(caller, "sms", refusal)

    assert refusal.decision_id is None


async def test_old_refusals_are_swept_away() -> None:
    caller = await a_caller()
    await decisions.keep_refusal(caller, "sms", Forbidden())

    assert await decisions.sweep_refusals(at=now() + timedelta(days=89)) == 0
    assert await decisions.sweep_refusals(at=now() + timedelta(days=91)) == 2
    assert not await RefusedSend.exists()
    assert not await rows_of(RefusalCount).exists()
