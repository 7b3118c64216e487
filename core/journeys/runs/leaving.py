"""Whoever matches what a journey is to be left by (`sairQuando`) leaves before a message is sent."""

from core.foundation.database import db
from core.foundation.database.rows import column
from core.journeys.runs.batch import RunBatch, StepKind, StepOutcome, end
from core.journeys.runs.kinds.condition import those_who_match

EXIT = "sair_quando"
"""The reason of a run that ended so."""


def leaving_first(step: StepKind) -> StepKind:
    """The step, which is asked for those alone who stay. Whose message is written already is not
    asked any more.
    """

    async def run(batch: RunBatch) -> list[StepOutcome]:
        leaving = await _leaving(batch)
        if not leaving:
            return await step(batch)
        staying = [one for one in batch.runs if one.contact_id not in leaving]
        stay = RunBatch(batch.program, batch.step, staying, batch.at)
        outcomes = iter(await step(stay) if staying else [])
        return [end(EXIT) if one.contact_id in leaving else next(outcomes) for one in batch.runs]

    return run


async def _leaving(batch: RunBatch) -> set[str]:
    tree = batch.program.exit_when
    if tree is None:
        return set()
    places = [(one.id, one.seq) for one in batch.runs]
    rows = await db.fetch(SENT, *db.columns(places, 2))
    sent = set(column(rows, "run_id"))
    asked = [one.contact_id for one in batch.runs if one.id not in sent]
    return await those_who_match(batch, tree, asked) if asked else set()


SENT = """
SELECT e.run_id FROM journey_effects e
JOIN unnest($1::uuid[], $2::int[]) AS u (run_id, seq) ON e.run_id = u.run_id AND e.seq = u.seq
"""
