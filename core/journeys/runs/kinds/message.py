"""The step that sends a message: once for each run, over the channels that it names, and then waits
until one was taken.

A message is written in the transaction that moves its run, with the effect of the run that names it:
whatever is killed, there is all of it or nothing, and a second message of a run, step and try is refused
by the key of effects.
"""

from core.journeys.runs.batch import Result, RunBatch, StepOutcome, skip
from core.journeys.runs.sending.caps import give_back_unsent
from core.journeys.runs.sending.contents import Plan
from core.journeys.runs.sending.effects import find_sent
from core.journeys.runs.sending.follow import Turn, follow
from core.journeys.runs.sending.send import send

HELD_OUT = "controle"


async def run(batch: RunBatch) -> list[StepOutcome]:
    """Send to who has just come, and look what became of the messages of those who were here."""
    plan = Plan.read(batch.step.config)
    sent = await find_sent(batch.runs)
    outcomes: dict[int, StepOutcome] = {}
    turns: dict[int, Turn] = {}
    for number, one in enumerate(batch.runs):
        next_ = skip(HELD_OUT) if one.control else follow(one, sent.get(one.id), plan, at=batch.at)
        if isinstance(next_, Turn):
            turns[number] = next_
        else:
            outcomes[number] = next_
    outcomes |= await send(batch, plan, turns)
    await give_back_unsent(
        [
            last.ref
            for number, one in enumerate(batch.runs)
            if (last := sent.get(one.id)) is not None
            and last.never_left
            and outcomes[number].result is not Result.WAITS
        ]
    )
    return [outcomes[number] for number in range(len(batch.runs))]
