"""The step that sends a message."""

from core.journeys.runs.batch import Batch, Outcome, skip


async def run(batch: Batch) -> list[Outcome]:
    """Messages of journeys are not sent yet: everybody goes on without."""
    return [skip("sem_canal")] * len(batch.runs)
