"""What somebody copies from a page works where it is pasted, also where no test runs it: no comment,
no variable that nobody has set, no command or option that `svc` lacks, no field that the schema lacks.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import typer
from graphql import build_schema, parse, validate

from cli.app import app
from tests.docs.markdown import Block, blocks_of
from tests.docs.pages import GUIDE, README, TOUR
from tests.support.processes import ROOT

PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "console/README.md",
    GUIDE,
    *sorted((ROOT / "docs").rglob("*.md")),
]
EACH_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))

COMMENT = re.compile(r"(?:^|\s)#\s.*", re.MULTILINE)
SET = re.compile(r"(?:^|[\s;(])([A-Z_]\w*)=|\bfor ([A-Z_]\w*) in", re.MULTILINE)
USED = re.compile(r"\$\{?([A-Z_]\w*)(?!\w|:-)")
QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
PATTERN = re.compile(r"\S*(?:\?|\[(?!\s))\S*")
OF_A_SERVER = {"PGDATA"}
"""What whoever keeps that server has set."""

TYPED = re.compile(r"(?:^|\$\(|[|;&] |[A-Z]=\S* |exec api )svc ([a-z-].*)", re.MULTILINE)
NAMED = re.compile(r"`svc ([a-z-][^`]*)`")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
QUERY = re.compile(r"^```graphql\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SVC = typer.main.get_command(app)
OF_EVERY_COMMAND = {"--help", "--install-completion", "--show-completion"}


@EACH_PAGE
def test_nothing_that_is_typed_has_a_comment(page: Path) -> None:
    """zsh takes none where somebody types: after `make run  # all of it` make is asked for `#`."""
    found = [f"{block.place}: {one}" for block in _typed(page) for one in _comments(block)]

    assert found == []


@EACH_PAGE
def test_what_looks_like_a_pattern_of_files_is_quoted(page: Path) -> None:
    """zsh runs no command with a `?` or `[` that finds no file."""
    found = [f"{block.place}: {one}" for block in _typed(page) for one in _patterns(block)]

    assert found == []


@EACH_PAGE
def test_every_variable_was_set_above(page: Path) -> None:
    known = {"URL", "KEY"} if page != README else set()
    unknown = []
    for block in _typed(page):
        if ".svc/demo.env" in block.text:
            known |= {"URL", "KEY"}
        known |= {name for pair in SET.findall(block.text) for name in pair}
        used = set(USED.findall(block.text)) - OF_A_SERVER
        unknown += [f"{block.place}: ${name}" for name in sorted(used - known)]

    assert unknown == []


@EACH_PAGE
def test_every_command_of_ours_is_one(page: Path) -> None:
    assert [fault for words in _commands(page) if (fault := _fault(words))] == []


def test_every_query_fits_the_schema() -> None:
    schema = build_schema((ROOT / "graphql_api/schema.graphql").read_text())

    found = [query for page in PAGES for query in QUERY.findall(page.read_text())]
    assert found
    assert [error for query in found for error in validate(schema, parse(query))] == []


def test_the_judges_see_what_is_wrong() -> None:
    assert _fault(["message", "show", "msg_1"]) == "svc message"
    assert (
        _fault(["key", "create", "--org", "org_1", "--scope=sms:read"]) == "svc key create --scope"
    )
    assert _fault(["key", "create|list", "--org", "org_1"]) is None
    assert _comments(Block("page", 1, "sh", "make run  # all\n")) == ["# all"]
    assert _patterns(Block("page", 1, "sh", "curl $URL/a?b=1 | jq .items[0] > '[a]'\n")) == [
        "$URL/a?b=1",
        ".items[0]",
    ]
    assert USED.findall("$ORG ${LIVE} ${SMPP_PORT:-2775} $1") == ["ORG", "LIVE"]


def test_the_tour_is_there() -> None:
    """Every other page goes on from it."""
    assert README.read_text().count(TOUR) == 1


def _typed(page: Path) -> list[Block]:
    return [block for block in blocks_of(page, root=ROOT) if block.language == "sh"]


def _comments(block: Block) -> list[str]:
    return [one.strip() for one in COMMENT.findall(block.text)]


def _patterns(block: Block) -> list[str]:
    return PATTERN.findall(QUOTED.sub("", block.text))


def _commands(page: Path) -> Iterator[list[str]]:
    """The words behind `svc`, of what is typed and of what running text names."""
    lines = [
        line for block in _typed(page) for line in TYPED.findall(block.text.replace("\\\n", " "))
    ]
    lines += [line.replace("\n", " ") for line in NAMED.findall(FENCE.sub("", page.read_text()))]
    for line in lines:
        alone = re.split(r"\s\|\s|\)|&&|;", line)[0]
        yield shlex.split(alone) if alone.count("'") % 2 == 0 else alone.split()


def _fault(words: Sequence[str]) -> str | None:
    """The command or option that is not there. `create|list` are two commands."""
    here, names, rest = SVC, ["svc"], list(words)
    while rest and not rest[0].startswith("-") and (below := getattr(here, "commands", None)):
        for name in rest[0].split("|"):
            if name not in below:
                return " ".join([*names, name])
        names.append(rest[0])
        here = below[rest.pop(0).split("|")[0]]
    options = {name for one in here.params for name in (*one.opts, *one.secondary_opts)}
    for word in rest:
        name = word.partition("=")[0]
        if name.startswith("--") and name not in options | OF_EVERY_COMMAND:
            return " ".join([*names, name])
    return None
