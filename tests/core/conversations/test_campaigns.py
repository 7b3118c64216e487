"""A campaign is over when nothing of it is sent any more and everything that was has come to its
end.
"""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core import conversations
from core.conversations import campaigns
from core.foundation.database import db
from core.foundation.security.caller import Caller
from core.messaging import Channel, Status
from tests.factories.organizations import a_caller
from tests.factories.stored_messages import stored_message, stored_reply

BEGAN = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OVER = BEGAN + 15 * MINUTE


async def told(caller: Caller) -> list[dict[str, Any]]:
    rows = await db.fetch(
        "SELECT data FROM webhook_events WHERE organization_id = $1 AND type = 'campaign.completed' "
        "ORDER BY occurred_at, data ->> 'campaignId'",
        caller.organization_id,
    )
    return [row["data"] for row in rows]


async def sent(caller: Caller, at: datetime = BEGAN, **fields: Any) -> str:
    """A message of the campaign `natal`, delivered unless told otherwise."""
    status = fields.setdefault("status", Status.DELIVERED)
    times: dict[Status, dict[str, Any]] = {
        Status.DELIVERED: {"delivered_at": at},
        Status.READ: {"delivered_at": at, "read_at": at},
        Status.FAILED: {"failed_at": at, "sent_at": None},
        Status.BOUNCED: {"delivered_at": at, "failed_at": at},
    }
    return await stored_message(
        caller, at, **{"campaign_id": "natal", **times.get(status, {}), **fields}
    )


@pytest.fixture(autouse=True)
def nothing_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    campaigns._unfinished.clear()
    monkeypatch.setattr(campaigns, "_place", campaigns.BEFORE_ALL)


async def test_it_is_told_once_with_its_totals_over_all_channels(clean_slate: None) -> None:
    caller = await a_caller()
    await sent(caller, channel=Channel.SMS)
    await sent(caller, BEGAN + MINUTE, channel=Channel.WHATSAPP, status=Status.READ)
    await sent(caller, BEGAN + MINUTE, channel=Channel.EMAIL, status=Status.BOUNCED)
    await sent(caller, BEGAN + 2 * MINUTE, channel=Channel.RCS, status=Status.FAILED)
    await stored_message(caller, BEGAN)
    at = OVER + 2 * MINUTE

    assert await conversations.complete_campaigns(at=at) == 1
    assert await conversations.complete_campaigns(at=at + MINUTE) == 0

    assert await told(caller) == [
        {
            "env": "test",
            "campaignId": "natal",
            "totals": {"queued": 0, "sent": 3, "delivered": 2, "read": 1, "failed": 2},
            "startedAt": "2026-11-21T12:00:00.000Z",
            "completedAt": "2026-11-21T12:17:00.000Z",
        }
    ]


