"""The habit of every command: what it answers, where that is printed, and how it fails.

A command is a function, plain or async, that returns a record. With `--json` the record is printed
as exactly one JSON object on standard output; without it, as something to read. Everything else
goes to standard error. Exit status: 0 on success, 2 for wrong usage, 1 with one clear line for the
rest.
"""

import asyncio
import functools
import inspect
import json
import os
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Annotated, Any

import typer

from cli.printable import printable, printable_lines

Record = Mapping[str, Any]

JSON_OPTION = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output.")
]

_as_json: ContextVar[bool] = ContextVar("as_json", default=False)


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a function a command of `app`: it gains `--json`, its record is printed, its errors are
    lines.
    """

    def register(function: Callable[..., Any]) -> Callable[..., None]:
        @functools.wraps(function)
        def run(*, json: bool = False, **options: Any) -> None:
            _as_json.set(json)
            try:
                answer = function(**options)
                if inspect.iscoroutine(answer):
                    answer = asyncio.run(answer)
            except (typer.Exit, typer.Abort, typer.BadParameter):
                raise
            except Exception as error:
                raise typer.Exit(_explain(error)) from None
            if answer is not None:
                show(answer)

        run.__signature__ = _with_json(function)  # type: ignore[attr-defined]
        run.__annotations__ = {**function.__annotations__, "json": JSON_OPTION}
        return app.command(name, short_help=_first_sentence(function))(run)

    return register


def say(line: str) -> None:
    """Tell a person something that is not the answer."""
    typer.echo(printable_lines(line), err=True)


def show(record: Record, *, text: str | None = None) -> None:
    """Print the answer of the command; `text` replaces the table that a person would see."""
    if _as_json.get():
        typer.echo(printable(json.dumps(dict(record), ensure_ascii=False, default=str)))
    elif text is not None:
        typer.echo(printable_lines(text))
    else:
        from cli.tables import print_record

        print_record(record)


def _with_json(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    flag = inspect.Parameter(
        "json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=JSON_OPTION
    )
    return signature.replace(parameters=[*signature.parameters.values(), flag])


def _first_sentence(function: Callable[..., Any]) -> str:
    """What the list of commands says of it: whole, where typer would cut it to a line."""
    paragraph = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".") + "."


def _explain(error: Exception) -> int:
    from cli.failures import in_one_line

    say(f"svc: {in_one_line(error)}")
    if os.environ.get("SVC_TRACEBACK"):
        say("".join(traceback.format_exception(error)))
    return 1
