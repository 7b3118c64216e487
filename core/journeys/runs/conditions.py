"""Filter conditions of lists of runs, for REST and GraphQL."""

from core.foundation.database.where import Where
from core.journeys.runs.models import STATUS_OF, RunState, RunStatus

STATE_OF = {status: state for state, status in STATUS_OF.items()}


def narrow_runs(
    where: Where,
    *,
    version_id: str | None = None,
    status: str | None = None,
    step: int | None = None,
    contact_id: str | None = None,
) -> None:
    """Those of a version, that stand so, on a step, of a contact, as far as they are told.

    States are written out: the indexes of those that are on their way, and of those that ended, are
    told apart by them.
    """
    where.narrow_given(("r.version_id = {}", version_id))
    if status is not None:
        where.narrow(f"r.state = {STATE_OF[RunStatus(status)].value}")
    where.narrow_given(
        (f"r.state = {RunState.ACTIVE.value} AND r.step = {{}}", step),
        ("r.contact_id = {}", contact_id),
    )


def are_in_line(*, status: str | None, step: int | None, contact_id: str | None) -> bool:
    """Whether the list is in the order in which they go on, step by step: that is the order of the
    index of those who are on their way. Other lists have the newest first.
    """
    return contact_id is None and (step is not None or status == RunStatus.ACTIVE)
