"""Exporting conversational messages, in both directions."""

from core.exports.cursor import read_cursor, write_cursor
from core.exports.inputs import ExportQuery
from core.exports.record import EXPORT, ExportPage
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, read_rows
from core.foundation.security.caller import Caller, Scope
from core.messaging.models import CONVERSATIONS


async def export_conversations(caller: Caller, query: ExportQuery) -> WrittenPage[ExportPage]:
    """A page of the messages that were created in the period, both ends included, newest first.

    `nextCursor` is null on the last page. Raises Forbidden and ValidationFailed.
    """
    caller.require(Scope.MESSAGES_READ)
    sql, values = page_statement(caller, query)
    read = await read_rows(
        caller,
        EXPORT,
        sql,
        values,
        order="created_at DESC, id DESC",
        place=("created_at", "id"),
        limit=query.limit,
        keeps_plan=query.is_plain,
    )
    cursor = None if read.last is None else write_cursor(caller, query, *read.last)
    return WrittenPage(read.items, None, cursor, tells_end=True)


def page_statement(caller: Caller, query: ExportQuery) -> tuple[str, list[object]]:
    """The statement that reads a page and one row more, and its values. Raises ValidationFailed."""
    where = Where([caller.organization_id, caller.env], ["organization_id = $1 AND env = $2"])
    last_instant = query.last
    if query.cursor is None:
        where.narrow("created_at <= {}", last_instant)
    else:
        # Instead of the end of the period, which it lies before: an index that is read backwards
        # starts at the first upper bound it meets, and from the end of the period it would walk
        # through all the pages before this one.
        where.narrow("(created_at, id) < ({}, {})", *read_cursor(caller, query, query.cursor))
    where.narrow("created_at >= {}", query.from_)
    newest = f"ORDER BY created_at DESC, id DESC LIMIT {query.limit + 1}"
    # The index is in the order of time for one channel, not for several: each gives what the page
    # could take of it.
    branches = " UNION ALL ".join(
        f"(SELECT {COLUMNS} FROM messages WHERE {where} AND channel = '{channel}' {newest})"
        for channel in CONVERSATIONS
    )
    return PAGE.format(branches=branches, newest=newest), where.values


# Of the messages alone: the id that a contact has elsewhere is joined to those that are shown.
COLUMNS = ", ".join(name for name in EXPORT.columns.split(", ") if name != "external_id")

PAGE = """
SELECT m.*, c.external_id FROM (SELECT * FROM ({branches}) b {newest}) m
LEFT JOIN contacts c ON c.id = m.contact_id AND c.organization_id = $1 AND c.env = $2
ORDER BY m.created_at DESC, m.id DESC
"""
