"""Filter conditions of journey lists, for REST and GraphQL."""

from core.foundation.database.where import Where


def narrow_journeys(where: Where, *, status: str | None, alias: str) -> None:
    """Those of a status; without one those that are not archived."""
    if status is None:
        where.narrow(f"{alias}.status <> {{}}", "arquivada")
    else:
        where.narrow(f"{alias}.status = {{}}", status)
