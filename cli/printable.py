"""Escaping of foreign text for terminals: control and bidirectional characters are shown."""

import json
import re

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
"""Control characters, line separators, and what is invisible or changes the direction of the text
behind it.

The joiners that emoji and many scripts are made of are not among them.
"""


def printable(text: str) -> str:
    """The text in one line, each unsafe character as JSON escapes it: a valid JSON text stays
    valid.
    """
    return UNSAFE.sub(_escaped, text)


def printable_lines(text: str) -> str:
    """The same of a text whose line breaks are ours."""
    return "\n".join(map(printable, text.split("\n")))


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
