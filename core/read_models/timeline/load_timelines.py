"""Timelines as a batch-loaded relation of contacts."""

from collections.abc import Mapping, Sequence
from typing import cast

from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, Scope
from core.read_models.accounts import ACCOUNT
from core.read_models.cards import CARD
from core.read_models.journey_runs import JOURNEY_RUN
from core.read_models.journeys import JOURNEY
from core.read_models.messages import MESSAGE
from core.read_models.numbers import NUMBER
from core.read_models.pipelines import LOST_REASON, PIPELINE
from core.read_models.push_devices import PUSH_DEVICE
from core.read_models.pushes import PUSH
from core.read_models.query_compiler import Entity, SelectedRelation, Selection, read_records
from core.read_models.query_compiler.record_factory import SelectedRecord
from core.read_models.templates import TEMPLATE
from core.read_models.timeline.count_timelines import count_timelines
from core.read_models.timeline.read_timelines import read_timelines, visible_sources

PAGE = ("first", "after", "last", "before")


BESIDE: Mapping[str, tuple[Entity, Mapping[str, str]]] = {
    "message": (MESSAGE, {"MessageEntry": "id", "ClickEntry": "messageId"}),
    "number": (NUMBER, {"MessageEntry": "numberId"}),
    "template": (TEMPLATE, {"MessageEntry": "templateId"}),
    "journey": (JOURNEY, {"MessageEntry": "journeyId"}),
    "journeyRun": (JOURNEY_RUN, {"MessageEntry": "journeyRunId"}),
    "pushMessage": (PUSH, {"PushEntry": "pushMessageId"}),
    "device": (PUSH_DEVICE, {"PushEntry": "deviceId"}),
    "card": (CARD, {"StageMoveEntry": "cardId"}),
    "pipeline": (PIPELINE, {"StageMoveEntry": "pipelineId"}),
    "motivoPerda": (LOST_REASON, {"StageMoveEntry": "motivoPerdaId"}),
    "por": (ACCOUNT, {"StageMoveEntry": "porId"}),
}
"""The records that hang beside entries, and by which of their fields, for each type of entry."""


async def load_timelines(
    caller: Caller, contact_ids: Sequence[str], selected: SelectedRelation
) -> dict[str, SelectedRecord]:
    """The connection of each contact, with `totalCount` where it is asked for. The filter knows
    `kinds`. What hangs beside entries is read for all contacts at once, a statement for each kind.

    Raises Forbidden and ValidationFailed.
    """
    caller.require(Scope.CONTACTS_READ)
    kinds = (selected.arguments.get("filter") or {}).get("kinds")
    wants = selected.parts
    if wants.nodes or wants.edges or wants.cursors:
        page = {name: selected.arguments.get(name) for name in PAGE}
        timelines = await read_timelines(caller, contact_ids, **page, kinds=kinds)
        loaded: dict[str, SelectedRecord] = {id: {**one} for id, one in timelines.items()}
        entries = [entry for timeline in timelines.values() for entry in timeline["nodes"]]
        for slot, beside in selected.selection.relations.items():
            await _hang(caller, entries, slot, beside)
    else:
        _, warnings = visible_sources(caller, kinds)
        loaded = {id: {"warnings": warnings} for id in contact_ids}
    if wants.total:
        for id, total in (await count_timelines(caller, contact_ids, kinds=kinds)).items():
            loaded[id]["totalCount"] = total
    return loaded


async def _hang(
    caller: Caller, entries: Sequence[SelectedRecord], slot: str, beside: SelectedRelation
) -> None:
    """Put the records beside their entries; where the caller may not read them, the refusal."""
    entity, keys = BESIDE[beside.name]
    named = [
        (entry, cast("str | None", entry[keys[type]]))
        for entry in entries
        if (type := str(entry["__typename"])) in keys
    ]
    ids = list({id for _, id in named if id is not None})
    wanted = Selection(dict(beside.selection.fields), beside.selection.relations)
    try:
        records = await read_records(caller, entity, ids, wanted) if ids else []
    except ServiceError as refusal:
        for entry, _ in named:
            entry[slot] = refusal
        return
    found = dict(zip(ids, records, strict=True))
    for entry, id in named:
        entry[slot] = None if id is None else found.get(id)
