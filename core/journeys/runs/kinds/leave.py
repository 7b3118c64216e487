"""The step that ends a run."""

from core.journeys.runs.batch import RunBatch, StepOutcome, end

EXIT = "saida"
"""The reason of those whose exit names none."""


async def run(batch: RunBatch) -> list[StepOutcome]:
    """The end, for the reason that somebody wrote."""
    return [end(batch.step.config.get("motivo") or EXIT)] * len(batch.runs)
