"""Importing contacts: in batches, each a transaction, so that a large file holds nobody up."""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core import contacts, lists
from core.contact_imports.inputs import ContactImport, ImportKey, WhenItExists
from core.contact_imports.lines import ContactImportOutcome, ContactLine, read_lines
from core.contact_imports.record import ImportDone
from core.contacts import ContactChanges
from core.foundation.clock import now
from core.foundation.database.rows import by_column, column
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.gathering import run_all
from core.foundation.security.caller import Caller, Scope
from core.foundation.turns import give_way, in_turns, is_beside_light_requests

BATCH_SIZE = 200
"""Rows of one statement. More cost a little less, and hold single sends up for longer."""
SMALL_BATCH_SIZE = 50
"""Beside light requests."""
CONCURRENT_BATCHES = 2
GENTLE_SECONDS = 10.0
"""Of an import beside light requests; one that takes longer has waited enough, and has to end within
the time of a request.
"""


class Simulated(Exception):
    """Ends the transaction of a simulation: nothing of it stays."""


async def import_contacts(caller: Caller, wanted: ContactImport) -> ImportDone:
    """Create and change contacts line by line.

    A line that is faulty or clashes is told in `erros` and keeps no other out. Every batch is
    stored whole or not at all; an import that was cut short is simply sent again. Raises
    ValidationFailed for an unknown list.
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    await _check_list(caller, wanted.list_id)
    outcome = ContactImportOutcome()
    lines = await read_lines(caller, wanted.contatos, outcome, by=wanted.chave, at=at)
    if not wanted.simular:
        await _store_all(caller, lines, wanted, outcome, at=at)
        return outcome.answer()
    try:
        async with transaction():
            await _store_all(caller, lines, wanted, outcome, at=at)
            raise Simulated
    except Simulated:
        return outcome.answer()


async def _check_list(caller: Caller, list_id: str | None) -> None:
    if (
        list_id is not None
        and not await lists.ContactList.visible_to(caller).filter(id=list_id[:30]).exists()
    ):
        error = FieldError("pointer", "/listId", "VINCULO_INVALIDO", "There is no such list")
        raise ValidationFailed(errors=[error])


async def _store_all(
    caller: Caller,
    lines: deque[ContactLine],
    wanted: ContactImport,
    outcome: ContactImportOutcome,
    *,
    at: datetime,
) -> None:
    """More than one batch at a time: while PostgreSQL writes the one, the other is made ready.
    Beside light requests one at a time, a small one, with a pause behind it.

    What is stored is let go at once: to let go of all lines at the end would hold others up.
    """

    until = time.monotonic() + GENTLE_SECONDS

    def is_gentle() -> bool:
        return is_beside_light_requests() and time.monotonic() < until

    async def take(*, first: bool) -> None:
        while lines and (first or not is_gentle()):
            began = time.perf_counter()
            size = SMALL_BATCH_SIZE if is_gentle() else BATCH_SIZE
            batch = [lines.popleft() for _ in range(min(size, len(lines)))]
            _add(outcome, await _store_apart(caller, batch, wanted, at=at))
            # The transaction of a simulation would only hold its locks for longer.
            if is_gentle() and not wanted.simular:
                await give_way(time.perf_counter() - began)

    # A simulation is one transaction, and a transaction has one connection.
    number = 1 if wanted.simular else CONCURRENT_BATCHES
    await run_all(take(first=place == 0) for place in range(number))


async def _store_apart(
    caller: Caller, batch: Sequence[ContactLine], wanted: ContactImport, *, at: datetime
) -> ContactImportOutcome:
    """A batch, or, when it is refused as a whole, each of its lines on its own."""
    try:
        return await _store(caller, batch, wanted, at=at)
    except ServiceError:
        # A contact changed under our eyes, or two lines swap their externalIds.
        done = ContactImportOutcome()
        for line in batch:
            try:
                _add(done, await _store(caller, [line], wanted, at=at))
            except ServiceError as error:
                done.refuse(line.number, error)
        return done


def _add(outcome: ContactImportOutcome, done: ContactImportOutcome) -> None:
    outcome.created += done.created
    outcome.updated += done.updated
    outcome.unchanged += done.unchanged
    outcome.ignored += done.ignored
    outcome.errors += done.errors


async def _store(
    caller: Caller, lines: Sequence[ContactLine], wanted: ContactImport, *, at: datetime
) -> ContactImportOutcome:
    """One batch in one transaction. Raises what the database refuses as a whole."""
    outcome = ContactImportOutcome()
    async with transaction():
        # In the order in which an erasure takes the two.
        await contacts.lock_opt_outs(caller)
        if wanted.list_id is not None:
            await lists.hold_members_apart_from_erasures(caller)
        lines = await _with_their_companies(caller, lines, outcome)
        members: list[str] = []
        left = await _store_known(caller, lines, wanted, outcome, members, at=at)
        made = await contacts.register(
            caller, [line.new for line in left], at=at, silent=wanted.silencioso, skip_clashes=True
        )
        outcome.created += len(made)
        members += column(made, "id")
        # Somebody else created these a moment ago: now they are known.
        there = set(column(made, "identity"))
        late = [line for line in left if line.identity not in there]
        for line in (
            await _store_known(caller, late, wanted, outcome, members, at=at) if late else ()
        ):
            outcome.refuse(line.number, contacts.ExternalIdTaken())
        if wanted.list_id is not None and members:
            await lists.put_members(caller, wanted.list_id, members, at=at)
    return outcome


async def _with_their_companies(
    caller: Caller, lines: Sequence[ContactLine], outcome: ContactImportOutcome
) -> list[ContactLine]:
    """The lines that name no company, or one that exists; the others are refused."""
    companies = await contacts.hold_companies(caller, (line.new.company_id for line in lines))
    kept = []
    for line in lines:
        if line.new.company_id is None or line.new.company_id in companies:
            kept.append(line)
        else:
            outcome.refuse(line.number, contacts.NoSuchCompany())
    return kept


async def _store_known(
    caller: Caller,
    lines: Sequence[ContactLine],
    wanted: ContactImport,
    outcome: ContactImportOutcome,
    members: list[str],
    *,
    at: datetime,
) -> list[ContactLine]:
    """Change the contacts that are there already; answers the lines of those that are not."""
    stored = await contacts.lock_contacts(
        caller,
        identities=[line.identity for line in lines if line.identity is not None],
        external_ids=[line.new.external_id for line in lines if line.new.external_id is not None],
    )
    by_identity = by_column(stored, "identity")
    by_external_id = {row["external_id"]: row for row in stored if row["external_id"] is not None}
    changes = KnownContacts(caller, wanted, outcome, at)
    unknown = []
    async for line in in_turns(lines):
        own = by_identity.get(line.identity) if line.identity is not None else None
        same_id = by_external_id.get(line.new.external_id or "")
        try:
            known = _known(line, own, same_id, by=wanted.chave)
            if known is None:
                _check_phone(line)
                unknown.append(line)
            else:
                changes.add(line, known)
                members.append(known["id"])
        except ServiceError as error:
            outcome.refuse(line.number, error)
    await changes.write()
    return unknown


@dataclass(slots=True)
class KnownContacts:
    """What the lines of a batch change of contacts that are there already."""

    caller: Caller
    wanted: ContactImport
    outcome: ContactImportOutcome
    at: datetime
    rows: list[contacts.ContactRow] = field(default_factory=list)
    entries: list[contacts.ConsentLogEntry] = field(default_factory=list)

    def add(self, line: ContactLine, known: contacts.ContactRow) -> None:
        """What becomes of the contact of a line. Raises PhoneAlreadyRegistered, ExternalIdTaken and
        the refusals of a change.
        """
        match self.wanted.se_existir:
            case WhenItExists.ERROR if self.wanted.chave == ImportKey.PHONE:
                raise contacts.PhoneAlreadyRegistered
            case WhenItExists.ERROR:
                raise contacts.ExternalIdTaken
            case WhenItExists.IGNORE:
                self.outcome.ignored += 1
            case _:
                self._change(line, known)

    def _change(self, line: ContactLine, known: contacts.ContactRow) -> None:
        after, entry = contacts.changed_row(self.caller, known, _changes(line), at=self.at)
        if after is None:
            self.outcome.unchanged += 1
            return
        self.rows.append(after)
        if entry is not None:
            self.entries.append(entry)

    async def write(self) -> None:
        """Write what is different."""
        if self.rows:
            await contacts.write_changes(self.caller, self.rows, self.entries, at=self.at)
            self.outcome.updated += len(self.rows)


def _check_phone(line: ContactLine) -> None:
    """Raises FieldRefused."""
    if line.identity is None:
        raise contacts.FieldRefused(
            "/phone", "required", "A contact that is not there yet needs a phone"
        )


def _known(
    line: ContactLine,
    own: contacts.ContactRow | None,
    same_id: contacts.ContactRow | None,
    *,
    by: ImportKey,
) -> contacts.ContactRow | None:
    """The contact that a line is about. Raises when its phone or its externalId is another's."""
    if by == ImportKey.PHONE:
        if same_id is not None and same_id is not own:
            raise contacts.ExternalIdTaken
        return own
    if own is not None and own is not same_id:
        raise contacts.PhoneAlreadyRegistered
    return same_id


def _changes(line: ContactLine) -> ContactChanges:
    """Only what the line has."""
    sent = line.sent & ContactChanges.model_fields.keys()
    return ContactChanges.model_construct(
        _fields_set=set(sent), **{name: getattr(line.new, name) for name in sent}
    )
