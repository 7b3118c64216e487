"""Every page is found from the README, and every link leads somewhere."""

import re
from pathlib import Path

import pytest

from tests.support.processes import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def links_of(page: Path) -> list[tuple[Path, str]]:
    """The links of a page to files of ours: file and anchor."""
    found = [link.partition("#") for link in LINK.findall(CODE.sub("", page.read_text()))]
    return [
        ((page.parent / file).resolve() if file else page, anchor)
        for file, _, anchor in found
        if "://" not in file
    ]


def anchors_of(page: Path) -> set[str]:
    """How the headings of a page are addressed."""
    headings = HEADING.findall(CODE.sub("", page.read_text()))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = links_of(page)

    assert [str(file) for file, _ in links if not file.exists()] == []
    assert [anchor for file, anchor in links if anchor and anchor not in anchors_of(file)] == []


def test_the_readme_lists_every_page() -> None:
    listed = {file for file, _ in links_of(ROOT / "README.md")}

    assert {page.name for page in (ROOT / "docs").glob("*.md") if page not in listed} == set()
