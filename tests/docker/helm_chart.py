"""Renders the Helm chart as far as it uses the template language, and refuses what goes beyond it.

There is no Helm where this is tested. The chart keeps to four forms, so that they can be rendered
here: `.Release.Name`, `.Release.Revision`, `.Values.path`, and `toYaml .Values.path | nindent N`.
"""

import re
from collections.abc import Mapping
from functools import reduce
from typing import Any

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own, for two calls

from tests.support.processes import ROOT

CHART = ROOT / "docker/helm/svc"
ACTION = re.compile(r"(?:\s*(?P<trims>\{\{-)|\{\{)\s*(?P<words>.*?)\s*\}\}")
BLOCK = re.compile(r"toYaml \.Values\.([\w.]+) \| nindent (\d+)")
RELEASE = {"Name": "svc", "Revision": 3}


def chart_values() -> dict[str, Any]:
    """What an installation may change."""
    values: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text())
    return values


def used_paths() -> set[str]:
    """The values that templates ask for."""
    return {
        path
        for file in (CHART / "templates").iterdir()
        for path in re.findall(r"\.Values\.([\w.]+)", file.read_text())
    }


def rendered(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The objects of the chart, by their kind and component."""
    objects = [
        yaml.safe_load(_render(file.read_text(), values))
        for file in sorted((CHART / "templates").iterdir())
    ]
    return {_name(one): one for one in objects}


def _name(one: Mapping[str, Any]) -> str:
    component = one["metadata"]["labels"].get("app.kubernetes.io/component")
    return f"{one['kind']} {component}" if component else one["kind"]


def _render(text: str, values: Mapping[str, Any]) -> str:
    def fill(action: re.Match[str]) -> str:
        if block := BLOCK.fullmatch(action["words"]):
            indent = " " * int(block[2])
            lines = yaml.safe_dump(at(values, block[1])).splitlines()
            return "".join(f"\n{indent}{line}" for line in lines)
        scope, _, path = action["words"].removeprefix(".").partition(".")
        assert not action["trims"], f"not a form that is rendered here: {action[0]}"
        return str(at({"Values": values, "Release": RELEASE}[scope], path))

    return ACTION.sub(fill, text)


def at(values: Mapping[str, Any], path: str) -> Any:
    """The value at a path with dots. Raises KeyError."""
    return reduce(lambda inside, name: inside[name], path.split("."), values)
