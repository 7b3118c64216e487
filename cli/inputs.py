"""Reading a command's input: values for an input of core, and secrets kept out of process lists."""

import sys
from getpass import getpass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from core.foundation.validation.inputs import Input, QueryInput

PasswordOption = Annotated[
    str | None, typer.Option(help="- reads it from standard input.", metavar="-")
]
TokenOption = Annotated[
    str | None,
    typer.Option(help="Its own access token; - reads it from standard input.", metavar="-"),
]
Limit = Annotated[int, typer.Option(min=1, max=200, help="How many, the newest first.")]
Cursor = Annotated[str | None, typer.Option(help="Go on behind a page: its nextCursor.")]

SomeInput = TypeVar("SomeInput", bound="Input")
SomeQuery = TypeVar("SomeQuery", bound="QueryInput")


def given(model: type[SomeInput], **values: Any) -> SomeInput:
    """The input of a use case; what is None was not given. Raises ValidationFailed, which names every
    wrong value.
    """
    import orjson

    from core.foundation.validation.inputs import read_body

    return read_body(
        model, orjson.dumps({name: value for name, value in values.items() if value is not None})
    )


def asked(model: type[SomeQuery], **values: Any) -> SomeQuery:
    """The same for what a list is asked."""
    from core.foundation.validation.inputs import read_query

    return read_query(
        model, [(name, str(value)) for name, value in values.items() if value is not None]
    )


def read_password(option: str | None) -> str | None:
    """The password behind `--password -`."""
    return read_secret(option, "password")


def read_secret(option: str | None, name: str) -> str | None:
    """What stands behind an option that was given `-`: asked for at a terminal, else the first line
    of standard input.

    Nothing else is taken: others see the options of a process.
    """
    if option is None:
        return None
    if option != "-":
        raise typer.BadParameter(
            f"write --{name} - and give the {name} on standard input: others see your options"
        )
    secret = (
        getpass(f"{name.capitalize()}: ")
        if sys.stdin.isatty()
        else sys.stdin.readline().rstrip("\r\n")
    )
    if not secret:
        raise typer.BadParameter(f"no {name} came on standard input")
    return secret
