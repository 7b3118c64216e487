"""A body that breaks a rule between fields, and has a wrong field besides, hears of both in one
answer.
"""

from typing import Any

import orjson
import pytest

from core.cards.activities.inputs import NewActivity
from core.cards.inputs import CardMove
from core.contacts.opt_out import OptOut
from core.conversations.batches.inputs import NewBulk, Resend
from core.conversations.inbound.inputs import NewInbound
from core.conversations.inputs import NewMessage
from core.email.inputs import NewEmail
from core.flows.inputs import MAX_VALUES, NewFlow
from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import Input, read_body
from core.journeys.inputs import NewJourney
from core.lists.inputs import Members
from core.push.app_inputs import NewApp
from core.push.inputs import NewPush, PushDraft
from core.rcs.inputs import NewRcs
from core.segments.inputs import NewSegment
from core.webhooks.inputs import Replay

Case = tuple[type[Input], dict[str, Any], dict[str, str]]

LETTER = {"to": "ana@example.com", "subject": "Oi"}
NOTICE = {"platforms": ["web"], "segment": "all_opt_in", "title": "Oi", "body": "Oi"}
HEAVY = {"id": "A", "data": {"of": [0] * MAX_VALUES}}


def message(payload: dict[str, Any], *, type: str = "interactive") -> dict[str, Any]:
    return {"numberId": "num_1", "to": "+5511987650005", "type": type, "payload": payload}


def journey(**fields: Any) -> dict[str, Any]:
    return {"name": "Volta", "gatilho": {"nome": "compra"}, **fields}


def step(kind: str, **config: Any) -> dict[str, Any]:
    return journey(passos=[{"id": "a", "tipo": kind, "config": config}], entradaPasso="a")


