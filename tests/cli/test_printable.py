"""What others wrote is printed as it is spelt: it moves no cursor, breaks no command and colours
nothing.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import cli
from cli.failures import Failure
from cli.output import command, say, show
from cli.printable import UNSAFE
from tests.support.processes import svc
from tests.support.service import Service

HOSTILE = "[/x][red]:bomb:\x1b]0;t\x07\x1b[2J\x9b31m\u202egnp\u2066\r\nsecond\x7f"
SHOWN = "[/x][red]:bomb:\\u001b]0;t\\u0007\\u001b[2J\\u009b31m\\u202egnp\\u2066\\r\\nsecond\\u007f"

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def group() -> None:
    """A group, so that each command keeps its name."""


def record() -> dict[str, Any]:
    """A record."""
    return {
        HOSTILE: HOSTILE,
        "list": [HOSTILE],
        "part": {HOSTILE: 1},
        "rows": [{"name": HOSTILE, HOSTILE: 1}],
    }


def lines() -> None:
    """Lines of a command's own."""
    say(HOSTILE)
    show({"name": HOSTILE}, text=f"first {HOSTILE.replace(chr(10), '')}\nsecond")


def fail() -> None:
    """A failure."""
    raise Failure(HOSTILE)


for function in (record, lines, fail):
    command(app, function.__name__)(function)


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("name", ["record", "lines", "fail"])
def test_nothing_unsafe_leaves_a_command(name: str, options: list[str]) -> None:
    result = CliRunner().invoke(app, [name, *options])

    printed = result.stdout + result.stderr
    assert UNSAFE.search(printed.replace("\n", "")) is None
    assert "[/x][red]:bomb:" in printed


def test_a_record_is_shown_as_it_is_spelt() -> None:
    printed = CliRunner().invoke(app, ["record"]).stdout.splitlines()

    assert printed[0] == f"{SHOWN}  {SHOWN}"
    assert printed[-1].split() == [*SHOWN.split(), "1"]
    assert len(printed) == 6


def test_json_keeps_every_character() -> None:
    assert json.loads(CliRunner().invoke(app, ["record", "--json"]).stdout) == record()


def test_accents_and_emoji_are_left_alone() -> None:
    assert UNSAFE.search("São João — 👩‍💻 ok") is None


OWN_WAYS = {"output.py", "tables.py", "guard.py", "version.py"}
"""Where standard output and error are written: the shared printing, the log of a child's guard, our
own version.
"""


def test_commands_print_through_the_shared_piece_only() -> None:
    """A way around it would print what others wrote as it came."""
    around = re.compile(r"\bprint\(|typer\.(?:echo|secho)|sys\.std(?:out|err)\.write")
    folder = Path(cli.__file__).parent
    found = {
        file.name
        for file in folder.rglob("*.py")
        if around.search(
            re.sub(
                r"console\.print\(",
                "",
                file.read_text(encoding="utf-8").replace("_console", "console"),
            )
        )
    }
    assert found <= OWN_WAYS
    consoles = [
        file
        for file in folder.rglob("*.py")
        if re.search(r"Console\((?!stderr=True\))", file.read_text())
    ]
    assert all("markup=False, emoji=False" in file.read_text() for file in consoles)
    assert {file.name for file in consoles} == {"demo_steps.py", "tables.py"}


async def test_names_in_the_database_break_no_list(service: Service) -> None:
    """As they may have come before input refused them."""
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    where = ("--org", org, "--env", "test")
    key = (await service.svc("key", "create", *where))["id"]
    await service.svc("push-app", "create", "loja", "--name", "Loja", *where)
    await service.svc("instagram", "create", "--username", "padaria", *where)
    await service.svc("email-sender", "verify", "ana@example.com", *where)
    books = await service.books()
    for table, column in (
        ("accounts", "name"),
        ("api_keys", "name"),
        ("push_apps", "name"),
        ("instagram_accounts", "username"),
        ("email_senders", "address"),
    ):
        await books.execute(
            f"UPDATE {table} SET {column} = $2 WHERE organization_id = $1", org, HOSTILE
        )

    for words in (
        ("account", "list", "--org", org),
        ("key", "list", "--org", org),
        ("key", "revoke", key),
        ("push-app", "list", *where),
        ("instagram", "list", *where),
        ("email-sender", "list", *where),
    ):
        for options in ((), ("--json",)):
            status, out, err = await svc([*words, *options], environment=service.environment)
            assert (status, err) == (0, ""), words
            assert SHOWN in out, words
            assert UNSAFE.search(out.replace("\n", "")) is None, words
