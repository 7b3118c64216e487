"""Reading a Dockerfile: its stages, and in each the instructions with their words."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "docker" / "Dockerfile"


@dataclass
class Stage:
    """From one FROM to the next."""

    base: str
    name: str | None = None
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all(self, keyword: str) -> list[str]:
        """What stands behind each instruction of this kind."""
        return [rest for found, rest in self.instructions if found == keyword]

    def only(self, keyword: str) -> str:
        """What stands behind the one instruction of this kind."""
        (rest,) = self.all(keyword)
        return rest

    def exec_form(self, keyword: str) -> list[str]:
        """The words of an instruction that starts a program without a shell."""
        words: Any = json.loads(self.only(keyword).rpartition("CMD ")[2])
        assert all(isinstance(word, str) for word in words)
        return list(words)

    @property
    def environment(self) -> dict[str, str]:
        """What ENV sets."""
        return dict(pair.split("=", 1) for rest in self.all("ENV") for pair in rest.split())


def stages(text: str | None = None) -> list[Stage]:
    """The stages of a Dockerfile, by default of ours."""
    found: list[Stage] = []
    for keyword, rest in _instructions(text if text is not None else DOCKERFILE.read_text()):
        if keyword == "FROM":
            base, _, name = rest.partition(" AS ")
            found.append(Stage(base, name or None))
        elif found:
            found[-1].instructions.append((keyword, rest))
    return found


def arguments() -> dict[str, str]:
    """The ARGs before the first stage, with their defaults."""
    before = DOCKERFILE.read_text().partition("\nFROM ")[0]
    return dict(rest.split("=", 1) for keyword, rest in _instructions(before) if keyword == "ARG")


def _instructions(text: str) -> list[tuple[str, str]]:
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [
        (keyword, rest.strip())
        for keyword, _, rest in (line.partition(" ") for line in whole.splitlines())
    ]
