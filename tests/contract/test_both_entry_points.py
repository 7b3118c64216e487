"""REST and GraphQL tell the same caller the same: values, masks, totals, refusals, and nothing of
anybody else's.
"""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from graphql import get_named_type

from core.foundation.security.caller import Caller, Scope
from core.organizations import authenticate
from graphql_api.schema import graphql_schema
from tests.contract import domains  # noqa: F401 - gathers the makers
from tests.contract.world import MAKERS, World, bearer
from tests.factories.organizations import a_key
from tests.support.graphql import as_rest, ask, every_field


@dataclass(frozen=True)
class Kind:
    """A kind of record at both entry points. `maker` is the word of the contract's rows that makes one."""

    type: str
    maker: str
    scope: Scope
    one: str
    many: str
    at: str
    """The path of one record; its list lies above it."""
    listed: str | None = None
    """The path of the list, where it lies elsewhere; empty: REST has none."""
    more: str = ""
    """What hangs on a record and is a part of it at REST."""
    people: int = 0
    """How many there are besides: an organization has an owner."""

    @property
    def path_of_list(self) -> str:
        return self.at.rpartition("/")[0] if self.listed is None else self.listed


PARTS = """
etapas { id pipelineId nome posicao resultado probabilidade tempoMaximoDias camposObrigatorios cor }
motivos { id texto ativo exigeObservacao }"""

OPT_OUTS = "optOuts { canal em motivo origem }"

KINDS = [
    Kind(
        "Account",
        "account",
        Scope.CRM_READ,
        "account",
        "accounts",
        "/v2/accounts/{id}",
        people=1,
    ),
    Kind(
        "Contact",
        "contact",
        Scope.CONTACTS_READ,
        "contact",
        "contacts",
        "/contacts/{id}",
        more=OPT_OUTS,
    ),
    Kind("Company", "company", Scope.CRM_READ, "company", "companies", "/v2/companies/{id}"),
    Kind(
        "Pipeline",
        "pipeline",
        Scope.CRM_READ,
        "pipeline",
        "pipelines",
        "/pipelines/{id}",
        more=PARTS,
    ),
    Kind(
        "Card",
        "card",
        Scope.CRM_READ,
        "card",
        "cards",
        "/cards/{id}",
        more="contatos { contatoId papel principal }",
    ),
    Kind("ContactList", "list", Scope.CONTACTS_READ, "list", "lists", "/v2/lists/{id}"),
    Kind("Segment", "segment", Scope.CONTACTS_READ, "segment", "segments", "/v2/segments/{id}"),
    Kind("Journey", "journey", Scope.CAMPAIGNS_READ, "journey", "journeys", "/v2/journeys/{id}"),
    Kind(
        "EmailSender",
        "email sender",
        Scope.EMAIL_READ,
        "emailSender",
        "emailSenders",
        "/v2/email/senders/{id}",
    ),
    Kind("Webhook", "webhook", Scope.WEBHOOKS_READ, "webhook", "webhooks", "/webhooks/{id}"),
    Kind("RcsMessage", "rcs", Scope.RCS_READ, "message", "messages", "/v2/rcs/messages/{id}"),
    Kind(
        "PushMessage",
        "push",
        Scope.PUSH_READ,
        "pushMessage",
        "pushMessages",
        "/v2/push/messages/{id}",
        listed="",
    ),
    Kind(
        "Template", "template", Scope.TEMPLATES_READ, "template", "templates", "/v2/templates/{id}"
    ),
    Kind("Flow", "flow", Scope.FLOWS_READ, "flow", "flows", "/v2/flows/{id}"),
    Kind("Number", "number", Scope.NUMBERS_READ, "number", "numbers", "/numbers/{id}"),
    Kind("SmsMessage", "sms", Scope.SMS_READ, "message", "messages", "/v2/sms/messages/{id}"),
    Kind(
        "ConversationMessage",
        "exported message",
        Scope.MESSAGES_READ,
        "message",
        "messages",
        "/messages/{id}",
    ),
    Kind(
        "EmailMessage", "email", Scope.EMAIL_READ, "message", "messages", "/v2/email/messages/{id}"
    ),
]
NOT_COMPARED = {
    "apiKey": "no key may read keys: tests/graphql_api/test_administration.py",
    "smppAccount": "no key may read accounts: tests/graphql_api/test_smpp.py",
    "quote": "its scope is that of its channel: tests/graphql_api/test_front_end.py",
    "messageBatch": "REST counts it as it is read: tests/graphql_api/test_message_batches.py",
    "webhookDelivery": "REST has it below its webhook: tests/graphql_api/test_node.py",
    "journeyRun": "REST has them below their journey: tests/graphql_api/test_journey_runs.py",
    "auditEntry": "REST has the list alone: tests/graphql_api/test_administration.py",
}
"""What the gateway reads by its id besides, and why it is not compared here."""

named = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.type)


