"""Which lists are shown: the conditions of a filter, for every entry point."""

from core import contacts
from core.foundation.database.where import Where

LIKE = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})
"""Characters that LIKE would read as wildcards."""


def narrow_lists(where: Where, *, q: str | None = None) -> None:
    """Add the conditions that are asked for. `q`: a part of the name, in any case, with or without
    accents.
    """
    if q is not None:
        where.narrow("svc_fold(name) LIKE '%' || svc_fold({}) || '%'", q.translate(LIKE))


contacts.listed_where("id IN (SELECT contact_id FROM contact_list_members WHERE list_id = {})")
