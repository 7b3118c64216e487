"""The glossary names places that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_place_of_the_glossary_exists() -> None:
    lines = (ROOT / "docs/glossary.md").read_text().splitlines()
    rows = [line.split("|")[1:-1] for line in lines if line.startswith("| ")][1:]
    places = [place for row in rows for place in re.findall(r"`([^`]+)`", row[-1])]
    missing = [place for place in places if not (ROOT / place).exists()]

    assert rows
    assert all(len(row) == 3 and re.search(r"`[^`]+`", row[-1]) for row in rows)
    assert missing == []
