"""The files of a card, each with an address to open it."""

from core.cards.files.inputs import FilePage
from core.cards.files.record import CardFilePage, OpenableFile, file_record
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.files import Served, blob_store
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope

URL_TTL = 3_600


async def list_files(caller: Caller, card_id: str, page: FilePage) -> CardFilePage:
    """A page of a card's files, newest first; `url` opens the file for an hour, without a
    credential.

    Raises NotFound.
    """
    caller.require(Scope.CRM_READ)
    total = existing(
        await db.fetchval(
            "SELECT (SELECT count(*) FROM card_files f WHERE f.card_id = c.id AND f.organization_id = $1) "
            "FROM cards c WHERE c.organization_id = $1 AND c.env = $2 AND c.id = $3",
            caller.organization_id,
            caller.env,
            well_formed_id("crd", card_id),
        )
    )
    place = list(place_behind(page.cursor)) if page.cursor is not None else []
    behind = "AND (created_at, id) < ($4, $5) " if place else ""
    limit = cut(page.limit)
    rows = await db.fetch(
        "SELECT * FROM card_files WHERE organization_id = $1 AND env = $2 AND card_id = $3 "
        f"{behind}ORDER BY created_at DESC, id DESC LIMIT {limit + 1} OFFSET {page.skip}",
        caller.organization_id,
        caller.env,
        card_id,
        *place,
    )
    answer: CardFilePage = {
        "items": [await _with_url(row) for row in rows[:limit]],
        "total": total,
    }
    if len(rows) > limit:
        answer["nextCursor"] = cursor_after(rows[limit - 1]["created_at"], rows[limit - 1]["id"])
    return answer


async def _with_url(row: db.Row) -> OpenableFile:
    served = Served(row["name"], row["mime_type"])
    url = await blob_store().signed_url(row["blob_key"], served, seconds=URL_TTL)
    return {**file_record(row), "url": url}
