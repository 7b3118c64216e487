"""Notices of the platform: stored as they come, applied by a worker, each once in its effect."""

import asyncio
from datetime import timedelta
from typing import Any

import orjson
import pytest
import structlog

from core import contacts, flows, numbers, templates
from core.conversations import inbound
from core.conversations.inbound import apply
from core.conversations.inbound.receive import receive
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.jobs import Job
from core.foundation.security.caller import Caller
from core.numbers import Number
from core.providers.meta.webhook import PlatformChange, split
from core.providers.platform import FlowNotice, Notice, NumberNotice, TemplateNotice
from tests.factories.contacts import a_contact
from tests.factories.conversations_inbound import (
    WRITER,
    a_message,
    a_notice,
    a_sent_message,
    a_status,
    notice_of,
    posted,
)
from tests.factories.live import a_live_caller
from tests.factories.numbers import a_number, an_instagram_account
from tests.fakes.queue import RecordedQueue
from tests.support.counted import counted
from tests.support.races import outside
from tests.support.statements import statements
from tests.support.told import events

DAY = timedelta(days=1)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_live_caller()


@pytest.fixture
async def number(caller: Caller) -> Number:
    return await a_number(caller)


async def stored() -> list[db.Row]:
    return list(await db.fetch("SELECT * FROM platform_notices ORDER BY id"))


def of_account(number: Number, field: str = "account_update", **value: Any) -> PlatformChange:
    return PlatformChange(field, None, number.waba_id, value)


# Storing ------------------------------------------------------------------------------------------


async def test_a_body_is_stored_in_one_statement_and_wakes_a_worker(
    number: Number, queue: RecordedQueue
) -> None:
    body = split(a_notice(number, statuses=[a_status("x", "sent")])) * 50
    at = now()
    async with statements() as run:
        await inbound.store_notices(body, at=at)
    assert len(run) == 1
    rows = await stored()
    assert len(rows) == 50
    assert rows[0]["line"] == number.phone_number_id
    assert rows[0]["body"]["value"]["statuses"] == [a_status("x", "sent")]
    assert (rows[0]["organization_id"], rows[0]["env"]) == (number.organization_id, "live")
    assert (rows[0]["received_at"], rows[0]["due_at"]) == (at, at)
    await asyncio.sleep(0.1)
    assert queue.jobs == [Job.APPLY_NOTICES]


async def test_what_is_about_nobody_here_is_not_kept(number: Number, queue: RecordedQueue) -> None:
    strange = [
        PlatformChange("messages", "1", number.waba_id, {}),
        PlatformChange("flows", None, "1", {}),
        PlatformChange("x", None, None, {}),
    ]
    with counted("svc_platform_notices") as count:
        await inbound.store_notices(strange, at=now())
        await inbound.store_notices([], at=now())
    assert count == {("svc_platform_notices_strange_total",): 3}
    assert await stored() == []
    await asyncio.sleep(0.1)
    assert queue.jobs == []


async def test_a_change_of_an_account_is_kept_once_whatever_numbers_it_has(
    caller: Caller, number: Number
) -> None:
    await a_number(caller, waba_id=number.waba_id)
    await inbound.store_notices([of_account(number)], at=now())
    assert [(row["organization_id"], row["line"]) for row in await stored()] == [
        (caller.organization_id, None)
    ]


# Applying -----------------------------------------------------------------------------------------


async def test_what_was_applied_is_gone_and_applies_no_second_time(
    caller: Caller, number: Number
) -> None:
    id = await a_sent_message(caller, number)
    body = a_notice(
        number,
        statuses=[a_status(id, "delivered")],
        messages=[a_message("wamid.1", "Oi")],
        contacts=[{"profile": {"name": "Ana"}, "wa_id": WRITER.removeprefix("+")}],
    )
    assert await posted(body) == 1
    assert await stored() == []
    assert await posted(body) == 1
    types = [event["type"] for event in await events(caller.organization_id, "")]
    assert types.count("message.delivered") == types.count("message.received") == 1
    (contact,) = (await contacts.list_contacts(caller, contacts.ContactFilter()))["items"]
    assert contact["whatsappProfileName"] == "Ana"


