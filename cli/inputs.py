"""What a person gives a command: values for an input of core, and a password that no list of processes shows."""

import sys
from getpass import getpass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from core.foundation.inputs import Input

PasswordOption = Annotated[str | None, typer.Option(help="- reads it from standard input.", metavar="-")]

SomeInput = TypeVar("SomeInput", bound="Input")


def given(model: type[SomeInput], **values: Any) -> SomeInput:
    """The input of a deed; what is None was not given. Raises ValidationFailed, which names every wrong value."""
    import orjson

    from core.foundation.inputs import read_body

    return read_body(model, orjson.dumps({name: value for name, value in values.items() if value is not None}))


def read_password(option: str | None) -> str | None:
    """The password behind `--password -`: asked for at a terminal, else the first line of standard input."""
    if option is None:
        return None
    if option != "-":
        raise typer.BadParameter("write --password - and give the password on standard input: others see your options")
    password = getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise typer.BadParameter("no password came on standard input")
    return password
