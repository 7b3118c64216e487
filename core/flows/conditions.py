"""Filter conditions of flow lists, for REST and GraphQL."""

from core.foundation.database.where import Where


def narrow_flows(
    where: Where,
    *,
    status: str | None = None,
    meta_status: str | None = None,
    category: str | None = None,
    number_id: str | None = None,
) -> None:
    """Add the conditions of what is asked."""
    where.narrow_given(
        ("status = {}", status),
        ("meta_status = {}", meta_status),
        ("{} = ANY (meta_categories)", category),
        ("number_id = {}", number_id),
    )
