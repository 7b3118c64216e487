"""Reading timelines: of many contacts in one statement."""

from collections.abc import Callable, Collection, Sequence
from typing import TypedDict

import orjson

from core.foundation.database import db
from core.foundation.database.where import Where
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import note_records, wire_time_of
from core.read_models.query_compiler.pages import PageSlice, read_page_arguments, write_mark
from core.read_models.query_compiler.record_factory import SelectedRecord
from core.read_models.timeline.cursor import TIMELINE, narrow_to_page
from core.read_models.timeline.source import EntrySource
from core.read_models.timeline.sources import SOURCES

TimelineRow = tuple[str, str, str, list[object]]
"""When, of which kind, its key, and what it shows."""

MakeEntry = Callable[[str, list[object]], SelectedRecord]


class TimelineEdge(TypedDict):
    """An entry and its place."""

    cursor: str
    node: SelectedRecord


class TimelinePageInfo(TypedDict):
    """Where a page lies in its timeline."""

    hasNextPage: bool
    hasPreviousPage: bool
    startCursor: str | None
    endCursor: str | None


class TimelinePage(TypedDict):
    """A page as connections show it. `warnings` name the kinds that were left out for want of a
    scope.
    """

    nodes: list[SelectedRecord]
    edges: list[TimelineEdge]
    pageInfo: TimelinePageInfo
    warnings: list[str]


async def read_timelines(
    caller: Caller,
    contact_ids: Sequence[str],
    *,
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    kinds: Collection[str] | None = None,
) -> dict[str, TimelinePage]:
    """A page of each contact's timeline, newest first, by the contact's id; empty for whom the
    caller does not have.

    Messages of either direction, links that were followed, customer events, stages that the
    contact's cards came into, moves of consent; each record has `__typename`, `id`, `kind` and
    `at`. Kinds whose scope the caller lacks are left out: messages and links go by channel
    (sms:read), stages by crm:read, the others by contacts:read. Addresses are masked unless the
    caller has pii:full. Raises Forbidden and ValidationFailed.
    """
    caller.require(Scope.CONTACTS_READ)
    page = read_page_arguments(
        {"first": first, "after": after, "last": last, "before": before}, TIMELINE
    )
    sources, warnings = visible_sources(caller, kinds)
    found: dict[str, list[TimelineRow]] = {}
    if sources:
        values: list[object] = [
            caller.organization_id,
            caller.env,
            list(dict.fromkeys(contact_ids)),
        ]
        sql = _statement(sources, page, values)
        found = dict(orjson.loads(await db.fetchval(sql, *values)))
    make = {
        source.kind.value: _recorder(source, unmasked=caller.sees_personal_data)
        for source, _ in sources
    }
    return {id: _page(page, found.get(id, []), make, warnings) for id in contact_ids}


Visible = list[tuple[EntrySource, str]]
"""Sources, and the conditions of the rows of theirs that a caller may see."""


def visible_sources(caller: Caller, kinds: Collection[str] | None) -> tuple[Visible, list[str]]:
    """Those of the kinds asked for that the caller may see, and warnings about the others."""
    visible: Visible = []
    warnings = []
    for source in SOURCES:
        if kinds is not None and source.kind not in kinds:
            continue
        if (condition := source.visible(caller)) is not None:
            visible.append((source, condition))
        else:
            warnings.append(f"{source.kind}_omitido_requer_{source.scopes[0][0].replace(':', '_')}")
    return visible, warnings


def _statement(sources: Visible, page: PageSlice, values: list[object]) -> str:
    """Each source gives as many entries as the page could take of it; together they are cut again.

    What an entry shows is put together behind the first cut: that is most of the work.
    """
    limit = page.size + 1
    direction = "DESC" if page.descending else "ASC"
    branches = []
    for source, condition in sources:
        where = Where(values, [condition])
        narrow_to_page(where, source, page)
        fields = ", ".join(field.sql.format(t="t") for field in source.fields.values())
        branches.append(f"""
            SELECT {source.at} AS at, '{source.kind}' AS kind, {source.key} AS key, json_build_array({fields}) AS entry
            FROM ({source.rows} AND {where}
                ORDER BY {source.at} {direction}, {source.key} {direction} LIMIT {limit}) t""")
    return f"""SELECT to_json(ARRAY(
        SELECT json_build_array(c.id, ARRAY(
            SELECT json_build_array(e.at, e.kind, e.key, e.entry) FROM ({" UNION ALL ".join(branches)}) e
            ORDER BY {page.by("e")} LIMIT {limit}))
        FROM unnest($3::text[]) AS c (id)))::text"""


def _page(
    page: PageSlice,
    rows: list[TimelineRow],
    make: dict[str, MakeEntry],
    warnings: list[str],
) -> TimelinePage:
    more = len(rows) > page.size
    rows = rows[: page.size]
    if page.backward:
        rows.reverse()
    note_records(len(rows))
    edges: list[TimelineEdge] = [
        {"cursor": write_mark(TIMELINE, [at, kind, key]), "node": make[kind](at, entry)}
        for at, kind, key, entry in rows
    ]
    return {
        "nodes": [edge["node"] for edge in edges],
        "edges": edges,
        "pageInfo": {
            "hasNextPage": page.before is not None if page.backward else more,
            "hasPreviousPage": more if page.backward else page.after is not None,
            "startCursor": edges[0]["cursor"] if edges else None,
            "endCursor": edges[-1]["cursor"] if edges else None,
        },
        "warnings": warnings,
    }


def _recorder(source: EntrySource, *, unmasked: bool) -> MakeEntry:
    """What makes the record of an entry of this source, from its time and the values of its fields."""
    makes = []
    for name, field in source.fields.items():
        make = field.make if unmasked or field.masked is None else field.masked
        if make is not None:
            makes.append((name, make))

    def record(at: str, values: list[object]) -> SelectedRecord:
        made: SelectedRecord = {
            "__typename": source.type,
            "kind": source.kind.value,
            "at": wire_time_of(at),
        }
        made.update(zip(source.fields, values, strict=True))
        for name, make in makes:
            if made[name] is not None:
                made[name] = make(made[name])
        return made

    return record
