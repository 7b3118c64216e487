"""Interface: Push; Endpoints, Push."""

from datetime import datetime, timedelta
from typing import Any

from core import push
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from tests.contract.table import Answer, Endpoint, Refusal
from tests.contract.world import World
from tests.factories.push import BROWSER_KEYS, a_device, a_dispatch
from tests.factories.sms import leave_coins

LATER = "2999-01-01T12:00:00Z"


async def an_app(caller: Caller) -> str:
    """The id of an app; production knows none by itself."""
    await db.execute(
        "INSERT INTO push_apps (organization_id, env, app_id, created_at, updated_at) VALUES ($1, $2, 'loja', $3, $3) "
        "ON CONFLICT DO NOTHING",
        caller.organization_id,
        caller.env,
        now(),
    )
    return "loja"


async def an_app_of_its_own(caller: Caller) -> str:
    """The id of an app that nobody else has."""
    new = push.NewApp(app_id=new_id("app"))
    return str((await push.create_app(caller, new))["appId"])


async def a_token(caller: Caller) -> str:
    """The token of a device."""
    await an_app(caller)
    await a_device(caller, "a-token")
    return "a-token"


async def a_device_id(caller: Caller) -> str:
    """The id of a device."""
    await an_app(caller)
    return str((await a_device(caller))["id"])


async def an_audience(caller: Caller) -> dict[str, Any]:
    """A device; in production nobody, which costs nothing."""
    return {"tokenIds": [await a_token(caller) if caller.env == "test" else "nobody"]}


async def a_sent_push(caller: Caller) -> str:
    """A dispatch to one device."""
    return str((await a_dispatch(caller, **await an_audience(caller)))["id"])


async def a_later_push(caller: Caller) -> str:
    """A dispatch whose time has not come."""
    return str((await a_dispatch(caller, scheduledAt=LATER, **await an_audience(caller)))["id"])


RECORDS = {
    "push": a_sent_push,
    "later push": a_later_push,
    "push token": a_token,
    "push device": a_device_id,
    "push app": an_app_of_its_own,
}

QUIET = {"inicio": "22:00", "fim": "08:00", "fuso": "America/Sao_Paulo"}
AUDIENCE = "platforms[]! segment tokenIds[] imageUrl actions[]"
CONTENT = {"title": "Oi", "body": "Tudo bem?", "platforms": ["ios", "android", "web"]}

ENDPOINTS = [
    Endpoint(
        address="POST /v2/push/tokens",
        scope="push:send",
        errors="400 401 403 404",
        fields="appId! token! platform p256dh auth externalId contactId userName userEmail userPhone deviceName "
        "topics[] optedIn",
        body={"appId": "loja", "token": "t1", "platform": "ios"},
    ),
    Endpoint(
        address="GET /v2/push/tokens",
        scope="push:read",
        errors="401 403 422",
        parameters="contactId appId platform* active* limit* cursor",
    ),
    # The interface lists no status for a body that cannot be read, here and for opened: 400 says
    # it.
    Endpoint(
        address="POST /v2/push/tokens/opt-out",
        scope="push:send",
        errors="400 401 403 404",
        fields="appId! token!",
        body={"appId": "loja", "token": "<push token>"},
        unknown_is=404,
    ),
    Endpoint(
        address="POST /v2/push/dispatches/{id}/opened",
        scope="push:send",
        errors="400 401 403 404",
        ids={"id": "<push>"},
        fields="token",
        body={"token": "a-token"},
        optional_body=True,
    ),
    Endpoint(
        address="GET /v2/push/messages",
        scope="push:read",
        errors="400 401 403 422",
        parameters="status* origin* from* to* limit* cursor",
        never="400",
    ),
    Endpoint(
        address="POST /v2/push/messages",
        scope="push:send",
        status=201,
        errors="400 401 402 403 409 422",
        key="required",
        whole="AUDIENCIA_INVALIDA",
        fields=f"title! body! deepLink scheduledAt quoteId {AUDIENCE}",
        body={**CONTENT, "segment": "all_opt_in"},
    ),
    Endpoint(
        address="GET /v2/push/messages/{id}",
        scope="push:read",
        errors="401 403 404",
        ids={"id": "<push>"},
    ),
    Endpoint(
        address="POST /v2/push/messages/{id}/cancel",
        scope="push:send",
        errors="401 403 404 409",
        ids={"id": "<later push>"},
    ),
    Endpoint(
        address="POST /v2/push/preview",
        scope="push:send",
        errors="400 401 403",
        whole="AUDIENCIA_INVALIDA",
        fields=AUDIENCE,
        body={"platforms": ["ios"], "segment": "all_opt_in"},
    ),
    Endpoint(address="GET /v2/push/settings", scope="push:settings", errors="401 403"),
    Endpoint(
        address="PUT /v2/push/settings",
        scope="push:settings",
        errors="400 401 403 422",
        fields="janelaSilencio! excecoes[]",
        body={"janelaSilencio": QUIET},
    ),
    Endpoint(address="GET /v2/push/apps", scope="push:settings", errors="401 403"),
    Endpoint(
        address="POST /v2/push/apps",
        scope="push:settings",
        status=201,
        errors="400 401 403 409 422",
        fields="appId! name fcm apns web",
        body={"appId": "outra", "name": "Outra"},
    ),
    Endpoint(
        address="PATCH /v2/push/apps/{appId}",
        scope="push:settings",
        errors="400 401 403 404 422",
        ids={"appId": "<push app>"},
        fields="name fcm apns web",
        body={"name": "Loja"},
    ),
]

