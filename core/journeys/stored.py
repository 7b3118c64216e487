"""A stored journey as the body that would create it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from core.foundation.absent import without_none
from core.foundation.validation.inputs import read_body
from core.journeys.inputs import JourneyChanges, NewJourney
from core.journeys.models import Journey, JourneyStatus

COLUMNS = {
    "name": "name",
    "gatilho": "trigger",
    "reentrada": "reentry",
    "intervaloReentradaHoras": "reentry_hours",
    "silencio": "quiet",
    "tetoDeFrequencia": "frequency_cap",
    "meta": "goal",
    "sairQuando": "exit_when",
    "passos": "steps",
    "entradaPasso": "entry_step_id",
}
"""The fields of the body, and the columns that hold them as they were sent."""


def write_into(journey: Journey, new: NewJourney) -> None:
    """Put a body into a row that is not saved yet: as it was sent, with what was left out spelled
    out.
    """
    told = _told(new)
    for field, column in COLUMNS.items():
        setattr(journey, column, told.get(field))
    if new.trigger.segment_id:
        journey.trigger["tipo"] = "segmento"


def draft_of(journey: Journey, id: str, *, at: datetime) -> Journey:
    """A draft like it under an id of its own, which is not saved yet."""
    draft = journey.clone(pk=id)
    draft.status = JourneyStatus.DRAFT
    draft.paused_by = draft.activated_at = draft.replaced_by_id = draft.entries_ended = None
    draft.program = draft.enrol_present = draft.enrol_cursor = draft.quote_id = None
    draft.created_at = draft.updated_at = at
    return draft


def changed(stored: Journey, changes: JourneyChanges) -> NewJourney:
    """The journey with the changes, checked whole. Raises ValidationFailed with every fault."""
    told = _told(changes)
    names = {type(changes).model_fields[name].alias or name for name in changes.model_fields_set}
    fields = names & COLUMNS.keys()
    return _read({**_body_of(stored), **{name: told.get(name) for name in fields}})


def as_new(stored: Journey) -> NewJourney:
    """The journey as it is. Raises ValidationFailed where it would not be taken any more."""
    return _read(_body_of(stored))


def _told(model: NewJourney | JourneyChanges) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _body_of(stored: Journey) -> dict[str, Any]:
    return {field: getattr(stored, column) for field, column in COLUMNS.items()}


def _read(body: Mapping[str, Any]) -> NewJourney:
    told = without_none(body)
    return read_body(NewJourney, orjson.dumps(told))
