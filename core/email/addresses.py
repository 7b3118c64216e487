"""E-mail addresses as headers and envelopes take them: ASCII, without header injection."""

import re
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.security.masks import looks_masked
from core.short_links.destination import ascii_host

MAX_ADDRESS_LENGTH = 254
MAX_SENDER_LENGTH = 320

_ATEXT = r"[A-Za-z0-9!#$%&'+/=?^_`{|}~*-]+"
# What begins like an encoded word (RFC 2047) would be read as one in a header, here and in names.
_LOCAL = re.compile(rf"(?=.{{1,64}}\Z)(?!.*=\?){_ATEXT}(?:\.{_ATEXT})*")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+(?!\d+\Z){_LABEL}")
_WITH_NAME = re.compile(r'(?!.*=\?)"?([^"<>\x00-\x1f\x7f]{1,100}?)"?\s*<([^<>\s]+)>')


class Sender(NamedTuple):
    """An address, and the name shown before it."""

    name: str
    address: str

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.name else self.address

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]


def plain_address(text: str) -> str:
    """An address with its domain in the e-mails of the DNS. The local part is its owner's and stays
    as it is.
    """
    if looks_masked(text):
        raise PydanticCustomError(
            "VALOR_MASCARADO", "This is a masked value; send the whole address"
        )
    local, _, host = text.strip().rpartition("@")
    domain = (ascii_host(host) or "").lower()
    address = f"{local}@{domain}"
    if (
        not (_LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain))
        or len(address) > MAX_ADDRESS_LENGTH
    ):
        raise PydanticCustomError(
            "wrong_format", "Write an e-mail address, such as ana@example.com"
        )
    return address


def read_sender(text: str) -> Sender:
    """`ana@example.com` or `Ana <ana@example.com>`."""
    found = _WITH_NAME.fullmatch(text.strip())
    return (
        Sender(found[1].strip(), plain_address(found[2]))
        if found
        else Sender("", plain_address(text))
    )


def _written(text: str) -> str:
    written = str(read_sender(text))
    if len(written) > MAX_SENDER_LENGTH:
        raise PydanticCustomError(
            "too_long", f"A name and address have at most {MAX_SENDER_LENGTH} characters"
        )
    return written


Address = Annotated[
    str, StringConstraints(max_length=MAX_ADDRESS_LENGTH), AfterValidator(plain_address)
]
"""One address."""
NamedAddress = Annotated[
    str, StringConstraints(max_length=MAX_SENDER_LENGTH), AfterValidator(_written)
]
"""One address, with or without a name."""
