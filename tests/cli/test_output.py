"""The habit of every command: records, `--json`, one line and a status on failure."""

import json
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from cli.output import command, say
from core.foundation.errors import FieldError, ValidationFailed

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


@app.callback()
def group() -> None:
    """A group, so that each command keeps its name."""


async def paint(colour: str, *, coats: Annotated[int, typer.Option()] = 1) -> dict[str, Any]:
    """Paint it."""
    say("painting")
    return {"colour": colour, "coats": coats, "walls": [{"side": "north", "dry": True}]}


def refuse() -> None:
    """Refuse."""
    field = FieldError(kind="pointer", where="/colour", code="INVALID", message="unknown")
    raise ValidationFailed("Choose a colour.", errors=[field])


def break_down() -> None:
    """Break."""
    raise KeyError("ladder")


def paper() -> None:
    """Hang paper on the walls of every room that is named, and on the ceilings where they are
    asked for. Nothing is painted.
    """


command(app, "paint")(paint)
command(app, "paper")(paper)
command(app, "refuse")(refuse)
command(app, "break-down")(break_down)


def test_with_json_exactly_one_object_is_on_standard_output() -> None:
    result = CliRunner().invoke(app, ["paint", "green", "--coats", "2", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "colour": "green",
        "coats": 2,
        "walls": [{"side": "north", "dry": True}],
    }
    assert result.stdout.count("\n") == 1
    assert result.stderr == "painting\n"


def test_without_json_a_person_reads_names_values_and_tables() -> None:
    result = CliRunner().invoke(app, ["paint", "green"])
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["colour", "green"],
        ["coats", "1"],
        ["walls"],
        ["side", "dry"],
        ["north", "yes"],
    ]


def test_what_is_not_read_at_a_terminal_has_no_broken_lines() -> None:
    lines = CliRunner().invoke(app, ["paint", "green " * 50]).stdout.splitlines()

    assert lines[0] == "colour  " + ("green " * 50).rstrip()
    assert lines[1] == "coats   1", "nothing but the answer, no spaces either"


def test_the_list_of_commands_says_the_whole_sentence_of_each() -> None:
    shown = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())

    assert (
        "Hang paper on the walls of every room that is named, and on the ceilings where they are asked for."
        in shown
    )
    assert "Nothing is painted." not in shown


def test_wrong_usage_ends_with_2_and_an_empty_standard_output() -> None:
    result = CliRunner().invoke(app, ["paint", "green", "--coats", "many", "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("refuse", "svc: Choose a colour. (/colour: unknown)\n"),
        ("break-down", "svc: unexpected KeyError: 'ladder' (SVC_TRACEBACK=1 shows where)\n"),
    ],
)
def test_a_failure_is_one_line_and_1(name: str, line: str) -> None:
    result = CliRunner().invoke(app, [name, "--json"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == line


def test_the_help_of_a_command_names_its_options() -> None:
    shown = CliRunner().invoke(app, ["paint", "--help"]).stdout
    assert "Paint it." in shown
    assert "--coats" in shown
    assert "--json" in shown
