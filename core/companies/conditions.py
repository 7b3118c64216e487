"""Which companies a list shows: the conditions of its filter, for every entry point."""

from unicodedata import normalize

from core.companies.cnpj import cnpj_in
from core.companies.inputs import MAX_NAME_LENGTH
from core.foundation.database.where import Where
from core.foundation.validation.spelling import any_spelling

MIN_INDEXED_LENGTH = 3
"""Characters of a name's part that its index knows; shorter ones are looked for in every name."""


def narrow_companies(where: Where, *, q: str | None = None, owner_id: str | None = None) -> None:
    """Add the conditions that are asked for. `q`: a CNPJ, or a part of the name in any spelling."""
    where.narrow_given(("owner_id = {}", owner_id))
    q = normalize("NFC", (q or "").strip())
    if cnpj := cnpj_in(q):
        where.narrow("cnpj = {}", cnpj)
    elif len(q) > MAX_NAME_LENGTH:
        where.conditions.append("false")
    elif q:
        if len(q) >= MIN_INDEXED_LENGTH:
            part = "svc_trigrams(svc_fold({}))"
            where.narrow(f"svc_trigrams(svc_fold(name)) @> {part}", q)
        where.narrow("name ~ {}", any_spelling(q))
