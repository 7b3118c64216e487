"""What is done in the folder of the strangers' programs."""

import json
from pathlib import Path
from typing import Any

from tests.clients.toolbox import finished
from tests.support.dev import Dev


def run(workshop: Path, command: str, *words: str) -> str:
    """Run a command that a package brings: what it wrote."""
    return finished([str(workshop / "node_modules/.bin" / command), *words], folder=workshop)


def compile_program(workshop: Path, program: str) -> None:
    """Compile one of our programs and all that it imports, as strictly as TypeScript can."""
    config = workshop / f"tsconfig.{program}.json"
    config.write_text(json.dumps({"extends": "./tsconfig.json", "files": [f"{program}.ts"]}))
    assert run(workshop, "tsc", "-p", str(config)) == ""


def run_compiled(workshop: Path, program: str, service: Dev) -> Any:
    """Run a compiled program against the service: the JSON that it writes."""
    return run_program(workshop, f"compiled/{program}.js", service)


def run_program(workshop: Path, file: str, service: Dev) -> Any:
    """Run a program against the service: the JSON that it writes."""
    known = {"URL": service.url, "KEY": service.key}
    return json.loads(finished(["node", file], folder=workshop, given=known))
