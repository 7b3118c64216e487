"""Who reads a page and types what stands there."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.docs.shell import PASSWORD, Exchange, Shell
from tests.support.service import Running

OWNERS = ("owner@demo.test", "owner@example.com")
"""Who the pages log in as; the first has logged in."""


@dataclass(frozen=True)
class Household:
    """A customer with the people that the pages speak of. `account`: the last one's."""

    organization: str
    key: str
    account: str


class Reader:
    """Types the examples of a page, with the real values where the page has a placeholder."""

    def __init__(self, shell: Shell, known: dict[str, str]) -> None:
        self._shell = shell
        self._known = known

    @classmethod
    async def at(cls, running: Running, shell: Shell, household: Household) -> "Reader":
        """Log in, with all that the pages take for granted."""
        url = running.apis[0].url
        (log_in,) = await shell.run(
            f"""curl -sS {url}/v2/sessions -d '{{"email": "{OWNERS[0]}", "password": "{PASSWORD}", "env": "test"}}'"""
        )
        token = log_in.document["token"]
        await shell.run(f"URL={url}; BASE={url}; KEY={household.key}; TOKEN={token}")
        return cls(
            shell,
            {
                "http://127.0.0.1:8000": url,
                "svc_test_…": household.key,
                "svc_sess_…": token,
                "org_…": household.organization,
                "acc_…": household.account,
                "postgresql://…/restored": sibling_of(shell.environment["DATABASE_URL"], "restored"),
                '"password": "…"': f'"password": "{PASSWORD}"',
            },
        )

    async def type(self, commands: str) -> list[Exchange]:
        """Run a block."""
        for placeholder, value in self._known.items():
            commands = commands.replace(placeholder, value)
        left = [line for line in commands.splitlines() if "…" in line.partition(" #")[0]]
        assert not left, f"nobody knows what to type here: {left}"
        return await self._shell.run(commands)


def sibling_of(address: str, name: str) -> str:
    """The address of another database of the same server."""
    return urlsplit(address)._replace(path=f"/{name}").geturl()
