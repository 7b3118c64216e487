"""Every write has a dry run that leaves nothing, or is refused as one that can have none."""

from typing import Any

import httpx
import pytest

from core.foundation.files import blob_store
from tests.contract.domains import ENDPOINTS
from tests.contract.replay import ask, nothing_left, ready
from tests.contract.table import Endpoint
from tests.contract.world import World
from tests.rest_api.problem_answers import the_problem

DRY = {"X-SVC-Dry-Run": "true"}

NOT_REHEARSABLE = frozenset(
    {
        "POST /v2/sessions",
        "POST /v2/sessions/password-reset",
        "POST /v2/sessions/password-reset/confirm",
        "POST /v2/accounts/accept",
        "POST /v2/me/second-factor",
        "POST /v2/me/second-factor/confirm",
        "POST /v2/me/second-factor/remove",
        "POST /v2/api-keys",
        "POST /v2/contacts/{id}/documentos/revelar",
        "POST /v2/api-keys/{id}/rotate",
        "POST /v2/email/senders/{id}/verify",
        "POST /v2/smpp/accounts",
        "POST /v2/smpp/accounts/{id}/rotate",
        "POST /cards/{id}/arquivos",
        "POST /media/uploads/{ticket}",
        "POST /numbers/{numberId}/media",
        "POST /numbers/{numberId}/media/binary",
        "POST /v2/templates/{id}/submit",
        "DELETE /v2/templates/{id}",
        "POST /v2/flows/{id}/publish",
        "POST /v2/flows/{id}/deprecate",
        "POST /webhooks/validate",
        "POST /webhooks/{id}/test",
    }
)
"""What calls somebody, keeps a file, or shows a secret of a credential."""

WRITES = [endpoint for endpoint in ENDPOINTS if endpoint.method != "GET"]


@pytest.mark.parametrize("endpoint", WRITES, ids=lambda endpoint: endpoint.address)
async def test_a_dry_run_leaves_nothing(rest: httpx.AsyncClient, endpoint: Endpoint) -> None:
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)

    files = await stored_files()
    async with nothing_left():
        answer = await ask(rest, world, endpoint, credential, headers=DRY)

    assert await stored_files() == files
    if endpoint.address in NOT_REHEARSABLE:
        status = 400 if 400 in endpoint.statuses or 422 not in endpoint.statuses else 422
        assert the_problem(answer, status)["meta"] == {"code": "SIMULACAO_NAO_SUPORTADA"}
        assert "x-svc-dry-run" not in answer.headers
    else:
        assert answer.status_code == endpoint.status, answer.text
        assert answer.headers["x-svc-dry-run"] == "true"
        real = await ask(rest, world, endpoint, credential)
        assert real.status_code == endpoint.status
        assert "x-svc-dry-run" not in real.headers
        if endpoint.status != 204:
            assert names_in(answer.json()) == names_in(real.json())


async def stored_files() -> set[str]:
    """What the file store holds."""
    return {key async for key in blob_store().stored_keys()}


def names_in(value: Any) -> Any:
    """The shape of a JSON value: its names, without what they hold."""
    match value:
        case dict():
            return {name: names_in(inner) for name, inner in value.items()}
        case list():
            return [names_in(inner) for inner in value]
    return ...
