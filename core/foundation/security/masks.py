"""Masks of personal data for callers without the scope. They never raise: stored values vary."""

from collections.abc import Mapping

from core.foundation.validation.phones import MaskedValue, mask_phone

__all__ = [
    "MaskedValue",
    "looks_masked",
    "mask_address",
    "mask_birth_date",
    "mask_cnpj",
    "mask_cpf",
    "mask_email",
    "mask_payload",
    "mask_phone",
]


def looks_masked(text: str) -> bool:
    """Whether a phone, e-mail or document is a masked value that someone wrote back (422
    VALOR_MASCARADO).
    """
    return "*" in text


def mask_email(email: str) -> str:
    """First letter and domain: `m***@dominio.com`; the number of stars says nothing about the
    length.
    """
    local, at, domain = email.rpartition("@")
    return f"{local[:1] if len(local) > 1 else ''}***{at}{domain if at else ''}"


def mask_address(address: str) -> str:
    """An e-mail or a phone, whichever a message was addressed to."""
    return mask_email(address) if "@" in address else mask_phone(address)


def mask_payload(payload: Mapping[str, object]) -> dict[str, object]:
    """What was said, without the platform's id of the message that it is about: such ids hold the
    phone in base64.
    """
    return {name: value for name, value in payload.items() if name not in UPSTREAM_IDS}


UPSTREAM_IDS = frozenset({"messageId", "context"})


def mask_cpf(cpf: str) -> str:
    """The middle block: `***.456.***-**`. Takes 11 digits, with or without punctuation."""
    digits = _bare(cpf)
    return f"***.{digits[3:6] if len(digits) == 11 else '***'}.***-**"


def mask_cnpj(cnpj: str) -> str:
    """The second block: `**.345.***/****-**`. Takes 14 letters or digits, with or without
    punctuation.
    """
    signs = _bare(cnpj)
    return f"**.{signs[2:5] if len(signs) == 14 else '***'}.***/****-**"


def mask_birth_date(date: str) -> str:
    """The year of a `YYYY-MM-DD` date: `1990-**-**`. Day and month are what tells two people apart."""
    return f"{date[:4] if len(date) == 10 and date[:4].isdigit() else '****'}-**-**"


def _bare(document: str) -> str:
    return "".join(filter(str.isalnum, document))