CASES: list[Case] = [
    (CardMove, {"antesDe": "a", "depoisDe": "b"}, {"": "not_allowed", "/etapaId": "required"}),
    (NewActivity, {"tipo": "visita"}, {"": "required", "/tipo": "not_allowed"}),
    (
        NewInbound,
        {"numberId": "n", "instagramAccountId": "i", "from": "ana"},
        {
            "/numberId": "required",
            "/from": "wrong_format",
            "/type": "required",
            "/payload": "required",
        },
    ),
    (
        NewInbound,
        {"from": "12", "type": "text", "payload": {}},
        {"/numberId": "required", "/from": "invalid_phone", "/payload/text": "wrong_format"},
    ),
    (
        NewMessage,
        message(
            {"kind": "audio", "media": {"id": "m", "caption": "x", "filename": "x"}, "x": 1},
            type="media",
        ),
        {
            "/payload/media/caption": "not_allowed",
            "/payload/media/filename": "not_allowed",
            "/payload/x": "unknown_field",
        },
    ),
    (
        NewMessage,
        message(
            {
                "kind": "buttons",
                "header": {"kind": "image", "x": 1},
                "buttons": [{"id": "a", "title": "a"}] * 2,
            }
        ),
        {
            "/payload/header/media": "required",
            "/payload/header/x": "unknown_field",
            "/payload/body": "required",
            "/payload/buttons": "not_allowed",
        },
    ),
    (
        NewMessage,
        message(
            {
                "kind": "list",
                "buttonText": "Ver",
                "sections": [{"rows": [{"id": i, "title": i}]} for i in "ab"],
            }
        ),
        {
            "/payload/body": "required",
            "/payload/sections/0/title": "required",
            "/payload/sections/1/title": "required",
        },
    ),
    (
        NewMessage,
        message({"kind": "flow", "body": "Oi", "buttonText": "Ver", "data": {}}),
        {"/payload/flowId": "required", "/payload/screen": "required"},
    ),
    (
        NewMessage,
        {
            "instagramAccountId": "i",
            "to": "1",
            "type": "interactive",
            "payload": {
                "kind": "buttons",
                "header": {"text": "Oi"},
                "body": "ã" * 501,
                "footer": "Oi",
                "buttons": [{"id": "a", "title": "a"}],
            },
        },
        {
            "/payload/header": "not_allowed",
            "/payload/footer": "not_allowed",
            "/payload/body": "too_long",
        },
    ),
    (
        NewBulk,
        {"numberId": "n", "recipients": [{"metadata": []}, {"templateVars": 1}]},
        {
            "/templateId": "required",
            "/recipients/0": "required",
            "/recipients/0/metadata": "wrong_type",
            "/recipients/1": "required",
            "/recipients/1/templateVars": "wrong_type",
        },
    ),
    (
        Resend,
        {"filtro": {"x": 1}, "messageIds": 1, "templateVars": [], "simular": 1},
        {
            "/filtro": "required",
            "/filtro/x": "unknown_field",
            "/messageIds": "wrong_type",
            "": "required",
            "/simular": "wrong_type",
        },
    ),
    (Resend, {"simular": 1}, {"": "required", "/simular": "wrong_type"}),
    (NewSegment, {}, {"": "required", "/name": "required"}),
    (
        NewFlow,
        {"numberId": "n", "flowJson": {"screens": [HEAVY], "version": 1}},
        {"/flowJson": "too_large", "/flowJson/version": "wrong_type", "/name": "required"},
    ),
    (OptOut, {"canal": "fax"}, {"": "required", "/canal": "not_allowed"}),
    (Members, {"x": 1}, {"": "required", "/x": "unknown_field"}),
    (NewEmail, {"to": "ana@example.com"}, {"": "required", "/subject": "required"}),
    (
        NewApp,
        {
            "fcm": {"projectId": "p", "privateKey": "x"},
            "apns": {"keyId": "k", "teamId": "t", "privateKey": "x", "sandbox": 1},
            "web": {"contact": "mailto:a@example.com", "privateKey": "_" * 43, "x": 1},
        },
        {
            "/appId": "required",
            "/fcm": "wrong_format",
            "/fcm/clientEmail": "required",
            "/apns": "wrong_format",
            "/apns/bundleId": "required",
            "/apns/sandbox": "wrong_type",
            "/web": "wrong_format",
            "/web/x": "unknown_field",
        },
    ),
    (
        PushDraft,
        {"actions": 1},
        {"": "AUDIENCIA_INVALIDA", "/platforms": "required", "/actions": "wrong_type"},
    ),
    (
        NewPush,
        {**NOTICE, "body": "", "scheduledAt": 1},
        {"": "required", "/scheduledAt": "wrong_type"},
    ),
    (NewPush, {**NOTICE, "deepLink": "ã" * 1500, "x": 1}, {"": "too_many", "/x": "unknown_field"}),
    (Replay, {"status": "entregue", "x": 1}, {"": "required", "/x": "unknown_field"}),
    (
        NewRcs,
        {"to": "12", "content": {"x": 1}, "route": "easy_rcs"},
        {"/to": "invalid_phone", "/content": "required", "/content/x": "unknown_field"},
    ),
    (
        NewJourney,
        {
            "gatilho": {"x": 1},
            "reentrada": "nunca",
            "intervaloReentradaHoras": 1,
            "entradaPasso": "a",
        },
        {
            "/name": "required",
            "/gatilho": "required",
            "/gatilho/x": "unknown_field",
            "/intervaloReentradaHoras": "not_allowed",
            "/entradaPasso": "PASSO_DESCONHECIDO",
        },
    ),
    (
        NewJourney,
        step("mensagem", canal="whatsapp", variaveis=["x"], tentativas=9, texto="Oi"),
        {"/passos/0/config": "not_allowed", "/passos/0/config/tentativas": "too_large"},
    ),
    (
        NewJourney,
        step("mensagem", canal="fax"),
        {"/passos/0/config": "required", "/passos/0/config/canal": "not_allowed"},
    ),
    (
        NewJourney,
        step("espera", x=1),
        {"/passos/0/config": "required", "/passos/0/config/x": "unknown_field"},
    ),
    (
        NewJourney,
        step("divisao", ramos=[{"percentual": 1}] * 2, x=1),
        {"/passos/0/config": "PERCENTUAIS_INVALIDOS", "/passos/0/config/x": "unknown_field"},
    ),
    (
        NewJourney,
        step("atualizarContato", x=1),
        {"/passos/0/config": "required", "/passos/0/config/x": "unknown_field"},
    ),
]


@pytest.mark.parametrize(
    ("model", "body", "wrong"),
    CASES,
    ids=[f"{case[0].__name__}-{n}" for n, case in enumerate(CASES)],
)
def test_a_rule_between_fields_and_a_wrong_field_are_named_together(
    model: type[Input], body: dict[str, Any], wrong: dict[str, str]
) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(model, orjson.dumps(body))

    assert {error.where: error.code for error in refusal.value.errors} == wrong
