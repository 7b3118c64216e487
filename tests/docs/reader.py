"""Who reads a page and types what stands there, word for word."""

import re
from pathlib import Path

from cli.demo_file import read_demo, write_shell_variables
from tests.docs.markdown import Block, blocks_of
from tests.docs.pages import README
from tests.docs.shell import Exchange, Shell
from tests.support.processes import ROOT

COMMENT = re.compile(r"(?:^|\s)#\s.*", re.MULTILINE)


class Reader:
    """Types the examples of a page into a shell beside a running `svc dev`."""

    def __init__(self, shell: Shell, *, url: str, data: Path) -> None:
        demo = read_demo(data)
        assert demo is not None
        write_shell_variables(data, url=url, key=demo["test"]["key"])
        self._shell = shell

    async def read_the_readme(self) -> None:
        """Type its examples, as everybody has who reads another page."""
        for block in commands_of(README):
            await self.type(block.text)

    async def type(self, commands: str) -> list[Exchange]:
        """Run a block."""
        placeholders = [line for line in commands.splitlines() if "…" in line]
        assert not placeholders, f"nobody knows what to type here: {placeholders}"
        comments = COMMENT.findall(commands)
        assert not comments, f"zsh takes no comments where somebody types: {comments}"
        return await self._shell.run(commands)


def commands_of(page: Path) -> list[Block]:
    """The examples of a page that are typed."""
    return [
        block
        for block in blocks_of(page, root=ROOT)
        if block.language == "sh" and not block.not_run
    ]
