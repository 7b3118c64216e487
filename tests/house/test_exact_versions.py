"""Dependencies have ranges; an exact version names the decision that says what is leaned on."""

import re
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(
    r'^  "(?P<name>[a-z0-9-]+)(?:\[\w+\])?==(?P<version>[\d.]+)",(?P<comment>.*)$', re.MULTILINE
)
DECISION = re.compile(r"\(decision (\d+)\)")


def pins() -> dict[str, tuple[str, str]]:
    """Version and comment of each library with an exact one."""
    found = PIN.finditer((ROOT / "pyproject.toml").read_text())
    return {pin["name"]: (pin["version"], pin["comment"]) for pin in found}


def test_all_exact_versions_are_found() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = chain.from_iterable(project["optional-dependencies"].values())
    wanted = [*project["dependencies"], *extras]

    assert {line.partition("==")[0] for line in wanted if "==" in line} == pins().keys()


def test_each_names_a_decision_that_exists() -> None:
    for name, (_, comment) in pins().items():
        number = DECISION.search(comment)
        assert number, name
        assert list((ROOT / "docs/decisions").glob(f"{int(number[1]):04d}-*.md")), name


def test_the_decision_has_a_row_for_each_and_its_proofs_exist() -> None:
    page = (ROOT / "docs/decisions/0031-exact-versions.md").read_text()
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| ")][1:]

    assert {row[0].strip() for row in rows} == pins().keys()
    proofs = [place for row in rows for place in re.findall(r"`([^`]+)`", row[2])]
    assert [place for place in proofs if not (ROOT / place).exists()] == []


def test_constraints_have_the_same_versions() -> None:
    tested = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().split() if "==" in line
    )

    assert {name: tested[name] for name in pins()} == {
        name: version for name, (version, _) in pins().items()
    }
