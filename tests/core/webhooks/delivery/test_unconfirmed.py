"""An address that never answered: few attempts an hour for its host, no replay, and nothing lost
until it answers.
"""

from datetime import datetime, timedelta

import pytest

from core import webhooks
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.http_client import PostResult
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.webhooks import WebhookSubscription
from core.webhooks.delivery.attempt import outcome_of
from core.webhooks.delivery.claim import DueDelivery, claim_probes
from core.webhooks.delivery.pause import resume_queues
from core.webhooks.delivery.save_outcomes import save_outcomes
from core.webhooks.delivery.unconfirmed import (
    MAX_PER_HOST,
    MAX_PER_ORGANIZATION,
    OUTCOME_TIMEOUT,
    UnconfirmedTarget,
    host_of,
    reserve,
)
from core.webhooks.errors import AddressUnconfirmed
from tests.factories.organizations import a_caller
from tests.factories.webhooks import a_subscription
from tests.fakes.queue import RecordedQueue
from tests.support.claims import claim_due
from tests.support.receiver import Receiver
from tests.support.stored import nothing_stored
from tests.support.subscriptions import deliver_all, make
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("clean_slate")

OK, BROKEN = PostResult(200, 12), PostResult(500, 12)
HOUR = timedelta(hours=1)


async def subscribed(
    caller: Caller, url: str = "http://127.0.0.1:9009/hooks", *, events: int
) -> str:
    """A subscription with so many deliveries due."""
    id: str = (await a_subscription(caller, url))["webhook"]["id"]
    await published(caller, events)
    return id


async def published(caller: Caller, events: int) -> None:
    at = now() - timedelta(minutes=5)
    told = [
        webhooks.NewEvent(
            caller.organization_id, caller.env, "sms.delivered", {"id": "msg_1", "n": number}, at
        )
        for number in range(events)
    ]
    await webhooks.publish_many(told, at=at)


async def attempted(reply: PostResult, *, at: datetime, limit: int = 5_000) -> list[DueDelivery]:
    """Claim all that can be claimed, let each attempt go so, and look again when all of them are
    decided.
    """
    claimed: list[DueDelivery] = []
    while some := await claim_due(at=at, limit=limit):
        claimed += some
        await save_outcomes([outcome_of(due, reply, at=at) for due in some])
    assert await claim_due(at=at + OUTCOME_TIMEOUT, limit=limit) == []
    return claimed


async def waiting(id: str) -> int:
    """Deliveries that wait for their address to be confirmed."""
    paused = "due_at IS NULL AND status = 'pendente'"
    sql = f"SELECT count(*) FROM webhook_deliveries WHERE subscription_id = $1 AND {paused}"
    return int(await db.fetchval(sql, id))


async def the(id: str) -> WebhookSubscription:
    return await WebhookSubscription.get(id=id)


async def test_a_hundred_attempts_an_hour_and_the_rest_waits() -> None:
    id = await subscribed(await a_caller(), events=MAX_PER_HOST + 30)
    at = now()

    assert len(await attempted(BROKEN, at=at)) == MAX_PER_HOST
    assert await waiting(id) == 30
    assert (await the(id)).probe_at == at + HOUR
    assert await resume_queues(at=at + HOUR - timedelta(seconds=1)) == 0
    assert await claim_due(at=at + timedelta(minutes=59), limit=5_000) == [], "retries count too"


async def test_when_the_hour_is_over_there_may_be_a_hundred_more() -> None:
    id = await subscribed(await a_caller(), events=3 * MAX_PER_HOST)
    at = now()
    await attempted(BROKEN, at=at)
    later = at + HOUR

    assert await resume_queues(at=later) == 1
    assert await waiting(id) == MAX_PER_HOST, "no more is resumed than may go"
    claimed = await attempted(BROKEN, at=later + HOUR / 2)
    assert len(claimed) == MAX_PER_HOST
    assert await waiting(id) >= MAX_PER_HOST


async def test_the_first_success_takes_up_what_waits_gently(queue: RecordedQueue) -> None:
    id = await subscribed(await a_caller(), events=MAX_PER_HOST + 500)
    at = now()
    await attempted(BROKEN, at=at)
    assert await waiting(id) == 500
    [first] = await claim_due(at=at + HOUR, limit=1)
    queue.jobs.clear()

    success = at + HOUR
    await save_outcomes([outcome_of(first, OK, at=success)])

    await eventually(lambda: Job.RESUME_WEBHOOKS in queue.jobs, "what waits is resumed")
    found = await the(id)
    assert (found.confirmed_at, found.probe_at) == (success, success)
    assert await resume_queues(at=success) == 1
    assert await waiting(id) == 0
    due = await db.fetch(
        "SELECT due_at FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY due_at"
    )
    first_second = [row for row in due if success <= row["due_at"] < success + timedelta(seconds=1)]
    assert len(first_second) < 100, "by slow start"
    assert (await the(id)).probe_at is None


