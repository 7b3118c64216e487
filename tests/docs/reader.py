"""Who reads a page and types what stands there, word for word."""

from pathlib import Path

from cli.demo_file import read_demo, write_shell_variables
from tests.docs.markdown import read_blocks
from tests.docs.pages import README, TOUR
from tests.docs.shell import Exchange, Shell


class Reader:
    """Types the examples of a page into a shell beside a running `svc dev`."""

    def __init__(self, shell: Shell, *, url: str, data: Path, smpp_port: int) -> None:
        demo = read_demo(data)
        assert demo is not None
        write_shell_variables(data, url=url, key=demo["test"]["key"], smpp_port=smpp_port)
        self.environment = {"URL": url, "KEY": demo["test"]["key"]}
        self._shell = shell

    async def take_the_tour(self) -> None:
        """Type the examples of the README's tour, as everybody has who reads another page."""
        _, _, behind = README.read_text(encoding="utf-8").partition(TOUR)
        tour, _, _ = behind.partition("\n## ")
        for block in read_blocks(tour, "README.md"):
            if block.language == "sh" and not block.not_run:
                await self.type(block.text)

    async def type(self, commands: str) -> list[Exchange]:
        """Run a block."""
        placeholders = [line for line in commands.splitlines() if "…" in line]
        assert not placeholders, f"nobody knows what to type here: {placeholders}"
        return await self._shell.run(commands)
