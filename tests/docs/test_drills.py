"""Each drill is named on a page, and what a page names is there."""

import re

from tests.support.processes import ROOT


def test_every_drill_is_named_on_the_page_of_operations() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    section = page.partition("\n## Drills\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(tests/\w+/test_\w+\.py)`", section))
    drills = {
        str(path.relative_to(ROOT))
        for folder in ("faults", "scaling")
        for path in (ROOT / "tests" / folder).glob("test_*.py")
    }

    assert drills <= named
    assert [place for place in named if not (ROOT / place).exists()] == []
