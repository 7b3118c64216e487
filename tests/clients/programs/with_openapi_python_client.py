"""The README's first message through the client that openapi-python-client made."""

import json
import os

from svc_client import AuthenticatedClient
from svc_client.api.sms import sms_list_messages, sms_send_message
from svc_client.models import NewSms, Problem, SentSms, SmsPage, SmsRoute

with AuthenticatedClient(base_url=os.environ["URL"], token=os.environ["KEY"]) as client:
    body = NewSms(
        to="+5511987650005", body="Olá! Seu pedido saiu para entrega.", route=SmsRoute.PREMIUM
    )
    sent = sms_send_message.sync(client=client, body=body, idempotency_key="python-1042")
    assert isinstance(sent, SentSms), sent
    listed = sms_list_messages.sync(client=client, limit=10)
    assert isinstance(listed, SmsPage), listed
    wrong = sms_send_message.sync(
        client=client,
        body=NewSms(to="12", body="Olá!", route=SmsRoute.PREMIUM),
        idempotency_key="python-1043",
    )
    assert isinstance(wrong, Problem), wrong
    told = {
        "status": sent.status.value,
        "listed": sent.id in [message.id for message in listed.items],
        "refused": [fault.pointer for fault in wrong.errors or []],
    }
    print(json.dumps(told))
