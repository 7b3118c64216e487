"""Compiles a selection to one SQL statement that answers one JSON value, and the reader of its
rows.

Every level is an array by position: `json_build_array` over rows is cheaper to write and to read
than objects, and instants are written by PostgreSQL's own JSON. A list below a record is an array
in its row.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import cast

from core.foundation.database.where import Where
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller
from core.foundation.validation.field_messages import none_of
from core.read_models.query_compiler.entity import (
    BatchLoaded,
    Entity,
    Make,
    Order,
    ToList,
    ToOne,
    ToPage,
)
from core.read_models.query_compiler.pages import PageSlice, read_page_arguments, write_mark
from core.read_models.query_compiler.record_factory import SelectedRecord, record_maker
from core.read_models.query_compiler.selection import (
    Arguments,
    PageParts,
    SelectedRelation,
    Selection,
)


@dataclass(slots=True)
class Records:
    """How many records were read."""

    number: int = 0


_counted: ContextVar[Records] = ContextVar("records_read", default=Records())  # noqa: B039 - nobody reads this one


@contextmanager
def count_records() -> Iterator[Records]:
    """Count the records that are read inside."""
    records = Records()
    token = _counted.set(records)
    try:
        yield records
    finally:
        _counted.reset(token)


def note_records(number: int) -> None:
    """Count records that another read answers."""
    _counted.get().number += number


OWN = "organization_id = $1 AND env = $2"


@dataclass(slots=True)
class PendingRelation:
    """Records that wait for what another read answers."""

    relation: BatchLoaded
    slot: str
    selected: SelectedRelation
    waiting: list[tuple[SelectedRecord, object]] = field(default_factory=list)


class Statement:
    """A statement of one caller. `values` are its parameters, organization and environment first."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.values: list[object] = [caller.organization_id, caller.env]
        self.pending: list[PendingRelation] = []
        self._counted = _counted.get()
        self._aliases = count()

    def record(
        self, entity: Entity, selection: Selection, alias: str, *more: str
    ) -> tuple[str, Callable[[list[object]], SelectedRecord]]:
        """The SQL array of a row, with more columns behind it, and what makes the record of one."""
        fields: list[str] = []
        slots: list[str] = []
        columns: list[str] = []
        makes: dict[str, Make] = {}
        refused: SelectedRecord = {}
        waiting: list[tuple[str, PendingRelation]] = []
        unmasked = self.caller.sees_personal_data
        for name in selection.fields:
            field = entity.fields[name]
            if field.scope is not None and not self.caller.may(field.scope):
                refused[name] = self.caller.refusal_without(field.scope)
                continue
            fields.append(name)
            columns.append(field.sql.format(t=alias))
            make = field.make if unmasked or field.masked is None else field.masked
            if make is not None:
                makes[name] = make
        for slot, selected in selection.relations.items():
            relation = entity.relations[selected.name]
            if isinstance(relation, BatchLoaded):
                pending = PendingRelation(relation, slot, selected)
                self.pending.append(pending)
                waiting.append((slot, pending))
                slots.append(slot)
                columns.append(relation.key.format(p=alias))
                continue
            try:
                sql, make = self._relation(relation, selected, alias)
            except ServiceError as refusal:  # of this field alone: its answer is the refusal
                refused[slot] = refusal
            else:
                slots.append(slot)
                columns.append(sql)
                makes[slot] = make
        build = record_maker(fields, slots, makes)
        if refused or waiting:
            build = partial(_completed, build, refused, waiting)
        return f"json_build_array({', '.join([*columns, *more])})", build

    def one(
        self, entity: Entity, condition: str, selection: Selection, order: Order | None = None
    ) -> tuple[str, Make]:
        """The SQL of at most one record: the first in this order."""
        entity.require(self.caller)
        alias = self._alias()
        where = Where(self.values, [OWN, condition.format(t=alias)])
        if entity.visible is not None:
            entity.visible(where, self.caller)
        row, make = self.record(entity, selection, alias)

        def made(value: list[object]) -> SelectedRecord:
            self._counted.number += 1
            return make(value)

        first = (
            "" if order is None else f" ORDER BY {PageSlice(order, 1, False, None, None).by(alias)}"
        )
        return f"(SELECT {row} FROM {entity.table} {alias} WHERE {where}{first} LIMIT 1)", made

    def every(self, relation: ToList, selection: Selection, condition: str) -> tuple[str, Make]:
        """The SQL of all records that meet a condition."""
        entity = relation.entity
        entity.require(self.caller)
        alias = self._alias()
        where = Where(self.values, [OWN, condition])
        if entity.visible is not None:
            entity.visible(where, self.caller)
        page = PageSlice(relation.order, relation.most, backward=False, after=None, before=None)
        rows, make = self._rows(entity, selection, alias, where, page, limit=relation.most)

        def made(value: list[list[object]]) -> list[SelectedRecord]:
            self._counted.number += len(value)
            return [make(row) for row in value]

        return rows, made

    def page(
        self,
        entity: Entity,
        arguments: Arguments,
        selection: Selection,
        parts: PageParts,
        *,
        condition: str = "",
        order: str = "",
    ) -> tuple[str, Make]:
        """The SQL of a page of records that meet a condition and the filter asked for, and of their
        total.
        """
        entity.require(self.caller)
        filter = arguments.get("filter") or {}
        by = _order_of(entity, arguments.get("orderBy") or order or entity.order_of(filter))
        page = read_page_arguments(arguments, by)
        rows_too = parts.has_rows
        # PostgreSQL refuses values that nothing in the statement uses.
        values = self.values if rows_too or parts.total else [*self.values]
        where = Where(values, [OWN, *([condition] if condition else [])])
        # First: it knows the scope that what is asked needs.
        warnings = entity.add_filter(where, self.caller, filter)
        if entity.visible is not None:
            entity.visible(where, self.caller)
        narrowed = bool(condition)
        total = self._total(entity, where, filter, narrowed=narrowed) if parts.total else "NULL"
        if not rows_too:
            # The first two values are there whether or not anything is counted.
            sql = f"json_build_array({total}, $1::text, $2::text)"
            return sql, lambda value: {"totalCount": value[0], "warnings": warnings}
        ordered = page.narrow(where, entity.alias)
        alias = self._alias()
        if entity.branches is not None and not narrowed and not ordered:
            ordered = [(own, page.by(entity.alias)) for own in entity.branches(self.caller, filter)]
        rows, make = self._rows(
            entity,
            selection,
            alias,
            where,
            page,
            limit=page.size + parts.cursors,
            more=_cursor_keys(by, alias) if parts.cursors else [],
            ordered=ordered,
        )
        return f"json_build_array({total}, {rows})", partial(
            self._connection, page, parts, warnings, make
        )

    def _total(self, entity: Entity, where: Where, filter: Arguments, *, narrowed: bool) -> str:
        """The SQL of how many records there are: counted before, where the entity knows how."""
        quick = None
        if entity.count is not None and not narrowed:
            quick = entity.count(where, self.caller, filter)
        if quick is not None:
            return quick
        return f"(SELECT count(*) FROM {entity.table} {entity.alias} WHERE {where})"

    def _relation(
        self, relation: ToOne | ToPage | ToList, selected: SelectedRelation, parent: str
    ) -> tuple[str, Make]:
        condition = relation.where.replace("{p}", parent)
        match relation:
            case ToOne():
                return self.one(relation.entity, condition, selected.selection, relation.order)
            case ToList():
                return self.every(relation, selected.selection, condition)
            case ToPage():
                if relation.scope is not None:
                    self.caller.require(relation.scope)
                return self.page(
                    relation.entity,
                    selected.arguments,
                    selected.selection,
                    selected.parts,
                    condition=condition,
                    order=relation.order,
                )

    def _rows(
        self,
        entity: Entity,
        selection: Selection,
        alias: str,
        where: Where,
        page: PageSlice,
        *,
        limit: int,
        more: list[str] | None = None,
        ordered: Sequence[tuple[str, str]] = (),
    ) -> tuple[str, Callable[[list[object]], SelectedRecord]]:
        """Only the rows of the page are looked at for what the record is made of, and hangs on it.

        `ordered`: the parts that the rows are read in, a condition and an order each; none of all
        in one.
        """
        row, make = self.record(entity, selection, alias, *(more or []))
        end = f"ORDER BY {page.by(entity.alias)} LIMIT {limit}"
        found = f"SELECT * FROM {entity.table} {entity.alias} WHERE {where} {end}"
        if ordered:
            parts = (
                f"(SELECT * FROM {entity.table} {entity.alias} WHERE {where} AND {own} ORDER BY "
                f"{by} LIMIT {limit})"
                for own, by in ordered
            )
            found = f"SELECT * FROM ({' UNION ALL '.join(parts)}) {entity.alias} {end}"
        return f"ARRAY(SELECT {row} FROM ({found}) {alias} ORDER BY {page.by(alias)})", make

    def _connection(
        self,
        page: PageSlice,
        parts: PageParts,
        warnings: list[str],
        make: Callable[[list[object]], SelectedRecord],
        value: tuple[int, list[list[object]]],
    ) -> SelectedRecord:
        total, rows = value
        more = len(rows) > page.size
        if more:
            del rows[page.size :]
        if page.backward:
            rows.reverse()
        self._counted.number += len(rows)
        nodes = [make(row) for row in rows]
        connection: SelectedRecord = {"nodes": nodes, "totalCount": total, "warnings": warnings}
        edges: list[SelectedRecord] = [{"node": node} for node in nodes] if parts.edges else []
        if parts.edges:
            connection["edges"] = edges
        if not parts.cursors:
            return connection
        marks = [
            write_mark(page.order, cast("Sequence[object]", row[-1]))
            for row in _marked(rows, parts)
        ]
        if parts.edges:
            for edge, mark in zip(edges, marks, strict=True):
                edge["cursor"] = mark
        connection["pageInfo"] = {
            "hasNextPage": page.before is not None if page.backward else more,
            "hasPreviousPage": more if page.backward else page.after is not None,
            "startCursor": marks[0] if marks else None,
            "endCursor": marks[-1] if marks else None,
        }
        return connection

    def _alias(self) -> str:
        return f"t{next(self._aliases)}"


