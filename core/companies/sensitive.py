"""Which attributes look like they hold documents, passwords, cards or tokens."""

import itertools
import re
import unicodedata

# Anywhere in a word, as in «numerocartao».
PARTS = (
    "cpf", "cnpj", "passaporte", "passport", "document", "identidade",
    "senha", "password", "passwd", "passphrase",
    "cartao", "cartoes", "creditcard", "cardnumber",
    "token", "segredo", "apikey", "credencia", "credential",
)  # fmt: skip
# As a whole word: inside others these mean nothing.
WORDS = frozenset({
    "rg", "cnh", "pis", "nis", "nit", "ssn", "doc", "docs", "ctps",
    "pwd", "pass", "pin",
    "card", "cards", "cvv", "cvc", "cvv2", "pan",
    "jwt", "bearer", "otp", "oauth", "secret", "secrets",
})  # fmt: skip
# Two words that go together.
PAIRS = frozenset(
    {("api", "key"), ("chave", "api"), ("access", "key"), ("private", "key"), ("titulo", "eleitor")}
)

_FILLERS = frozenset({"de", "da", "do", "of", "the"})
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def looks_sensitive(key: str, label: str | None) -> bool:
    """Whether key or label name a document, password, card or token, in Portuguese or English."""
    return any(_names_a_secret(text) for text in (key, label or ""))


def _names_a_secret(text: str) -> bool:
    words = _words(text)
    return (
        any(part in word for part in PARTS for word in words)
        or not WORDS.isdisjoint(words)
        or not PAIRS.isdisjoint(itertools.pairwise(words))
    )


def _words(text: str) -> list[str]:
    """The words of `numeroDoCartao`, `numero_cartao` or «Número do cartão», without fillers, case
    and accents.
    """
    plain = "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)
    )
    found = re.split(r"[^0-9a-z]+", _HUMP.sub(" ", plain).lower())
    return [word for word in found if word and word not in _FILLERS]
