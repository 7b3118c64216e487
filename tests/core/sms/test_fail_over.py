"""A second provider is asked after a clear refusal of the first, and only then."""

from datetime import timedelta

import pytest

from core.foundation.clock import now
from core.foundation.errors import DependencyFailed, RateLimited, ServiceUnavailable
from core.providers import registry
from core.providers.contracts import (
    Accepted,
    Answer,
    Failed,
    MessageFound,
    Outgoing,
    OutOfCredit,
    Refused,
    Throttled,
    Unknown,
)
from core.sms import receive_reports, reconcile
from tests.factories.live import a_delivery_report, a_live_caller, refused_send
from tests.factories.sms import a_send
from tests.fakes.provider import Crash, ScriptedProvider, crash, reference_of
from tests.support.money import Balances, balances_of, keys_of, the_message
from tests.support.races import outside


class Second(ScriptedProvider):
    name = "cloud-eum"


@pytest.fixture
async def second(provider: ScriptedProvider) -> Second:
    """Who is asked after the gateway, on the route premium alone."""
    second = Second()
    registry.register(second)
    registry.route_sms({"premium": ("gateway", "cloud-eum")})
    return second


CLEAR = [Throttled(7), OutOfCredit(), Failed()]


@pytest.mark.parametrize("refusal", CLEAR, ids=lambda answer: type(answer).__name__)
async def test_after_a_clear_refusal_the_second_one_takes_the_message(
    clean_slate: None, provider: ScriptedProvider, second: Second, refusal: Answer
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(refusal)

    sent = await a_send(caller)

    assert (sent["status"], sent["provider"]) == ("sent", "cloud-eum")
    assert second.asked == provider.asked
    row = await the_message(sent["id"])
    assert (row["provider"], row["provider_reference"]) == ("cloud-eum", reference_of(sent["id"]))
    assert await balances_of(caller) == Balances(9_200, 0, 800, 0)


@pytest.mark.parametrize("answer", [Unknown(), Refused("invalid_number"), Accepted("x")])
async def test_after_any_other_answer_nobody_else_is_asked(
    clean_slate: None, provider: ScriptedProvider, second: Second, answer: Answer
) -> None:
    caller = await a_live_caller()
    provider.will(answer)

    if isinstance(answer, Unknown):
        assert isinstance(await refused_send(caller), DependencyFailed)
    else:
        assert (await a_send(caller))["provider"] == "gateway"

    assert second.asked == []


@pytest.mark.parametrize(
    ("last", "kind"),
    [
        (Throttled(7), RateLimited),
        (OutOfCredit(), ServiceUnavailable),
        (Failed(), DependencyFailed),
    ],
)
async def test_what_both_refuse_is_refused_as_the_second_said(
    clean_slate: None,
    provider: ScriptedProvider,
    second: Second,
    last: Answer,
    kind: type[Exception],
) -> None:
    caller = await a_live_caller(10_000)
    provider.will(Failed())
    second.will(last)

    assert isinstance(await refused_send(caller), kind)

    assert await balances_of(caller) == Balances(10_000, 0, 0, 0)
    assert await keys_of(caller) == {}


async def test_an_unknown_outcome_of_the_second_is_asked_of_the_second(
    clean_slate: None, provider: ScriptedProvider, second: Second
) -> None:
    caller = await a_live_caller()
    provider.will(Failed())
    second.will(Unknown())
    refusal = await refused_send(caller)
    assert refusal.meta
    id = refusal.meta["messageId"]
    second.knows[id] = MessageFound("eum_1", "sent")

    await reconcile(at=now() + timedelta(minutes=2))

    assert (await the_message(id))["status"] == "sent"
    assert (second.looked_up, provider.looked_up) == ([id], [])


async def test_a_process_that_dies_in_the_second_hand_over_leaves_it_to_the_second(
    clean_slate: None, provider: ScriptedProvider, second: Second
) -> None:
    caller = await a_live_caller()
    provider.will(Failed())
    second.will(crash)

    with pytest.raises(Crash):
        await a_send(caller)

    (asked,) = second.asked
    row = await the_message(asked.id)
    assert (row["status"], row["provider"]) == ("sending", "cloud-eum")


async def test_what_was_settled_meanwhile_stays_with_the_first(
    real_commits: None, provider: ScriptedProvider, second: Second
) -> None:
    caller = await a_live_caller()

    async def overtaken(outgoing: Outgoing) -> Answer:
        await outside(
            receive_reports(
                caller.organization_id, "gateway", [a_delivery_report(outgoing.id)], at=now()
            )
        )
        return Failed()

    provider.will(overtaken)

    assert (await a_send(caller))["status"] == "delivered"
    assert second.asked == []


async def test_a_route_that_is_not_named_is_carried_by_the_first_configured(
    clean_slate: None, provider: ScriptedProvider, second: Second
) -> None:
    caller = await a_live_caller()
    provider.will(Failed())

    assert isinstance(await refused_send(caller, route="otp"), DependencyFailed)

    assert second.asked == []
