"""Checking that the records a journey refers to exist in its organization and environment."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.errors import FieldError
from core.foundation.security.caller import Caller
from core.journeys.inputs import NewJourney
from core.journeys.step_configs import MessageConfig, MessageContent
from core.journeys.steps import CardStep, ConditionStep, MessageStep
from core.segments.errors import TooLarge, UnusableReference
from core.segments.evaluate import matching
from core.segments.tree import read_tree

Named = tuple[str, str, str]
"""(table, id, where the journey names it)."""

TABLES = {
    "segments": "This organization has no such segment",
    "contact_lists": "This organization has no such list",
    "templates": "This organization has no such template",
    "numbers": "This organization has no such number",
    "pipelines": "This organization has no such pipeline",
}


async def wrong_links(caller: Caller, new: NewJourney) -> list[FieldError]:
    """One error for each record that is not there, or does not fit the other one beside it."""
    named = list(_named(new))
    known = await _known(caller, named)
    wrong = [
        FieldError("pointer", pointer, "VINCULO_INVALIDO", TABLES[table])
        for table, id, pointer in named
        if (table, id) not in known
    ]
    return [
        *wrong,
        *await _wrong_templates(caller, new),
        *await _wrong_stages(caller, new),
        *await _wrong_filters(caller, new),
    ]


def _named(new: NewJourney) -> Iterator[Named]:
    if new.trigger.segment_id is not None:
        yield "segments", new.trigger.segment_id, "/gatilho/segmentId"
    if new.trigger.list_id is not None:
        yield "contact_lists", new.trigger.list_id, "/gatilho/listId"
    for place, step in enumerate(new.steps):
        match step:
            case MessageStep(config=config):
                for pointer, content in contents_of(place, config):
                    if content.template_id is not None:
                        yield "templates", content.template_id, f"{pointer}/templateId"
                    if content.number_id is not None:
                        yield "numbers", content.number_id, f"{pointer}/numberId"
            case CardStep(config=card):
                yield "pipelines", card.pipeline_id, f"/passos/{place}/config/pipelineId"


def contents_of(place: int, config: MessageConfig) -> Iterator[tuple[str, MessageContent]]:
    """What a step sends, and what it sends instead, by where the journey says it."""
    pointer = f"/passos/{place}/config"
    yield pointer, config
    for number, other in enumerate(config.others or ()):
        yield f"{pointer}/outrosCanais/{number}", other


def sent_by(new: NewJourney) -> Iterator[tuple[str, MessageContent]]:
    """Everything that its steps send, by where the journey says it."""
    for place, step in enumerate(new.steps):
        if isinstance(step, MessageStep):
            yield from contents_of(place, step.config)


async def _known(caller: Caller, named: list[Named]) -> set[tuple[str, str]]:
    ids: dict[str, set[str]] = defaultdict(set)
    for table, id, _ in named:
        ids[table].add(id)
    known: set[tuple[str, str]] = set()
    for table, wanted in ids.items():
        rows = await db.fetch(
            f"SELECT id FROM {table} WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)",
            caller.organization_id,
            caller.env,
            list(wanted),
        )
        known |= {(table, row["id"]) for row in rows}
    return known


async def _wrong_templates(caller: Caller, new: NewJourney) -> list[FieldError]:
    """Templates that are there, but of another number than the one that is to send them."""
    asked = [
        (pointer, content.template_id, content.number_id)
        for pointer, content in sent_by(new)
        if content.template_id is not None
    ]
    rows = await db.fetch_for(
        asked,
        "SELECT id, number_id FROM templates WHERE organization_id = $1 AND env = $2 AND id = "
        "ANY ($3)",
        caller.organization_id,
        caller.env,
        [template for _, template, _ in asked],
    )
    numbers = pairs_of(rows, "id", "number_id")
    return [
        FieldError(
            "pointer",
            f"{pointer}/templateId",
            "VINCULO_INVALIDO",
            "The number has no template of this id",
        )
        for pointer, template, number in asked
        if numbers.get(template, number) != number
    ]


async def _wrong_stages(caller: Caller, new: NewJourney) -> list[FieldError]:
    asked = [
        (place, step.config.pipeline_id, step.config.stage_id)
        for place, step in enumerate(new.steps)
        if isinstance(step, CardStep) and step.config.stage_id is not None
    ]
    rows = await db.fetch_for(
        asked,
        "SELECT pipeline_id, id FROM pipeline_stages WHERE organization_id = $1 AND env = $2 AND "
        "id = ANY ($3)",
        caller.organization_id,
        caller.env,
        [stage for _, _, stage in asked],
    )
    known = {(row["pipeline_id"], row["id"]) for row in rows}
    return [
        FieldError(
            "pointer",
            f"/passos/{place}/config/etapaId",
            "VINCULO_INVALIDO",
            "The pipeline has no stage with this id",
        )
        for place, pipeline, stage in asked
        if (pipeline, stage) not in known
    ]


async def _wrong_filters(caller: Caller, new: NewJourney) -> list[FieldError]:
    """Filters may build on stored segments; the segments know which they may."""
    wrong = []
    for pointer, tree in _filters(new):
        try:
            await matching(caller, read_tree(tree), at=now(), strict=True)
        except (UnusableReference, TooLarge) as refused:
            wrong.append(FieldError("pointer", pointer, refused.meta["code"], refused.detail))
    return wrong


def _filters(new: NewJourney) -> Iterator[tuple[str, dict[str, Any]]]:
    if new.exit_when is not None:
        yield "/sairQuando", new.exit_when
    for place, step in enumerate(new.steps):
        if isinstance(step, ConditionStep):
            yield f"/passos/{place}/config/filterTree", step.config.filter_tree
