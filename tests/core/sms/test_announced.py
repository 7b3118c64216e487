"""Every change of a message's status is announced once, and nothing else is."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import pytest

from core import sms
from core.foundation import pubsub
from core.foundation.clock import now
from core.foundation.database.db import fetch
from core.foundation.errors import PaymentRequired, ServiceError
from core.messaging import Direction
from core.providers.contracts import Accepted, Failed, MessageFound, Refused, Unknown
from tests.factories.live import a_delivery_report, a_live_caller, a_reply, refused_send
from tests.factories.messages import a_message
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.fakes.ear import RecordedNotices, listening
from tests.fakes.provider import ScriptedProvider, reference_of

pytestmark = pytest.mark.usefixtures("clean_slate")

LATER = timedelta(minutes=1)


@pytest.fixture
def ear() -> Iterator[RecordedNotices]:
    with listening() as ear:
        yield ear


async def test_a_notice_tells_whose_message_it_is_and_nothing_of_its_recipient(
    ear: RecordedNotices,
) -> None:
    caller = await a_caller("test")
    ear.ids()
    sent = await a_send(caller)

    (notice,) = ear.notices
    assert notice == pubsub.Notice(
        pubsub.Topic.MESSAGE,
        caller.organization_id,
        "test",
        sent["id"],
        {"channel": "sms", "direction": Direction.OUTBOUND},
    )


async def test_a_sandbox_message_is_announced_when_it_is_sent_and_when_it_ends(
    ear: RecordedNotices,
) -> None:
    caller = await a_caller("test")
    sent = await a_send(caller)
    assert ear.ids() == [sent["id"]]

    await sms.apply_due_reports(at=now() + LATER)
    assert ear.ids() == [sent["id"]]

    await sms.apply_due_reports(at=now() + LATER)
    assert ear.ids() == []


async def test_a_send_that_leaves_no_message_is_not_announced(ear: RecordedNotices) -> None:
    caller = await a_caller("test")
    await leave_coins(caller, 0)
    with pytest.raises(PaymentRequired):
        await a_send(caller)

    assert ear.ids() == []


async def test_a_repeated_send_is_not_announced_again(ear: RecordedNotices) -> None:
    caller = await a_caller("test")
    first = await a_send(caller, key="once-only")
    assert (await a_send(caller, key="once-only"))["id"] == first["id"]

    assert ear.ids() == [first["id"]]


async def test_a_refusal_of_the_sandbox_that_keeps_a_failed_message_is_announced(
    ear: RecordedNotices,
) -> None:
    caller = await a_caller("test")
    with pytest.raises(ServiceError):
        await a_send(caller, to="+5511987650114")
    failed = await fetch(
        "SELECT id FROM messages WHERE organization_id = $1", caller.organization_id
    )

    assert ear.ids() == [row["id"] for row in failed]


@pytest.mark.parametrize(
    ("answer", "moves"),
    [(Accepted("gw_1"), 2), (Refused("invalid_number"), 2), (Failed(), 2), (Unknown(), 1)],
)
async def test_a_live_message_is_announced_when_it_is_taken_and_when_it_is_settled(
    ear: RecordedNotices,
    provider: ScriptedProvider,
    answer: Accepted | Refused | Failed | Unknown,
    moves: int,
) -> None:
    caller = await a_live_caller()
    provider.will(answer)
    with suppress(ServiceError):
        await a_send(caller)
    (outgoing,) = provider.asked

    assert ear.ids() == [outgoing.id] * moves


async def test_what_the_sweep_finds_out_is_announced(
    ear: RecordedNotices, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    provider.will(Unknown())
    await refused_send(caller)
    (outgoing,) = provider.asked
    ear.ids()
    provider.knows[outgoing.id] = MessageFound(reference_of(outgoing.id), "sent")
    await sms.reconcile(at=now() + LATER)

    assert ear.ids() == [outgoing.id]


async def test_only_a_receipt_that_moves_its_message_is_announced(
    ear: RecordedNotices, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)
    ear.ids()
    for _ in range(2):
        await sms.receive_reports(
            caller.organization_id, provider.name, [a_delivery_report(sent["id"])], at=now()
        )

    assert ear.ids() == [sent["id"]]


async def test_a_reply_is_announced_once(ear: RecordedNotices, provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    sent = await a_send(caller)
    ear.ids()
    reply = a_reply(sent["id"])
    for _ in range(2):
        await sms.receive_replies(caller.organization_id, provider.name, [reply], at=now())

    (notice,) = [notice for notice in ear.notices if notice.topic is pubsub.Topic.MESSAGE]
    assert notice.facts["direction"] == "inbound"


async def test_messages_that_another_channel_writes_down_are_announced(
    ear: RecordedNotices,
) -> None:
    id = await a_message(await a_caller("test"))

    assert ear.ids() == [id]