async def test_a_confirmed_address_has_no_such_limit() -> None:
    caller = await a_caller()
    id = await subscribed(caller, events=1)
    at = now()
    await attempted(OK, at=at)
    assert (await the(id)).confirmed_at == at

    await published(caller, 3 * MAX_PER_HOST)
    assert len(await attempted(BROKEN, at=now())) == 3 * MAX_PER_HOST


async def test_an_address_that_fails_later_stays_confirmed() -> None:
    caller = await a_caller()
    id = await subscribed(caller, events=1)
    at = now()
    await attempted(OK, at=at)
    await published(caller, 1)
    await attempted(BROKEN, at=now())
    await published(caller, 1)
    await attempted(OK, at=now())

    assert (await the(id)).confirmed_at == at


@pytest.mark.parametrize(
    "urls",
    [
        [f"http://127.0.0.1:9009/{path}" for path in range(4)],
        [f"http://127.0.0.1:{port}/hooks" for port in range(9009, 9013)],
        [f"http://127.0.0.1:9009/hooks?{query}" for query in range(4)],
    ],
    ids=["paths", "ports", "queries"],
)
async def test_many_subscriptions_of_one_host_share_the_hundred(urls: list[str]) -> None:
    caller = await a_caller()
    for url in urls:
        await a_subscription(caller, url)
    await published(caller, 60)

    assert len(await attempted(BROKEN, at=now())) == MAX_PER_HOST


async def test_many_new_subscriptions_of_a_host_that_answers_all_get_through() -> None:
    caller = await a_caller()
    for n in range(2 * MAX_PER_HOST):
        await a_subscription(caller, f"http://127.0.0.1:9009/{n}")
    await published(caller, 1)
    at = now()
    claimed = await claim_due(at=at, limit=5_000)
    assert len(claimed) == MAX_PER_HOST
    assert await claim_due(at=at + OUTCOME_TIMEOUT / 2, limit=5_000) == []
    assert await resume_queues(at=at + 2 * HOUR) == 0, "nobody waits while attempts are under way"

    await save_outcomes([outcome_of(due, OK, at=at) for due in claimed])

    assert len(await attempted(OK, at=now())) == MAX_PER_HOST
    assert await WebhookSubscription.filter(confirmed_at=None).count() == 0


async def test_who_waits_already_is_resumed_when_the_host_answers() -> None:
    caller = await a_caller()
    ids = [
        await subscribed(caller, f"http://127.0.0.1:9009/{n}", events=MAX_PER_HOST)
        for n in range(2)
    ]
    at = now()
    await attempted(BROKEN, at=at)
    assert [(await the(id)).probe_at for id in ids] == [at + HOUR] * 2
    await resume_queues(at=at + HOUR)
    [due, *_] = await claim_due(at=at + HOUR, limit=1)

    await save_outcomes([outcome_of(due, OK, at=now())])

    found = [await the(id) for id in ids]
    assert sorted(one.confirmed_at is None for one in found) == [False, True]
    assert all(one.probe_at is None or one.probe_at <= now() for one in found)


async def test_a_host_that_answers_elsewhere_says_nothing_of_another() -> None:
    caller = await a_caller()
    stranger = await subscribed(caller, "http://[::1]:9009/hooks", events=MAX_PER_HOST + 1)
    at = now()
    await attempted(BROKEN, at=at)
    await subscribed(caller, "http://127.0.0.1:9009/hooks", events=1)
    [due] = [one for one in await claim_due(at=now(), limit=5) if one.subscription_id != stranger]
    await save_outcomes([outcome_of(due, OK, at=now())])

    assert (await the(stranger)).probe_at == at + HOUR
    assert await claim_due(at=now(), limit=5_000) == []


async def test_both_environments_share_the_hundred() -> None:
    test = await a_caller("test")
    live = await a_caller("live", organization_id=test.organization_id)
    for caller in (test, live):
        await subscribed(caller, events=MAX_PER_HOST)

    assert len(await attempted(BROKEN, at=now())) == MAX_PER_HOST


async def test_deleting_and_subscribing_again_gives_no_more() -> None:
    caller = await a_caller()
    id = await subscribed(caller, events=MAX_PER_HOST)
    at = now()
    assert len(await attempted(BROKEN, at=at)) == MAX_PER_HOST
    await webhooks.unsubscribe(caller, id)
    again = await subscribed(caller, events=5)

    assert await attempted(BROKEN, at=at + timedelta(minutes=30)) == []
    assert await waiting(again) == 5


