"""Filter conditions of template lists, for REST and GraphQL."""

from core.foundation.database.where import Where


def narrow_templates(
    where: Where,
    *,
    status: str | None = None,
    category: str | None = None,
    language: str | None = None,
    number_id: str | None = None,
) -> None:
    """Add the conditions of what is asked."""
    where.narrow_given(
        ("status = {}", status),
        ("category = {}", category),
        ("language = {}", language),
        ("number_id = {}", number_id),
    )
