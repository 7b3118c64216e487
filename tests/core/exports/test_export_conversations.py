"""Exporting conversational messages: which ones, in what order, page after page."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest

from core import exports
from core.exports import ExportQuery
from core.exports.conversations import page_statement
from core.foundation.database import db
from core.foundation.errors import Forbidden, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import read_query
from core.messaging import Channel, Status
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact
from tests.factories.stored_messages import stored_message, stored_reply

pytestmark = pytest.mark.usefixtures("clean_slate")

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
END = BEGIN + timedelta(days=31)
PHONE = "+5511987654321"
MILLISECOND = timedelta(milliseconds=1)
MICROSECOND = timedelta(microseconds=1)


def asked(**changes: str | int) -> ExportQuery:
    period = {"from": BEGIN.isoformat(), "to": END.isoformat()}
    return read_query(
        ExportQuery, [(name, str(value)) for name, value in {**period, **changes}.items()]
    )


async def a_whatsapp(caller: Caller, at: datetime = BEGIN, **fields: Any) -> str:
    return await stored_message(
        caller, at, **{"channel": Channel.WHATSAPP, "recipient": PHONE, **fields}
    )


async def exported(caller: Caller, **changes: str | int) -> list[str]:
    """The ids of all pages, one after the other."""
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await exports.export_conversations(caller, asked(**changes, **cursor))
        ids += [row["id"] for row in page["items"]]
        if page["nextCursor"] is None:
            return ids
        cursor = {"cursor": page["nextCursor"]}


async def refused(caller: Caller, **changes: str | int) -> dict[str | None, str]:
    with pytest.raises(ValidationFailed) as refusal:
        await exports.export_conversations(caller, asked(**changes))
    return {error.where: error.code for error in refusal.value.errors}


async def test_a_row_tells_what_its_message_belongs_to_and_leaves_out_what_is_not_there() -> None:
    caller = await a_caller(scopes=frozenset({Scope.MESSAGES_READ, Scope.PII_FULL}))
    contact = await stored_contact(caller, external_id="crm-1042", phone=PHONE)
    times = {
        f"{name}_at": BEGIN + timedelta(seconds=second)
        for second, name in enumerate(("sent", "delivered"), 1)
    }
    bare = await a_whatsapp(caller, status=Status.QUEUED)
    whole = await a_whatsapp(
        caller,
        BEGIN + MILLISECOND,
        status=Status.READ,
        contact_id=contact,
        campaign_id="outono",
        metadata={"pedido": "A-1042", "tentativa": 1},
        read_at=BEGIN + timedelta(minutes=1),
        **times,
    )
    page = await exports.export_conversations(caller, asked())
    assert page == {
        "items": [
            {
                "id": whole,
                "channel": "whatsapp",
                "direction": "outbound",
                "to": PHONE,
                "status": "read",
                "campaignId": "outono",
                "contactId": contact,
                "contactExternalId": "crm-1042",
                "metadata": {"pedido": "A-1042", "tentativa": 1},
                "createdAt": "2026-03-01T00:00:00.001Z",
                "sentAt": "2026-03-01T00:00:01.000Z",
                "deliveredAt": "2026-03-01T00:00:02.000Z",
                "readAt": "2026-03-01T00:01:00.000Z",
            },
            {
                "id": bare,
                "channel": "whatsapp",
                "direction": "outbound",
                "to": PHONE,
                "status": "queued",
                "createdAt": "2026-03-01T00:00:00.000Z",
            },
        ],
        "nextCursor": None,
    }


async def test_of_a_failed_message_the_reason_is_told() -> None:
    caller = await a_caller()
    tried = await a_whatsapp(caller, status=Status.QUEUED, last_error="The platform is busy")
    failed = await a_whatsapp(
        caller, status=Status.FAILED, reason="canceled", last_error="cancelada", failed_at=BEGIN
    )
    page = await exports.export_conversations(caller, asked())
    assert {row["id"]: row.get("reason") for row in page["items"]} == {
        tried: None,
        failed: "canceled",
    }
    assert (
        next(row for row in page["items"] if row["id"] == failed)["failedAt"]
        == "2026-03-01T00:00:00.000Z"
    )


async def test_both_channels_of_conversations_in_both_directions_come_in_one_order_and_no_other_channel() -> (
    None
):
    caller = await a_caller()
    made: list[str] = []
    write: list[tuple[Callable[..., Awaitable[str]], Channel]] = [
        (stored_message, Channel.WHATSAPP),
        (stored_reply, Channel.INSTAGRAM),
        (stored_message, Channel.INSTAGRAM),
        (stored_reply, Channel.WHATSAPP),
        (stored_message, Channel.INSTAGRAM),
    ]
    for second, (stored, channel) in enumerate(write):
        made.append(
            await stored(
                caller, BEGIN + timedelta(seconds=second), channel=channel, recipient=PHONE
            )
        )
        for other in (Channel.SMS, Channel.RCS, Channel.EMAIL):
            await stored_message(caller, BEGIN + timedelta(seconds=second), channel=other)
    assert await exported(caller) == made[::-1]
    for limit in (1, 2, 3):
        assert await exported(caller, limit=limit) == made[::-1]


async def test_messages_of_one_moment_are_neither_repeated_nor_left_out() -> None:
    caller = await a_caller()
    made = [
        await a_whatsapp(caller, channel=channel)
        for channel in (Channel.WHATSAPP, Channel.INSTAGRAM) * 5
    ]
    assert await exported(caller, limit=3) == sorted(made, reverse=True)


async def test_both_ends_belong_to_the_period_to_the_last_microsecond_that_is_not_shown() -> None:
    caller = await a_caller()
    inside = [await a_whatsapp(caller, at) for at in (BEGIN, END, END + MILLISECOND - MICROSECOND)]
    for at in (BEGIN - MICROSECOND, END + MILLISECOND):
        await a_whatsapp(caller, at)
    assert await exported(caller) == inside[::-1]
    assert await exported(caller, limit=1) == inside[::-1]


async def test_what_arrives_while_somebody_pages_moves_no_page() -> None:
    caller = await a_caller()
    made = [await a_whatsapp(caller, BEGIN + timedelta(seconds=second)) for second in range(4)]
    first = await exports.export_conversations(caller, asked(limit=2))
    await a_whatsapp(caller, BEGIN + timedelta(hours=1))
    second = await exports.export_conversations(caller, asked(limit=2, cursor=first["nextCursor"]))
    assert [row["id"] for page in (first, second) for row in page["items"]] == made[::-1]
    assert second["nextCursor"] is None


async def test_the_person_is_masked_unless_the_caller_has_pii_full() -> None:
    masked = await a_caller(scopes=frozenset({Scope.MESSAGES_READ}))
    await a_whatsapp(masked)
    await stored_reply(masked, BEGIN, channel=Channel.INSTAGRAM, recipient="17841400000000042")
    page = await exports.export_conversations(masked, asked())
    assert {row["channel"]: row["to"] for row in page["items"]} == {
        "whatsapp": "+5511*****4321",
        "instagram": "17***********0042",
    }
    page = await exports.export_conversations(
        replace(masked, scopes=frozenset({Scope.MESSAGES_READ, Scope.PII_FULL})), asked()
    )
    assert {row["to"] for row in page["items"]} == {PHONE, "17841400000000042"}


async def test_nobody_elses_messages_are_exported_and_the_scope_is_needed() -> None:
    caller = await a_caller("test")
    for other in (await a_caller("test"), replace(caller, env="live")):
        await a_whatsapp(other)
    assert await exported(caller) == []
    with pytest.raises(Forbidden):
        await exports.export_conversations(
            replace(caller, scopes=frozenset({Scope.SMS_READ})), asked()
        )


async def test_a_contact_of_the_other_environment_lends_no_external_id() -> None:
    caller = await a_caller("test")
    contact = await stored_contact(replace(caller, env="live"), external_id="crm-1")
    await a_whatsapp(caller, contact_id=contact)
    (row,) = (await exports.export_conversations(caller, asked()))["items"]
    assert (row["contactId"], "contactExternalId" in row) == (contact, False)


async def test_a_period_is_at_most_31_days_long_and_does_not_end_before_it_begins() -> None:
    caller = await a_caller()
    assert await refused(caller, to=(END + MILLISECOND).isoformat()) == {"to": "too_large"}
    assert await refused(caller, to=(BEGIN - MILLISECOND).isoformat()) == {"to": "too_small"}
    assert await exported(caller, to=BEGIN.isoformat()) == []
    assert (
        await exported(caller, **{"from": "9999-12-31T00:00:00Z"}, to="9999-12-31T23:59:59.999999Z")
        == []
    )


@pytest.mark.parametrize(
    "cursor", ["", "x", "....", "ÿ", "0123456789abcdef.WzAsICJtc2dfIl0", "0123456789abcdef."]
)
async def test_a_cursor_that_the_export_did_not_give_is_refused(cursor: str) -> None:
    assert await refused(await a_caller(), cursor=cursor) == {"cursor": "wrong_format"}


async def test_a_cursor_is_good_for_its_own_period_and_environment_only() -> None:
    caller = await a_caller("test")
    for second in range(2):
        await a_whatsapp(caller, BEGIN + timedelta(seconds=second))
    cursor = (await exports.export_conversations(caller, asked(limit=1)))["nextCursor"]
    assert await refused(caller, cursor=cursor, to=(END - timedelta(days=1)).isoformat()) == {
        "cursor": "wrong_format"
    }
    assert await refused(caller, cursor=cursor, **{"from": (BEGIN + MILLISECOND).isoformat()}) == {
        "cursor": "wrong_format"
    }
    assert await refused(replace(caller, env="live"), cursor=cursor) == {"cursor": "wrong_format"}
    # The same period written otherwise, and another limit, go on where the page ended.
    more = await exports.export_conversations(
        caller, asked(cursor=cursor, limit=5, to=END.isoformat().replace("+00:00", "Z"))
    )
    assert len(more["items"]) == 1


async def blocks_read(caller: Caller, **changes: str | int) -> int:
    """How many pages of tables and indexes the statement touches."""
    sql, values = page_statement(caller, asked(limit=1000, **changes))
    plan = orjson.loads(
        await db.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", *values)
    )
    return int(plan[0]["Plan"]["Shared Hit Blocks"] + plan[0]["Plan"]["Shared Read Blocks"])


async def test_a_deep_page_touches_no_more_than_the_first() -> None:
    caller = await a_caller()
    await stored_message(caller, BEGIN, channel=Channel.WHATSAPP, recipient=PHONE)
    await db.execute(
        "INSERT INTO messages (id, organization_id, env, channel, direction, status, recipient, coins, created_at, "
        "updated_at) SELECT 'msg_' || lpad(n::text, 21, '0'), $1, $2, 'whatsapp', 'outbound', 'sent', '+55', 0, at, at "
        "FROM (SELECT n, $3::timestamptz + n * interval '1 s' AS at FROM generate_series(1, 20000) n) s",
        caller.organization_id,
        caller.env,
        BEGIN,
    )
    await db.execute("ANALYZE messages")
    shallow = await blocks_read(caller)
    page = await exports.export_conversations(caller, asked(limit=1000))
    for _ in range(15):
        page = await exports.export_conversations(
            caller, asked(limit=1000, cursor=page["nextCursor"])
        )
    assert await blocks_read(caller, cursor=page["nextCursor"]) < shallow * 1.1