async def test_an_instagram_message_arrives_at_its_account(caller: Caller) -> None:
    account = await an_instagram_account(caller)
    event = {
        "sender": {"id": "178414"},
        "recipient": {"id": account.instagram_id},
        "timestamp": 1_790_000_000_000,
        "message": {"mid": "m_1", "text": "Oi"},
    }
    await inbound.store_notices(
        [PlatformChange("instagram", account.instagram_id, None, event)], at=now()
    )
    await inbound.apply_due_notices(at=now())
    row = await db.fetchrow("SELECT * FROM messages")
    assert row is not None
    assert (row["channel"], row["recipient"], row["instagram_account_id"]) == (
        "instagram",
        "178414",
        account.id,
    )
    assert row["provider_reference"] == "m_1"


async def test_two_organizations_in_one_body_keep_apart(caller: Caller, number: Number) -> None:
    other = await a_live_caller()
    others = await a_number(other)
    known = await a_contact(other, phone=WRITER)
    body = notice_of(
        [
            (number, {"messages": [a_message("wamid.1", "Oi")]}),
            (others, {"messages": [a_message("wamid.1", "Oi"), a_message("wamid.2", "Oi")]}),
        ]
    )
    await posted(orjson.dumps(body))
    rows = await db.fetch(
        "SELECT organization_id, number_id, contact_id FROM messages ORDER BY provider_reference, 1"
    )
    theirs = [row for row in rows if row["organization_id"] == other.organization_id]
    assert [(row["number_id"], row["contact_id"]) for row in theirs] == [
        (others.id, known["id"])
    ] * 2
    assert [row["number_id"] for row in rows if row not in theirs] == [number.id]


async def test_notices_about_numbers_templates_and_flows_reach_them(
    caller: Caller, number: Number, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, int]] = []
    for domain in (numbers, templates, flows):

        async def apply_notices(notices: Any, at: Any, domain: Any = domain) -> None:
            heard.append((domain.__name__, len(notices)))

        monkeypatch.setattr(domain, "apply_notices", apply_notices)
    account, at = number.waba_id, now()
    told: dict[str, list[Notice]] = {
        "a": [NumberNotice("partner_removed", None, account, None, at)],
        "b": [TemplateNotice(account, "1", "approved", None, at)] * 2,
        "c": [FlowNotice(account, "1", "BLOCKED", at)],
    }
    monkeypatch.setattr(apply, "notices_of", lambda change, **_: told[change.field])
    await inbound.store_notices([of_account(number, field) for field in told], at=now())
    await inbound.apply_due_notices(at=now())
    assert heard == [("core.numbers", 1), ("core.templates", 2), ("core.flows", 1)]
    assert await stored() == []


# What cannot be applied ---------------------------------------------------------------------------


