"""Rows in the text form that COPY reads."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any


def copy_text(rows: Iterable[Iterable[Any]]) -> bytes:
    """One line for each row, ready for `db.copy_in`."""
    return joined([line_of(row) for row in rows])


def line_of(row: Iterable[Any]) -> str:
    """A row of texts, numbers, truth values, instants, bytes, lists of texts and None."""
    return "\t".join([_field(value) for value in row])


def joined(lines: Iterable[str]) -> bytes:
    """Lines as they are sent."""
    return "\n".join([*lines, ""]).encode()


def _field(value: Any) -> str:
    if value is None:
        return r"\N"
    if type(value) is str:
        return value if value.isprintable() and "\\" not in value else _escaped(value)
    if type(value) is datetime:
        return value.isoformat()
    if type(value) is bytes:
        return rf"\\x{value.hex()}"
    if type(value) is list:
        return _escaped("{" + ",".join(map(_quoted, value)) + "}")
    return str(value)


def _escaped(value: str) -> str:
    return value.translate(_ESCAPES)


_ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def _quoted(item: str) -> str:
    return '"' + item.replace("\\", r"\\").replace('"', r"\"") + '"'
