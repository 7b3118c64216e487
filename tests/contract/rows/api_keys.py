"""Decisions: API keys."""

from dataclasses import replace
from datetime import timedelta

from core import organizations
from core.foundation.clock import now, wire_time
from core.foundation.security.caller import Caller, Scope
from tests.contract.table import Endpoint, Event, Limit, Page, Refusal
from tests.contract.world import World, bearer
from tests.factories.keys import an_issued_key, ends


async def an_api_key(caller: Caller) -> str:
    """The id of a key."""
    admin = replace(caller, scopes=frozenset(Scope))
    return str((await an_issued_key(admin, env=caller.env))["id"])


RECORDS = {"api key": an_api_key}

ENDPOINTS = [
    Endpoint(
        address="GET /v2/api-keys",
        scope="keys:manage",
        by="session",
        errors="401 403 422",
        parameters="env* status* limit* skip* cursor",
        both_environments=True,
    ),
    Endpoint(
        address="POST /v2/api-keys",
        scope="keys:manage",
        by="session",
        status=201,
        errors="401 403 422",
        fields="nome! env! scopes[]! expiraEm ips[]",
        body={"nome": "checkout", "env": "test", "scopes": ["sms:read", "sms:send"]},
    ),
    Endpoint(
        address="GET /v2/api-keys/{id}",
        scope="keys:manage",
        by="session",
        errors="401 403 404",
        ids={"id": "<api key>"},
        both_environments=True,
    ),
    Endpoint(
        address="PATCH /v2/api-keys/{id}",
        scope="keys:manage",
        by="session",
        errors="401 403 404 409 422",
        ids={"id": "<api key>"},
        both_environments=True,
        fields="nome scopes[] ips[]",
        body={"scopes": ["sms:read"]},
    ),
    Endpoint(
        address="POST /v2/api-keys/{id}/rotate",
        scope="keys:manage",
        by="session",
        status=201,
        errors="401 403 404 409 422",
        ids={"id": "<api key>"},
        both_environments=True,
        optional_body=True,
        fields="sobreposicaoHoras",
        body={"sobreposicaoHoras": 1},
    ),
    Endpoint(
        address="DELETE /v2/api-keys/{id}",
        scope="keys:manage",
        by="session",
        status=204,
        other=200,
        errors="401 403 404 422",
        ids={"id": "<api key>"},
        parameters="encerrarWebhooks*",
        both_environments=True,
        record_stays=True,
    ),
]

ROTATE, CHANGE = "POST /v2/api-keys/{id}/rotate", "PATCH /v2/api-keys/{id}"


async def it_is_revoked(world: World) -> None:
    await organizations.ApiKey.filter(id=await world.record("api key")).update(revoked_at=now())


async def it_has_expired(world: World) -> None:
    await ends({"id": await world.record("api key")}, now() - timedelta(seconds=1))


async def it_was_rotated(world: World) -> None:
    await organizations.rotate_key(
        replace(world.caller, scopes=frozenset(Scope)),
        await world.record("api key"),
        organizations.KeyRotation(),
    )


async def the_caller_uses_a_revoked_key(world: World) -> None:
    world.uses = bearer(await _a_key_that(world, revoked_at=now()))


async def the_caller_uses_an_expired_key(world: World) -> None:
    world.uses = bearer(await _a_key_that(world, expires_at=now() - timedelta(seconds=1)))


async def the_caller_uses_a_key_of_other_networks(world: World) -> None:
    world.uses = bearer(await _a_key_that(world, ips=["203.0.113.0/24"]))


async def the_caller_uses_no_key_of_ours(world: World) -> None:
    world.uses = bearer("svc_live_of_another_installation")


async def _a_key_that(world: World, **columns: object) -> str:
    admin = replace(world.caller, scopes=frozenset(Scope))
    issued = await an_issued_key(admin, env=world.caller.env)
    await organizations.ApiKey.filter(id=issued["id"]).update(**columns)
    return str(issued["key"])


