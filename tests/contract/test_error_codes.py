"""Every refusal row, replayed; and every code of the interface and of the catalogue has one."""

import ast
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.idempotency.models import IdempotencyKey
from rest_api.app import OPERATIONS
from rest_api.problems.error_catalogue import ERROR_DOCS
from rest_api.problems.field_codes import FIELD_CODES
from rest_api.problems.kinds import KINDS
from rest_api.support.problems import STATUS, status_of
from tests.contract.codes import OF_DOMAINS_TO_COME, REFINEMENTS, STATUSES
from tests.contract.domains import BY_ADDRESS, ENDPOINTS, LIMITS, REFUSALS
from tests.contract.replay import ask, changed, nothing_left, ready, texts_in
from tests.contract.table import Endpoint, Refusal
from tests.contract.world import World
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.problem_answers import the_problem

ROOT = Path(__file__).resolve().parents[2]
ADDED = "add a row to REFUSALS in a file of tests/contract/rows"

REPLAYED = [refusal for refusal in REFUSALS if refusal.proven_by is None]
PROVEN = [refusal for refusal in REFUSALS if refusal.proven_by is not None]

KEY = {"Idempotency-Key": "contract"}
"""A refusal leaves it free."""
KEEPS_ITS_KEY = {"RESULTADO_DESCONHECIDO"}
"""So that a repeat finds the message."""

KIND = {"pointer": "", "parameter": "?", "header": "#"}


def named(problem: dict[str, Any]) -> dict[str, str]:
    """The wrong fields as rows spell them."""
    return {
        mark + error[kind]: error["code"]
        for error in problem.get("errors", ())
        for kind, mark in KIND.items()
        if kind in error
    }


@pytest.mark.parametrize("refusal", REPLAYED, ids=str)
@pytest.mark.usefixtures("at_once")
async def test_a_refusal_is_met_by_its_request(
    rest: httpx.AsyncClient, provider: ScriptedProvider, refusal: Refusal
) -> None:
    endpoint = BY_ADDRESS[refusal.address]
    world = await World.open(refusal.env or endpoint.env, provider)
    await ready(world, endpoint)
    by = refusal.by or endpoint.by
    keyed = endpoint.takes_key and not refusal.headers
    credential = {} if by == "nobody" else await world.credential(by)
    async with world.stays:
        if refusal.before is not None:
            await refusal.before(world)
        call: dict[str, Any] = {
            "body": await changed(world, endpoint, refusal),
            "query": {**await world.fill(endpoint.query), **refusal.query},
            "headers": KEY if keyed else refusal.headers,
            "ids": await world.fill(endpoint.ids),
            "content": refusal.content,
        }
        if refusal.writes:
            answer = await ask(rest, world, endpoint, world.uses or credential, **call)
        else:
            async with nothing_left():
                answer = await ask(rest, world, endpoint, world.uses or credential, **call)

    if keyed and refusal.refinement not in KEEPS_ITS_KEY:
        assert not await IdempotencyKey.filter(key=KEY["Idempotency-Key"]).exists()
    problem = the_problem(answer, refusal.status)
    assert problem["code"] == refusal.code
    assert set(problem.get("meta", {})) >= set(refusal.meta)
    assert {
        name: problem["meta"][name] for name, value in refusal.meta.items() if value is not ...
    } == {name: value for name, value in refusal.meta.items() if value is not ...}
    assert named(problem).items() >= refusal.wrong.items()
    assert ("retry-after" in answer.headers) == refusal.retry_after
    for text in texts_in(await world.fill(refusal.change)):
        assert (
            text.replace("_", "").isalpha()
            or len(text) < 3
            or text not in problem["detail"] + str(problem.get("errors"))
        )


@pytest.mark.parametrize("refusal", PROVEN, ids=str)
def test_a_refusal_that_no_request_can_meet_is_proven_by_a_test_that_exists(
    refusal: Refusal,
) -> None:
    assert refusal.proven_by is not None
    file, _, name = refusal.proven_by.partition("::")

    tests = {
        node.name
        for node in ast.walk(ast.parse((ROOT / file).read_text()))
        if hasattr(node, "name")
    }

    assert name in tests


# Whether there is a row for everything ------------------------------------------------------------


def test_the_table_of_codes_is_the_interfaces() -> None:
    assert {kind.code: kind.status for kind in KINDS} == STATUS
    assert set(STATUS) == set(STATUSES)
    assert all(status in STATUSES[code] for code, status in STATUS.items())


@pytest.mark.parametrize("refusal", REFUSALS, ids=str)
def test_a_row_gives_a_refinement_the_status_of_the_table(refusal: Refusal) -> None:
    if refusal.refinement in REFINEMENTS:
        assert refusal.status == REFINEMENTS[refusal.refinement]


@pytest.mark.parametrize(
    ("status", "code", "refinement"),
    dict.fromkeys(
        (status_of(cause.sample), cause.sample.code, cause.refinement) for cause in ERROR_DOCS
    ),
)
def test_every_cause_of_the_catalogue_has_a_row(
    status: int, code: str, refinement: str | None
) -> None:
    rows = {(refusal.status, refusal.code, refusal.refinement) for refusal in REFUSALS}

    assert (status, code, refinement) in rows, ADDED


def test_every_refinement_of_the_interface_has_a_row() -> None:
    paths = {operation.path for operation in OPERATIONS}
    owed = {name for name in REFINEMENTS if OF_DOMAINS_TO_COME.get(name, "/contacts") in paths}

    assert owed - {refusal.refinement for refusal in REFUSALS} == set(), ADDED


def met_by_every_operation(endpoint: Endpoint) -> set[int]:
    """The errors that the replay of endpoints meets by itself."""
    met = {401, 403} if endpoint.scope else {401} if endpoint.by != "nobody" else set()
    if endpoint.ids:
        met.add(404)
    if endpoint.unknown_is is not None:
        met.add(endpoint.unknown_is)
    wrong = 422 if 422 in endpoint.statuses else 400
    if endpoint.fields:
        met |= {wrong, 400 if 400 in endpoint.statuses else 422}
    if any(endpoint.parameter_names.values()) or endpoint.required_parameters:
        met.add(wrong)
    return met


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.address)
def test_every_error_that_an_operation_lists_is_met_by_a_request(endpoint: Endpoint) -> None:
    met = met_by_every_operation(endpoint)
    met |= {refusal.status for refusal in REFUSALS if refusal.address == endpoint.address}
    never = {int(status) for status in endpoint.never.split()}

    assert endpoint.statuses - met == never, f"{ADDED}, or say in `never` why not"


def test_every_code_of_a_wrong_field_is_met_by_a_request() -> None:
    everywhere = {"unknown_field", "wrong_type", "required"}
    of_refusals = {code for refusal in REFUSALS for code in refusal.wrong.values()}
    of_limits = {wrong[1] for limit in LIMITS for wrong in limit.refuses}

    assert set(FIELD_CODES) - everywhere - of_refusals - of_limits == set()