SEND, PREVIEW, REGISTER = "POST /v2/push/messages", "POST /v2/push/preview", "POST /v2/push/tokens"


async def no_money(world: World) -> None:
    await a_token(world.caller)
    await leave_coins(world.caller, 19)


async def a_push_with_key_k(world: World) -> None:
    await a_dispatch(world.caller, key="k")


async def a_push_begins(world: World) -> None:
    await push.start_due(at=datetime.fromisoformat(LATER))


async def the_app_is_there(world: World) -> None:
    await a_device(world.caller, appId="outra")


BOTH: dict[str, Any] = {"segment": "all_opt_in", "tokenIds": ["t1"]}

REFUSALS = [
    Refusal(
        status=400,
        address=SEND,
        headers={"Idempotency-Key": ...},
        wrong={"#Idempotency-Key": "required"},
    ),
    Refusal(
        status=400,
        address=REGISTER,
        change={"platform": "web"},
        wrong={"/p256dh": "required", "/auth": "required"},
    ),
    Refusal(
        status=400,
        address=REGISTER,
        change={"platform": "web", "p256dh": "k"},
        wrong={"/auth": "required"},
    ),
    Refusal(
        status=400,
        address=REGISTER,
        env="live",
        change={"platform": "web", **BROWSER_KEYS},
        wrong={"/token": "wrong_format"},
    ),
    Refusal(status=400, address=PREVIEW, change=BOTH, meta={"code": "AUDIENCIA_INVALIDA"}),
    Refusal(
        status=400, address=PREVIEW, change={"segment": ...}, meta={"code": "AUDIENCIA_INVALIDA"}
    ),
    Refusal(
        status=400,
        address=PREVIEW,
        change={"segment": "seg_000000000000000000000"},
        wrong={"/segment": "VINCULO_INVALIDO"},
    ),
    Refusal(
        status=402,
        address=SEND,
        before=no_money,
        meta={"saldoCoins": 19, "necessarioCoins": 20},
        writes=True,
    ),
    Refusal(status=404, address=REGISTER, env="live", meta={"code": "APP_DESCONHECIDO"}),
    Refusal(
        status=404, address=REGISTER, change={"contactId": "cnt_000000000000000000000"}, writes=True
    ),
    Refusal(
        status=409,
        address=SEND,
        before=a_push_with_key_k,
        headers={"Idempotency-Key": "k"},
        change={"body": "Tchau"},
        meta={"code": "CHAVE_REUTILIZADA"},
    ),
    Refusal(
        status=409,
        address="POST /v2/push/messages/{id}/cancel",
        before=a_push_begins,
        meta={"code": "ENVIO_JA_INICIADO"},
    ),
    Refusal(
        status=409,
        address="POST /v2/push/apps",
        before=the_app_is_there,
        meta={"code": "APP_JA_CADASTRADO"},
        writes=True,
    ),
    Refusal(status=422, address=SEND, change=BOTH, meta={"code": "AUDIENCIA_INVALIDA"}),
    Refusal(status=422, address=SEND, change={"segment": ...}, meta={"code": "AUDIENCIA_INVALIDA"}),
    Refusal(
        status=422,
        address=SEND,
        change={"segment": "seg_000000000000000000000"},
        meta={"code": "VINCULO_INVALIDO"},
        wrong={"/segment": "VINCULO_INVALIDO"},
    ),
    *(
        Refusal(
            status=422,
            address=f"GET /v2/push/{many}",
            query={"cursor": "x"},
            wrong={"?cursor": "wrong_format"},
        )
        for many in ("messages", "tokens")
    ),
]


