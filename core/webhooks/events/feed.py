"""Event feed: every event of an owner in one total order, read page by page with a cursor.

Nothing appears behind a position once passed.
A cursor names a position and the epoch in which it was given (see feed_positions). Where the
database has lost the last commits, in a fail-over or a restore, positions are given anew: a cursor
ahead of what is left of its epoch is refused, with the cursor from which to go on.
"""

from datetime import datetime
from typing import Annotated, NamedTuple

from pydantic import Field

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.pages import cursor_of, cut, values_of
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.ids import is_id
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import LIMIT, QueryInput
from core.webhooks.creator import sees_personal_data
from core.webhooks.errors import CursorLost
from core.webhooks.events.event_types import API_VERSION
from core.webhooks.events.record import EVENT, FeedRecord
from core.webhooks.events.retention import event_retention
from core.webhooks.models import WebhookSubscription

LATEST = "latest"
MAX_POSITION = 2**63 - 1
CURSOR_VERSION = 2
"""The first number of a cursor: which form it has."""
NO_EPOCH = 0
"""Of an owner who never had an event, and of a cursor from before there were epochs."""
MAX_SCANNED = 5_000
"""Events that one page looks through for those of a subscription; then it answers what it has
found.
"""


class FeedPage(QueryInput):
    """Where to read on, and what."""

    cursor: str | None = Field(
        default=None,
        description=f"`nextCursor` of the page before; `{LATEST}` for what happens from now on; else the oldest first",
    )
    subscription: str | None = Field(
        default=None,
        description="Only the events that this subscription listens to, masked as it is told them",
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)


class FeedPosition(NamedTuple):
    """Behind which position to go on, the epoch in which it was told, and when (hours since 1970)."""

    epoch: int
    position: int
    hour: int


class _FeedSelection(NamedTuple):
    """What of the feed is told, and how."""

    types: list[str] | None
    unmasked: bool
    api_version: str


async def read_feed(caller: Caller, page: FeedPage) -> WrittenPage[FeedRecord]:
    """Events behind a cursor, in the order of their positions.

    `nextCursor` is always there and may be asked again and again. `hasMore`: ask at once, there is
    more already. The warning `eventos_expirados` says that the cursor is older than what is kept.
    Raises NotFound for a subscription, ValidationFailed for a cursor, that is not the caller's or
    ours, and CursorLost for one that lies ahead of what is left of its past.
    """
    caller.require(Scope.WEBHOOKS_READ)
    wanted = await _selection(caller, page.subscription)
    at = now()
    begins = page.cursor in (None, LATEST)
    place = FeedPosition(NO_EPOCH, 0, _hour(at)) if begins else await _position(caller, page.cursor)
    limit = cut(page.limit)
    scanned = MAX_SCANNED if wanted.types is not None else limit + 1
    json = EVENT.open_json if wanted.unmasked else EVENT.masked_json
    sql = PAGE.format(text=json.text, beside=json.beside or "NULL::text")
    values = (
        *(caller.organization_id, caller.env, place.epoch),
        MAX_POSITION if page.cursor == LATEST else place.position,
        *(at - event_retention(), wanted.types, scanned, limit, wanted.api_version),
    )
    found = await db.fetch_one_planned(sql, *values, owner=caller.organization_id)
    head = FeedPosition(found["epoch"] or NO_EPOCH, found["newest"] or 0, _hour(at))
    expired = place.hour < _hour(at - event_retention())
    if not begins and _is_ahead(place, head, survived=found["survived"], expired=expired):
        if found["standby"]:  # it will know the place in a moment
            return WrittenPage([], None, str(page.cursor), more={"hasMore": False})
        raise CursorLost(_cursor(head._replace(position=found["survived"] or 0)))
    reached, has_more = _reached(found, limit=limit, scanned=scanned, head=head)
    items = json.finish(found["texts"] or [], found["beside"] if json.beside else None)
    return WrittenPage(
        list(items),
        None,
        _cursor(head._replace(position=reached)),
        ["eventos_expirados"] if expired else [],
        more={"hasMore": has_more},
    )


def _reached(found: db.Row, *, limit: int, scanned: int, head: FeedPosition) -> tuple[int, bool]:
    """How far the page got, and whether there is more behind it already."""
    if found["many"] > limit:
        return found["last"], True
    if found["scanned"] >= scanned:
        return found["scanned_to"], True
    return head.position, False


