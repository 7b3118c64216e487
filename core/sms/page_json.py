"""The list of SMS as JSON that PostgreSQL writes: one round trip, no Python object per row.

The shape is that of `record.sms_record`; a test holds the two together. Only the masks are made
here: where a phone may not be shown, PostgreSQL writes a mark that nobody can guess, and the mask
takes its place.
"""

import secrets

from core.foundation.database import db
from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.database.where import Where, end_of
from core.foundation.security.caller import Caller
from core.foundation.validation.phones import mask_phone
from core.messaging import Channel, hours
from core.sms.inputs import SmsFilter

MARK = f"mark:{secrets.token_hex(16)}"


async def page_json(caller: Caller, filter: SmsFilter) -> bytes:
    """`{"items": […], "total": …, "nextCursor": …}`, newest first."""
    where = Where(
        [caller.organization_id, caller.env, None if caller.sees_personal_data else MARK],
        ["organization_id = $1 AND env = $2 AND channel = 'sms' AND direction = 'outbound'"],
    )
    if filter.status is not None:
        where.narrow("status = {}", filter.status)
    kept = Where(where.values, list(where.conditions))
    _narrow(where, filter)
    narrowed = len(where.conditions) > len(kept.conditions)
    where.narrow_period("created_at", filter.from_, filter.to)
    if narrowed:
        total = f"SELECT count(*) FROM messages WHERE {where}"
    elif len(where.conditions) > len(kept.conditions):
        total = hours.count_between(where, kept, [Channel.SMS], filter.from_, end_of(filter.to))
    else:
        total = f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {kept}"
    if filter.status is not None:
        where.conditions.append(hours.where_there_are(Channel.SMS, [filter.status]))
    if filter.cursor is not None:
        where.narrow("(created_at, id) < ({}, {})", *place_behind(filter.cursor))
    limit, skip = cut(filter.limit), f"${len(where.values) + 1}"
    row = await db.fetchrow(
        PAGE.format(where=where, total=total, limit=limit + 1, skip=skip, item=WITH_RECEIPT),
        *where.values,
        filter.skip,
    )
    assert row is not None
    return _assembled(row, limit=limit, masked=not caller.sees_personal_data)


def _narrow(where: Where, filter: SmsFilter) -> None:
    """Add the conditions that the counts which are kept do not know."""
    for condition, value in (
        ("region = {}", filter.region),
        ("contact_id = {}", filter.contact_id),
        ("campaign_id = {}", filter.campaign_id),
        ("recipient = {}", filter.phone),
    ):
        if value is not None:
            where.narrow(condition, value)


def _assembled(row: db.Row, *, limit: int, masked: bool) -> bytes:
    items: list[str] = row["items"] or []
    if masked:
        mark = f'"{MARK}"'
        items = [
            item.replace(mark, f'"{mask_phone(recipient)}"')
            for item, recipient in zip(items, row["recipients"] or (), strict=True)
        ]
    cursor = ""
    if len(items) > limit:
        del items[limit:]
        cursor = f',"nextCursor":"{cursor_after(row["times"][limit - 1], row["ids"][limit - 1])}"'
    return f'{{"items":[{",".join(items)}],"total":{row["total"]}{cursor}}}'.encode()


WIRE_TIME = "to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"

ITEM = f"""json_strip_nulls(json_build_object(
    'id', id, 'status', status, 'env', env, 'to', coalesce($3, recipient), 'provider', provider,
    'createdAt', {WIRE_TIME.format("created_at")},
    'reason', reason, 'route', route, 'encoding', encoding, 'length', length, 'segments', segments,
    'contactId', contact_id, 'campaignId', campaign_id, 'metadata', metadata,
    'scheduledAt', {WIRE_TIME.format("scheduled_at")},
    'sentAt', {WIRE_TIME.format("sent_at")}, 'deliveredAt', {WIRE_TIME.format("delivered_at")},
    'failedAt', {WIRE_TIME.format("failed_at")}))::text"""

# A null inside the carrier's receipt means something (`channel`), so the receipt is put in after
# the nulls are gone.
WITH_RECEIPT = f"""CASE WHEN provider_receipt IS NULL THEN {ITEM} ELSE
    left({ITEM}, -1) || ',"providerReceipt":' || CASE WHEN $3::text IS NULL THEN provider_receipt
        ELSE provider_receipt || jsonb_build_object('to', $3::text) END::text || '}}' END"""

PAGE = """
WITH page AS MATERIALIZED (
    SELECT * FROM messages WHERE {where} ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {skip}
)
SELECT ({total}) AS total, array_agg({item} ORDER BY created_at DESC, id DESC) AS items,
       array_agg(recipient ORDER BY created_at DESC, id DESC) AS recipients,
       array_agg(created_at ORDER BY created_at DESC, id DESC) AS times,
       array_agg(id ORDER BY created_at DESC, id DESC) AS ids
FROM page
"""