async def test_it_goes_on_while_the_last_send_is_younger_than_fifteen_minutes(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    await sent(caller)
    await sent(caller, BEGAN + 10 * MINUTE)
    assert await conversations.complete_campaigns(at=OVER) == 0
    assert await conversations.complete_campaigns(at=OVER + 10 * MINUTE - timedelta(seconds=1)) == 0
    assert await conversations.complete_campaigns(at=OVER + 10 * MINUTE) == 1


@pytest.mark.parametrize("status", [Status.QUEUED, Status.SENDING, Status.SENT])
async def test_it_goes_on_while_a_message_is_under_way_for_72_hours_at_most(
    clean_slate: None, status: Status
) -> None:
    caller = await a_caller()
    await sent(caller)
    await sent(caller, status=status)
    before = BEGAN + timedelta(hours=72) - timedelta(seconds=1)
    assert await conversations.complete_campaigns(at=OVER) == 0
    assert await conversations.complete_campaigns(at=before) == 0
    assert await conversations.complete_campaigns(at=BEGAN + timedelta(hours=72)) == 1
    assert (await told(caller))[0]["totals"]["queued"] == (0 if status is Status.SENT else 1)


async def test_the_hours_of_a_scheduled_message_begin_with_its_time(clean_slate: None) -> None:
    caller = await a_caller()
    leaves = BEGAN + timedelta(days=10)
    id = await sent(caller, status=Status.QUEUED, scheduled_at=leaves)
    assert await conversations.complete_campaigns(at=leaves - MINUTE) == 0
    await db.execute(
        "UPDATE messages SET status = 'delivered', sent_at = $2 WHERE id = $1", id, leaves
    )
    assert await conversations.complete_campaigns(at=leaves + MINUTE) == 1


async def test_the_first_message_under_way_is_where_the_next_look_begins(clean_slate: None) -> None:
    caller = await a_caller()
    first = await sent(caller, status=Status.SENT)
    second = await sent(caller, BEGAN + MINUTE, status=Status.SENT)
    at = OVER + MINUTE
    for id, places in ((first, [BEGAN]), (second, [BEGAN + MINUTE])):
        assert await conversations.complete_campaigns(at=at) == 0
        assert [since for _, since in campaigns._unfinished.items()] == places
        await db.execute("UPDATE messages SET status = 'delivered' WHERE id = $1", id)
    assert await conversations.complete_campaigns(at=at) == 1
    assert len(campaigns._unfinished) == 0


async def test_a_later_send_makes_it_due_again_and_counts_all_of_it(clean_slate: None) -> None:
    caller = await a_caller()
    await sent(caller)
    await conversations.complete_campaigns(at=OVER)
    await sent(caller, OVER + MINUTE)
    assert await conversations.complete_campaigns(at=OVER + 2 * MINUTE) == 0
    assert await conversations.complete_campaigns(at=OVER + 16 * MINUTE) == 1
    first, second = await told(caller)
    assert (first["totals"]["sent"], second["totals"]["sent"]) == (1, 2)
    assert second["startedAt"] == first["startedAt"]


async def test_a_reply_is_no_send(clean_slate: None) -> None:
    caller = await a_caller()
    await sent(caller)
    await stored_reply(caller, BEGAN + 14 * MINUTE, campaign_id="natal")
    await stored_reply(caller, BEGAN, campaign_id="only replies")
    assert await conversations.complete_campaigns(at=OVER) == 1
    assert (await told(caller))[0]["totals"]["sent"] == 1


async def test_an_archived_message_is_counted_by_what_it_came_to(clean_slate: None) -> None:
    caller = await a_caller()
    await sent(caller, status=Status.ARCHIVED, delivered_at=BEGAN, read_at=BEGAN)
    await sent(caller, status=Status.ARCHIVED, sent_at=None, failed_at=BEGAN)
    await conversations.complete_campaigns(at=OVER)
    assert (await told(caller))[0]["totals"] == {
        "queued": 0,
        "sent": 1,
        "delivered": 1,
        "read": 1,
        "failed": 1,
    }


async def test_tags_of_the_same_name_are_campaigns_of_their_owners(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at in slices smaller than their number."""
    monkeypatch.setattr(campaigns, "BATCH_SIZE", 2)
    caller, other = await a_caller(), await a_caller()
    live = await a_caller("live", organization_id=caller.organization_id)
    await sent(caller)
    await sent(caller, campaign_id="a")
    await sent(caller, campaign_id="b", status=Status.SENT)
    await sent(caller, campaign_id="z")
    await sent(live)
    await sent(other, BEGAN + MINUTE)

    assert await conversations.complete_campaigns(at=OVER) == 4
    assert sorted((one["env"], one["campaignId"]) for one in await told(caller)) == [
        ("live", "natal"),
        ("test", "a"),
        ("test", "natal"),
        ("test", "z"),
    ]
    assert await told(other) == []


async def test_a_run_that_has_done_enough_goes_on_in_the_next(
    clean_slate: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaigns, "BATCH_SIZE", 1)
    monkeypatch.setattr(campaigns, "MAX_BATCHES", 2)
    caller = await a_caller()
    for tag in "abc":
        await sent(caller, campaign_id=tag)
    assert [await conversations.complete_campaigns(at=OVER) for _ in range(3)] == [2, 1, 0]


async def test_old_campaigns_are_not_told_of(clean_slate: None) -> None:
    caller = await a_caller()
    await sent(caller)
    assert await conversations.complete_campaigns(at=BEGAN + campaigns.MAX_SILENCE) == 0


async def test_workers_that_meet_tell_once(real_commits: None) -> None:
    caller = await a_caller()
    await sent(caller)
    assert sorted(
        await asyncio.gather(*(conversations.complete_campaigns(at=OVER) for _ in range(3)))
    ) == [0, 0, 1]
    assert len(await told(caller)) == 1
