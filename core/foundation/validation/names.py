"""The text type of names: what a record is called, in lists, in headers, on terminals."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from annotated_types import GroupedMetadata
from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

_NOT_IN_A_LINE = re.compile(r"[\x01-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters, and what ends a line or a paragraph. NUL is refused in every text, and by its
own name.
"""


def one_line(text: str) -> str:
    """The text, unless a character of it would end its line or command whatever shows it."""
    if _NOT_IN_A_LINE.search(text):
        raise PydanticCustomError("line_break", "Write it in one line, without control characters")
    return text


_INVISIBLE = re.compile(
    r"[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]*"
)


def _visible_line(text: str) -> str:
    """The text in one line, unless nobody could see it, nor choose what is called so."""
    if _INVISIBLE.fullmatch(text):
        raise PydanticCustomError("too_short", "Write at least one character that can be seen")
    return one_line(text)


@dataclass(frozen=True)
class NameText(GroupedMetadata):
    """`Annotated[str, NameText(120)]`: one line of 1 to 120 characters, trimmed, something of it visible."""

    longest: int

    def __iter__(self) -> Iterator[object]:
        """The constraints that it stands for."""
        yield StringConstraints(strip_whitespace=True, min_length=1, max_length=self.longest)
        yield AfterValidator(_visible_line)
