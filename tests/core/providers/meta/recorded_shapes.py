"""What the platform posts and answers, in its own shapes; people, businesses and ids are made up."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"

NOTICES = sorted(path.stem for path in FOLDER.glob("*.json"))


def notice(name: str) -> bytes:
    """The body of a POST to us."""
    return (FOLDER / f"{name}.json").read_bytes()


def answer(name: str) -> dict[str, Any]:
    """The body of an answer to us."""
    found: dict[str, Any] = json.loads((FOLDER / "answers" / f"{name}.json").read_bytes())
    return found
