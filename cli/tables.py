"""A record as something to read: names and values, lists as tables."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from cli.printable import printable

UNBROKEN = 100_000
"""Columns, for a file or another program."""


def print_record(record: Mapping[str, Any]) -> None:
    """Print a record on standard output.

    What is not read at a terminal is copied or searched: there no line is broken, whatever its
    width.
    """
    console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = UNBROKEN
    with console.capture() as printed:
        _print(console, record)
    sys.stdout.write("".join(line.rstrip() + "\n" for line in printed.get().splitlines()))


def _print(console: Console, record: Mapping[str, Any]) -> None:
    facts = Table.grid(padding=(0, 2))
    for name, value in record.items():
        if not _is_list_of_records(value):
            facts.add_row(printable(name), _cell(value))
    if facts.row_count:
        console.print(facts)
    for name, value in record.items():
        if _is_list_of_records(value):
            console.print(_table(name, value))


def _is_list_of_records(value: Any) -> bool:
    return (
        isinstance(value, Sequence)
        and bool(value)
        and all(isinstance(item, Mapping) for item in value)
    )


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(
        title=printable(title), title_justify="left", box=None, pad_edge=False, header_style="bold"
    )
    for name in names:
        table.add_column(
            printable(name), overflow="fold", no_wrap=name.lower().endswith("id")
        )  # ids are copied
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in names))
    return table


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{printable(name)} {_cell(part)}" for name, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return ", ".join(map(_cell, value)) or "-"
    return printable(str(value))