async def test_another_organization_has_its_own_hundred() -> None:
    for _ in range(2):
        await subscribed(await a_caller(), events=MAX_PER_HOST)

    assert len(await attempted(BROKEN, at=now())) == 2 * MAX_PER_HOST


async def test_names_of_one_machine_without_end_meet_the_limit_of_the_organization() -> None:
    at = now()
    targets = [UnconfirmedTarget(f"wbh_{n}", "org_1", f"n{n}.example.com", 90) for n in range(20)]

    granted, later = await reserve(targets, at=at)

    assert (sum(granted.values()), later) == (MAX_PER_ORGANIZATION, {})
    assert await reserve(targets[:1], at=at + OUTCOME_TIMEOUT) == ({}, {"wbh_0": at + HOUR})
    assert (await reserve(targets[:1], at=at + HOUR))[0] == {"wbh_0": 90}


async def test_a_probe_counts_too() -> None:
    caller = await a_caller()
    at = now()
    failing = []
    for n in range(3):
        id = await subscribed(caller, f"http://127.0.0.1:9009/{n}", events=1)
        await make(id, "failing")
        await WebhookSubscription.filter(id=id).update(probe_at=at)
        failing.append(id)
    await reserve(
        [UnconfirmedTarget("wbh_x", caller.organization_id, "127.0.0.1", MAX_PER_HOST - 1)],
        at=at - HOUR / 2,
    )

    assert len(await claim_probes(at=at, limit=10)) == 1
    later = [(await the(id)).probe_at for id in failing]
    assert sorted(probe - at for probe in later if probe) == [
        timedelta(minutes=1),
        HOUR / 2,
        HOUR / 2,
    ]
    assert len(await claim_probes(at=at + timedelta(minutes=1), limit=10)) == 0


async def test_a_replay_waits_for_an_answer(receiver: Receiver) -> None:
    caller = await a_caller()
    made = await a_subscription(caller, receiver.url)
    id = made["webhook"]["id"]
    assert "confirmedAt" not in made["webhook"]
    wanted = webhooks.Replay.model_validate({"from": now() - HOUR, "to": now()})

    async with nothing_stored():
        with pytest.raises(AddressUnconfirmed) as refused:
            await webhooks.replay_deliveries(caller, id, wanted)
    assert refused.value.meta == {"code": "ENDERECO_NAO_CONFIRMADO"}

    receiver.answer = lambda _: 500
    assert not (await sample(caller, id))["ok"]
    with pytest.raises(AddressUnconfirmed):
        await webhooks.replay_deliveries(caller, id, wanted)
    receiver.answer = lambda _: 204
    assert (await sample(caller, id))["ok"]
    assert await webhooks.replay_deliveries(caller, id, wanted) == {"requested": 0}
    assert "confirmedAt" in await webhooks.get_subscription(caller, id)


async def sample(caller: Caller, id: str) -> webhooks.SampleVerdict:
    return await webhooks.send_sample(
        caller, id, webhooks.Sample(event=webhooks.EventType.SMS_DELIVERED)
    )


async def test_a_sample_that_succeeds_takes_up_what_waits(
    receiver: Receiver, queue: RecordedQueue
) -> None:
    caller = await a_caller()
    id = await subscribed(caller, receiver.url, events=MAX_PER_HOST + 7)
    await attempted(BROKEN, at=now())
    assert await waiting(id) == 7
    queue.jobs.clear()

    await sample(caller, id)

    await eventually(lambda: Job.RESUME_WEBHOOKS in queue.jobs, "what waits is resumed")
    await deliver_all()
    assert await waiting(id) == 0


async def test_a_paused_address_is_not_confirmed_by_its_pause() -> None:
    caller = await a_caller()
    id = await subscribed(caller, events=1)
    for status in (webhooks.SubscriptionSwitch.PAUSED, webhooks.SubscriptionSwitch.ACTIVE):
        await webhooks.change_subscription(caller, id, webhooks.SubscriptionChanges(status=status))

    assert (await the(id)).confirmed_at is None


@pytest.mark.parametrize(
    ("authority", "host"),
    [
        ("Example.COM", "example.com"),
        ("example.com:8443", "example.com"),
        ("user:pass@example.com:1", "example.com"),
        ("[2001:DB8::1]:443", "2001:db8::1"),
        ("[oops", "[oops"),
        ("x" * 300, "x" * 253),
    ],
)
def test_a_host_is_one_whatever_its_port(authority: str, host: str) -> None:
    assert host_of(authority) == host
