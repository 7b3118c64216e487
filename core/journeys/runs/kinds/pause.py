"""The step that waits: so many hours, until a time of day, or until a date of the contact.

The end of a wait is worked out once, when a run comes to it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.journeys.runs.batch import RunAtStep, RunBatch, StepOutcome, go_on, pass_by, skip, wait
from core.journeys.runs.zones import OF_THE_CONTACT, date_of, next_clock, zone_of

LATE = timedelta(hours=24)
"""A date that is over by less than that has come now; by more, the step is passed."""
LONGEST = timedelta(days=365)
OVER = "passado"
NO_DATE = "sem_data"
TOO_FAR = "distante"


async def run(batch: RunBatch) -> list[StepOutcome]:
    """Whoever comes waits; whoever has waited goes on."""
    if all(run.returned for run in batch.runs):
        return [go_on()] * len(batch.runs)
    config = batch.step.config
    if (hours := config.get("duracaoHoras")) is not None:
        return [_back(run) or wait(run.step_at + timedelta(hours=hours)) for run in batch.runs]
    people = await _people(batch)
    return [
        _back(run) or end_of_wait(config, people.get(run.contact_id), batch.at)
        for run in batch.runs
    ]


def _back(run: RunAtStep) -> StepOutcome | None:
    return go_on() if run.returned else None


def end_of_wait(config: Mapping[str, Any], person: db.Row | None, at: datetime) -> StepOutcome:
    attributes = {} if person is None else person["attributes"]
    zone = zone_of(attributes, "" if person is None else person["phone"])
    if (until := config.get("ate")) is not None:
        if until["fuso"] != OF_THE_CONTACT:
            zone = ZoneInfo(until["fuso"])
        return wait(next_clock(until["hora"], zone, after=at, days=until.get("dias")))
    field = config["campo"]
    named = date_of(attributes.get(field["key"]), zone)
    if named is None:
        return skip(NO_DATE)
    due = named + timedelta(hours=field["deslocamentoHoras"])
    if due <= at - LATE:
        return pass_by(OVER)
    if due <= at:
        return go_on()
    return skip(TOO_FAR) if due > at + LONGEST else wait(due)


async def _people(batch: RunBatch) -> dict[str, db.Row]:
    """What is known of the contacts' time, where it matters."""
    until = batch.step.config.get("ate")
    if until is not None and until["fuso"] != OF_THE_CONTACT:
        return {}
    program = batch.program
    ids = [run.contact_id for run in batch.runs]
    rows = await db.fetch(PEOPLE, program.organization_id, program.env, ids)
    return by_column(rows, "id")


PEOPLE = """
SELECT id, phone, attributes FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])
"""