def _completed(
    make: Callable[[list[object]], SelectedRecord],
    refused: SelectedRecord,
    waiting: list[tuple[str, PendingRelation]],
    row: list[object],
) -> SelectedRecord:
    """A record with the refusals among its children, and a place among those that wait."""
    record = make(row) | refused
    for slot, pending in waiting:
        pending.waiting.append((record, record[slot]))
    return record


def _marked(rows: list[list[object]], parts: PageParts) -> list[list[object]]:
    """The rows whose marks are shown."""
    return rows if parts.edges or len(rows) < 2 else [rows[0], rows[-1]]


def _order_of(entity: Entity, name: str) -> Order:
    order = entity.orders.get(name)
    if order is None:
        known = list(filter(None, entity.orders))
        raise ValidationFailed(
            errors=[FieldError("parameter", "orderBy", "not_allowed", none_of(known, name))]
        )
    return order


def _cursor_keys(order: Order, alias: str) -> list[str]:
    """The SQL of a record's place in the order, as its cursor keeps it."""
    # As JSON would write it: `::text` of an instant has a space where ISO 8601 has a T, and both
    # are read.
    keys = [f"{key.sql.format(t=alias)}::text" for key in order.keys]
    return [f"json_build_array({', '.join(keys)})"] if keys else []
