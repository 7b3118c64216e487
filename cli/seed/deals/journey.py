"""The way of a deal through its pipeline: one stay in a stage after the other, up to its end."""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from cli.seed.deals.pipelines import PastPipeline
from cli.seed.team import Member, Team
from core.pipelines.models import Outcome

REOPENED_SHARE = 0.03
"""Of those that were lost: how many came back to the stage they were lost in."""
HANDED_OVER_SHARE = 0.08
"""How often another than the owner moves a deal on."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A time in a stage, by its place in the pipeline. `reason`: why the deal was lost with it."""

    kind: str
    stage: int
    at: datetime
    by: Member
    reason: int | None = None


def draw_journey(
    plan: PastPipeline, begin: datetime, end: datetime, *, owner: Member, team: Team, random: Random
) -> list[Stay]:
    """The stays of a deal that was opened at `begin`, in their order; nothing of it lies behind
    `end`.
    """
    stays = [Stay("criado", 0, begin, owner)]
    outcomes = [stage.outcome for stage in plan.stages]
    won, lost = outcomes.index(Outcome.WON), outcomes.index(Outcome.LOST)
    at, stage = begin, 0
    while True:
        at += timedelta(days=-plan.stages[stage].days * math.log(1 - random.random()), minutes=1)
        by = team.pick(random) if random.random() < HANDED_OVER_SHARE else owner
        if at >= end:
            return stays
        if random.random() < plan.stages[stage].passing:
            stage += 1
            if stage == plan.open_stages:
                return [*stays, Stay("ganho", won, at, by)]
            stays.append(Stay("movido", stage, at, by))
            continue
        stays.append(Stay("perdido", lost, at, by, _reason(plan, random)))
        at += timedelta(days=5 + 20 * random.random())
        if at >= end or random.random() >= REOPENED_SHARE:
            return stays
        stays.append(Stay("reaberto", stage, at, by))


def _reason(plan: PastPipeline, random: Random) -> int:
    return random.choices(range(len(plan.reasons)), [reason.share for reason in plan.reasons])[0]
