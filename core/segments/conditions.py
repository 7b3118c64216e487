"""Which segments are shown: the conditions of a filter, for every entry point."""

from core.foundation.database.where import Where


def narrow_segments(where: Where, *, q: str | None = None) -> None:
    """Add the conditions that are asked for. `q`: a part of the name, in any case, with or without
    accents.
    """
    where.narrow_given(("strpos(svc_fold(name), svc_fold({})) > 0", q))
