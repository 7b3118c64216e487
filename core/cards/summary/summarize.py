"""Summing up a pipeline."""

from datetime import UTC, datetime, timedelta
from typing import cast

from core.cards.summary.figures import Group, Stays, forecast, reason_figures, stage_figures, totals
from core.cards.summary.record import PipelineSummary
from core.cards.summary.statements import CARDS, STAYS
from core.foundation.clock import as_shown, now, wire_time
from core.foundation.database import db
from core.foundation.database.rows import by_column
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.pipelines.board import read_board
from core.pipelines.inputs import SummaryFilter

USUAL_PERIOD = timedelta(days=90)


async def summarize_pipeline(caller: Caller, id: str, filter: SummaryFilter) -> PipelineSummary:
    """What became of the cards created in a period.

    Money is summed per currency and rounded to cents at the end, seconds to whole ones, shares to
    four decimals; what has nothing to be computed from is left out. Raises NotFound and
    ValidationFailed.
    """
    caller.require(Scope.CRM_READ)
    at = now()
    since, until = _period(filter, at=at)
    board = await read_board(caller, id)
    chosen = (caller.organization_id, caller.env, id, since, until, filter.owner_id)
    cards = cast("list[Group]", await db.fetch(CARDS, *chosen, at))
    stays = by_column(cast("list[Stays]", await db.fetch(STAYS, *chosen)), "stage_id")
    return {
        "pipelineId": id,
        "periodo": {"de": wire_time(since), "ate": wire_time(until)},
        "etapas": stage_figures(board.stages, cards, stays),
        "totais": totals(cards),
        "motivos": reason_figures(board.reasons, cards),
        "previsao": forecast(cards),
    }


def _period(filter: SummaryFilter, *, at: datetime) -> tuple[datetime, datetime]:
    until = filter.until or at
    since = filter.since or _earlier(until)
    if since > until:
        message = "The period ends before it begins"
        raise ValidationFailed(errors=[FieldError("parameter", "de", "too_large", message)])
    return since, as_shown(until)


def _earlier(until: datetime) -> datetime:
    """Ninety days before, or as early as there are days."""
    return max(until, datetime.min.replace(tzinfo=UTC) + USUAL_PERIOD) - USUAL_PERIOD
