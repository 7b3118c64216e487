"""Documents of contacts: read, encrypted for one contact each, shown masked."""

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Literal, NotRequired, TypedDict

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError
from stdnum.br import cpf as stdnum_cpf

from core.foundation.clock import now
from core.foundation.database.db import Row
from core.foundation.records import Doc, named
from core.foundation.security.keyring import keyring
from core.foundation.security.masks import looks_masked, mask_birth_date, mask_cnpj, mask_cpf
from core.foundation.security.secrets import CannotDecrypt

_CPF = re.compile(r"\d{11}", re.ASCII)
_CNPJ = re.compile(r"[0-9A-Za-z]{12}[0-9]{2}")
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
    bare = text.translate(_PUNCTUATION)
    if not _CNPJ.fullmatch(
        bare
    ):  # as it was sent: letters of other alphabets may have capitals of ours
        raise PydanticCustomError(
            "invalid_cnpj",
            "A CNPJ has twelve letters or digits and two check digits, with or without punctuation",
        )
    return bare.upper()


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


Cpf = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(_cpf),
    Field(description="The CPF, with or without punctuation"),
]
Cnpj = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(_cnpj),
    Field(description="The CNPJ, with or without punctuation"),
]
"""Without punctuation and in upper case; its check digits are not verified."""
BirthDate = Annotated[
    str,
    StringConstraints(max_length=40),
    AfterValidator(_birth_date),
    Field(description="The date of birth, year first"),
]
"""A date as YYYY-MM-DD."""

DOCUMENT_COLUMNS = {"cpf": "cpf_cipher", "cnpj": "cnpj_cipher", "birth_date": "birth_date_cipher"}
"""Where the cipher of each document of the inputs is."""


@named(rest="Documents", graphql="Documentos")
class DocumentsRecord(TypedDict):
    """The documents that a contact has."""

    cpf: NotRequired[Annotated[str, Doc("The CPF: masked, or its eleven digits")]]
    cnpj: NotRequired[Annotated[str, Doc("The CNPJ: masked, or its fourteen characters")]]
    nascimento: NotRequired[Annotated[str, Doc("The date of birth: its year, or the whole of it")]]


class RevealedDocuments(DocumentsRecord):
    """The documents that a contact has, in clear."""


DocumentName = Literal["cpf", "cnpj", "nascimento"]

# The column, the document's name on the wire, its mask.
_SHOWN: tuple[tuple[str, DocumentName, Callable[[str], str]], ...] = (
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


def revealed_documents(row: Row) -> DocumentsRecord:
    """The documents that a contact has, in clear."""
    shown: DocumentsRecord = {}
    for column, name, _ in _SHOWN:
        if row[column] is not None:
            shown[name] = open_document(row["id"], column, row[column])
    return shown


def masked_documents(contact_id: str, *ciphers: str | None) -> DocumentsRecord | None:
    """The documents that a contact has, masked; one whose key is gone is all mask. None without
    any.

    The ciphers are those of CPF, CNPJ and birth date.
    """
    shown: DocumentsRecord = {}
    for (column, name, mask), cipher in zip(_SHOWN, ciphers, strict=True):
        if cipher is not None:
            try:
                shown[name] = mask(open_document(contact_id, column, cipher))
            except CannotDecrypt:
                shown[name] = mask("")
    return shown or None


def _place(contact_id: str, column: str) -> str:
    return f"contacts.{column}:{contact_id}"
