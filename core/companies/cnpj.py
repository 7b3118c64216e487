"""Validation of CNPJs: numeric or with letters, with or without punctuation, by check digits."""

from typing import Annotated

from pydantic import AfterValidator, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from stdnum.br import cnpj as stdnum_cnpj

from core.contacts.documents import Cnpj


def _checked(bare: str) -> str:
    if not stdnum_cnpj.is_valid(bare):
        raise PydanticCustomError(
            "invalid_cnpj", "This is not a valid CNPJ; its check digits do not fit"
        )
    return bare


CheckedCnpj = Annotated[Cnpj, AfterValidator(_checked)]
"""Without punctuation and in upper case."""

_cnpj = TypeAdapter[str](CheckedCnpj)


def cnpj_in(text: str) -> str | None:
    """The CNPJ that a text is; None for a text that is something else, a CNPJ with wrong digits
    included.
    """
    try:
        return _cnpj.validate_python(text)
    except ValidationError:
        return None
