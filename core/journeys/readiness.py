"""What keeps a journey from running, all at once and each at its place."""

from collections.abc import Iterator
from datetime import datetime

from core.foundation.database import db
from core.foundation.database.rows import pairs_of
from core.foundation.errors import FieldError
from core.foundation.security.caller import Caller
from core.journeys.entry.sources import takes_those_present
from core.journeys.inputs import NewJourney, Trigger
from core.journeys.links import sent_by, wrong_links
from core.journeys.models import JourneyChannel
from core.journeys.quoted import faults_of_quote
from core.journeys.steps import (
    AwaitEventStep,
    CardStep,
    ConditionStep,
    MessageStep,
    SplitStep,
    UpdateContactStep,
    WebhookStep,
)
from core.numbers import SENDING
from core.templates import TemplateStatus

MAX_WATCHED = 20
"""Segments whose members are kept for journeys, of an organization in one environment."""

ACTING_STEPS = (MessageStep, UpdateContactStep, CardStep, WebhookStep)
"""Steps that do something."""


async def faults_of(
    caller: Caller,
    journey: NewJourney,
    *,
    include_present: bool | None,
    quote_id: str | None = None,
    at: datetime,
) -> list[FieldError]:
    """Everything that keeps it from being activated."""
    return [
        *_wrong_choice(journey.trigger, include_present),
        *_empty_ways(journey),
        *_without_actions(journey),
        *await wrong_links(caller, journey),
        *await _unusable_senders(caller, journey),
        *await _too_many_watched(caller, journey.trigger),
        *await faults_of_quote(caller, quote_id, _channels(journey), at=at),
    ]


async def faults_while_running(caller: Caller, journey: NewJourney) -> list[FieldError]:
    """Everything that keeps one that was paused from going on."""
    return [*await wrong_links(caller, journey), *await _unusable_senders(caller, journey)]


def _channels(journey: NewJourney) -> set[JourneyChannel]:
    return {content.channel for _, content in sent_by(journey)}


def _wrong_choice(trigger: Trigger, include_present: bool | None) -> Iterator[FieldError]:
    if takes_those_present(trigger) and include_present is None:
        said = "Say whether the contacts that are there already enter too: true or false"
        yield FieldError("pointer", "/incluirAtuais", "INCLUIR_ATUAIS_AUSENTE", said)
    if not takes_those_present(trigger) and include_present:
        said = "Nobody is there already who could enter; leave this out"
        yield FieldError("pointer", "/incluirAtuais", "not_allowed", said)


def _empty_ways(journey: NewJourney) -> Iterator[FieldError]:
    for place, step in enumerate(journey.steps):
        match step:
            case AwaitEventStep(config=config) | ConditionStep(config=config):
                led = config.then is not None or config.otherwise is not None
            case SplitStep(config=split):
                led = any(branch.next is not None for branch in split.branches)
            case _:
                led = True
        if not led:
            said = "None of its ways leads to a step, so it decides nothing: lead one on"
            yield FieldError("pointer", f"/passos/{place}/config", "PASSO_SEM_DESTINO", said)


def _without_actions(journey: NewJourney) -> Iterator[FieldError]:
    if not any(isinstance(step, ACTING_STEPS) for step in journey.steps):
        said = "No step sends or changes anything: add one that does"
        yield FieldError("pointer", "/passos", "JORNADA_SEM_EFEITO", said)


async def _unusable_senders(caller: Caller, journey: NewJourney) -> list[FieldError]:
    """Templates that may not be sent, and numbers that cannot send."""
    asked = [
        (pointer, content.template_id, content.number_id)
        for pointer, content in sent_by(journey)
        if content.number_id is not None
    ]
    owner = (caller.organization_id, caller.env)
    rows = await db.fetch_for(asked, TEMPLATES, *owner, [template for _, template, _ in asked])
    templates = pairs_of(rows, "id", "status")
    rows = await db.fetch_for(
        asked, NUMBERS, *owner, [number for _, _, number in asked], list(SENDING)
    )
    numbers = pairs_of(rows, "id", "sends")
    wrong = []
    for at, template, number in asked:
        if templates.get(template, TemplateStatus.APPROVED) != TemplateStatus.APPROVED:
            said = "The template is not approved: submit it, or name another one"
            wrong.append(FieldError("pointer", f"{at}/templateId", "TEMPLATE_INDISPONIVEL", said))
        if not numbers.get(number, True):
            said = "The number cannot send now: connect it, or name another one"
            wrong.append(FieldError("pointer", f"{at}/numberId", "NUMERO_INDISPONIVEL", said))
    return wrong


async def _too_many_watched(caller: Caller, trigger: Trigger) -> list[FieldError]:
    if trigger.segment_id is None:
        return []
    others = await db.fetchval(WATCHED, caller.organization_id, caller.env, trigger.segment_id)
    if others < MAX_WATCHED:
        return []
    said = f"Journeys watch {MAX_WATCHED} segments already; archive one of them first"
    return [FieldError("pointer", "/gatilho/segmentId", "LIMITE_DE_SEGMENTOS", said)]


TEMPLATES = """
SELECT id, status FROM templates WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)
"""

NUMBERS = """
SELECT id, status = ANY ($4) AND partner_removed_at IS NULL AS sends FROM numbers
WHERE organization_id = $1 AND env = $2 AND id = ANY ($3)
"""

WATCHED = """
SELECT count(DISTINCT ref) FROM journey_watches
WHERE organization_id = $1 AND env = $2 AND kind = 'segment' AND ref <> $3
"""