async def always_quiet(world: World) -> None:
    """Quiet from noon to a minute before noon: at every moment but that minute, twice over for
    safety.
    """
    start = now().replace(second=0, microsecond=0) - timedelta(hours=1)
    end = start + timedelta(hours=23)
    settings = {
        "janelaSilencio": {"inicio": f"{start:%H:%M}", "fim": f"{end:%H:%M}", "fuso": "UTC"}
    }
    await push.put_settings(world.caller, push.PushSettings.model_validate(settings))
    world.notes["until"] = end


ANSWERS = [
    Answer(
        address=REGISTER, tells={"criado": True, "optedIn": True, "platform": "ios", "env": "test"}
    ),
    Answer(
        address=REGISTER,
        change={"platform": ..., "token": "ab" * 32},
        tells={"platform": "ios", "warnings": ["platform_presumida: ios"]},
    ),
    Answer(
        address=REGISTER,
        change={"platform": ...},
        tells={"platform": "android", "warnings": ["platform_presumida: android"]},
    ),
    Answer(
        address="GET /v2/push/tokens",
        before=the_app_is_there,
        tells={"items/0/appId": "outra", "items/0/active": True, "items/0/platform": "android"},
    ),
    Answer(address=REGISTER, change={"optedIn": False}, tells={"optedIn": False}),
    Answer(address="POST /v2/push/tokens/opt-out", tells={"optedIn": False}),
    Answer(address="POST /v2/push/dispatches/{id}/opened", tells={"counted": True}),
    Answer(
        address=SEND,
        tells={"status": "queued", "rateKind": "simple", "origin": "api", "billing/unitCoins": 20},
    ),
    Answer(address=SEND, tells={"metrics/reach": 0, "warnings": ["nenhum_dispositivo_alcancado"]}),
    Answer(address=SEND, before=always_quiet, tells={"status": "deferred"}),
    Answer(address=SEND, change={"scheduledAt": LATER}, tells={"status": "scheduled"}),
    Answer(
        address=SEND,
        change={"imageUrl": "https://cdn.example.com/a.png"},
        tells={"rateKind": "rich", "billing/unitCoins": 40},
    ),
    Answer(
        address=SEND,
        change={"title": "", "body": ""},
        tells={"rateKind": "silent", "billing/unitCoins": 10},
    ),
    Answer(
        address=PREVIEW,
        tells={"reach": 0, "rateKind": "simple", "unitCoins": 20, "coins": 0, "charged": True},
    ),
    Answer(
        address=PREVIEW,
        change={"actions": [{"label": "Ver"}]},
        tells={"rateKind": "rich", "unitCoins": 40},
    ),
    Answer(
        address="POST /v2/push/messages/{id}/cancel",
        tells={"status": "canceled", "billing/reservedCoins": 0},
    ),
    Answer(
        address="PUT /v2/push/settings", tells={"janelaSilencio/inicio": "22:00", "excecoes": []}
    ),
]