def _is_ahead(
    place: FeedPosition, head: FeedPosition, *, survived: int | None, expired: bool
) -> bool:
    """Whether the feed, as this database knows it, has never reached the place.

    `survived`: how far the cursor's epoch got, here. Epochs of expired cursors may be deleted.
    """
    if survived is None and place.epoch != NO_EPOCH and not expired:
        return True
    return place.position > (head.position if survived is None else survived)


async def _selection(caller: Caller, subscription_id: str | None) -> _FeedSelection:
    if subscription_id is None:
        return _FeedSelection(None, caller.sees_personal_data, API_VERSION)
    found = None
    if is_id("wbh", subscription_id):
        found = await WebhookSubscription.visible_to(caller).get_or_none(id=subscription_id)
    if found is None:
        raise NotFound
    # A subscription that is told more than the caller may see is no way around the caller's scopes.
    return _FeedSelection(
        list(found.events),
        caller.sees_personal_data and sees_personal_data(vars(found), at=now()),
        found.api_version,
    )


def _hour(at: datetime) -> int:
    return int(at.timestamp()) // 3600


def _cursor(place: FeedPosition) -> str:
    return cursor_of((CURSOR_VERSION, *place))


async def _position(caller: Caller, cursor: str | None) -> FeedPosition:
    numbers = _read(cursor)
    if len(numbers) == 4:
        return FeedPosition(*numbers[1:])
    xact, seq, hour = numbers
    position = await db.fetchval(CARRIED_OVER, caller.organization_id, caller.env, xact, seq)
    return FeedPosition(NO_EPOCH, position or 0, hour)


def _read(cursor: str | None) -> list[int]:
    """What is in a cursor: of today's form, or the three numbers of the version before."""
    try:
        assert cursor is not None
        given = values_of(cursor)
        numbers = [one for one in given if type(one) is int and 0 <= one <= MAX_POSITION]
        if len(numbers) < len(given):
            raise ValueError
        if len(numbers) != 3 and not (len(numbers) == 4 and numbers[0] == CURSOR_VERSION):
            raise ValueError
    except (ValueError, TypeError):
        raise _not_ours("The cursor is not one that the feed gave") from None
    return numbers


def _not_ours(message: str) -> ValidationFailed:
    return ValidationFailed(errors=[FieldError("parameter", "cursor", "wrong_format", message)])


# One snapshot for the heads and the events. A row comes back even where no event does, and what is gone
# of the events is passed over.
PAGE = """
WITH heads AS MATERIALIZED (
    SELECT epoch, position FROM webhook_feed_heads WHERE organization_id = $1 AND env = $2
), head AS (
    SELECT epoch, position FROM heads ORDER BY position DESC LIMIT 1
), scanned AS MATERIALIZED (
    SELECT position, event_id, type FROM webhook_feed
    WHERE organization_id = $1 AND env = $2 AND position > $4 AND created_at >= $5
    ORDER BY position LIMIT $7
), page AS (
    SELECT s.position, s.place, e.id, s.type, e.occurred_at, e.env, e.organization_id, $9::text AS api_version, e.data
    FROM (SELECT *, row_number() OVER (ORDER BY position) AS place FROM scanned
          WHERE $6::text[] IS NULL OR type = ANY ($6) ORDER BY position LIMIT $8 + 1) AS s
    LEFT JOIN webhook_events e ON e.id = s.event_id AND e.organization_id = $1
)
SELECT head.epoch, head.position AS newest, (SELECT position FROM heads WHERE epoch = $3) AS survived,
       pg_is_in_recovery() AS standby,
       (SELECT count(*) FROM scanned) AS scanned, (SELECT max(position) FROM scanned) AS scanned_to, of.*
FROM (SELECT count(*) AS many, max(position) FILTER (WHERE place = $8) AS last,
             array_agg({text} ORDER BY position) FILTER (WHERE id IS NOT NULL AND place <= $8) AS texts,
             array_agg({beside} ORDER BY position) FILTER (WHERE id IS NOT NULL AND place <= $8) AS beside
      FROM page) AS of LEFT JOIN head ON TRUE
"""

# Where a cursor of the version before goes on: its events keep their order, and what was new since
# comes after them.
CARRIED_OVER = """
SELECT position FROM webhook_feed
WHERE organization_id = $1 AND env = $2 AND xact IS NOT NULL AND (xact, seq) <= ($3, $4)
ORDER BY xact DESC, seq DESC LIMIT 1
"""
