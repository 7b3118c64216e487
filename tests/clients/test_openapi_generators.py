"""Generators that are not ours take the OpenAPI document without a word, and what they make works."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rest_api.app import OPERATIONS
from tests.clients.toolbox import finished
from tests.clients.workshop import compile_program, run, run_compiled
from tests.rest_api.contract import must_fit, the_document
from tests.support.dev import Dev

FIRST_STEPS = {"status": "sent", "listed": True, "refused": ["/to"]}
"""What each client tells: of the README's first message, of the list with it, of the field that was
wrong.
"""

pytestmark = pytest.mark.timeout(600)  # the first run installs

MYPY = """[mypy]
strict = true
[mypy-svc_client.client]
disable_error_code = arg-type
"""
"""That module is the generator's own template, the same for every document."""


@pytest.fixture
def in_the_workshop(workshop: Path, document: Path) -> Path:
    shutil.copy(document, workshop / "openapi.json")
    return workshop


def test_openapi_typescript_and_openapi_fetch(in_the_workshop: Path, service: Dev) -> None:
    told = run(in_the_workshop, "openapi-typescript", "openapi.json", "-o", "openapi_typescript.ts")
    assert not re.search("warn|error|deprecated", told, re.IGNORECASE), told

    compile_program(in_the_workshop, "with_openapi_fetch")
    assert run_compiled(in_the_workshop, "with_openapi_fetch", service) == FIRST_STEPS


def test_hey_api(in_the_workshop: Path, service: Dev) -> None:
    told = run(in_the_workshop, "openapi-ts", "-f", "hey_api.config.mjs")
    assert "Done!" in told
    assert not re.search("warn|error|deprecated|⚠", told, re.IGNORECASE), told

    compile_program(in_the_workshop, "with_hey_api")
    assert run_compiled(in_the_workshop, "with_hey_api", service) == FIRST_STEPS


def requests_in(part: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every request of a Postman collection."""
    if "request" in part:
        yield part["request"]
    for inside in part.get("item", []):
        yield from requests_in(inside)


async def test_postman(in_the_workshop: Path, service: Dev) -> None:
    words = ["-s", "openapi.json", "-o", "postman.json", "-O", "parametersResolution=Example"]
    assert "Conversion successful" in run(in_the_workshop, "openapi2postmanv2", *words)
    text = (in_the_workshop / "postman.json").read_text()
    assert "<Error" not in text, "it could not follow a reference"

    requests = list(requests_in(json.loads(text)))
    assert len(requests) == len(OPERATIONS)
    for request in requests:
        path = "/" + "/".join(re.sub(r"^:(\w+)", r"{\1}", part) for part in request["url"]["path"])
        body = the_document()["paths"][path][request["method"].lower()].get("requestBody")
        if body is not None and "application/json" in body["content"]:
            must_fit(
                json.loads(request["body"]["raw"]), body["content"]["application/json"]["schema"]
            )

    (first,) = [request for request in requests if request["name"] == "Send an SMS"]
    headers = {header["key"]: header["value"] for header in first["header"]} | {
        "Authorization": f"Bearer {service.key}"
    }
    async with httpx.AsyncClient(base_url=service.url, headers=headers) as http:
        answer = await http.post("/" + "/".join(first["url"]["path"]), content=first["body"]["raw"])
    assert answer.status_code == 201, answer.text


def test_openapi_python_client(document: Path, service: Dev, tools: Path, tmp_path: Path) -> None:
    words = [
        "generate",
        "--path",
        str(document),
        "--meta",
        "none",
        "--output-path",
        "svc_client",
        "--fail-on-warning",
    ]
    told = finished([str(tools / "openapi-python-client"), *words], folder=tmp_path, path=tools)
    assert told.split() == ["Generating", "svc_client"]

    program = shutil.copy(
        Path(__file__).with_name("programs") / "with_openapi_python_client.py", tmp_path
    )
    (tmp_path / "mypy.ini").write_text(MYPY)
    finished([sys.executable, "-m", "mypy", "svc_client", Path(program).name], folder=tmp_path)
    known = {"URL": service.url, "KEY": service.key}
    assert (
        json.loads(finished([sys.executable, Path(program).name], folder=tmp_path, given=known))
        == FIRST_STEPS
    )
