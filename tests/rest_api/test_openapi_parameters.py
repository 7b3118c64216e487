"""Whoever reads the document learns what each parameter means, and in which unit a number is."""

import re
from typing import Any

import pytest

from rest_api.app import OPERATIONS
from rest_api.openapi.parameters import RECORDS
from rest_api.support.operations import Operation
from tests.rest_api.contract import the_document

EACH_OPERATION = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda o: f"{o.method} {o.path}"
)
UNITS = re.compile(
    r"\b(coins|cents|ms|seconds|segundos|horas|hours|dias|bytes|size|tamanho|valor|moeda|currency)$"
)
"""Names that end so are numbers of something, or name what others are in."""


def properties() -> dict[str, dict[str, Any]]:
    """Every property by the shape and the name that it has."""
    return {
        f"{shape}.{name}": described
        for shape, schema in the_document()["components"]["schemas"].items()
        for name, described in schema.get("properties", {}).items()
    }


@EACH_OPERATION
def test_every_parameter_is_described(operation: Operation) -> None:
    parameters = the_document()["paths"][operation.path][operation.method.lower()]["parameters"]

    assert [parameter["name"] for parameter in parameters if not parameter.get("description")] == []


def test_an_id_in_a_path_is_described_by_what_it_names() -> None:
    def told(path: str, method: str) -> dict[str, str]:
        parameters = the_document()["paths"][path][method]["parameters"]
        return {one["name"]: one["description"] for one in parameters if one["in"] == "path"}

    assert told("/contacts/{id}", "get") == {"id": "The contact's id (`cnt_…`)"}
    assert told("/pipelines/{id}/etapas/{etapaId}", "patch") == {
        "id": "The pipeline's id (`pip_…`)",
        "etapaId": "The stage's id (`etp_…`)",
    }
    named = {
        id.partition("_")[0]
        for operation in OPERATIONS
        for id in operation.ids.values()
        if "_" in id
    }
    assert named == set(RECORDS), "a row for each prefix that stands in a path, and no other"


def test_a_number_of_something_tells_its_unit() -> None:
    mute = [
        name
        for name, described in properties().items()
        if UNITS.search(re.sub(r"(?<!^)(?=[A-Z])", " ", name.partition(".")[2]).lower())
        and not described.get("description")
    ]

    assert mute == []
