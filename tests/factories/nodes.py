"""A record of every type that is a node, through the use cases; each answers the id."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from core import audit, cards, customer_events, lists, organizations, quoting, segments, webhooks
from core.cards.files import attach_file
from core.foundation.clock import now
from core.foundation.files import Upload
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from tests.factories.accounts import a_stored_session
from tests.factories.batches import ANA, a_bulk, a_desk
from tests.factories.cards import some_deals
from tests.factories.companies import a_company
from tests.factories.contacts import a_contact
from tests.factories.emails import a_requested_sender, an_email
from tests.factories.journeys import a_journey, a_run, a_running_journey
from tests.factories.numbers import a_number
from tests.factories.push import a_device, a_dispatch
from tests.factories.rcs import an_rcs
from tests.factories.smpp import an_smpp_account
from tests.factories.stored_messages import stored_conversation, stored_message
from tests.factories.templates import a_flow, a_template
from tests.factories.webhooks import a_subscription, an_event


async def a_session_id(caller: Caller) -> str:
    session, _ = await a_stored_session(caller.organization_id, caller.account_id or "")
    return session.id


async def a_contact_id(caller: Caller) -> str:
    return str((await a_contact(caller))["id"])


async def a_company_id(caller: Caller) -> str:
    return str((await a_company(caller))["id"])


async def a_message_id(caller: Caller) -> str:
    return await stored_message(caller, now())


async def a_list_id(caller: Caller) -> str:
    return str((await lists.create_list(caller, lists.NewList(name=new_id("name"))))["id"])


async def a_segment_id(caller: Caller) -> str:
    body = {"name": new_id("name"), "filters": [{"field": "tag", "operator": "is", "value": "vip"}]}
    return str(
        (await segments.create_segment(caller, segments.NewSegment.model_validate(body)))["id"]
    )


async def a_journey_id(caller: Caller) -> str:
    return str((await a_journey(caller))["id"])


async def a_journey_run_id(caller: Caller) -> str:
    return await a_run(await a_running_journey(caller))


async def a_webhook_id(caller: Caller) -> str:
    return str((await a_subscription(caller))["webhook"]["id"])


async def a_delivery_id(caller: Caller) -> str:
    id = await a_webhook_id(caller)
    await an_event(caller)
    page = await webhooks.list_deliveries(caller, id, webhooks.DeliveryFilter())
    return str(page["items"][0]["id"])


async def an_event_id(caller: Caller, contact_id: str | None = None) -> str:
    contact = {"contactId": contact_id} if contact_id else {"externalId": "crm-1"}
    body = {"name": "purchase", "eventId": new_id("order"), "contact": contact}
    return str(
        (
            await customer_events.record_event(
                caller, customer_events.NewCustomerEvent.model_validate(body)
            )
        )["id"]
    )


async def an_rcs_id(caller: Caller) -> str:
    return str((await an_rcs(caller))["id"])


async def a_conversation_id(caller: Caller) -> str:
    return await stored_conversation(caller, now())


async def an_email_id(caller: Caller) -> str:
    return str((await an_email(caller))["id"])


async def a_sender_id(caller: Caller) -> str:
    return await a_requested_sender(caller, "@loja.example.com")


async def a_push_id(caller: Caller) -> str:
    await a_device(caller, new_id("token"))
    return str((await a_dispatch(caller))["id"])


async def a_template_id(caller: Caller) -> str:
    return str((await a_template(caller))["id"])


async def a_flow_id(caller: Caller) -> str:
    return str((await a_flow(caller))["id"])


async def a_number_id(caller: Caller) -> str:
    return (await a_number(caller)).id


async def a_batch_id(caller: Caller) -> str:
    return str((await a_bulk(await a_desk(caller), ANA))["batchId"])


async def a_quote_id(caller: Caller) -> str:
    item = {"canal": "sms", "rota": "premium", "quantidade": 2}
    new = quoting.NewQuote.model_validate({"itens": [item]})
    return str((await quoting.create_quote(caller, new))["id"])


async def a_device_id(caller: Caller) -> str:
    return str((await a_device(caller, new_id("token")))["id"])


async def an_organization_id(caller: Caller) -> str:
    return caller.organization_id


async def an_account_id(caller: Caller) -> str:
    assert caller.account_id is not None
    return caller.account_id


async def a_key_id(caller: Caller) -> str:
    new = organizations.NewKey(name="checkout", env=caller.env, scopes=[Scope.SMS_READ])
    return str((await organizations.issue_key(caller, new))["id"])


async def an_audit_entry_id(caller: Caller) -> str:
    await audit.write_entry(caller, "key.listed", at=now())
    page = await audit.list_entries(caller, audit.AuditFilter(limit=1))
    return str(page["items"][0]["id"])


async def a_pipeline_id(caller: Caller) -> str:
    return (await some_deals(caller)).id


async def a_stage_id(caller: Caller) -> str:
    return (await some_deals(caller)).stages["Proposta"]


async def a_lost_reason_id(caller: Caller) -> str:
    return (await some_deals(caller, motivos=[{"texto": "Preço"}])).reasons["Preço"]


async def a_card_id(caller: Caller) -> str:
    return str((await (await some_deals(caller)).card())["id"])


async def an_activity_id(caller: Caller) -> str:
    note = cards.NewActivity.model_validate({"tipo": "nota", "texto": "Ligou de volta"})
    return str((await cards.add_activity(caller, await a_card_id(caller), note))["id"])


async def a_history_id(caller: Caller) -> str:
    deals = await some_deals(caller)
    card = await deals.card()
    await deals.move(card["id"], "Proposta")
    return str((await deals.history(card["id"]))[0]["id"])


async def a_file_id(caller: Caller) -> str:
    upload = Upload("proposta.pdf", "application/pdf", b"%PDF-1.7\n")
    return str((await attach_file(caller, await a_card_id(caller), upload))["id"])


async def an_smpp_account_id(caller: Caller) -> str:
    admin = replace(caller, scopes=frozenset(Scope))
    return str((await an_smpp_account(admin))["id"])


MADE: dict[str, Callable[[Caller], Awaitable[str]]] = {
    "Contact": a_contact_id,
    "Company": a_company_id,
    "SmsMessage": a_message_id,
    "RcsMessage": an_rcs_id,
    "EmailMessage": an_email_id,
    "ConversationMessage": a_conversation_id,
    "EmailSender": a_sender_id,
    "MessageBatch": a_batch_id,
    "PushMessage": a_push_id,
    "PushDevice": a_device_id,
    "Quote": a_quote_id,
    "Number": a_number_id,
    "Template": a_template_id,
    "Flow": a_flow_id,
    "ContactList": a_list_id,
    "Segment": a_segment_id,
    "Journey": a_journey_id,
    "JourneyRun": a_journey_run_id,
    "Webhook": a_webhook_id,
    "WebhookDelivery": a_delivery_id,
    "CustomerEvent": an_event_id,
    "Organization": an_organization_id,
    "Account": an_account_id,
    "ApiKey": a_key_id,
    "SmppAccount": an_smpp_account_id,
    "AuditEntry": an_audit_entry_id,
    "Session": a_session_id,
    "Pipeline": a_pipeline_id,
    "Stage": a_stage_id,
    "LostReason": a_lost_reason_id,
    "Card": a_card_id,
    "Activity": an_activity_id,
    "CardHistoryEntry": a_history_id,
    "CardFile": a_file_id,
}
"""A record of every type that is a node; its id."""
