"""Every write of REST is a mutation too, and keeps the same rules: the rows of the contract,
replayed at both entry points.
"""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import httpx
import pytest
from graphql import GraphQLObjectType, get_named_type

from graphql_api.lookahead import field_kind_of
from graphql_api.schema import graphql_schema
from rest_api.app import OPERATIONS
from tests.contract.domains import BY_ADDRESS, ENDPOINTS, LIMITS, REFUSALS
from tests.contract.graphql_replay import Offered, ask_gateway
from tests.contract.replay import (
    ask,
    changed,
    contents,
    nothing_left,
    nothing_written,
    ready,
    undone,
)
from tests.contract.table import Limit, Refusal
from tests.contract.test_dry_runs import DRY, NOT_REHEARSABLE
from tests.contract.test_limits import a_call, a_world_of, by_operation, tried
from tests.contract.world import World
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.conftest import the_app
from tests.support.graphql import as_rest

pytestmark = pytest.mark.slow

MUTATIONS = {
    "DELETE /v2/sessions/current": "endSession",
    "DELETE /v2/sessions/{id}": "revokeSession",
    "PATCH /v2/me": "updateMe",
    "POST /v2/me/second-factor": "addSecondFactor",
    "POST /v2/me/second-factor/confirm": "confirmSecondFactor",
    "POST /v2/me/second-factor/remove": "removeSecondFactor",
    "PATCH /v2/organization": "updateOrganization",
    "POST /numbers/{numberId}/media/tickets": "createMediaTicket",
    "POST /v2/accounts": "inviteAccount",
    "PATCH /v2/accounts/{id}": "updateAccount",
    "POST /v2/api-keys": "createApiKey",
    "PATCH /v2/api-keys/{id}": "updateApiKey",
    "POST /v2/api-keys/{id}/rotate": "rotateApiKey",
    "DELETE /v2/api-keys/{id}": "revokeApiKey",
    "POST /v2/smpp/accounts": "createSmppAccount",
    "PATCH /v2/smpp/accounts/{id}": "updateSmppAccount",
    "POST /v2/smpp/accounts/{id}/rotate": "rotateSmppAccount",
    "DELETE /v2/smpp/accounts/{id}": "revokeSmppAccount",
    "DELETE /v2/smpp/binds/{id}": "endSmppBind",
    "POST /v2/smpp/outbox/replay": "replaySmppOutbox",
    "POST /contacts": "createContact",
    "PATCH /contacts/{id}": "updateContact",
    "DELETE /contacts/{id}": "deleteContact",
    "POST /contacts/opt-out": "optOutContacts",
    "POST /contacts/opt-in": "optInContacts",
    "PUT /contacts/opt-out/words": "replaceOptOutWords",
    "DELETE /v2/email/suppressions": "deleteEmailSuppression",
    "POST /v2/email/senders": "createEmailSender",
    "POST /v2/email/senders/{id}/verify": "verifyEmailSender",
    "DELETE /v2/email/senders/{id}": "deleteEmailSender",
    "POST /contacts/import": "importContacts",
    "POST /v2/contacts/{id}/documentos/revelar": "revealContactDocuments",
    "POST /v2/lists": "createList",
    "PATCH /v2/lists/{id}": "updateList",
    "DELETE /v2/lists/{id}": "deleteList",
    "POST /v2/lists/{id}/members": "addListMembers",
    "PUT /v2/lists/{id}/members": "replaceListMembers",
    "POST /v2/lists/{id}/members/remove": "removeListMembers",
    "POST /v2/segments": "createSegment",
    "PATCH /v2/segments/{segmentId}": "updateSegment",
    "DELETE /v2/segments/{segmentId}": "deleteSegment",
    "POST /v2/journeys": "createJourney",
    "PATCH /v2/journeys/{id}": "updateJourney",
    "POST /v2/journeys/{id}/ativar": "activateJourney",
    "POST /v2/journeys/{id}/pausar": "pauseJourney",
    "POST /v2/journeys/{id}/retomar": "resumeJourney",
    "POST /v2/journeys/{id}/entradas": "enterJourney",
    "POST /v2/journeys/{id}/encerrar-entradas": "endJourneyEntries",
    "POST /v2/journeys/{id}/migrar": "migrateJourneyRuns",
    "PUT /v2/journeys/settings": "replaceJourneySettings",
    "POST /v2/journeys/{id}/duplicar": "duplicateJourney",
    "POST /v2/journeys/{id}/arquivar": "archiveJourney",
    "DELETE /v2/journeys/{id}": "deleteJourney",
    "DELETE /v2/journeys/{id}/execucoes/{runId}": "deleteJourneyRun",
    "POST /v2/events": "recordCustomerEvent",
    "POST /v2/companies": "createCompany",
    "POST /v2/companies/import": "importCompanies",
    "PATCH /v2/companies/{id}": "updateCompany",
    "DELETE /v2/companies/{id}": "deleteCompany",
    "PUT /v2/organizations/me/company-attribute-defs": "replaceCompanyAttributes",
    "POST /pipelines": "createPipeline",
    "PATCH /pipelines/{id}": "updatePipeline",
    "POST /pipelines/{id}/etapas": "createStage",
    "PATCH /pipelines/{id}/etapas/{etapaId}": "updateStage",
    "PUT /pipelines/{id}/etapas/ordem": "reorderStages",
    "DELETE /pipelines/{id}/etapas/{etapaId}": "deleteStage",
    "POST /cards": "createCard",
    "PATCH /cards/{id}": "updateCard",
    "POST /cards/{id}/mover": "moveCard",
    "POST /cards/mover-lote": "moveCards",
    "POST /cards/{id}/transferir": "transferCard",
    "POST /cards/{id}/ganhar": "winCard",
    "POST /cards/{id}/perder": "loseCard",
    "POST /cards/{id}/reabrir": "reopenCard",
    "DELETE /cards/{id}": "deleteCard",
    "POST /cards/{id}/atividades": "createActivity",
    "PATCH /atividades/{id}": "updateActivity",
    "DELETE /atividades/{id}": "deleteActivity",
    "DELETE /arquivos/{id}": "deleteCardFile",
    "POST /v2/rcs/messages": "sendRcs",
    "POST /v2/sms/messages": "sendSms",
    "POST /v2/email/messages": "sendEmail",
    "POST /v2/push/messages": "sendPush",
    "POST /v2/push/messages/{id}/cancel": "cancelPush",
    "POST /v2/push/tokens": "registerPushDevice",
    "POST /v2/push/tokens/opt-out": "optOutPushDevice",
    "POST /v2/push/dispatches/{id}/opened": "recordPushOpen",
    "PUT /v2/push/settings": "replacePushSettings",
    "POST /v2/push/apps": "createPushApp",
    "PATCH /v2/push/apps/{appId}": "updatePushApp",
    "POST /messages": "sendMessage",
    "POST /messages/force": "forceMessage",
    "POST /messages/{id}/cancel": "cancelMessage",
    "POST /v2/sms/messages/{id}/cancel": "cancelSms",
    "POST /v2/email/messages/{id}/cancel": "cancelEmail",
    "POST /v2/rcs/messages/{id}/cancel": "cancelRcs",
    "POST /messages/bulk": "sendBulk",
    "POST /messages/bulk-resend": "resendMessages",
    "POST /messages/{id}/archive": "archiveMessage",
    "POST /batches/{id}/cancel": "cancelMessageBatch",
    "POST /v2/templates": "createTemplate",
    "PATCH /v2/templates/{id}": "updateTemplate",
    "POST /v2/templates/{id}/submit": "submitTemplate",
    "DELETE /v2/templates/{id}": "deleteTemplate",
    "POST /v2/flows": "createFlow",
    "PATCH /v2/flows/{id}": "updateFlow",
    "POST /v2/flows/{id}/publish": "publishFlow",
    "POST /v2/flows/{id}/pause": "pauseFlow",
    "POST /v2/flows/{id}/resume": "resumeFlow",
    "POST /v2/flows/{id}/deprecate": "deprecateFlow",
    "POST /v2/flows/{id}/archive": "archiveFlow",
    "DELETE /v2/flows/{id}": "deleteFlow",
    "POST /v2/sandbox/numbers/{id}/events": "sendSandboxNumberEvent",
    "POST /v2/sandbox/messages/inbound": "receiveSandboxMessage",
    "POST /v2/sandbox/sms/replies": "sendSandboxReply",
    "POST /v2/quotes": "createQuote",
    "POST /v2/quotes/{id}/cancel": "cancelQuote",
    "PATCH /v2/wallet": "updateWallet",
    "POST /v2/sandbox/wallet/credit": "creditSandboxWallet",
    "PUT /v2/sandbox/clock": "setSandboxClock",
    "POST /v2/sandbox/clock/avancar": "advanceSandboxClock",
    "POST /webhooks": "createWebhook",
    "POST /webhooks/validate": "validateWebhookEndpoint",
    "PATCH /webhooks/{id}": "updateWebhook",
    "POST /webhooks/{id}/rotate-secret": "rotateWebhookSecret",
    "DELETE /webhooks/{id}": "deleteWebhook",
    "POST /webhooks/{id}/replay": "replayWebhookDeliveries",
    "POST /webhooks/{id}/test": "sendWebhookSample",
}

