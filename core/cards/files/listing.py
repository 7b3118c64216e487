"""The files of a card, each with an address to open it."""

import orjson

from core.cards.files.inputs import FilePage
from core.cards.files.record import CARD_FILE, CardFilePage
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.files import blob_store
from core.foundation.ids import well_formed_id
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Caller, Scope

URL_TTL = 3_600


async def list_files(caller: Caller, card_id: str, page: FilePage) -> WrittenPage[CardFilePage]:
    """A page of a card's files, newest first; `url` opens the file for an hour, without a
    credential.

    Raises NotFound.
    """
    caller.require(Scope.CRM_READ)
    place = place_behind(page.cursor) if page.cursor is not None else (None, None)
    limit = cut(page.limit)
    found = await db.fetch_one_planned(
        PAGE,
        caller.organization_id,
        caller.env,
        well_formed_id("crd", card_id),
        *place,
        limit,
        page.skip,
        owner=caller.organization_id,
    )
    total = existing(found["total"])
    urls = await blob_store().signed_urls(orjson.loads(found["files"] or b"[]"), seconds=URL_TTL)
    items = [
        b'%s,"url":%s}' % (text.encode(), orjson.dumps(url))
        for text, url in zip(found["texts"] or (), urls, strict=True)
    ]
    cursor = cursor_after(found["last_at"], found["last_id"]) if found["many"] > limit else None
    return WrittenPage(items, total, cursor)


PAGE = f"""
WITH page AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place FROM card_files
    WHERE organization_id = $1 AND env = $2 AND card_id = $3
      AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::text))
    ORDER BY created_at DESC, id DESC LIMIT $6::int + 1 OFFSET $7::bigint
), shown AS (SELECT * FROM page WHERE place <= $6 + $7)
SELECT (SELECT (SELECT count(*) FROM card_files f WHERE f.card_id = c.id AND f.organization_id = $1)
        FROM cards c WHERE c.organization_id = $1 AND c.env = $2 AND c.id = $3) AS total,
       (SELECT count(*) FROM page) AS many, min(created_at) AS last_at, (array_agg(id ORDER BY place DESC))[1] AS last_id,
       array_agg({CARD_FILE.open_json.text} ORDER BY place) AS texts,
       json_agg(json_build_array(blob_key, name, mime_type) ORDER BY place)::text AS files
FROM shown
"""
"""A card has few files, which are read whole and put in order: one plan is right for any cursor."""
