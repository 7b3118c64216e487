"""The known name that a misspelt one was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

MAX_WORD_LENGTH = 64
"""Characters beyond which nothing is compared: the comparison takes time by the product of both
lengths.
"""


def nearest(text: str, known: Iterable[str]) -> str | None:
    """The one of `known` that is most like `text`, case, `_` and `-` aside; None where nothing is."""
    if len(text) > MAX_WORD_LENGTH:
        return None
    spelt = {_plain(name): name for name in known}
    found = get_close_matches(_plain(text), spelt, n=1, cutoff=0.7)
    return spelt[found[0]] if found else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
