"""Free-text search over name, profile name, e-mail and phone, without case and accents.

Parts of three characters and more are found by an index over the trigrams of `search_text`; shorter
ones are looked for in every contact.
"""

import re
from unicodedata import normalize

_DIALLED = re.compile(r"[0-9()+\-./\s]*")
_MOBILE = re.compile(r"(?P<area>(55)?[1-9][0-9])(?P<nine>9?)(?P<rest>[6-9][0-9]{7})")

MIN_INDEXED_LENGTH = 3
MAX_TEXT_LENGTH = 1_000
"""Characters. No contact holds as many in what is searched, and the time of a search grows with
their square.
"""


def search_condition(q: str, first: int) -> tuple[str, list[str]]:
    """The condition for contacts of the owner ($1, $2) that hold the text, and its parameters from
    `$first` on.

    What looks like a phone is also looked for by its digits, with and without the ninth of
    Brazilian mobiles.
    """
    q = normalize(
        "NFC", q
    )  # as the database folds it: letters with marks of their own would count as longer
    if len(q) > MAX_TEXT_LENGTH:
        return "false", []
    values = [q, *_dialled(q)]
    if len(values) == 2 and values[1] in q:
        # Whoever holds the text holds its digits, and the index is asked for these alone.
        text, digits = f"${first}", f"${first + 1}"
        either = f"(strpos(search_text, svc_fold({text})) > 0 OR strpos(phone, {digits}) > 0)"
        return (
            f"({either} AND svc_trigrams(search_text) @> svc_trigrams({digits}))",
            values,
        )
    arms = [_arm("search_text", f"svc_fold(${first})", len(q))]
    arms += [
        _arm("phone", f"${first + place}", len(digits))
        for place, digits in enumerate(values)
        if place
    ]
    if len(arms) == 1 or len(q) < MIN_INDEXED_LENGTH:
        return f"({' OR '.join(arms)})", values
    # Each by the index: what an OR finds by it is taken to pieces again, text by text.
    found = " UNION ".join(
        f"SELECT id FROM contacts WHERE organization_id = $1 AND env = $2 AND {arm}" for arm in arms
    )
    return f"id IN ({found})", values


def _arm(column: str, part: str, length: int) -> str:
    found = f"strpos({column}, {part}) > 0"
    if length < MIN_INDEXED_LENGTH:
        return found
    return f"({found} AND svc_trigrams(search_text) @> svc_trigrams({part}))"


def _dialled(q: str) -> list[str]:
    """The digits that a phone with this text may hold."""
    digits = re.sub(r"[^0-9]", "", q) if _DIALLED.fullmatch(q) else ""
    if len(digits) < MIN_INDEXED_LENGTH:
        return []
    digits = digits.removeprefix("0")  # the prefix of long distance
    mobile = _MOBILE.fullmatch(digits)
    if mobile is None:
        return [digits]
    return [f"{mobile['area']}{mobile['rest']}", f"{mobile['area']}9{mobile['rest']}"]
