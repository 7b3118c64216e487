"""Free-text search over name, profile name, e-mail and phone: any part of them, without case and accents.

Parts of three characters and more are found by an index over the trigrams of `search_text`; shorter ones are looked for
in every contact.
"""

import re
from unicodedata import normalize

_DIALLED = re.compile(r"[0-9()+\-./\s]*")
_MOBILE = re.compile(r"(?P<area>(55)?[1-9][0-9])(?P<nine>9?)(?P<rest>[6-9][0-9]{7})")

SHORTEST_INDEXED = 3


def search_condition(q: str, first: int) -> tuple[str, list[str]]:
    """The condition for contacts that hold the text, and its parameters, of which the first is `$first`.

    What looks like a phone is also looked for by its digits, with and without the ninth of Brazilian mobiles.
    """
    q = normalize("NFC", q)  # as the database folds it: letters with marks of their own would count as longer
    values = [q, *_dialled(q)]
    arms = [_arm("search_text", f"svc_fold(${first})", len(q))]
    arms += [_arm("phone", f"${first + place}", len(digits)) for place, digits in enumerate(values) if place]
    return f"({' OR '.join(arms)})", values


def _arm(column: str, part: str, length: int) -> str:
    found = f"strpos({column}, {part}) > 0"
    if length < SHORTEST_INDEXED:
        return found
    return f"(public.svc_trigrams(search_text) @> public.svc_trigrams({part}) AND {found})"


def _dialled(q: str) -> list[str]:
    """The digits that a phone with this text may hold."""
    digits = re.sub(r"[^0-9]", "", q) if _DIALLED.fullmatch(q) else ""
    if len(digits) < SHORTEST_INDEXED:
        return []
    digits = digits.removeprefix("0")  # the prefix of long distance
    mobile = _MOBILE.fullmatch(digits)
    if mobile is None:
        return [digits]
    return [f"{mobile['area']}{mobile['rest']}", f"{mobile['area']}9{mobile['rest']}"]
