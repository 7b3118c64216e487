"""Small files that only their owner may read: JSON records, and text."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli.failures import Failure


def write_private(file: Path, record: Mapping[str, Any]) -> None:
    """Replace the file by a JSON record, as `write_private_text` does."""
    write_private_text(file, json.dumps(record, ensure_ascii=False, indent=2) + "\n")


def write_private_text(file: Path, text: str) -> None:
    """Replace the file in one step; it is never seen half-written or readable by others."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    draft.replace(file)


def read_private(file: Path) -> dict[str, Any] | None:
    """The record in the file, or None when there is no file. Raises Failure when it cannot be read."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Failure(
            f"{file} cannot be read: restore it, or delete the folder to start anew"
        ) from error
    return dict(record)
