"""The steps that create a card for a contact, and that move the one it has on a pipeline."""

from collections.abc import Sequence

from core import cards
from core.cards import NewDeal
from core.foundation.database import db
from core.foundation.errors import ServiceError
from core.journeys.runs.batch import RunAtStep, RunBatch, StepOutcome, fail, go_on, skip
from core.journeys.runs.effects import note_effects

CARD = "card"
"""The kind of effect."""
GONE = "contato_inexistente"
NO_CARD = "sem_card"


async def create(batch: RunBatch) -> list[StepOutcome]:
    """A card for each, called after the contact."""
    program, config = batch.program, batch.step.config
    ids = [run.contact_id for run in batch.runs]
    rows = await db.fetch(NAMES, program.organization_id, program.env, ids)
    names = {row["id"]: row["name"] or UNNAMED for row in rows}
    there = [run for run in batch.runs if run.contact_id in names]
    deals = [NewDeal(run.contact_id, names[run.contact_id][:MAX_TITLE]) for run in there]
    try:
        made = await cards.create_cards(
            batch.caller, config["pipelineId"], config.get("etapaId"), deals
        )
    except ServiceError as refusal:
        return [fail(_code(refusal))] * len(batch.runs)
    outcomes = dict(zip((run.id for run in there), made, strict=True))
    return await _outcomes(batch, [outcomes.get(run.id) for run in batch.runs], fail(GONE))


async def move(batch: RunBatch) -> list[StepOutcome]:
    """The newest open card of each; who has none goes on without."""
    config = batch.step.config
    contacts = list(dict.fromkeys(run.contact_id for run in batch.runs))
    try:
        moved = await cards.move_cards_of(
            batch.caller, config["pipelineId"], config.get("etapaId"), contacts
        )
    except ServiceError as refusal:
        return [fail(_code(refusal))] * len(batch.runs)
    return await _outcomes(batch, [moved.get(run.contact_id) for run in batch.runs], skip(NO_CARD))


async def _outcomes(
    batch: RunBatch, done: Sequence[str | ServiceError | None], without: StepOutcome
) -> list[StepOutcome]:
    """On for whose card is there, which is noted as the step's effect; `without`: for whom there is
    none.
    """
    effects: list[tuple[RunAtStep, str]] = []
    outcomes = []
    for run, card in zip(batch.runs, done, strict=True):
        if card is None:
            outcomes.append(without)
        elif isinstance(card, ServiceError):
            outcomes.append(fail(_code(card)))
        else:
            effects.append((run, card))
            outcomes.append(go_on(facts={"card": card}))
    await note_effects(batch, CARD, effects)
    return outcomes


def _code(refusal: ServiceError) -> str:
    return str(refusal.meta.get("code", refusal.code))


MAX_TITLE = 160
UNNAMED = "Contato"
NAMES = "SELECT id, name FROM contacts WHERE organization_id = $1 AND env = $2 AND id = ANY ($3::text[])"
