"""Reading the compose file."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own, for one call

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = ROOT / "docker" / "compose.yml"
EXAMPLE = ROOT / "docker" / ".env.example"


@cache
def compose() -> dict[str, Any]:
    """The file as it is written, anchors resolved and variables not."""
    whole: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return whole


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of the Compose Specification."""
    whole: dict[str, Any] = json.loads(Path(__file__).with_name("compose-spec.json").read_text())
    return whole


def services() -> dict[str, dict[str, Any]]:
    """Every service by its name."""
    found: dict[str, dict[str, Any]] = compose()["services"]
    return found


def ours() -> dict[str, dict[str, Any]]:
    """The services of our own image."""
    return {name: service for name, service in services().items() if "build" in service}


def example() -> dict[str, str]:
    """The variables of .env.example."""
    lines = [line for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)
