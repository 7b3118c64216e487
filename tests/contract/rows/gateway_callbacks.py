"""Decisions: the callbacks of the provider `gateway`, which prove themselves by a signature."""

from tests.contract.table import Callback, Refusal

WITHOUT_SIGNATURE = (
    "tests/rest_api/test_gateway_callbacks.py::test_without_the_right_signature_nothing_is_read"
)

CALLBACKS = [
    Callback(
        path="/providers/gateway/{organization_id}/receipts",
        item={
            "id": "gw_1",
            "type": "api_message",
            "to": "+5511987650005",
            "reference": "<sms>",
            "status": "DELIVRD",
            "statusDescription": "Delivered",
            "channel": "SMS",
        },
        bad_item={"id": "gw_1", "to": 5511987650005},
    ),
    Callback(
        path="/providers/gateway/{organization_id}/replies",
        item={
            "id": "mo_1",
            "inReplyTo": "<sms>",
            "from": "+5511987650005",
            "body": "SIM",
            "receivedAt": "2026-11-21T12:00:00Z",
        },
        bad_item={"id": "mo_1", "from": 5511987650005},
    ),
]

REFUSALS = [Refusal(status=401, meta={"motivo": "assinatura"}, proven_by=WITHOUT_SIGNATURE)]
