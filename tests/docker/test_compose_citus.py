"""The compose file that puts a cluster of Citus in the place of the one PostgreSQL."""

from typing import Any

import jsonschema  # type: ignore[import-untyped]  # its stubs are a package of their own, for one call
import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own, for one call

from core.operations import places
from tests.docker.composed import ROOT, compose, schema

CITUS = ROOT / "docker" / "compose.citus.yml"


def _citus() -> dict[str, Any]:
    whole: dict[str, Any] = yaml.safe_load(CITUS.read_text())
    return whole


def test_it_obeys_the_compose_specification() -> None:
    assert list(jsonschema.Draft7Validator(schema()).iter_errors(_citus())) == []


def test_three_machines_are_as_closed_as_the_one_was() -> None:
    machines = {name: one for name, one in _citus()["services"].items() if "volumes" in one}

    assert machines.keys() == {"postgres", "citus-1", "citus-2"}
    for machine in machines.values():
        before = compose()["services"]["postgres"]
        for closed in ("read_only", "cap_drop", "cap_add", "security_opt", "networks"):
            assert machine[closed] == before[closed], closed
        assert "ports" not in machine
        assert f"{places.ON_EVERY_MACHINE}=on" in machine["command"]


def test_the_schema_is_made_when_the_cluster_knows_its_machines() -> None:
    services = _citus()["services"]

    assert (
        services["migrate"]["depends_on"]["cluster"]["condition"]
        == "service_completed_successfully"
    )
    assert set(services["cluster"]["depends_on"]) == {"postgres", "citus-1", "citus-2"}
    assert [line for line in services["cluster"]["entrypoint"] if "citus_add_node" in line] == [
        f"--command=SELECT citus_add_node('{name}', 5432)" for name in ("citus-1", "citus-2")
    ]
