"""What a caller hears whose body is not JSON: where it is wrong and how, and nothing that stands in
it.
"""

import pytest

from core.foundation.language import has_translation
from core.foundation.validation.inputs import Input, read_body
from core.foundation.validation.json_syntax import NOT_JSON, NotJson, not_json


class Anything(Input):
    """A body."""

    secret: str = ""


def told(line: int, column: int, slip: str) -> str:
    return f"The body is not valid JSON (line {line}, column {column}): {slip}."


QUOTES = "texts and names stand in double quotes"
CURVED = "curved quotes stand there; write straight ones"
COMMENT = "JSON has no comments"
VALUE = "a value is a text in double quotes, a number, true, false, null, an object or an array"
NUMBER = "JSON writes numbers like 10, -2.5 and 1e3"
CUT = "the text ends before it is complete"
COMMA = "a comma or a closing bracket is missing"
CONTROL = "a line break or another control character stands in a text; write it as an escape"
ESCAPE = "a backslash stands before something that it cannot escape"

SLIPS = [
    (b'{\n  "secret": "s",\n}', told(3, 1, "no comma stands before a closing bracket")),
    (b"{'secret': 1}", told(1, 2, QUOTES)),
    (b"{\"secret\": 's'}", told(1, 12, QUOTES)),
    ("{\u201csecret\u201d: 1}".encode(), told(1, 2, CURVED)),
    ('{"é": \u2018s\u2019}'.encode(), told(1, 7, CURVED)),
    (b"{secret: 1}", told(1, 2, "the name of a field stands in double quotes")),
    (b'// secret\n{"a": 1}', told(1, 1, COMMENT)),
    (b'{"a": 1 /* secret */}', told(1, 9, COMMENT)),
    (b'{"a": 1}\n# secret', told(2, 1, COMMENT)),
    (b'{"a": 1} secret', told(1, 10, "something stands behind the end")),
    (b'{"secret": ', told(1, 11, CUT)),
    (b'{"secret": "s', told(1, 13, CUT)),
    (b'{"secret" 1}', told(1, 11, "a colon is missing between a name and its value")),
    (b'{"a": 1 "secret": 2}', told(1, 9, COMMA)),
    ('{"á": "é" "secret": 2}'.encode(), told(1, 11, COMMA)),
    (b'{"a": "secret\nsecret"}', told(1, 14, CONTROL)),
    (b'{"a": "\\secret"}', told(1, 9, ESCAPE)),
    (b'{"a": "\\ud800"}', told(1, 14, ESCAPE)),
    (b'{"secret": 01}', told(1, 13, NUMBER)),
    (b'{"secret": 1.}', told(1, 14, NUMBER)),
    (b'{"secret": True}', told(1, 12, VALUE)),
    (b"secret=1", told(1, 1, VALUE)),
    (b'{"a": "\xff secret"}', told(1, 8, "this is not UTF-8")),
    (b"[" * 300, told(1, 202, "it is nested too deep")),
    (b" \n", "The body is empty; send JSON."),
    (
        b'\xef\xbb\xbf{"secret": 1}',
        "The body begins with a byte order mark (BOM); send UTF-8 without one.",
    ),
    ('{"secret": 1}'.encode("utf-16"), "The body is not JSON in UTF-8; write it in that encoding."),
    (
        '{"secret": 1}'.encode("utf-16-le"),
        "The body is not JSON in UTF-8; write it in that encoding.",
    ),
]


@pytest.mark.parametrize(("body", "expected"), SLIPS)
def test_a_slip_is_told_by_its_place_and_by_nothing_that_was_sent(
    body: bytes, expected: str
) -> None:
    with pytest.raises(NotJson) as refused:
        read_body(Anything, body)

    assert refused.value.detail == expected
    assert "secret" not in refused.value.detail
    assert has_translation(expected)


def test_what_only_a_stricter_parser_refused_is_refused_all_the_same() -> None:
    assert not_json(b'{"a": NaN}').detail == NOT_JSON


def test_of_two_fields_of_one_name_the_last_counts() -> None:
    assert read_body(Anything, b'{"secret": "first", "secret": "last"}').secret == "last"
