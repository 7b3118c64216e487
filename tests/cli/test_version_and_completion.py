"""`svc --version`, and what a shell is told to complete."""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.processes import plain_environment, svc


async def test_it_tells_its_version(tmp_path: Path) -> None:
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path)}

    status, out, err = await svc(["--version"], environment=environment)
    as_json = await svc(["--version", "--json"], environment=environment)

    own, python = version("svc-messaging"), platform.python_version()
    assert (status, out, err) == (0, f"svc {own} (Python {python})\n", "")
    assert json.loads(as_json[1]) == {"version": own, "python": python}


async def test_json_in_front_of_a_command_is_refused_with_its_place(tmp_path: Path) -> None:
    environment = plain_environment() | {"SVC_DATA_DIR": str(tmp_path)}

    for words in (["--json"], ["--json", "settings"]):
        status, out, err = await svc(words, environment=environment)

        assert (status, out) == (2, "")
        assert "behind the command" in err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("svc enc", {"encryption"}),
        ("svc key r", {"rotate", "revoke"}),
        ("svc key create --en", {"--env"}),
    ],
)
async def test_a_shell_completes_commands_and_options(
    typed: str, offered: set[str], tmp_path: Path
) -> None:
    asked = {
        "SVC_DATA_DIR": str(tmp_path),
        "_SVC_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
    }

    status, out, _ = await svc([], environment=plain_environment() | asked, fresh=True)

    assert status == 0
    assert set(out.split()) == offered