QUERIES = {
    "POST /v2/decisions/explicar": "sendExplanation",
    "POST /v2/journeys/{id}/simular": "journeyRehearsal",
    "POST /v2/journeys/{id}/simular-amostra": "journeyForecast",
    "POST /v2/segments/preview": "segmentPreview",
    "POST /v2/sms/preview": "smsPreview",
    "POST /v2/push/preview": "pushPreview",
    "POST /v2/flows/{id}/validate": "flowValidation",
    "POST /webhooks/verify-signature": "webhookSignature",
}
"""What REST takes with POST and changes nothing."""

NOT_OFFERED = {
    "POST /v2/accounts/accept": "whoever is invited has no credential yet",
    "POST /v2/sessions/password-reset": "whoever has forgotten the password has no credential",
    "POST /v2/sessions/password-reset/confirm": "the link is all that there is; it is no credential of the gateway",
    "POST /v2/sessions": "whoever logs in has no credential yet, and without one the gateway answers nothing",
    "POST /cards/{id}/arquivos": "the bytes of a file have no place in a document",
    "POST /media/uploads/{ticket}": "the bytes of a file have no place in a document",
    "POST /numbers/{numberId}/media": "the bytes of a file have no place in a document",
    "POST /numbers/{numberId}/media/binary": "the bytes of a file have no place in a document",
}

