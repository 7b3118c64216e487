"""Languages of sentences for people: English in the code, Portuguese from the catalogue `pt_br`."""

from core.foundation.language.asked import (
    ENGLISH,
    PORTUGUESE,
    Language,
    language_asked,
    language_noted,
    language_of_page,
    note_header,
)
from core.foundation.language.translate import has_translation, in_language_noted, translated

__all__ = [
    "ENGLISH",
    "PORTUGUESE",
    "Language",
    "has_translation",
    "in_language_noted",
    "language_asked",
    "language_noted",
    "language_of_page",
    "note_header",
    "translated",
]
