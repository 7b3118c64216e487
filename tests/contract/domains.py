"""All rows of all domains: whatever stands in `rows/`."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.contract.table import (
    Answer,
    Callback,
    Endpoint,
    Event,
    Limit,
    Machine,
    OtherRoute,
    Page,
    Refusal,
)
from tests.contract.world import MAKERS

FOLDER = Path(__file__).with_name("rows")

DOMAINS: dict[str, ModuleType] = {
    file.stem: import_module(f"tests.contract.rows.{file.stem}")
    for file in sorted(FOLDER.glob("*.py"))
}


def _all(name: str) -> list[Any]:
    return [row for domain in DOMAINS.values() for row in getattr(domain, name, ())]


ENDPOINTS: list[Endpoint] = _all("ENDPOINTS")
REFUSALS: list[Refusal] = _all("REFUSALS")
EVENTS: list[Event] = _all("EVENTS")
LIMITS: list[Limit] = _all("LIMITS")
PAGES: list[Page] = _all("PAGES")
ANSWERS: list[Answer] = _all("ANSWERS")
MACHINES: list[Machine] = _all("MACHINES")
CALLBACKS: list[Callback] = _all("CALLBACKS")
OTHER_ROUTES: list[OtherRoute] = _all("OTHER_ROUTES")

for domain in DOMAINS.values():
    MAKERS.update(getattr(domain, "RECORDS", {}))

BY_ADDRESS: dict[str, Endpoint] = {endpoint.address: endpoint for endpoint in ENDPOINTS}
