"""Sending in production: leases, retries, back-off, and who is charged for what."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from core import contacts, push
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.leases import LEASE
from core.foundation.security.caller import Caller
from core.providers.push import (
    Answer,
    DeviceGone,
    PushAccepted,
    PushCredentials,
    PushDeferred,
    PushNotification,
    PushRejected,
    PushSender,
    PushTarget,
)
from core.push.live_sender import MAX_ATTEMPTS, LiveSender
from core.push.models import PushDevice
from core.wallet import Wallet
from tests.factories.live import a_live_caller
from tests.factories.push import a_device, a_dispatch, opt_out, queue_of

pytestmark = pytest.mark.usefixtures("clean_slate")

HOUR = timedelta(hours=1)


class Scripted:
    """A push service that answers by the token, and remembers what it was given."""

    name = "scripted"

    def __init__(self, **answers: Answer) -> None:
        self.answers = answers
        self.given: list[tuple[str, PushNotification]] = []
        self.before_answer: Callable[[], Any] | None = None

    async def push(self, target: PushTarget, notification: PushNotification) -> Answer:
        self.given.append((target.token, notification))
        if self.before_answer is not None:
            await self.before_answer()
        return self.answers.get(target.token, PushAccepted())

    def serve(self, _credentials: PushCredentials | None, _platform: str) -> PushSender | None:
        return self


async def live_caller() -> Caller:
    caller = await a_live_caller()
    await push.create_app(caller, push.NewApp(app_id="loja"))
    return caller


async def money(caller: Caller) -> tuple[int, int]:
    """Held and spent."""
    row = await Wallet.get(organization_id=caller.organization_id, env="live")
    return row.held, row.revenue


async def started(caller: Caller, *tokens: str, **fields: Any) -> str:
    """The id of a dispatch to devices of these tokens, started."""
    for token in tokens:
        await a_device(caller, token)
    id = str((await a_dispatch(caller, **fields))["id"])
    assert await push.start_due(at=now()) == 1
    return id


async def test_each_answer_of_a_provider_has_its_end() -> None:
    caller = await live_caller()
    provider = Scripted(gone=DeviceGone(), bad=PushRejected())
    id = await started(
        caller, "good", "gone", "bad", deepLink="loja://x", actions=[{"label": "Ver"}]
    )

    assert await LiveSender(provider.serve).drain(at=now()) == 3

    done = await push.get_push(caller, id)
    assert sorted((await queue_of(id)).values(), key=str) == [
        ("delivered", None),
        ("failed", "gone"),
        ("failed", "rejected"),
    ]
    assert (done["status"], done["metrics"]["delivered"], done["metrics"]["failed"]) == (
        "sent",
        1,
        2,
    )
    assert await money(caller) == (0, 40)
    assert (await PushDevice.get(token="gone")).deactivated_at is not None
    assert (await PushDevice.get(token="bad")).deactivated_at is None
    assert all(one.dispatch_id == id and one.deep_link == "loja://x" for _, one in provider.given)


async def test_who_is_to_be_tried_later_is_and_is_given_up_in_the_end() -> None:
    caller = await live_caller()
    provider = Scripted(busy=PushDeferred())
    id = await started(caller, "busy")
    sender = LiveSender(provider.serve)

    pauses = []
    for _ in range(MAX_ATTEMPTS):
        assert await sender.drain(at=now()) <= 1
        due_at = await db.fetchval("SELECT due_at FROM push_deliveries WHERE dispatch_id = $1", id)
        if due_at is not None:
            pauses.append(due_at - now())
            assert await sender.drain(at=due_at - timedelta(seconds=1)) == 0
        await db.execute("UPDATE push_deliveries SET due_at = NULL WHERE status = 'queued'")

    done = await push.get_push(caller, id)
    assert len(provider.given) == MAX_ATTEMPTS
    assert pauses == sorted(pauses)
    assert done["status"] == "failed"
    assert list((await queue_of(id)).values()) == [("failed", "provider_error")]
    assert await money(caller) == (0, 0)


async def test_a_provider_that_asks_for_a_pause_gets_it_from_all_and_nobodys_tries_are_spent() -> (
    None
):
    caller = await live_caller()
    provider = Scripted(**{f"t{n}": PushDeferred(60) for n in range(150)})
    id = await started(caller, *provider.answers)
    sender = LiveSender(provider.serve)

    await sender.drain(at=now())
    asked = len(provider.given)
    while await sender.drain(at=now()):
        pass

    assert 1 <= len(provider.given) == asked <= 100
    rows = await db.fetch(
        "SELECT attempts, status, due_at FROM push_deliveries WHERE dispatch_id = $1", id
    )
    assert {row["status"] for row in rows} == {"queued"}
    assert sorted(row["attempts"] for row in rows) == [0] * (150 - asked) + [1] * asked
    assert min(row["due_at"] for row in rows) > now() + timedelta(seconds=50)


async def test_what_a_worker_left_behind_is_sent_again_when_its_lease_ends_and_paid_for_once() -> (
    None
):
    caller = await live_caller()
    provider = Scripted()
    id = await started(caller, "t1")

    async def die() -> None:
        raise asyncio.CancelledError

    provider.before_answer = die
    with pytest.raises(asyncio.CancelledError):
        await LiveSender(provider.serve).drain(at=now())
    provider.before_answer = None

    sender = LiveSender(provider.serve)
    assert await sender.drain(at=now()) == 0
    assert await sender.drain(at=now() + LEASE) == 1
    assert [one.dispatch_id for _, one in provider.given] == [id, id]
    assert (await push.get_push(caller, id))["status"] == "sent"
    assert await money(caller) == (0, 20)


async def test_a_worker_that_was_thought_dead_settles_nothing_twice() -> None:
    caller = await live_caller()
    slow, quick = Scripted(), Scripted()
    id = await started(caller, "t1")

    async def overtaken() -> None:
        assert await LiveSender(quick.serve).drain(at=now() + LEASE) == 1

    slow.before_answer = overtaken
    await LiveSender(slow.serve).drain(at=now())

    done = await push.get_push(caller, id)
    assert (done["status"], done["metrics"]["delivered"]) == ("sent", 1)
    assert await money(caller) == (0, 20)


async def test_a_fault_of_a_provider_of_ours_costs_nobody_else_anything() -> None:
    caller = await live_caller()
    id = await started(caller, "t1", "t2")

    class Broken(Scripted):
        async def push(self, target: PushTarget, notification: PushNotification) -> Answer:
            if target.token == "t1":
                raise ZeroDivisionError
            return await super().push(target, notification)

    await LiveSender(Broken().serve).drain(at=now())

    assert sorted(status for status, _ in (await queue_of(id)).values()) == ["delivered", "queued"]


async def test_without_credentials_for_a_platform_its_devices_fail_and_cost_nothing() -> None:
    caller = await live_caller()
    id = await started(caller, "t1")

    await LiveSender(lambda *_: None).drain(at=now())

    assert list((await queue_of(id)).values()) == [("failed", "no_provider")]
    assert await money(caller) == (0, 0)


async def test_a_device_that_opted_out_before_its_turn_is_not_sent_to() -> None:
    caller = await live_caller()
    provider = Scripted()
    id = await started(caller, "t1", "t2")
    await opt_out(caller, "t1")

    await LiveSender(provider.serve).drain(at=now())

    done = await push.get_push(caller, id)
    assert [token for token, _ in provider.given] == ["t2"]
    assert (done["status"], done["metrics"]["optedOut"], done["metrics"]["delivered"]) == (
        "sent",
        1,
        1,
    )
    assert await money(caller) == (0, 20)


async def test_who_opted_out_by_the_phone_of_the_device_is_not_sent_to_when_its_turn_comes() -> (
    None
):
    caller = await live_caller()
    provider = Scripted()
    phone = "+5511987654321"
    await a_device(caller, "t1", userPhone=phone)
    id = await started(caller, "t2")
    await contacts.opt_out(caller, contacts.OptOut.model_validate({"phones": [phone]}))

    await LiveSender(provider.serve).drain(at=now())

    assert [token for token, _ in provider.given] == ["t2"]
    assert (await push.get_push(caller, id))["status"] == "sent"
    assert await money(caller) == (0, 20)


async def test_a_test_key_reaches_no_real_provider_and_a_live_one_no_sandbox() -> None:
    provider = Scripted()
    live = await live_caller()
    await started(live, "t1")

    assert await push.drain_sandbox(at=now()) == 0
    await LiveSender(provider.serve).drain(at=now())
    assert len(provider.given) == 1
