"""What steps made: a message, a card, a delivery, once for each run and step."""

from collections.abc import Sequence

from core.foundation.database import db
from core.journeys.runs.batch import RunAtStep, RunBatch


async def note_effects(batch: RunBatch, kind: str, made: Sequence[tuple[RunAtStep, str]]) -> None:
    """Note what the batch's step made, in the transaction that makes it: the id of one record for
    each run.

    A second one of the same run and step is refused by the key, and the whole batch with it.
    """
    if made:
        program = batch.program
        rows = [(run.id, run.seq, ref) for run, ref in made]
        await db.execute(NOTE, program.organization_id, program.env, kind, *db.columns(rows, 3))


NOTE = """
INSERT INTO journey_effects (organization_id, env, kind, run_id, seq, ref)
SELECT $1, $2, $3, e.* FROM unnest($4::uuid[], $5::int[], $6::text[]) AS e
"""
