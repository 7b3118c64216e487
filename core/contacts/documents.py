"""Documents of contacts: read, encrypted for one contact each, shown masked."""

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError
from stdnum.br import cpf as stdnum_cpf

from core.foundation.clock import now
from core.foundation.database.db import Row
from core.foundation.security.keyring import keyring
from core.foundation.security.masks import looks_masked, mask_birth_date, mask_cnpj, mask_cpf
from core.foundation.security.secrets import CannotDecrypt

_CPF = re.compile(r"\d{11}", re.ASCII)
_CNPJ = re.compile(r"[0-9A-Z]{12}[0-9]{2}")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_PUNCTUATION = str.maketrans("", "", ".-/ ")


def _refuse_mask(text: str) -> None:
    if looks_masked(text):
        raise PydanticCustomError(
            "VALOR_MASCARADO", "This is a masked value; send the whole document"
        )


def _cpf(text: str) -> str:
    _refuse_mask(text)
    digits = text.translate(_PUNCTUATION)
    # The check digits of eleven equal ones are right, and nobody has such a number.
    if not _CPF.fullmatch(digits) or len(set(digits)) == 1 or not stdnum_cpf.is_valid(digits):
        raise PydanticCustomError("invalid_cpf", "This is not a valid CPF; check its eleven digits")
    return digits


def _cnpj(text: str) -> str:
    _refuse_mask(text)
    bare = text.translate(_PUNCTUATION).upper()
    if not _CNPJ.fullmatch(bare):
        raise PydanticCustomError(
            "invalid_cnpj",
            "A CNPJ has twelve letters or digits and two check digits, with or without punctuation",
        )
    return bare


def _birth_date(text: str) -> str:
    _refuse_mask(text)
    try:
        born = date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        born = None
    if born is None:
        raise PydanticCustomError("wrong_format", "Send the date as YYYY-MM-DD")
    if born > now().date():
        raise PydanticCustomError("in_the_future", "A birth date lies in the past")
    return text


Cpf = Annotated[str, StringConstraints(max_length=40), AfterValidator(_cpf)]
Cnpj = Annotated[str, StringConstraints(max_length=40), AfterValidator(_cnpj)]
"""Without punctuation and in upper case; its check digits are not verified."""
BirthDate = Annotated[str, StringConstraints(max_length=40), AfterValidator(_birth_date)]
"""A date as YYYY-MM-DD."""

DOCUMENT_COLUMNS = {"cpf": "cpf_cipher", "cnpj": "cnpj_cipher", "birth_date": "birth_date_cipher"}
"""Where the cipher of each document of the inputs is."""

# The column, the document's name on the wire, its mask.
_SHOWN: tuple[tuple[str, str, Callable[[str], str]], ...] = (
    ("cpf_cipher", "cpf", mask_cpf),
    ("cnpj_cipher", "cnpj", mask_cnpj),
    ("birth_date_cipher", "nascimento", mask_birth_date),
)


def seal_document(contact_id: str, column: str, plain: str | None) -> str | None:
    """Encrypt a document for one column of one contact; None stays None."""
    return None if plain is None else keyring().encrypt(plain, context=_place(contact_id, column))


def open_document(contact_id: str, column: str, cipher: str) -> str:
    """The document again. Raises CannotDecrypt."""
    return keyring().decrypt(cipher, context=_place(contact_id, column))


def renewed_document(contact_id: str, column: str, cipher: str | None) -> str | None:
    """The cipher under the newest key; None stays None. Raises CannotDecrypt."""
    return None if cipher is None else keyring().renew(cipher, context=_place(contact_id, column))


def is_sealed_as(contact_id: str, column: str, cipher: str | None, plain: str | None) -> bool:
    """Whether the cipher holds this document already."""
    if cipher is None or plain is None:
        return cipher is plain
    try:
        return open_document(contact_id, column, cipher) == plain
    except CannotDecrypt:
        return False


def revealed_documents(row: Row) -> dict[str, str]:
    """The documents that a contact has, in clear."""
    return {
        name: open_document(row["id"], column, row[column])
        for column, name, _ in _SHOWN
        if row[column] is not None
    }


def masked_documents(row: Row) -> dict[str, str]:
    """The documents that a contact has, masked; one whose key is gone is all mask."""
    shown = {}
    for column, name, mask in _SHOWN:
        if row[column] is not None:
            try:
                shown[name] = mask(open_document(row["id"], column, row[column]))
            except CannotDecrypt:
                shown[name] = mask("")
    return shown


def _place(contact_id: str, column: str) -> str:
    return f"contacts.{column}:{contact_id}"
