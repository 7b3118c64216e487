"""The examples of a page: fenced blocks, and the comments in front of them that say how they are
tried.

| comment | what it means |
|---|---|
| `not run: REASON` | the block is not tried, and why |
| `eventually` | the block is tried until it fits: something happens meanwhile |
| `status: NUMBER` | what the last call answers, where that is neither a success nor told by the document that follows |
| `shape: NAME` | the block is no answer; it has this shape of the OpenAPI document |
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = ("sh", "json", "python")
BLOCK = re.compile(
    r"(?P<comments>(?:^<!--.*?-->\n+)*)^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
COMMENT = re.compile(
    r"<!--\s*(?P<name>not run|eventually|status|shape)(?::\s*(?P<value>.*?))?\s*-->", re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """One example, and where it stands."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """For messages."""
        return f"{self.page}:{self.line}"

    @property
    def not_run(self) -> str | None:
        """Why it is not tried."""
        return self.marks.get("not run")


def blocks_of(page: Path, *, root: Path) -> list[Block]:
    """The examples of a page in our languages, in order."""
    return read_blocks(page.read_text(encoding="utf-8"), str(page.relative_to(root)))


def read_blocks(text: str, page: str) -> list[Block]:
    """The same, of a text."""
    return [
        Block(
            page,
            text.count("\n", 0, found.start("language")) + 1,
            found["language"],
            found["text"],
            {mark["name"]: mark["value"] or "" for mark in COMMENT.finditer(found["comments"])},
        )
        for found in BLOCK.finditer(text)
        if found["language"] in LANGUAGES
    ]
