"""The judges of examples, themselves judged."""

from typing import Any

import pytest

from tests.docs.fits import misfits, read_documents
from tests.docs.markdown import read_blocks

PAGE = """# A page

Text.

<!-- status: 422
     because -->
<!-- eventually -->
```sh
curl -sS $URL
```
```json
{"a": 1}
```

<!-- not run: needs Docker -->
```sh
docker run svc
```

<!-- a note for writers -->
```json
{}
```

```sql
SELECT 1
```
"""


def test_blocks_are_read_with_their_marks() -> None:
    blocks = read_blocks(PAGE, "page.md")

    assert [(block.language, block.line) for block in blocks] == [
        ("sh", 8),
        ("json", 11),
        ("sh", 16),
        ("json", 21),
    ]
    assert blocks[0].marks == {"status": "422\n     because", "eventually": ""}
    assert blocks[0].text == "curl -sS $URL\n"
    assert [block.not_run for block in blocks] == [None, None, "needs Docker", None]


@pytest.mark.parametrize(
    ("shown", "answered"),
    [
        ({"a": 1, "b": [True, None]}, {"b": [True, None], "a": 1}),
        ({"id": "msg_…", "at": "…"}, {"id": "msg_1", "at": None}),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}),
        ([1, "…"], [1, 2, 3]),
        ("t=…,v1=…", "t=1,v1=a\nb"),
    ],
)
def test_an_answer_that_is_as_shown_fits(shown: Any, answered: Any) -> None:
    assert misfits(shown, answered) == []


@pytest.mark.parametrize(
    ("shown", "answered"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1, "b": 2, "…": "…"}, {"a": 1}),
        ({"id": "msg_…"}, {"id": "wbh_1"}),
        ({"id": "msg_…"}, {"id": 1}),
        ([1], [1, 2]),
        ([1, 2, "…"], [1]),
        ({"a": {"b": []}}, {"a": {"b": [1]}}),
    ],
)
def test_an_answer_that_is_not_as_shown_is_told(shown: Any, answered: Any) -> None:
    assert len(misfits(shown, answered)) == 1


def test_documents_are_read_one_after_the_other() -> None:
    assert read_documents('{"a": 1}\n[2]\n') == [{"a": 1}, [2]]
