"""Running selections: one statement, and one batched load for each relation it cannot hold."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from core.foundation.clock import at_the_clock
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller
from core.read_models.query_compiler.entity import Entity, Make, Order, ToList
from core.read_models.query_compiler.filter_bounds import refuse_unfit
from core.read_models.query_compiler.record_factory import SelectedRecord
from core.read_models.query_compiler.selection import Arguments, PageParts, Selection
from core.read_models.query_compiler.statement import PendingRelation, Statement


async def read_record(
    caller: Caller, entity: Entity, id: str, selection: Selection
) -> SelectedRecord | None:
    """The record of an id, or None where the caller has none. Raises Forbidden."""
    statement = Statement(caller)
    key = entity.key_of(id)
    if key is None:
        entity.require(caller)
        return None
    statement.values.append(key)
    sql, make = statement.one(entity, "{t}.id = $3", selection)
    record: SelectedRecord | None = await _answer(statement, sql, make)
    return record


async def read_records(
    caller: Caller, entity: Entity, ids: Sequence[str], selection: Selection
) -> list[SelectedRecord | None]:
    """The records of many ids, in their order; None where the caller has none. Raises Forbidden."""
    statement = Statement(caller)
    keys = ids if entity.key is None else filter(None, map(entity.key, ids))
    statement.values.append(list(keys))
    selection.fields["id"] = None
    condition = f"id = ANY ($3::{entity.key_type}[])"
    relation = ToList(entity, condition, Order("id", entity.orders[""].keys[-1:]), most=len(ids))
    found = await _answer(statement, *statement.every(relation, selection, relation.where))
    by_id = {record["id"]: record for record in found}
    return [by_id.get(id) for id in ids]


async def read_page(
    caller: Caller, entity: Entity, arguments: Arguments, selection: Selection, parts: PageParts
) -> SelectedRecord:
    """A page: `{nodes, edges?, pageInfo, totalCount?, warnings}`. Raises Forbidden and
    ValidationFailed.
    """
    if entity.prepare is not None and (filter := arguments.get("filter")):
        entity.require(caller)
        refuse_unfit(filter)
        arguments = {**arguments, "filter": await entity.prepare(caller, filter)}
    statement = Statement(caller)
    page: SelectedRecord = await _answer(
        statement, *statement.page(entity, arguments, selection, parts)
    )
    return page


async def read_pages(
    caller: Caller,
    entity: Entity,
    pages: Mapping[str, Arguments],
    selection: Selection,
    parts: PageParts,
) -> dict[str, SelectedRecord | ServiceError]:
    """Several pages in one statement, by the names they are asked under; a refusal stands for the
    page it is of.

    Their filters are prepared already.
    """
    statement = Statement(caller)
    answers: dict[str, SelectedRecord | ServiceError] = {}
    read: dict[str, tuple[str, Make]] = {}
    for name, arguments in pages.items():
        values = len(statement.values)
        try:
            read[name] = statement.page(entity, arguments, selection, parts)
        except ServiceError as refusal:
            answers[name] = refusal
            del statement.values[values:]  # nothing in the statement refers to them
    if read:
        made: list[SelectedRecord] = await _answer(
            statement,
            f"json_build_array({', '.join(sql for sql, _ in read.values())})",
            lambda value: [
                make(page) for (_, make), page in zip(read.values(), value, strict=True)
            ],
        )
        answers |= zip(read, made, strict=True)
    return answers


async def read_all(caller: Caller, relation: ToList, selection: Selection) -> list[SelectedRecord]:
    """Every record of a relation that has no parent. Raises Forbidden."""
    statement = Statement(caller)
    records: list[SelectedRecord] = await _answer(
        statement, *statement.every(relation, selection, relation.where)
    )
    return records


async def _answer(statement: Statement, sql: str, make: Make) -> Any:
    text = await db.fetchval(at_the_clock(f"SELECT to_json({sql})::text"), *statement.values)
    value = orjson.loads(text) if text is not None else None
    answer = make(value) if value is not None else None
    if statement.pending:
        await asyncio.gather(
            *(
                _load_pending(statement.caller, pending)
                for pending in statement.pending
                if pending.waiting
            )
        )
    return answer


async def _load_pending(caller: Caller, pending: PendingRelation) -> None:
    """Put what another read answers where records wait for it; a refusal stands in its place."""
    keys = list(dict.fromkeys(key for _, key in pending.waiting))
    try:
        found = await pending.relation.load(caller, keys, pending.selected)
    except ServiceError as refusal:
        found = dict.fromkeys(keys, refusal)
    for record, key in pending.waiting:
        record[pending.slot] = found.get(key)
