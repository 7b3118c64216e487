"""The feed: every event in the order of its commit, to be pulled page by page.

A page ends before the oldest transaction that is still open, so that nothing can appear behind a place that was
passed. The price: a long transaction that writes anything holds the feed back until it ends.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import orjson
from pydantic import Field

from core.foundation import db
from core.foundation.caller import Caller, Scope
from core.foundation.clock import now
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.inputs import LIMIT, QueryInput
from core.foundation.pages import cut
from core.webhooks.event_types import API_VERSION
from core.webhooks.forget import KEPT
from core.webhooks.models import WebhookSubscription
from core.webhooks.payload import event_record

LATEST = "latest"
LAST = 2**63 - 1
SCANNED = 5_000
"""Events that one page looks through for those of a subscription; then it answers what it has found."""


class FeedPage(QueryInput):
    """Where to read on, and what."""

    cursor: str | None = Field(
        default=None,
        description=f"`nextCursor` of the page before; `{LATEST}` for what happens from now on; else the oldest first",
    )
    subscription: str | None = Field(
        default=None, description="Only the events that this subscription listens to, masked as it is told them"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)


class Place(NamedTuple):
    """Behind which event to go on: its transaction, its number, and when (hours since 1970) this was answered."""

    xact: int
    seq: int
    hour: int


class _Wanted(NamedTuple):
    """What of the feed is told, and how."""

    types: list[str] | None
    unmasked: bool
    api_version: str


async def read_feed(caller: Caller, page: FeedPage) -> dict[str, Any]:
    """Events behind a cursor, in commit order: `{items, nextCursor, hasMore, warnings?}`.

    `nextCursor` is always there and may be asked again and again. `hasMore`: ask at once, there is more already.
    The warning `eventos_expirados` says that the cursor is older than what is kept. Raises NotFound for a
    subscription, ValidationFailed for a cursor, that is not the caller's or ours.
    """
    caller.require(Scope.WEBHOOKS_READ)
    wanted = await _wanted(caller, page.subscription)
    at = now()
    place = _read(page.cursor) if page.cursor not in (None, LATEST) else Place(0, 0, _hour(at))
    limit = cut(page.limit) if page.cursor != LATEST else 0
    rows = await db.fetch(
        PAGE,
        caller.organization_id,
        caller.env,
        place.xact,
        place.seq,
        at - KEPT,
        wanted.types,
        SCANNED if wanted.types is not None else limit + 1,
        limit + 1,
    )
    horizon, end = rows[0]["horizon"], rows[0]["scanned_to"]
    if place.xact >= horizon:
        raise _not_ours("The cursor lies ahead of the feed, whose database was restored; begin without a cursor")
    found = [row for row in rows if row["id"] is not None]
    told = found[:limit]
    if len(found) > limit and limit:
        last = (told[-1]["xact"], told[-1]["seq"])
    elif end is not None and limit:
        last = (end[0], end[1])
    else:
        last = (horizon - 1, LAST)
    answer: dict[str, Any] = {
        "items": [_told(caller, row, wanted) for row in told],
        "nextCursor": _cursor(Place(*last, _hour(at))),
        "hasMore": last[1] != LAST,
    }
    if page.cursor != LATEST and place.hour < _hour(at - KEPT):
        answer["warnings"] = ["eventos_expirados"]
    return answer


async def _wanted(caller: Caller, subscription_id: str | None) -> _Wanted:
    if subscription_id is None:
        return _Wanted(None, caller.sees_personal_data, API_VERSION)
    found = None
    if is_id("wbh", subscription_id):
        found = await WebhookSubscription.visible_to(caller).get_or_none(id=subscription_id)
    if found is None:
        raise NotFound
    # A subscription that is told more than the caller may see is no way around the caller's scopes.
    return _Wanted(list(found.events), found.pii_full and caller.sees_personal_data, found.api_version)


def _told(caller: Caller, row: db.Row, wanted: _Wanted) -> dict[str, Any]:
    return event_record(
        event_id=row["id"],
        type=row["type"],
        occurred_at=row["occurred_at"],
        env=caller.env,
        organization_id=caller.organization_id,
        api_version=wanted.api_version,
        data=row["data"],
        unmasked=wanted.unmasked,
    )


def _hour(at: datetime) -> int:
    return int(at.timestamp()) // 3600


def _cursor(place: Place) -> str:
    return urlsafe_b64encode(orjson.dumps(list(place))).rstrip(b"=").decode()


def _read(cursor: str | None) -> Place:
    try:
        assert cursor is not None
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        place = Place(*orjson.loads(urlsafe_b64decode(padded)))
        if not all(type(number) is int and 0 <= number <= LAST for number in place):
            raise ValueError
    except (ValueError, TypeError):
        raise _not_ours("The cursor is not one that the feed gave") from None
    return place


def _not_ours(message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("parameter", "cursor", "wrong_format", message)])


# One snapshot for the horizon and for the events before it. A row comes back even where no event does.
PAGE = """
WITH horizon AS MATERIALIZED (
    SELECT (SELECT last_value FROM webhook_feed_base) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xact
), scanned AS MATERIALIZED (
    SELECT id, type, xact, seq FROM webhook_events
    WHERE organization_id = $1 AND env = $2 AND xact IS NOT NULL AND (xact, seq) > ($3, $4)
      AND xact < (SELECT xact FROM horizon) AND created_at >= $5
    ORDER BY xact, seq LIMIT $7
), page AS (
    SELECT e.id, e.type, e.occurred_at, e.data, s.xact, s.seq
    FROM (SELECT * FROM scanned WHERE $6::text[] IS NULL OR type = ANY ($6) ORDER BY xact, seq LIMIT $8) AS s
    JOIN webhook_events e ON e.id = s.id
)
SELECT page.*, h.xact AS horizon,
       CASE WHEN (SELECT count(*) FROM scanned) >= $7
            THEN (SELECT ARRAY[xact, seq] FROM scanned ORDER BY xact DESC, seq DESC LIMIT 1) END AS scanned_to
FROM horizon h LEFT JOIN page ON TRUE
ORDER BY page.xact, page.seq
"""