@pytest.fixture
def bad(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages with the text `bad` break whoever applies them."""

    async def breaks(caller: Caller, provider: str, received: Any, *, at: Any) -> Any:
        if any(one.inbound.payload == {"text": "bad"} for one in received):
            raise ValueError(WRITER)
        return await receive(caller, provider, received, at=at)

    monkeypatch.setattr(apply, "receive", breaks)


@pytest.mark.usefixtures("bad")
async def test_a_notice_that_cannot_be_applied_holds_up_no_other(
    caller: Caller, number: Number
) -> None:
    for reference, text in (("1", "good"), ("2", "bad"), ("3", "good")):
        await inbound.store_notices(
            split(a_notice(number, messages=[a_message(reference, text)])), at=now()
        )
    with structlog.testing.capture_logs() as lines:
        await inbound.apply_due_notices(at=now())
    references = await db.fetch("SELECT provider_reference FROM messages ORDER BY 1")
    assert [row["provider_reference"] for row in references] == ["1", "3"]
    assert len(await stored()) == 1
    (line,) = [line for line in lines if line["event"] == "notice_failed"]
    assert line["error"] == "ValueError"
    assert WRITER not in str(lines)


@pytest.mark.usefixtures("bad")
async def test_it_is_tried_eight_times_and_kept_for_30_days(caller: Caller, number: Number) -> None:
    at = now()
    await inbound.store_notices(split(a_notice(number, messages=[a_message("1", "bad")])), at=at)
    with counted("svc_platform_notices_given_up") as count:
        tried = [
            minutes
            for minutes in range(0, 24 * 60, 5)
            if await inbound.apply_due_notices(at=at + timedelta(minutes=minutes))
        ]
    assert count == {("svc_platform_notices_given_up_total",): 1}
    assert len(tried) == 8
    assert tried[-1] < 3 * 60
    assert await inbound.apply_due_notices(at=at + 29 * DAY) == 0
    assert len(await stored()) == 1
    assert await inbound.apply_due_notices(at=at + 30 * DAY) == 1
    assert await stored() == []


async def test_a_notice_that_cannot_be_read_is_kept_apart(
    caller: Caller, number: Number, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(change: PlatformChange, at: Any) -> list[Notice]:
        raise KeyError(WRITER)

    monkeypatch.setattr(apply, "notices_of", unreadable)
    assert await posted(a_notice(number, messages=[a_message("1")])) == 1
    (row,) = await stored()
    assert row["attempts"] == 1
    assert row["due_at"] > now()


async def test_what_a_crash_leaves_is_taken_again_after_its_lease(
    caller: Caller, number: Number, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(apply, "receive", crash)
        with pytest.raises(KeyboardInterrupt):
            await posted(a_notice(number, messages=[a_message("1")]))
    assert await inbound.apply_due_notices(at=now()) == 0
    assert await inbound.apply_due_notices(at=now() + timedelta(minutes=2)) == 1
    assert await db.fetchval("SELECT count(*) FROM messages") == 1


# Races --------------------------------------------------------------------------------------------


@pytest.fixture
async def committed(real_commits: None) -> tuple[Caller, Number]:
    caller = await a_live_caller()
    return caller, await a_number(caller)


async def test_workers_share_what_is_due_and_store_each_message_once(
    committed: tuple[Caller, Number],
) -> None:
    caller, number = committed
    for reference in range(60):
        body = a_notice(number, messages=[a_message(str(reference // 2))])
        await inbound.store_notices(split(body), at=now())

    async def work() -> None:
        while await inbound.apply_due_notices(at=now()):
            pass

    await asyncio.gather(*(outside(work()) for _ in range(4)))
    assert await stored() == []
    assert await db.fetchval("SELECT count(*) FROM messages") == 30
    assert await db.fetchval("SELECT count(*) FROM contacts") == 1
    assert len(await events(caller.organization_id, "message.received")) == 30
    assert len(await events(caller.organization_id, "contact.created")) == 1


async def test_a_report_and_an_answer_of_the_hand_over_pay_once(
    committed: tuple[Caller, Number],
) -> None:
    caller, number = committed
    ids = [await a_sent_message(caller, number, status="sending") for _ in range(20)]
    for id in ids:
        for status in ("sent", "delivered", "read"):
            await inbound.store_notices(
                split(a_notice(number, statuses=[a_status(id, status)])), at=now()
            )

    async def work() -> None:
        while await inbound.apply_due_notices(at=now()):
            pass

    await asyncio.gather(*(outside(work()) for _ in range(4)))
    rows = await db.fetch(
        "SELECT kind, count(*) AS n FROM wallet_transfers WHERE origin = ANY ($1) GROUP BY 1", ids
    )
    assert {row["kind"]: row["n"] for row in rows} == {"reserva": 20, "captura": 20}
    assert await db.fetchval("SELECT count(*) FROM messages WHERE status = 'read'") == 20