FIELDS = {**MUTATIONS, **QUERIES}
OFFERED = {address: Offered(name) for address, name in FIELDS.items()}

WRITES = [
    f"{operation.method} {operation.path}" for operation in OPERATIONS if operation.method != "GET"
]

EACH = pytest.mark.parametrize("address", list(FIELDS))


@pytest.fixture
async def gateway(clean_slate: None) -> AsyncIterator[httpx.AsyncClient]:
    """Calls the gateway without a network."""
    transport = httpx.ASGITransport(app=the_app(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://svc.test") as client:
        yield client


# Whether there is a mutation for everything -------------------------------------------------------


@pytest.mark.parametrize("address", WRITES)
def test_every_write_of_rest_is_a_mutation_or_says_why_not(address: str) -> None:
    places = [table for table in (MUTATIONS, QUERIES, NOT_OFFERED) if address in table]

    assert len(places) == 1, (
        f"{address}: declare its mutation and name it in MUTATIONS, or say in NOT_OFFERED why not"
    )


def test_every_mutation_is_a_write_of_rest() -> None:
    assert graphql_schema.mutation_type is not None
    assert set(graphql_schema.mutation_type.fields) == set(MUTATIONS.values())
    assert set(FIELDS) | set(NOT_OFFERED) == set(WRITES)


@EACH
def test_a_mutation_takes_what_the_operation_takes(address: str) -> None:
    endpoint, how = BY_ADDRESS[address], OFFERED[address].how

    assert (how.scope and how.scope.value) == endpoint.scope
    assert len(how.ids) == len(endpoint.ids)
    assert how.keyed == (endpoint.key is not None)
    argument = OFFERED[address].field.args.get("input")
    assert (argument is not None) == bool(
        endpoint.fields or (endpoint.parameters and endpoint.method == "DELETE")
    )
    if argument is not None:
        assert how.optional == (endpoint.optional_body or endpoint.method == "DELETE")
        type = argument.type if how.optional else argument.type.of_type
        assert set(type.fields) == set(endpoint.field_names or endpoint.parameter_names)


# Whether it keeps the same rules ------------------------------------------------------------------

OF_THE_SCHEMA = {
    "wrong_type",
    "not_allowed",
    "unknown_field",
    "required",
    "wrong_format",
    "too_large",
    "CAMPO_DESCONHECIDO",  # of a closed set, which has a code of its own over REST
}
"""What GraphQL itself refuses, before anything is executed."""

NOT_IN_THE_SCHEMA = {"immutable", "USE_MOVER"}
"""Refusals of fields that REST knows only to say that they are not taken."""

DRAWN = re.compile(
    r"(?<=/media/uploads/)\S+|\b(?:[a-z]{3}_[0-9A-Za-z]{21}|whsec_\w+|svc_(?:test|live)_\w+)"
)
AT = re.compile(r"\b\d{4}-\d\d-\d\dT[\d:.]+Z")
VARIES = {
    "latencyMs",
    "link",
    "password",
    "recoveryCodes",
    "sandboxCode",
    "secret",
    "secretCipher",
    "uri",
}


def settled(value: Any) -> Any:
    """An answer without nulls, and without what differs from call to call."""
    match value:
        case dict():
            return {
                name: settled(item)
                for name, item in value.items()
                if item is not None and name not in VARIES
            }
        case list():
            return [settled(item) for item in value]
        case str():
            return AT.sub("a time", DRAWN.sub("drawn", value))
    return value


def assert_same(refused: httpx.Response, problem: dict[str, Any]) -> None:
    """The gateway refuses as REST does, or the schema does so before."""
    (error,) = refused.json()["errors"][:1]
    told = error["extensions"]
    if "data" not in refused.json():  # the document did not run
        assert told["code"] == "BAD_REQUEST"
        codes = {one["code"] for one in problem.get("errors", ())}
        assert codes <= OF_THE_SCHEMA | NOT_IN_THE_SCHEMA, (error, problem)
        return
    assert set(refused.json()["data"].values()) == {None}
    for name in ("code", "meta", "errors"):
        assert settled(told.get(name)) == settled(problem.get(name))


TOLD_BY_REST_ALONE = {
    "sendSandboxReply": {"receivedAt"},  # a message, whose createdAt says the same
    "creditSandboxWallet": {"devidoCoins", "limiteAvisoCoins"},
    "updateOrganization": {"demandsSecondFactor", "withoutSecondFactor"},  # under `settings`
    # The record is read anew, with all that hangs on it.
    "sendMessage": {"billing", "replayed"},
    "forceMessage": {"billing", "replayed"},
}
MORE_THAN_REST = {"createCompany": {"contagens"}}
"""Fields of which REST tells less there."""


TELLS_AFTER_A_204 = {"revokeApiKey"}
"""REST answers more than a 204 too, where there is something to tell."""


@EACH
async def test_a_mutation_answers_what_rest_answers(
    rest: httpx.AsyncClient, gateway: httpx.AsyncClient, address: str
) -> None:
    endpoint, offered = BY_ADDRESS[address], OFFERED[address]
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = await world.credential(endpoint.by)
    async with undone():
        answered = await ask(rest, world, endpoint, credential)
    answer = await ask_gateway(gateway, world, endpoint, offered, credential)

    assert answer.status_code == 200, answer.text
    content = answer.json()
    assert "errors" not in content, content["errors"]
    type = get_named_type(offered.field.type)
    assert isinstance(type, GraphQLObjectType)
    shown = settled(as_rest(type.name, content["data"][offered.name]))
    told = settled({} if answered.status_code == 204 else answered.json())
    if offered.name == "moveCard":
        told = told["card"]
    hung = {name for name, field in type.fields.items() if field_kind_of(field) is not None}
    told_here = told.keys() - hung - TOLD_BY_REST_ALONE.get(offered.name, set())
    for name in told_here - MORE_THAN_REST.get(offered.name, set()):
        assert shown[name] == told[name]
    assert told_here <= shown.keys()
    if answered.status_code == 204 and offered.name not in TELLS_AFTER_A_204:
        assert shown.keys() == {"id"}


@pytest.mark.parametrize("address", list(MUTATIONS))
async def test_a_dry_run_of_a_mutation_leaves_nothing(
    gateway: httpx.AsyncClient, address: str
) -> None:
    endpoint, offered = BY_ADDRESS[address], OFFERED[address]
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    credential = {**await world.credential(endpoint.by), **DRY}

    async with nothing_left():
        answer = await ask_gateway(gateway, world, endpoint, offered, credential)

    assert answer.headers["x-svc-dry-run"] == "true"
    errors = answer.json().get("errors", [])
    said = [error["extensions"]["meta"] for error in errors]
    refused = [{"code": "SIMULACAO_NAO_SUPORTADA"}] if address in NOT_REHEARSABLE else []
    assert said == refused


@pytest.mark.parametrize(
    "address", [row.address for row in ENDPOINTS if row.scope and row.address in FIELDS]
)
async def test_without_the_scope_nothing_is_looked_at(
    gateway: httpx.AsyncClient, address: str
) -> None:
    endpoint = BY_ADDRESS[address]
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    assert endpoint.scope is not None
    callers = await world.without(endpoint.scope)

    async with nothing_written():
        for credential in callers.values():
            answer = await ask_gateway(gateway, world, endpoint, OFFERED[address], credential)
            (error,) = answer.json()["errors"]
            assert error["extensions"]["code"] == "FORBIDDEN"
            assert error["extensions"]["meta"] == {"escopoExigido": endpoint.scope}


@pytest.mark.parametrize(
    "address", [row.address for row in ENDPOINTS if row.ids and row.address in FIELDS]
)
async def test_a_strange_id_is_not_found(gateway: httpx.AsyncClient, address: str) -> None:
    endpoint = BY_ADDRESS[address]
    world = await World.open(endpoint.env)
    await ready(world, endpoint)
    own = await world.fill(endpoint.ids)
    credential = await world.credential(endpoint.by)

    for name, word in endpoint.ids.items():
        strange = await world.strange_ids(word[1:-1], both_environments=endpoint.both_environments)
        async with nothing_written():
            for id in [*strange.values(), "a\0b"]:
                ids = {**own, name: id}
                answer = await ask_gateway(
                    gateway, world, endpoint, OFFERED[address], credential, ids=ids
                )
                (error,) = answer.json()["errors"]
                assert error["extensions"]["code"] == "NOT_FOUND", error


SAID = [
    refusal
    for refusal in REFUSALS
    if refusal.proven_by is None
    and refusal.address in FIELDS
    and refusal.content is None
    and refusal.by != "nobody"
]


@pytest.mark.parametrize("refusal", SAID, ids=str)
@pytest.mark.usefixtures("at_once")
async def test_a_refusal_is_the_same_at_both_doors(
    rest: httpx.AsyncClient,
    gateway: httpx.AsyncClient,
    provider: ScriptedProvider,
    refusal: Refusal,
) -> None:
    endpoint = BY_ADDRESS[refusal.address]

    async def met(
        entry_point: Callable[..., Awaitable[httpx.Response]], *how: Any
    ) -> httpx.Response:
        """The row at one entry point, in a world of its own."""
        world = await World.open(refusal.env or endpoint.env, provider)
        await ready(world, endpoint)
        credential = await world.credential(refusal.by or endpoint.by)
        async with world.stays:
            if refusal.before is not None:
                await refusal.before(world)
            call: dict[str, Any] = {
                "body": await changed(world, endpoint, refusal),
                "query": {**await world.fill(endpoint.query), **refusal.query},
                "headers": refusal.headers,
                "ids": await world.fill(endpoint.ids),
            }
            before = await contents()
            answer = await entry_point(
                *how[:1], world, endpoint, *how[1:], world.uses or credential, **call
            )
            assert refusal.writes or await contents() == before
        return answer

    problem = await met(ask, rest)
    answer = await met(ask_gateway, gateway, OFFERED[refusal.address])

    assert_same(answer, problem.json())


BODY_LIMITS = [limit for limit in LIMITS if limit.address in FIELDS and limit.field[0] == "/"]


def is_json(value: Any) -> bool:
    """Not the numbers that are none, which REST reads to refuse them by name."""
    return "Infinity" not in (text := json.dumps(value)) and "NaN" not in text


UNSAYABLE: dict[str, Callable[[Any], bool]] = {
    "/externalId": lambda value: isinstance(value, int),
    "/posicao": lambda value: value >= 2**31,
}
"""REST takes a number for an id of the caller's system, here it is a text; and an Int ends at 32
bits.
"""


@by_operation(BODY_LIMITS)
async def test_what_lies_within_a_limit_is_taken(
    gateway: httpx.AsyncClient, limits: Sequence[Limit]
) -> None:
    world, endpoint = await a_world_of(limits)
    credential, offered = await world.credential(endpoint.by), OFFERED[endpoint.address]

    for limit, value in [(one, value) for one in limits for value in one.takes]:
        if (unsayable := UNSAYABLE.get(limit.field)) and unsayable(value):
            continue
        async with tried(world):
            call = await a_call(world, endpoint, limit, value)
            answer = await ask_gateway(gateway, world, endpoint, offered, credential, **call)
            assert "errors" not in answer.json(), (
                limit.field,
                str(value)[:60],
                answer.text[:500],
            )


@by_operation(BODY_LIMITS)
async def test_what_lies_beyond_a_limit_is_the_same_refusal_at_both_doors(
    rest: httpx.AsyncClient, gateway: httpx.AsyncClient, limits: Sequence[Limit]
) -> None:
    world, endpoint = await a_world_of(limits)
    credential, offered = await world.credential(endpoint.by), OFFERED[endpoint.address]
    calls = [
        await a_call(world, endpoint, limit, wrong[0])
        for limit in limits
        for wrong in limit.refuses
        if is_json(wrong[0])
    ]

    async with nothing_left():
        for call in calls:
            problem = (await ask(rest, world, endpoint, credential, **call)).json()
            answer = await ask_gateway(gateway, world, endpoint, offered, credential, **call)
            assert_same(answer, problem)
