"""Which language a client asks for, by its header `Accept-Language` (RFC 9110, 12.5.4)."""

import re
from contextvars import ContextVar
from typing import Final, Literal

Language = Literal["en", "pt-BR"]

ENGLISH: Final = "en"
PORTUGUESE: Final = "pt-BR"

MAX_HEADER_LENGTH = 500
"""Characters that are looked at. Browsers send less than a hundred."""
NOTED: ContextVar[str | None] = ContextVar("accept_language", default=None)
WEIGHT = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.ASCII)


def language_asked(header: str | None) -> Language:
    """The language of an answer to a program: English, unless Portuguese is wanted more."""
    if not header:
        return ENGLISH
    weights = _weights(header)
    anything = weights.get("*", 0.0)
    return PORTUGUESE if weights.get("pt", anything) > weights.get("en", anything) else ENGLISH


def note_header(header: str | None) -> None:
    """Remember, for what is under way here, what its client asks for: read only if there is
    something to say.
    """
    NOTED.set(header)


def language_noted() -> Language:
    """The language that the client of what is under way asks for."""
    return language_asked(NOTED.get())


def language_of_page(header: str | None) -> Language:
    """The language of a page that consumers see: Portuguese, unless English is asked for and
    Portuguese is not.
    """
    weights = _weights(header or "")
    return ENGLISH if weights.get("en", 0.0) > 0 and weights.get("pt", 0.0) == 0 else PORTUGUESE


def _weights(header: str) -> dict[str, float]:
    """How much each language is wanted: the most of its regions. What is not of the form is left
    out.
    """
    weights: dict[str, float] = {}
    for offer in header[:MAX_HEADER_LENGTH].lower().replace(" ", "").split(","):
        tag, _, parameter = offer.partition(";")
        weight = WEIGHT.fullmatch(parameter) if parameter else None
        if parameter and weight is None:
            continue
        language = tag.partition("-")[0]
        weights[language] = max(weights.get(language, 0.0), float(weight[1]) if weight else 1.0)
    return weights
