"""Clients of GraphQL that are not ours work as they are by default; the audit of their
specification finds nothing.
"""

from pathlib import Path

import pytest

from tests.clients.toolbox import finished
from tests.clients.workshop import compile_program, run_compiled, run_program
from tests.support.dev import Dev

pytestmark = pytest.mark.timeout(600)  # the first run installs


def test_the_audit_of_graphql_over_http_ends_without_a_warning(
    workshop: Path, service: Dev
) -> None:
    told = run_program(workshop, "audit.mjs", service)

    assert told["fallen"] == []
    assert told["audits"] == 61


def test_codegen_urql_and_apollo(workshop: Path, service: Dev) -> None:
    assert finished(["node", "codegen.mjs", "with_codegen.ts"], folder=workshop) == "", "it warns"
    compile_program(workshop, "with_codegen")
    told = run_compiled(workshop, "with_codegen", service)

    assert told["byUrql"] == ["GET", "POST", "GET"], "what it does by default"
    assert told["byApollo"] == ["POST", "POST", "POST"]
    for client in ("urql", "apollo"):
        assert (told[client]["env"], told[client]["wrote"]) == ("TEST", "Joana Souza")
        assert told[client]["refused"] == ["UNAUTHORIZED"]
    assert told["urql"]["wrong"] == ["Cannot query field 'nothing' on type 'Query'."]
    assert told["apollo"]["wrong"] == ["BAD_REQUEST"]
