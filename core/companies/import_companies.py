"""Importing companies: good lines enter, whatever becomes of the others."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from core.cards import links
from core.companies.definitions import held_definitions
from core.companies.errors import NameNotUnique
from core.companies.inputs import CompanyImport
from core.companies.lines import CompanyImportOutcome, CompanyLine, read_lines
from core.companies.models import CompanyAttribute
from core.companies.record import CompanyImportDone
from core.companies.rules import changed_links, hold_links_of, wrong_attributes, wrong_links
from core.companies.write import (
    CompanyLinks,
    CompanyRow,
    changed_row,
    hold_apart_from_imports,
    insert_companies,
    lock_companies,
    new_row,
    update_companies,
)
from core.foundation.clock import now
from core.foundation.database.rows import by_column
from core.foundation.database.transactions import transaction
from core.foundation.errors import ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope


async def import_companies(caller: Caller, wanted: CompanyImport) -> CompanyImportDone:
    """Create and change companies line by line, each line as if the earlier ones were stored
    already.

    A company is known by its CNPJ;
    one whose line has none, by its exact name. Imports of one organization follow each other.
    """
    caller.require(Scope.CRM_WRITE)
    outcome = CompanyImportOutcome()
    # Beside the loop: reading takes longer than others should wait for their turn.
    lines = await asyncio.to_thread(read_lines, wanted.empresas, outcome)
    async with transaction():
        await hold_apart_from_imports(caller, importing=True)
        book = Book(
            await lock_companies(
                caller,
                cnpjs=[line.new.cnpj for line in lines if line.new.cnpj is not None],
                names=list({line.new.name for line in lines if line.new.cnpj is None}),
            )
        )
        pointed: list[CompanyLinks] = [
            {"owner_id": line.new.owner_id, "main_contact_id": line.new.main_contact_id}
            for line in lines
        ]
        rules = Rules(await held_definitions(caller), await hold_links_of(caller, pointed))
        at = now()
        for line in lines:
            try:
                _take(caller, book, line, rules, outcome, at=at)
            except ServiceError as error:
                outcome.refuse(line.number, error)
        await insert_companies(caller, book.made())
        await update_companies(caller, book.changed())
    return outcome.answer()


class Rules:
    """What lines are held to."""

    def __init__(self, definitions: Sequence[CompanyAttribute], known: links.KnownLinks) -> None:
        self._definitions = definitions
        self._known = known

    def check(self, after: CompanyRow, stored: CompanyRow | None, line: CompanyLine) -> None:
        """Raises ValidationFailed."""
        wrong = wrong_links(changed_links(after, stored), self._known)
        if stored is None or "attributes" in line.sent:
            wrong += wrong_attributes(self._definitions, after["attributes"])
        if wrong:
            raise ValidationFailed(errors=wrong)


class Book:
    """The companies that lines may be about, as they stand after the lines so far."""

    def __init__(self, stored: Iterable[CompanyRow]) -> None:
        self._stored = by_column(stored, "id")
        self._rows: dict[str, CompanyRow] = {}
        self._by_cnpj: dict[str, str] = {}
        self._by_name: dict[str, set[str]] = defaultdict(set)
        for row in self._stored.values():
            self.put(row)
        # More than these may be stored, so that one of them getting another name would not make it
        # clear who is meant.
        self._crowded = {name for name, ids in self._by_name.items() if len(ids) > 1}

    def find(self, line: CompanyLine) -> CompanyRow | None:
        """The company of a line. Raises NameNotUnique."""
        if line.new.cnpj is not None:
            id = self._by_cnpj.get(line.new.cnpj)
        else:
            ids = self._by_name[line.new.name]
            if len(ids) > 1 or line.new.name in self._crowded:
                raise NameNotUnique
            id = next(iter(ids), None)
        return None if id is None else self._rows[id]

    def put(self, row: CompanyRow) -> None:
        """Keep a row as it is now."""
        id = row["id"]
        if (was := self._rows.get(id)) is not None:
            self._by_name[was["name"]].discard(id)
        self._rows[id] = row
        self._by_name[row["name"]].add(id)
        if row["cnpj"] is not None:
            self._by_cnpj[row["cnpj"]] = id

    def made(self) -> list[CompanyRow]:
        """Rows that are not stored yet."""
        return [row for id, row in self._rows.items() if id not in self._stored]

    def changed(self) -> list[CompanyRow]:
        """Stored rows that have become different."""
        return [row for id, row in self._rows.items() if self._stored.get(id, row) is not row]


def _take(
    caller: Caller,
    book: Book,
    line: CompanyLine,
    rules: Rules,
    outcome: CompanyImportOutcome,
    *,
    at: datetime,
) -> None:
    stored = book.find(line)
    if stored is None:
        after = new_row(caller, line.new, at=at)
    else:
        # A line without a CNPJ says nothing about the one that its company has.
        after = changed_row(stored, line.new, line.sent - {"cnpj"}, at=at)
    rules.check(after, stored, line)
    book.put(after)
    if stored is None:
        outcome.created += 1
    else:
        outcome.updated += 1
