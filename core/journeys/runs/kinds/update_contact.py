"""The step that adds tags to contacts and sets attributes."""

from datetime import timedelta

from pydantic import ValidationError

from core import contacts
from core.contacts import ContactChanges
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.errors import ServiceError
from core.journeys.runs.batch import RunBatch, StepOutcome, fail, go_on, wait

LOCKED_RETRY_DELAY = timedelta(seconds=1)
"""Whoever's contact is being changed by somebody else is looked at again so much later."""
GONE = "contato_inexistente"
UNUSABLE = "atributos_invalidos"


async def run(batch: RunBatch) -> list[StepOutcome]:
    """The change that a caller would make, of all contacts at once. Nobody is waited for: who holds
    a contact may wait for its run.
    """
    caller, config = batch.caller, batch.step.config
    sent = {"tagsAdicionar": config.get("tags"), "attributesMesclar": config.get("attributes")}
    try:
        changes = ContactChanges.model_validate(
            {name: value for name, value in sent.items() if value}
        )
    except ValidationError:
        return [fail(UNUSABLE)] * len(batch.runs)
    ids = sorted({run.contact_id for run in batch.runs})
    free = await db.fetch(FREE, caller.organization_id, caller.env, ids)
    rows = await contacts.lock_contacts(caller, ids=column(free, "id"))
    there = set(column(await db.fetch(THERE, caller.organization_id, caller.env, ids), "id"))
    changed, refused = [], {}
    for row in rows:
        try:
            after, _ = contacts.changed_row(caller, row, changes, at=batch.at)
        except ServiceError as refusal:
            refused[row["id"]] = str(refusal.meta.get("code", refusal.code))
            continue
        if after is not None:
            changed.append(after)
    await contacts.write_changes(caller, changed, [], at=batch.at)
    held = set(column(rows, "id"))

    def outcome(contact: str) -> StepOutcome:
        if contact in refused:
            return fail(refused[contact])
        if contact in held:
            return go_on()
        return wait(batch.at + LOCKED_RETRY_DELAY) if contact in there else fail(GONE)

    return [outcome(run.contact_id) for run in batch.runs]


FREE = """
SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
ORDER BY id FOR UPDATE SKIP LOCKED
"""
THERE = "SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])"
