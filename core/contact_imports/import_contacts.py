"""Importing contacts: in batches of 500, each a transaction, so that a large file holds nobody up."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core import contacts, lists
from core.contact_imports.inputs import ContactImport
from core.contact_imports.lines import Line, Outcome, read_lines
from core.contacts import ContactChanges
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ServiceError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.turns import in_turns

BATCH_SIZE = 500
AT_ONCE = 2


class Simulated(Exception):
    """Ends the transaction of a simulation: nothing of it stays."""


async def import_contacts(caller: Caller, wanted: ContactImport) -> dict[str, Any]:
    """Create and change contacts line by line: `{criados, atualizados, inalterados, ignorados,
    erros, warnings}`.

    A line that is faulty or clashes is told in `erros` and keeps no other out. Every batch is
    stored whole or not at all; an import that was cut short is simply sent again. Raises
    ValidationFailed for an unknown list.
    """
    caller.require(Scope.CONTACTS_WRITE)
    at = now()
    await _check_list(caller, wanted.list_id)
    outcome = Outcome()
    lines = await read_lines(caller, wanted.contatos, outcome, by=wanted.chave, at=at)
    if not wanted.simular:
        await _store_all(caller, lines, wanted, outcome, at=at)
        return outcome.as_wire()
    try:
        async with transaction():
            await _store_all(caller, lines, wanted, outcome, at=at)
            raise Simulated
    except Simulated:
        return outcome.as_wire()


async def _check_list(caller: Caller, list_id: str | None) -> None:
    if (
        list_id is not None
        and not await lists.ContactList.visible_to(caller).filter(id=list_id[:30]).exists()
    ):
        error = FieldError("pointer", "/listId", "VINCULO_INVALIDO", "There is no such list")
        raise ValidationFailed(errors=[error])


async def _store_all(
    caller: Caller, lines: Sequence[Line], wanted: ContactImport, outcome: Outcome, *, at: datetime
) -> None:
    """More than one batch at a time: while PostgreSQL writes the one, the other is made ready."""
    left = (lines[start : start + BATCH_SIZE] for start in range(0, len(lines), BATCH_SIZE))

    async def take() -> None:
        for batch in left:
            _add(outcome, await _store_apart(caller, batch, wanted, at=at))

    # A simulation is one transaction, and a transaction has one connection.
    takers = [take() for _ in range(1 if wanted.simular else AT_ONCE)]
    for failure in await asyncio.gather(*takers, return_exceptions=True):
        if failure is not None:
            raise failure


async def _store_apart(
    caller: Caller, batch: Sequence[Line], wanted: ContactImport, *, at: datetime
) -> Outcome:
    """A batch, or, when it is refused as a whole, each of its lines on its own."""
    try:
        return await _store(caller, batch, wanted, at=at)
    except ServiceError:
        # A contact changed under our eyes, or two lines swap their externalIds.
        done = Outcome()
        for line in batch:
            try:
                _add(done, await _store(caller, [line], wanted, at=at))
            except ServiceError as error:
                done.refuse(line.number, error)
        return done


def _add(outcome: Outcome, done: Outcome) -> None:
    outcome.created += done.created
    outcome.updated += done.updated
    outcome.unchanged += done.unchanged
    outcome.ignored += done.ignored
    outcome.errors += done.errors


async def _store(
    caller: Caller, lines: Sequence[Line], wanted: ContactImport, *, at: datetime
) -> Outcome:
    """One batch in one transaction. Raises what the database refuses as a whole."""
    outcome = Outcome()
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
        members += [row["id"] for row in made]
        # Somebody else created these a moment ago: now they are known.
        there = {row["identity"] for row in made}
        late = [line for line in left if line.identity not in there]
        for line in (
            await _store_known(caller, late, wanted, outcome, members, at=at) if late else ()
        ):
            outcome.refuse(line.number, contacts.ExternalIdTaken())
        if wanted.list_id is not None and members:
            await lists.put_members(caller, wanted.list_id, members, at=at)
    return outcome


async def _with_their_companies(
    caller: Caller, lines: Sequence[Line], outcome: Outcome
) -> list[Line]:
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
    lines: Sequence[Line],
    wanted: ContactImport,
    outcome: Outcome,
    members: list[str],
    *,
    at: datetime,
) -> list[Line]:
    """Change the contacts that are there already; answers the lines of those that are not."""
    stored = await contacts.lock_contacts(
        caller,
        identities=[line.identity for line in lines if line.identity is not None],
        external_ids=[line.new.external_id for line in lines if line.new.external_id is not None],
    )
    by_identity = {row["identity"]: row for row in stored}
    by_external_id = {row["external_id"]: row for row in stored if row["external_id"] is not None}
    unknown, rows, moves = [], [], []
    async for line in in_turns(lines):
        own = by_identity.get(line.identity) if line.identity is not None else None
        same_id = by_external_id.get(line.new.external_id)
        try:
            known = _known(line, own, same_id, by=wanted.chave)
            if known is None:
                if line.identity is None:
                    raise contacts.FieldRefused(
                        "/phone", "required", "A contact that is not there yet needs a phone"
                    )
                unknown.append(line)
                continue
            if wanted.se_existir == "erro":
                raise (
                    contacts.PhoneAlreadyRegistered
                    if wanted.chave == "phone"
                    else contacts.ExternalIdTaken
                )
            if wanted.se_existir == "ignorar":
                outcome.ignored += 1
            else:
                after, move = contacts.changed_row(caller, known, _changes(line), at=at)
                if after is None:
                    outcome.unchanged += 1
                else:
                    rows.append(after)
                    moves += [move] if move else []
            members.append(known["id"])
        except ServiceError as error:
            outcome.refuse(line.number, error)
    if rows:
        await contacts.write_changes(caller, rows, moves, at=at)
        outcome.updated += len(rows)
    return unknown


def _known(
    line: Line, own: dict[str, Any] | None, same_id: dict[str, Any] | None, *, by: str
) -> dict[str, Any] | None:
    """The contact that a line is about. Raises when its phone or its externalId is another's."""
    if by == "phone":
        if same_id is not None and same_id is not own:
            raise contacts.ExternalIdTaken
        return own
    if own is not None and own is not same_id:
        raise contacts.PhoneAlreadyRegistered
    return same_id


def _changes(line: Line) -> ContactChanges:
    """Only what the line has."""
    sent = line.sent & ContactChanges.model_fields.keys()
    return ContactChanges.model_construct(
        _fields_set=set(sent), **{name: getattr(line.new, name) for name in sent}
    )