async def credentials(world: World, *scopes: Scope) -> tuple[dict[str, str], Caller]:
    """A key with these scopes: its header for one entry point, its caller for the other."""
    key = await a_key(
        world.caller.env, scopes=frozenset(scopes), organization_id=world.caller.organization_id
    )
    return bearer(key), await authenticate(key, request_id=None)


def selection(kind: Kind) -> str:
    return f"{every_field(kind.type)} {kind.more}"


def one_of(kind: Kind, id: str) -> str:
    return f'{{ found: {kind.one}(id: "{id}") {{ ... on {kind.type} {{ {selection(kind)} }} }} }}'


def many_of(kind: Kind) -> str:
    inner = f"... on {kind.type} {{ {selection(kind)} }}"
    return f"{{ found: {kind.many}(first: 100) {{ totalCount nodes {{ {inner} }} }} }}"


def without_nulls(value: Any) -> Any:
    """A record without what is null: REST leaves most of it out, the gateway shows it."""
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


def told_by_graphql(kind: Kind, shown: dict[str, Any]) -> Any:
    told = without_nulls(as_rest(kind.type, shown))
    names = OTHER_NAMES.get(kind.type, {})
    return {
        names.get(name, name): value
        for name, value in told.items()
        if name not in EXTRA.get(kind.type, ())
    }


def holds(whole: Any, part: Any) -> bool:
    """Whether all that a record of a list says stands in the other one, which may say more."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            holds(whole.get(name), inner) for name, inner in part.items()
        )
    return bool(whole == part)


EXTRA = {
    "SmsMessage": ("channel", "direction"),
    "EmailMessage": ("channel", "direction"),
    "ConversationMessage": ("env", "reason", "from"),
    "RcsMessage": ("channel", "direction", "reason", "failedAt"),
}
"""What only the gateway's interface has of a record."""

OTHER_NAMES = {"RcsMessage": {"deliveredVia": "channel"}}
"""What the gateway calls otherwise: `channel` of a message is the one that it was sent on,
whichever that is.
"""


@named
@pytest.mark.parametrize("sees", [(), (Scope.PII_FULL,)], ids=["masked", "pii:full"])
async def test_one_record_and_the_list_are_the_same(
    kind: Kind, sees: tuple[Scope, ...], rest: httpx.AsyncClient
) -> None:
    world = await World.open()
    id = await MAKERS[kind.maker](world.caller)
    headers, caller = await credentials(world, kind.scope, *sees)
    over_rest = without_nulls((await rest.get(kind.at.format(id=id), headers=headers)).json())
    content = await ask(caller, one_of(kind, id))
    assert "errors" not in content
    assert told_by_graphql(kind, content["data"]["found"]) == over_rest
    if kind.path_of_list:
        page = (await rest.get(kind.path_of_list, headers=headers)).json()
        found = (await ask(caller, many_of(kind)))["data"]["found"]
        assert found["totalCount"] == page.get("total", len(page["items"])) == 1 + kind.people
        for node, item in zip(found["nodes"], page["items"], strict=True):
            assert holds(told_by_graphql(kind, node), without_nulls(item))


@named
async def test_without_the_scope_both_refuse_alike(kind: Kind, rest: httpx.AsyncClient) -> None:
    world = await World.open()
    id = await MAKERS[kind.maker](world.caller)
    headers, caller = await credentials(world, Scope.AUDIT_READ)
    problem = (await rest.get(kind.at.format(id=id), headers=headers)).json()
    for query in (one_of(kind, id), many_of(kind)):
        content = await ask(caller, query)
        assert content["data"] == {"found": None}
        (error,) = content["errors"]
        # Messages of any channel ask for a scope of any: the first of them is named.
        meta = {"escopoExigido": "sms:read"} if kind.one == "message" else problem["meta"]
        assert (error["extensions"]["code"], error["extensions"]["meta"]) == (problem["code"], meta)


@named
async def test_neither_shows_what_is_another_organizations_or_in_the_other_environment(
    kind: Kind, rest: httpx.AsyncClient
) -> None:
    world = await World.open()
    id = await MAKERS[kind.maker](world.caller)
    for elsewhere in (await World.open(), await World.open("live")):
        headers, caller = await credentials(elsewhere, kind.scope, Scope.PII_FULL)
        assert (await rest.get(kind.at.format(id=id), headers=headers)).status_code == 404
        assert await ask(caller, one_of(kind, id)) == {"data": {"found": None}}
        found = (await ask(caller, many_of(kind)))["data"]["found"]
        assert (found["totalCount"], len(found["nodes"])) == (kind.people, kind.people)
        assert id not in str(found["nodes"])


def _is_node(type: Any) -> bool:
    """Other fields tell something about a record; they do not read one."""
    return any(interface.name == "Node" for interface in getattr(type, "interfaces", ()))


def test_every_kind_of_record_that_the_gateway_reads_is_here() -> None:
    query = graphql_schema.query_type
    assert query is not None
    reads = {
        name
        for name, field in query.fields.items()
        if "id" in field.args and name != "node" and _is_node(get_named_type(field.type))
    }
    assert reads == {kind.one for kind in KINDS} | NOT_COMPARED.keys()
