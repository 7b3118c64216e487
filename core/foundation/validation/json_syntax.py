"""JSON syntax errors: line, column and the usual slip, never the text itself."""

import re

from pydantic_core import from_json

from core.foundation.errors import BadRequest

NOT_JSON = "The body is not valid JSON in UTF-8; correct it and send it again."
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff", b"{\x00", b"\x00{")
"""How UTF-16 begins."""

FOUND_AT = re.compile(r"(?P<found>.*) at line (?P<line>\d+) column (?P<column>\d+)", re.DOTALL)

BY_CHARACTER = {
    b"'": "texts and names stand in double quotes",
    b"`": "texts and names stand in double quotes",
    b"/": "JSON has no comments",
    b"#": "JSON has no comments",
}
"""By what stands at the place."""

CURVED = tuple("\u201c\u201d\u2018\u2019\u00ab\u00bb")
"""What programs for texts make of quotes."""

BY_FINDING = {
    "trailing comma": "no comma stands before a closing bracket",
    "trailing characters": "something stands behind the end",
    "EOF": "the text ends before it is complete",
    "key must be a string": "the name of a field stands in double quotes",
    "expected `:`": "a colon is missing between a name and its value",
    "expected `,`": "a comma or a closing bracket is missing",
    "control character": (
        "a line break or another control character stands in a text; write it as an escape"
    ),
    "invalid unicode": "this is not UTF-8",
    "escape": "a backslash stands before something that it cannot escape",
    "number": "JSON writes numbers like 10, -2.5 and 1e3",
    "recursion": "it is nested too deep",
    "": "a value is a text in double quotes, a number, true, false, null, an object or an array",
}
"""By how the parser calls it: the first that it says."""


class NotJson(BadRequest):
    """A body that cannot be read as JSON."""

    default_detail = NOT_JSON


def not_json(raw: bytes) -> NotJson:
    """The refusal of a text that a parser did not take."""
    if not raw.strip():
        return NotJson("The body is empty; send JSON.")
    if raw.startswith(b"\xef\xbb\xbf"):
        return NotJson("The body begins with a byte order mark (BOM); send UTF-8 without one.")
    if raw.startswith(OTHER_ENCODINGS):
        return NotJson("The body is not JSON in UTF-8; write it in that encoding.")
    try:
        from_json(raw)
    except ValueError as unreadable:
        if found := FOUND_AT.fullmatch(str(unreadable)):
            return NotJson(_located(raw, found["found"], int(found["line"]), int(found["column"])))
    return NotJson()


def _located(raw: bytes, found: str, line: int, column: int) -> str:
    lines = raw.split(b"\n", line)
    if column == 0 and line > 1:  # the line break itself
        line, column = line - 1, len(lines[line - 2]) + 1
    before = lines[line - 1][: max(0, column - 1)]
    at = lines[line - 1][len(before) : len(before) + 1]
    here = lines[line - 1][len(before) :].decode(errors="ignore")
    slip = (
        _of_quotes(here)
        or BY_CHARACTER.get(at)
        or next(told for name, told in BY_FINDING.items() if name in found)
    )
    column = len(before.decode(errors="replace")) + 1
    return f"The body is not valid JSON (line {line}, column {column}): {slip}."


def _of_quotes(here: str) -> str | None:
    return "curved quotes stand there; write straight ones" if here.startswith(CURVED) else None