REFUSALS = [
    *(
        Refusal(status=401, address="GET /v2/me", before=before, meta={"motivo": reason})
        for before, reason in (
            (the_caller_uses_no_key_of_ours, "invalida"),
            (the_caller_uses_a_revoked_key, "revogada"),
            (the_caller_uses_an_expired_key, "expirada"),
            (the_caller_uses_a_key_of_other_networks, "ip_nao_permitido"),
        )
    ),
    *(
        Refusal(status=409, address=address, before=before, meta={"code": code})
        for address in (ROTATE, CHANGE)
        for before, code in ((it_is_revoked, "CHAVE_REVOGADA"), (it_has_expired, "CHAVE_EXPIRADA"))
    ),
    Refusal(
        status=409,
        address=ROTATE,
        before=it_was_rotated,
        meta={"code": "CHAVE_JA_ROTACIONADA", "replacedById": ...},
    ),
    Refusal(
        status=422,
        address=CHANGE,
        change={"scopes": ["sms:read", "crm:read"]},
        meta={"code": "ESCOPO_AMPLIADO"},
        wrong={"/scopes/1": "ESCOPO_AMPLIADO"},
    ),
    Refusal(
        status=422,
        address="POST /v2/api-keys",
        change={"scopes": ["keys:manage"]},
        wrong={"/scopes/0": "session_only"},
    ),
]

NETWORK = "203.0.113.0/24"

LIMITS = [
    *(
        limit
        for address in ("POST /v2/api-keys", CHANGE)
        for limit in (
            Limit(
                address=address,
                field="/nome",
                takes=["x", "x" * 120],
                refuses=[
                    ("", "too_short"),
                    (" ", "too_short"),
                    ("a\x1b[2Jb", "line_break"),
                    ("x" * 121, "too_long"),
                ],
            ),
            Limit(
                address=address,
                field="/scopes",
                refuses=[([], "too_few"), (["sms:fly"], "not_allowed", "/0")],
            ),
            Limit(
                address=address,
                field="/ips",
                takes=[[NETWORK], ["2001:db8::7"], [f"203.0.113.{n}" for n in range(50)]],
                refuses=[
                    ([], "too_few"),
                    ([f"203.0.113.{n}" for n in range(51)], "too_many"),
                    (["203.0.113.1/24"], "wrong_format", "/0"),
                    (["home"], "wrong_format", "/0"),
                ],
            ),
        )
    ),
    Limit(
        address="POST /v2/api-keys",
        field="/env",
        takes=["live", "test"],
        refuses=[("prod", "not_allowed")],
    ),
    Limit(
        address="POST /v2/api-keys",
        field="/expiraEm",
        takes=[wire_time(now() + timedelta(days=399)), wire_time(now() + timedelta(hours=1))],
        refuses=[("2001-01-01T00:00:00Z", "too_small"), ("2999-01-01T00:00:00Z", "too_large")],
    ),
    Limit(
        address=ROTATE,
        field="/sobreposicaoHoras",
        takes=[0, 168],
        refuses=[(-1, "too_small"), (169, "too_large")],
    ),
    Limit(
        address="GET /v2/api-keys",
        field="?status",
        takes=["ativa", "expirada", "revogada"],
        refuses=[("viva", "not_allowed")],
    ),
    Limit(
        address="GET /v2/api-keys",
        field="?env",
        takes=["live", "test"],
        refuses=[("prod", "not_allowed")],
    ),
]

PAGES = [
    Page(
        address="GET /v2/api-keys",
        fill=lambda world, count: world.rows(
            "api key", count, table="api_keys", unique=("key_hash",)
        ),
    )
]


async def a_key_is_issued(world: World) -> None:
    await world.make("api key", world.caller)


KEY_DATA = "keyId name env scopes createdById"

EVENTS = [
    Event(name="apikey.created", data=KEY_DATA, cause=a_key_is_issued),
    Event(name="apikey.rotated", data=f"{KEY_DATA} replacedById", cause=it_was_rotated),
]
