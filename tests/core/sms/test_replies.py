"""Replies of recipients: stored once, charged once, told once, and read back."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core import sms, wallet
from core.foundation.clock import now, wire_time
from core.foundation.database import db
from core.foundation.errors import Forbidden, NotFound
from core.foundation.ids import is_id
from core.foundation.security.caller import KEY_SCOPES, Caller, Scope
from core.providers.contracts import Accepted, InboundReply, Unknown
from tests.factories.live import a_live_caller, a_reply, refused_send
from tests.factories.organizations import a_caller
from tests.factories.sms import a_send, leave_coins
from tests.factories.stored_contacts import stored_contact
from tests.fakes.provider import ScriptedProvider, reference_of
from tests.support.money import Balances, balances_of, moved_for, the_message, told, volume_of
from tests.support.stored import nothing_stored, stored

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


async def hand_in(
    caller: Caller, *replies: InboundReply, provider: str = "gateway", at: Any = None
) -> None:
    await sms.receive_replies(caller.organization_id, provider, replies, at=at or now())


async def replies_of(caller: Caller, **query: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = (
        await sms.list_replies(caller, sms.ReplyFilter.model_validate(query))
    )["items"]
    return items


async def unmatched() -> int:
    count: int = await db.fetchval("SELECT count(*) FROM parked_receipts")
    return count


async def owe(caller: Caller, coins: int) -> None:
    """Let the caller owe this much."""
    id = (await a_send(caller))["id"]
    await leave_coins(caller, 0)
    await hand_in(caller, *(a_reply(id) for _ in range(coins // 200)))
    assert await balances_of(caller) == Balances(0, 0, 800 + coins, coins)


# Stored, charged, told ----------------------------------------------------------------------------


async def test_a_reply_is_stored_charged_and_told(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    await stored_contact(caller, id="cnt_1")
    id = (
        await a_send(caller, route="otp", contactId="cnt_1", campaignId="autumn", metadata={"n": 1})
    )["id"]
    reply, at = a_reply(id, "Sim, às 10 h", sender="+5511999998888"), now()

    await hand_in(caller, reply, at=at)

    (stored_one,) = await replies_of(caller)
    assert is_id("msg", stored_one["id"])
    assert stored_one == {
        "id": stored_one["id"],
        "env": "live",
        "inReplyTo": id,
        "route": "otp",
        "from": "+5511999998888",
        "body": "Sim, às 10 h",
        "receivedAt": wire_time(reply.received_at),
        "createdAt": wire_time(at),
    }
    assert await sms.get_reply(caller, stored_one["id"]) == stored_one
    assert await moved_for(stored_one["id"]) == [("captura", 200)]
    assert await balances_of(caller) == Balances(10_000 - 950 - 200, 0, 950 + 200, 0)
    assert await told(caller) == [
        (
            "sms.received",
            {name: value for name, value in stored_one.items() if name != "createdAt"}
            | {"metadata": {"n": 1}, "contactId": "cnt_1", "campaignId": "autumn"},
        )
    ]
    assert await volume_of(caller, "otp") == 1, "a reply moves no volume"


async def test_a_reply_changes_nothing_of_the_message_and_is_no_message(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    before = await sms.get_message(caller, id)

    await hand_in(caller, a_reply(id))

    (reply,) = await replies_of(caller)
    assert await sms.get_message(caller, id) == before
    assert (await sms.list_messages(caller, sms.SmsFilter()))["total"] == 1
    with pytest.raises(NotFound):
        await sms.get_message(caller, reply["id"])
    with pytest.raises(NotFound):
        await sms.get_reply(caller, id)
    assert await sms.reconcile(at=now() + timedelta(days=30)) == 0


async def test_a_message_may_be_answered_more_than_once_and_each_answer_is_charged(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]

    await hand_in(caller, a_reply(id, "SIM"), a_reply(id, "SIM"))

    assert len(await replies_of(caller)) == 2
    assert await balances_of(caller) == Balances(10_000 - 1_200, 0, 1_200, 0)


@pytest.mark.parametrize("state", ["sending", "delivered", "failed"])
async def test_a_reply_is_taken_whatever_became_of_the_message(
    clean_slate: None, provider: ScriptedProvider, state: str
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    await db.execute("UPDATE messages SET status = $2 WHERE id = $1", id, state)

    await hand_in(caller, a_reply(id))

    assert len(await replies_of(caller)) == 1


async def test_the_own_price_of_a_reply_holds(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    await wallet.set_prices(caller.organization_id, {"smsReply": 35})
    id = (await a_send(caller))["id"]

    await hand_in(caller, a_reply(id))

    assert (await balances_of(caller)).available == 10_000 - 800 - 35


async def test_without_billing_a_reply_costs_nothing(
    clean_slate: None, billing_off: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(0)
    id = (await a_send(caller))["id"]
    transfers = (await stored())["transfers"]

    await hand_in(caller, a_reply(id))

    assert len(await replies_of(caller)) == 1
    assert (await stored())["transfers"] == transfers


# Once ---------------------------------------------------------------------------------------------


async def test_the_same_reply_again_changes_nothing(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    await hand_in(caller, a_reply(id, "SIM", id="mo_1"))

    async with nothing_stored():
        await hand_in(caller, a_reply(id, "SIM", id="mo_1"))
        await hand_in(caller, a_reply(None, "other words", id="mo_1", reference=reference_of(id)))

    assert [reply["body"] for reply in await replies_of(caller)] == ["SIM"]


async def test_twice_in_one_batch_is_once(clean_slate: None, provider: ScriptedProvider) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]

    await hand_in(caller, a_reply(id, id="mo_1"), a_reply(id, id="mo_2"), a_reply(id, id="mo_1"))

    assert len(await replies_of(caller)) == 2
    assert (await balances_of(caller)).available == 10_000 - 800 - 400
    assert len(await told(caller)) == 2


async def test_the_same_replies_at_once_are_stored_charged_and_told_once(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    ids = [(await a_send(caller))["id"] for _ in range(4)]
    replies = [a_reply(id, id=f"mo_{id}") for id in ids]

    await asyncio.gather(
        *(hand_in(caller, *(replies if turn % 2 else replies[::-1])) for turn in range(6))
    )

    assert len(await replies_of(caller)) == 4
    assert await balances_of(caller) == Balances(10_000 - 4 * 1_000, 0, 4 * 1_000, 0)
    assert [type for type, _ in await told(caller)] == ["sms.received"] * 4


async def test_a_providers_id_is_its_own_in_each_organization_and_of_each_provider(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    one, other = await a_live_caller(), await a_live_caller()
    for caller in (one, other):
        await hand_in(caller, a_reply((await a_send(caller))["id"], id="mo_1"))
    id = (await a_send(one))["id"]
    await db.execute("UPDATE messages SET provider = 'another' WHERE id = $1", id)
    await hand_in(one, a_reply(id, id="mo_1"), provider="another")

    assert (len(await replies_of(one)), len(await replies_of(other))) == (2, 1)


# Which message ------------------------------------------------------------------------------------


async def test_a_message_is_named_by_our_id_or_by_the_reference_and_our_id_decides(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    one, other = [(await a_send(caller))["id"] for _ in range(2)]

    await hand_in(
        caller,
        a_reply(one, "a"),
        a_reply(None, "b", reference=reference_of(other)),
        a_reply(one, "c", reference=reference_of(other)),
    )

    assert {reply["body"]: reply["inReplyTo"] for reply in await replies_of(caller)} == {
        "a": one,
        "b": other,
        "c": one,
    }


async def test_a_reply_to_an_unknown_message_is_kept_unmatched_until_the_message_appears_and_charged_then(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    at = now()
    early = a_reply(None, "SIM", id="mo_1", reference="gw_soon")
    async with nothing_stored():
        await hand_in(caller, early, early, at=at)
    assert await unmatched() == 2

    provider.will(Accepted("gw_soon"))
    id = (await a_send(caller))["id"]
    assert await sms.retry_unmatched(at=at + MINUTE) == 2

    (reply,) = await replies_of(caller)
    assert (reply["inReplyTo"], reply["body"], reply["receivedAt"]) == (
        id,
        "SIM",
        wire_time(early.received_at),
    )
    assert await balances_of(caller) == Balances(10_000 - 1_000, 0, 1_000, 0)
    assert await unmatched() == 0
    async with nothing_stored():
        await hand_in(caller, early)


async def test_a_unmatched_reply_is_dropped_after_a_day(clean_slate: None) -> None:
    caller, at = await a_live_caller(), now()

    async with nothing_stored():
        await hand_in(caller, a_reply("msg_unknown"), at=at)
        await sms.retry_unmatched(at=at + 23 * HOUR)
        assert await unmatched() == 1
        await sms.retry_unmatched(at=at + 25 * HOUR)
        assert await unmatched() == 0


async def test_a_reply_reaches_only_live_messages_of_its_organization_and_provider(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller, stranger = await a_live_caller(), await a_live_caller()
    test = await a_caller("test", organization_id=caller.organization_id)
    id, theirs, sandboxed = [(await a_send(one))["id"] for one in (caller, stranger, test)]
    await hand_in(caller, a_reply(id))
    (reply,) = await replies_of(caller)

    async with nothing_stored():
        await hand_in(caller, a_reply(theirs), a_reply(sandboxed), a_reply(reply["id"]))
        await hand_in(caller, a_reply(id), provider="another")

    assert await unmatched() == 4
    assert await replies_of(stranger) == await replies_of(test) == []


# Owed ---------------------------------------------------------------------------------------------


async def test_a_reply_takes_what_is_there_and_the_rest_is_owed(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]
    await leave_coins(caller, 150)

    await hand_in(caller, a_reply(id))
    (reply,) = await replies_of(caller)

    assert await moved_for(reply["id"]) == [("captura", 150), ("ajuste", 50)]
    assert await balances_of(caller) == Balances(0, 0, 1_000, 50)
    assert (await wallet.get_wallet(caller))["devidoCoins"] == 50


async def test_several_replies_share_what_is_there(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]
    await leave_coins(caller, 350)

    await hand_in(caller, a_reply(id), a_reply(id), a_reply(id))

    assert await balances_of(caller) == Balances(0, 0, 1_400, 250)
    assert (await wallet.prove(caller, wallet.ProofDay()))["confere"] is True


async def test_what_is_held_for_a_message_under_way_pays_no_reply(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(1_600)
    id = (await a_send(caller))["id"]
    provider.will(Unknown())
    await refused_send(caller)

    await hand_in(caller, a_reply(id))

    assert await balances_of(caller) == Balances(0, 800, 1_000, 200)


async def test_a_credit_pays_what_is_owed_first(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    await owe(caller, 400)

    assert await wallet.credit(caller.organization_id, "live", 100) == 0
    assert await balances_of(caller) == Balances(0, 0, 1_200, 300)
    assert await wallet.credit(caller.organization_id, "live", 1_100) == 800

    assert await balances_of(caller) == Balances(800, 0, 1_200, 0)
    assert (await wallet.prove(caller, wallet.ProofDay()))["confere"] is True
    assert (await a_send(caller))["status"] == "sent"


async def test_replies_and_credits_at_once_lose_no_coin(
    real_commits: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(10_000)
    id = (await a_send(caller))["id"]
    await leave_coins(caller, 300)

    await asyncio.gather(
        *(hand_in(caller, a_reply(id)) for _ in range(10)),
        *(wallet.credit(caller.organization_id, "live", 90) for _ in range(10)),
    )

    available, held, revenue, owed = await balances_of(caller)
    assert (held, revenue) == (0, 800 + 10 * 200)
    assert available - owed == 300 + 900 - 2_000
    assert (await wallet.prove(caller, wallet.ProofDay()))["confere"] is True


async def test_a_reply_that_empties_the_wallet_warns(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller(200_000)
    id = (await a_send(caller))["id"]
    await leave_coins(caller, 100_100)

    async def warnings() -> list[str]:
        rows = await db.fetch(
            "SELECT type FROM webhook_events WHERE organization_id = $1 AND type LIKE 'wallet.%'",
            caller.organization_id,
        )
        return [row["type"] for row in rows]

    assert await warnings() == []
    await hand_in(caller, a_reply(id))
    assert await warnings() == ["wallet.low_balance"]


# Reading ------------------------------------------------------------------------------------------


async def test_replies_are_listed_newest_first_in_pages(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    id = (await a_send(caller))["id"]
    at = now()
    for number in range(5):
        await hand_in(caller, a_reply(id, str(number)), at=at + number * MINUTE)

    page = await sms.list_replies(caller, sms.ReplyFilter(limit=2))
    second = await sms.list_replies(caller, sms.ReplyFilter(limit=2, cursor=page["nextCursor"]))
    last = await sms.list_replies(caller, sms.ReplyFilter(limit=2, skip=4))

    assert [reply["body"] for reply in page["items"]] == ["4", "3"]
    assert [reply["body"] for reply in second["items"]] == ["2", "1"]
    assert [reply["body"] for reply in last["items"]] == ["0"]
    assert {page["total"], second["total"], last["total"]} == {5}
    assert "nextCursor" not in last


async def test_replies_are_filtered_by_message_and_time(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    one, other = [(await a_send(caller))["id"] for _ in range(2)]
    at = now()
    await hand_in(caller, a_reply(one, "early"), at=at)
    await hand_in(caller, a_reply(other, "late"), at=at + HOUR)

    async def bodies(**query: Any) -> list[str]:
        return [reply["body"] for reply in await replies_of(caller, **query)]

    assert await bodies() == ["late", "early"]
    assert await bodies(inReplyTo=one) == ["early"]
    assert await bodies(inReplyTo="msg_unknown") == []
    assert await bodies(**{"from": wire_time(at + MINUTE)}) == ["late"]
    assert await bodies(to=wire_time(at + MINUTE)) == ["early"]
    assert (
        await bodies(
            **{"from": wire_time(at + MINUTE), "to": wire_time(at + 2 * HOUR), "inReplyTo": one}
        )
        == []
    )


async def test_without_pii_full_the_sender_is_masked(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    masked = replace(caller, scopes=KEY_SCOPES - {Scope.PII_FULL})
    await hand_in(caller, a_reply((await a_send(caller))["id"]))

    (listed,) = await replies_of(masked)

    assert listed["from"] == "+5511*****0005"
    assert await sms.get_reply(masked, listed["id"]) == listed
    assert (await replies_of(caller))[0]["from"] == "+5511987650005"
    assert (await told(caller))[0][1]["from"] == "+5511987650005", (
        "an event is masked for each subscription"
    )


async def test_another_organization_and_another_environment_see_no_reply(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await hand_in(caller, a_reply((await a_send(caller))["id"]))
    (reply,) = await replies_of(caller)

    for stranger in (
        await a_live_caller(),
        await a_caller("test", organization_id=caller.organization_id),
    ):
        assert await replies_of(stranger) == []
        assert await replies_of(stranger, inReplyTo=reply["inReplyTo"]) == []
        with pytest.raises(NotFound):
            await sms.get_reply(stranger, reply["id"])


async def test_reading_replies_needs_its_scope(clean_slate: None) -> None:
    caller = await a_caller("live", scopes=KEY_SCOPES - {Scope.SMS_READ})

    with pytest.raises(Forbidden):
        await replies_of(caller)
    with pytest.raises(Forbidden):
        await sms.get_reply(caller, "msg_1")


# The sandbox --------------------------------------------------------------------------------------


async def reply_in_sandbox(
    caller: Caller, in_reply_to: str, body: str = "SIM"
) -> sms.SmsReplyRecord:
    return await sms.reply_in_sandbox(
        caller, sms.SandboxReply.model_validate({"inReplyTo": in_reply_to, "body": body})
    )


async def test_a_sandbox_reply_is_stored_charged_and_told_like_a_real_one(
    clean_slate: None,
) -> None:
    caller = await a_caller("test")
    await stored_contact(caller, id="cnt_1")
    id = (await a_send(caller, contactId="cnt_1"))["id"]
    before = await balances_of(caller)

    reply = await reply_in_sandbox(caller, id)

    assert {
        name: value
        for name, value in reply.items()
        if name not in ("id", "createdAt", "receivedAt")
    } == {
        "env": "test",
        "inReplyTo": id,
        "route": "premium",
        "from": "+5511987650005",
        "body": "SIM",
    }
    assert await replies_of(caller) == [reply]
    assert await balances_of(caller) == before._replace(
        available=before.available - 200, revenue=before.revenue + 200
    )
    ((type, data),) = await told(caller)
    assert (type, data["id"], data["env"], data["contactId"]) == (
        "sms.received",
        reply["id"],
        "test",
        "cnt_1",
    )


async def test_each_sandbox_reply_is_another_one(clean_slate: None) -> None:
    caller = await a_caller("test")
    id = (await a_send(caller))["id"]

    first, second = await reply_in_sandbox(caller, id), await reply_in_sandbox(caller, id)

    assert first["id"] != second["id"]
    assert len(await replies_of(caller)) == 2


async def test_a_sandbox_reply_may_be_owed(clean_slate: None) -> None:
    caller = await a_caller("test")
    id = (await a_send(caller))["id"]
    await leave_coins(caller, 150)

    await reply_in_sandbox(caller, id)

    assert ((await balances_of(caller)).available, (await balances_of(caller)).owed) == (0, 50)
    await wallet.credit_sandbox(caller)
    assert (await balances_of(caller)).owed == 0


async def test_a_sandbox_reply_is_masked(clean_slate: None) -> None:
    caller = await a_caller("test", scopes=KEY_SCOPES - {Scope.PII_FULL})

    reply = await reply_in_sandbox(caller, (await a_send(caller))["id"])

    assert reply["from"] == "+5511*****0005"


async def test_a_live_key_makes_up_no_reply(clean_slate: None, provider: ScriptedProvider) -> None:
    caller = await a_live_caller()
    test = await a_caller("test", organization_id=caller.organization_id)
    live, sandboxed = (await a_send(caller))["id"], (await a_send(test))["id"]

    async with nothing_stored():
        for id in (live, sandboxed, "msg_unknown"):
            with pytest.raises(NotFound):
                await reply_in_sandbox(caller, id)


async def test_only_ones_own_sandbox_messages_are_answered(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller, stranger = await a_caller("test"), await a_caller("test")
    live = await a_live_caller()
    of_live = await a_caller("test", organization_id=live.organization_id)
    theirs, in_live, own = [(await a_send(one))["id"] for one in (stranger, live, caller)]
    reply = await reply_in_sandbox(caller, own)

    async with nothing_stored():
        for who, id in (
            (caller, theirs),
            (of_live, in_live),
            (caller, reply["id"]),
            (caller, "msg_unknown"),
        ):
            with pytest.raises(NotFound):
                await reply_in_sandbox(who, id)


async def test_a_sandbox_reply_needs_the_scope_to_send(clean_slate: None) -> None:
    caller = await a_caller("test")
    id = (await a_send(caller))["id"]

    async with nothing_stored():
        with pytest.raises(Forbidden):
            await reply_in_sandbox(replace(caller, scopes=KEY_SCOPES - {Scope.SMS_SEND}), id)


async def test_the_row_of_a_reply_carries_the_campaign_and_contact_of_its_message(
    clean_slate: None, provider: ScriptedProvider
) -> None:
    caller = await a_live_caller()
    await stored_contact(caller, id="cnt_1")
    id = (await a_send(caller, contactId="cnt_1", campaignId="autumn"))["id"]
    await hand_in(caller, a_reply(id, id="mo_1"))

    row = await the_message((await replies_of(caller))[0]["id"])

    assert (row["contact_id"], row["campaign_id"], row["provider"], row["provider_reference"]) == (
        "cnt_1",
        "autumn",
        "gateway",
        "mo_1",
    )
    assert (row["direction"], row["status"], row["channel"], row["settle_at"]) == (
        "inbound",
        "delivered",
        "sms",
        None,
    )
