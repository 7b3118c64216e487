"""Filter conditions of number lists, for REST and GraphQL."""

from core.foundation.database.where import Where


def narrow_numbers(
    where: Where, *, status: str | None = None, quality_rating: str | None = None
) -> None:
    """Add the conditions that are asked for. A value that does not exist matches nothing."""
    where.narrow_given(("status = {}", status), ("quality_rating = {}", quality_rating))
