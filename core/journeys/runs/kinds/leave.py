"""The step that ends a run."""

from core.journeys.runs.batch import Batch, Outcome, end

EXIT = "saida"
"""The reason of those whose exit names none."""


async def run(batch: Batch) -> list[Outcome]:
    """The end, for the reason that somebody wrote."""
    return [end(batch.step.config.get("motivo") or EXIT)] * len(batch.runs)
