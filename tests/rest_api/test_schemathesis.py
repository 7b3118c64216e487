"""Every operation under requests made from the document, good and bad: nothing breaks, nothing is
undocumented.

What is made is the same in every run; a finding names the curl command that shows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import orjson
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core import contacts, lists, organizations, sms
from core.foundation.security.caller import KEY_SCOPES, SESSION_ONLY, Scope, system_caller
from rest_api.app import OPERATIONS
from rest_api.support import sample_ids
from rest_api.support.operations import Operation
from tests.factories.accounts import a_session, an_organization
from tests.factories.organizations import a_key
from tests.factories.sms import a_send
from tests.factories.webhooks import a_subscription
from tests.rest_api.contract import BASE_URL, the_closed_document

pytestmark = pytest.mark.slow

AnyCase = Case[Any]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EACH_OPERATION = pytest.mark.parametrize(
    "operation", OPERATIONS, ids=lambda o: f"{o.method} {o.path}"
)
HTTPX = {"method", "url", "params", "headers", "json"}
REQUESTS = 700
"""For all operations together, so that the time stays the same however many there are."""
NOBODY = "http://127.0.0.1:9009/hooks"
"""Where pings go instead of to a stranger."""


def bounded(examples: int) -> settings:
    """As many requests as that, drawn the same way each time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@dataclass
class World:
    """An organization that has one of everything: what opens it, and the ids that the examples
    stand for.
    """

    key: str
    session: str
    ids: dict[str, str]

    def credential(self, operation: Operation) -> str:
        """A key of all scopes, or a session where no key will do."""
        return self.session if operation.scope in SESSION_ONLY else self.key


@pytest.fixture
async def world(clean_slate: None) -> World:
    organization_id = await an_organization()
    caller = system_caller(organization_id, "test")
    await organizations.set_limits(organization_id, "test", sms_per_second=10_000)
    message = await a_send(caller)
    reply = await sms.reply_in_sandbox(
        caller, sms.SandboxReply(in_reply_to=message["id"], body="SIM")
    )
    subscription = await a_subscription(caller)
    contact = await contacts.create_contact(caller, contacts.NewContact(phone="+5511987650005"))
    some_list = await lists.create_list(caller, lists.NewList(name="A list"))
    key = await organizations.issue_key(
        caller, organizations.NewKey(name="another", env="test", scopes=[Scope.SMS_READ])
    )
    ids = {
        sample_ids.MESSAGE: message["id"],
        sample_ids.REPLY: reply["id"],
        sample_ids.WEBHOOK: subscription["webhook"]["id"],
        sample_ids.CONTACT: contact["id"],
        sample_ids.LIST: some_list["id"],
        sample_ids.API_KEY: key["id"],
    }
    key_text = await a_key(organization_id=organization_id, scopes=KEY_SCOPES)
    return World(key_text, await a_session(organization_id=organization_id), ids)


SCHEMA = schemathesis.openapi.from_dict(the_closed_document())


def requests_for(operation: Operation, *, ids: Mapping[str, str]) -> st.SearchStrategy[AnyCase]:
    """Requests that the document allows, the bodies of its examples among them, and some that it
    does not allow.
    """
    described = SCHEMA[operation.path][operation.method]
    known = {name: ids[sample] for name, sample in operation.ids.items() if sample in ids} or None
    good = described.as_strategy(GenerationMode.POSITIVE, path_parameters=known)
    bodies = [true_of(ids, body) for body in operation.examples.values()]
    requests = st.one_of(
        good,
        st.builds(with_body, good, st.sampled_from(bodies)) if bodies else st.nothing(),
        described.as_strategy(GenerationMode.POSITIVE),
        described.as_strategy(GenerationMode.NEGATIVE, path_parameters=known),
    )
    return requests.map(for_real)


def for_real(case: AnyCase) -> AnyCase:
    """No dry run: those have refusals of their own on every write (tests/contract/test_dry_runs.py)."""
    if case.headers:
        case.headers.pop("X-SVC-Dry-Run", None)
    return case


def true_of(ids: Mapping[str, str], example: Any) -> Any:
    """An example of a body with ids that exist."""
    text = orjson.dumps(example).decode()
    for sample, id in ids.items():
        text = text.replace(sample, id)
    return orjson.loads(text)


def with_body(case: AnyCase, body: Any) -> AnyCase:
    """The same request with another body."""
    case.body = dict(body)
    case.media_type = "application/json"
    return case


async def send(
    rest: httpx.AsyncClient, case: AnyCase, *, credential: str | None = None
) -> httpx.Response:
    """Ask our entry point, and nothing else."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = NOBODY
    told = case.as_transport_kwargs(base_url=BASE_URL)
    if credential is not None:
        told["headers"]["Authorization"] = f"Bearer {credential}"
    ready = {name: value for name, value in told.items() if name in HTTPX}
    return await rest.request(**ready, content=told.get("data"))


@pytest.mark.usefixtures("at_once")
@EACH_OPERATION
@bounded(max(3, REQUESTS // len(OPERATIONS)))
@given(data=st.data())
async def test_no_request_breaks_an_operation_or_its_promises(
    rest: httpx.AsyncClient, world: World, operation: Operation, data: st.DataObject
) -> None:
    case = data.draw(requests_for(operation, ids=world.ids))

    answer = await send(rest, case, credential=world.credential(operation))

    case.validate_response(answer, checks=CHECKS)
