"""Issuing, reading, changing, rotating and ending API keys."""

from core import organizations
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.api_keys import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call, OtherSuccess
from rest_api.support.sample_ids import API_KEY


async def list_keys(
    call: Call[None, organizations.KeyFilter],
) -> WrittenPage[organizations.KeyPage]:
    return await organizations.list_keys(call.caller, call.query)


async def issue_key(call: Call[organizations.NewKey]) -> organizations.IssuedKey:
    return await organizations.issue_key(call.caller, call.body)


async def get_key(call: Call) -> organizations.KeyWithSubscriptions:
    return await organizations.get_key(call.caller, call.path["id"])


async def change_key(call: Call[organizations.KeyChanges]) -> organizations.KeyRecord:
    return await organizations.change_key(call.caller, call.path["id"], call.body)


async def rotate_key(call: Call[organizations.KeyRotation]) -> organizations.IssuedKey:
    return await organizations.rotate_key(call.caller, call.path["id"], call.body)


async def revoke_key(
    call: Call[None, organizations.KeyRevocation],
) -> organizations.KeyWithSubscriptions | OtherSuccess | None:
    revoked = await organizations.revoke_key(call.caller, call.path["id"], call.query)
    return OtherSuccess(revoked) if revoked["webhooks"] else None


WHOSE = (
    "For sessions only: no API key can hold the scope. A session manages the keys of both "
    "environments of its "
    "organization, whichever it works in."
)

operations = [
    Operation(
        "GET",
        "/v2/api-keys",
        list_keys,
        Scope.KEYS_MANAGE,
        "List API keys, newest first",
        "API keys",
        description=f"{WHOSE} The keys themselves cannot be read again.",
        errors=(401, 403, 422),
        query=organizations.KeyFilter,
        answer=organizations.KeyPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "POST",
        "/v2/api-keys",
        issue_key,
        Scope.KEYS_MANAGE,
        "Issue an API key",
        "API keys",
        description=(
            f"{WHOSE} `env` is the environment in which the key works. `key` is answered here "
            f"once and cannot be read "
            "again. `ips` names the addresses and networks that it opens from; `expiraEm` lies "
            "at most 400 days ahead. "
            "Publishes `apikey.created` in the environment of the key."
        ),
        errors=(401, 403, 422),
        status=201,
        body=organizations.NewKey,
        answer=organizations.IssuedKey,
        answers={"issued": examples.ISSUED},
        examples={
            "sandbox": {
                "nome": "integration tests",
                "env": "test",
                "scopes": ["sms:send", "sms:read"],
            },
            "from our servers only": {
                "nome": "checkout",
                "env": "live",
                "scopes": ["sms:send"],
                "ips": ["203.0.113.0/24", "2001:db8::7"],
            },
        },
    ),
    Operation(
        "GET",
        "/v2/api-keys/{id}",
        get_key,
        Scope.KEYS_MANAGE,
        "Read one API key",
        "API keys",
        description=(
            f"{WHOSE} The key itself cannot be read again. `webhooks` are the webhook "
            f"subscriptions that were created "
            "with it, or with a key that it replaced."
        ),
        errors=(401, 403, 404),
        answer=organizations.KeyWithSubscriptions,
        answers={"key": examples.READ},
        ids={"id": API_KEY},
    ),
    Operation(
        "PATCH",
        "/v2/api-keys/{id}",
        change_key,
        Scope.KEYS_MANAGE,
        "Change the name, the scopes or the networks of an API key",
        "API keys",
        description=(
            f"{WHOSE} What is left out stays. Scopes may only become fewer (422, "
            f"`ESCOPO_AMPLIADO`); `ips` null lets "
            "the key open from anywhere. A key that is revoked (`CHAVE_REVOGADA`) or has expired "
            "(`CHAVE_EXPIRADA`) "
            "does not change: 409. Every process knows of the change within two seconds."
        ),
        errors=(401, 403, 404, 409, 422),
        body=organizations.KeyChanges,
        answer=organizations.KeyRecord,
        answers={"fewer scopes": examples.NARROWED},
        ids={"id": API_KEY},
        examples={
            "fewer scopes": {"scopes": ["sms:read"]},
            "networks": {"ips": ["203.0.113.0/24"]},
            "from anywhere": {"nome": "checkout", "ips": None},
        },
    ),
    Operation(
        "POST",
        "/v2/api-keys/{id}/rotate",
        rotate_key,
        Scope.KEYS_MANAGE,
        "Replace an API key",
        "API keys",
        description=(
            f"{WHOSE} Answers a new key with the same name, environment, scopes and networks, "
            f"and as long a life as "
            "the old one was given; its `key` cannot be read again. The old one opens for "
            "`sobreposicaoHoras` more, "
            "never longer than it would have; with 0 it ends at once. A key that is revoked, has "
            "expired or was "
            "rotated already (`CHAVE_JA_ROTACIONADA`) is refused: 409. Publishes "
            "`apikey.rotated` in the environment "
            "of the key."
        ),
        errors=(401, 403, 404, 409, 422),
        status=201,
        body=organizations.KeyRotation,
        body_optional=True,
        answer=organizations.IssuedKey,
        answers={"rotated": examples.ROTATED},
        ids={"id": API_KEY},
        examples={
            "within a day": {},
            "within a week": {"sobreposicaoHoras": 168},
            "at once": {"sobreposicaoHoras": 0},
        },
    ),
    Operation(
        "DELETE",
        "/v2/api-keys/{id}",
        revoke_key,
        Scope.KEYS_MANAGE,
        "Revoke an API key",
        "API keys",
        description=(
            f"{WHOSE} The key opens nothing from now on; every process knows within two seconds. "
            f"Its record stays. "
            "Revoking it again changes nothing. Webhook subscriptions that were created with it "
            "go on, but are told no "
            "personal data whole any more: where there are any, the answer is 200 and lists them "
            "in `webhooks`, and "
            "`encerrarWebhooks=true` pauses them."
        ),
        errors=(401, 403, 404, 422),
        status=204,
        other_status=200,
        query=organizations.KeyRevocation,
        answer=organizations.KeyWithSubscriptions,
        answers={"it had subscribed": examples.REVOKED},
        ids={"id": API_KEY},
    ),
]
